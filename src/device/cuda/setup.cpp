#include "device/cuda/setup.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/secret.hpp"
#include "device/cuda/check.cuh"
#include "device/cuda/fixed_base.hpp"
#include "device/cuda/pinned_slot.hpp"
#include "groth16/setup_scalars.hpp"

namespace proofline::cuda {

using groth16::PointList;
using math::Fr;
using math::G1;
using math::G1Affine;
using math::G2;
using math::G2Affine;

namespace {

/// Scalars that go to the device at a time, and how many times ahead of it the host may be: it makes the scalars of the
/// next range meanwhile.
constexpr std::size_t kStep = std::size_t{1} << 20;
constexpr std::size_t kSlots = 8;

/// Multiplies the generators with lists of scalars on the device.
class DeviceMultiplier {
 public:
  DeviceMultiplier(const ParameterPoints& out, Arena scratch, Stream stream, const Executor& exec, Progress& progress)
      : out_(out),
        exec_(exec),
        progress_(progress),
        total_(out.h.size() + out.l.size() + out.a.size() + out.b_g1.size() + out.b_g2.size()),
        stream_(stream),
        table_g1_(scratch.take<G1Affine>(kFixedBaseMultiples)),
        table_g2_(scratch.take<G2Affine>(kFixedBaseMultiples)),
        secrets_(scratch.take<std::byte>(secret_bytes())) {
    upload<G1>(table_g1_);
    upload<G2>(table_g2_);
    Arena rest(secrets_);
    for (std::span<Fr>& scalars : scalars_) scalars = rest.take<Fr>(kStep);
    work_ = rest.take<std::byte>(work_bytes());
    slots_.reserve(kSlots);
    for (std::size_t i = 0; i < kSlots; ++i) slots_.emplace_back(kStep * sizeof(Fr));
  }
  DeviceMultiplier(const DeviceMultiplier&) = delete;
  DeviceMultiplier& operator=(const DeviceMultiplier&) = delete;
  /// Wipes whatever happened; what cannot be reported here was, or will be, elsewhere.
  ~DeviceMultiplier() {
    static_cast<void>(cudaMemsetAsync(secrets_.data(), 0, secrets_.size(), stream_));
    static_cast<void>(cudaStreamSynchronize(stream_));
    for (const PinnedSlot& slot : slots_) wipe(slot.memory.bytes());
  }

  static std::size_t device_bytes() {
    return Arena::rounded(kFixedBaseMultiples * sizeof(G1Affine)) +
           Arena::rounded(kFixedBaseMultiples * sizeof(G2Affine)) + Arena::rounded(secret_bytes());
  }

  /// Points [first, ...) of a list.
  void multiply(PointList list, std::size_t first, std::span<const Fr> scalars) {
    for (std::size_t at = 0; at < scalars.size(); at += kStep)
      step(list, first + at, scalars.subspan(at, std::min(kStep, scalars.size() - at)));
  }
  /// Waits for the device.
  void finish() const { check(cudaStreamSynchronize(stream_), "making parameters on the device"); }

 private:
  static std::size_t work_bytes() {
    return Arena::rounded(std::max(fixed_base_device_bytes<G1>(), fixed_base_device_bytes<G2>()));
  }
  static std::size_t secret_bytes() { return kSlots * Arena::rounded(kStep * sizeof(Fr)) + work_bytes(); }

  template <class Point>
  void upload(std::span<typename Point::Affine> to) const {
    const std::vector<typename Point::Affine> table = fixed_base_table<Point>(Point::Affine::generator(), exec_);
    check(cudaMemcpyAsync(to.data(), table.data(), to.size_bytes(), cudaMemcpyHostToDevice, stream_),
          "copying multiples of a generator");
    check(cudaStreamSynchronize(stream_), "copying multiples of a generator");
  }

  void step(PointList list, std::size_t first, std::span<const Fr> scalars) {
    const std::size_t turn = next_++ % kSlots;
    const PinnedSlot& slot = slots_[turn];
    slot.done.wait();
    const std::span<Fr> pinned = slot.as<Fr>().first(scalars.size());
    exec_.parallel_for(scalars.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
      std::copy(scalars.begin() + static_cast<std::ptrdiff_t>(begin),
                scalars.begin() + static_cast<std::ptrdiff_t>(end),
                pinned.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    const std::span<Fr> on_device = scalars_[turn].first(scalars.size());
    check(cudaMemcpyAsync(on_device.data(), pinned.data(), pinned.size_bytes(), cudaMemcpyHostToDevice, stream_),
          "copying scalars");
    if (list == PointList::kB) {
      to_list<G1>(table_g1_, on_device, out_.b_g1, first);
      to_list<G2>(table_g2_, on_device, out_.b_g2, first);
    } else {
      to_list<G1>(table_g1_, on_device,
                  list == PointList::kH   ? out_.h
                  : list == PointList::kL ? out_.l
                                          : out_.a,
                  first);
    }
    slot.done.record(stream_);
    progress_.report("points", done_, total_);
  }

  template <class Point>
  void to_list(std::span<const typename Point::Affine> table, std::span<const Fr> scalars,
               std::span<typename Point::Affine> list, std::size_t first) {
    enqueue_multiples<Point>(table, scalars, list.subspan(first, scalars.size()), Arena(work_), stream_);
    done_ += scalars.size();
  }

  ParameterPoints out_;
  const Executor& exec_;
  Progress& progress_;
  std::uint64_t done_ = 0, total_;
  Stream stream_;
  std::span<G1Affine> table_g1_;
  std::span<G2Affine> table_g2_;
  std::span<std::byte> secrets_, work_;  ///< work_ is the part of secrets_ behind the scalars
  std::array<std::span<Fr>, kSlots> scalars_;
  std::vector<PinnedSlot> slots_;
  std::size_t next_ = 0;
};

}  // namespace

ParameterCounts parameter_counts(const r1cs::StructuredR1cs& circuit) {
  return {.h = groth16::count_points(circuit, PointList::kH),
          .l = groth16::count_points(circuit, PointList::kL),
          .a = groth16::count_points(circuit, PointList::kA),
          .b = groth16::count_points(circuit, PointList::kB)};
}

std::size_t setup_device_bytes() {
  return DeviceMultiplier::device_bytes();
}

groth16::VerifyingKey make_parameters(const r1cs::StructuredR1cs& circuit, const groth16::ToxicWaste& waste,
                                      ParameterPoints out, Arena scratch, Stream stream, const Executor& exec,
                                      Progress& progress) {
  if (!parameter_counts(circuit).fit(out)) {
    throw InputError("setup: the device's lists have other sizes than the circuit's parameters");
  }
  DeviceMultiplier multiplier(out, scratch, stream, exec, progress);
  const groth16::SetupScalars scalars(circuit, waste, exec);
  SecretVector<Fr> ic(circuit.num_inputs);
  scalars.make({PointList::kIc, PointList::kH, PointList::kL, PointList::kA, PointList::kB},
               [&](PointList list, std::size_t first, std::span<const Fr> block) {
                 if (list == PointList::kIc) {
                   std::copy(block.begin(), block.end(), ic.span().subspan(first).begin());
                 } else {
                   multiplier.multiply(list, first, block);
                 }
               });
  const groth16::VerifyingKey key =
      groth16::make_verifying_key(waste, ic.span(), math::FixedBaseG1(G1Affine::generator(), exec), exec);
  multiplier.finish();
  return key;
}

}  // namespace proofline::cuda
