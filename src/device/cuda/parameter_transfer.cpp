#include "device/cuda/parameter_transfer.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "device/cuda/check.cuh"
#include "device/cuda/pinned_slot.hpp"
#include "groth16/parameter_writer.hpp"

namespace proofline::cuda {

using math::G1Affine;
using math::G2Affine;

namespace {

/// Of a slot: blocks are as many points as fit.
constexpr std::size_t kSlotBytes = std::size_t{32} << 20;
/// Points that a thread decodes at a time.
constexpr std::size_t kDecoded = 1 << 12;

class Loader {
 public:
  Loader(const groth16::MappedParameters& parameters, Stream stream, const Executor& exec, Progress& progress)
      : parameters_(parameters), stream_(stream), exec_(exec), progress_(progress) {}
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  /// The slots go only when no copy reads them.
  ~Loader() { static_cast<void>(cudaStreamSynchronize(stream_)); }

  template <class Affine>
  void load(const groth16::QueryLocation& list, const math::PointReader<Affine>& reader, std::span<Affine> out) {
    const std::size_t block = slots_[0].as<Affine>().size();
    for (std::size_t first = 0; first < out.size(); first += block) {
      const std::size_t count = std::min(block, out.size() - first);
      const PinnedSlot& slot = slots_[next_++ % slots_.size()];
      slot.done.wait();
      const std::span<Affine> points = slot.as<Affine>().first(count);
      exec_.parallel_for(count, kDecoded, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> indices(end - begin);
        std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(first + begin));
        reader(indices, points.subspan(begin, end - begin));
      });
      check(cudaMemcpyAsync(out.data() + first, points.data(), points.size_bytes(), cudaMemcpyHostToDevice, stream_),
            "copying parameters");
      slot.done.record(stream_);
      progress_.report(list.name, first + count, out.size());
    }
    parameters_.release(list);
  }
  void finish() const { check(cudaStreamSynchronize(stream_), "copying parameters"); }

 private:
  const groth16::MappedParameters& parameters_;
  Stream stream_;
  const Executor& exec_;
  Progress& progress_;
  std::array<PinnedSlot, 2> slots_{PinnedSlot(kSlotBytes), PinnedSlot(kSlotBytes)};
  std::size_t next_ = 0;
};

class Downloader {
 public:
  Downloader(groth16::ParameterWriter& writer, Stream stream) : writer_(writer), stream_(stream) {}
  Downloader(const Downloader&) = delete;
  Downloader& operator=(const Downloader&) = delete;
  /// The slots go only when no copy writes them.
  ~Downloader() { static_cast<void>(cudaStreamSynchronize(stream_)); }

  template <class Affine>
  void write(const char* name, std::span<const Affine> list) const {
    writer_.begin(name, list.size());
    const std::size_t block = slots_[0].as<Affine>().size();
    const auto block_at = [&](std::size_t first) { return list.subspan(first, std::min(block, list.size() - first)); };
    const auto slot_of = [&](std::size_t first) -> const PinnedSlot& { return slots_[first / block % slots_.size()]; };
    const auto fetch = [&](std::size_t first) {
      const std::span<const Affine> from = block_at(first);
      const PinnedSlot& slot = slot_of(first);
      check(
          cudaMemcpyAsync(slot.memory.bytes().data(), from.data(), from.size_bytes(), cudaMemcpyDeviceToHost, stream_),
          "copying parameters");
      slot.done.record(stream_);
    };
    if (!list.empty()) fetch(0);
    for (std::size_t first = 0; first < list.size(); first += block) {
      if (first + block < list.size()) fetch(first + block);
      const PinnedSlot& slot = slot_of(first);
      slot.done.wait();
      writer_.append(std::span<const Affine>(slot.as<Affine>().first(block_at(first).size())));
    }
  }

 private:
  groth16::ParameterWriter& writer_;
  Stream stream_;
  std::array<PinnedSlot, 2> slots_{PinnedSlot(kSlotBytes), PinnedSlot(kSlotBytes)};
};

}  // namespace

ParameterCounts parameter_counts(const groth16::MappedParameters& parameters) {
  return {
      .h = parameters.h().count, .l = parameters.l().count, .a = parameters.a().count, .b = parameters.b_g1().count};
}

void load_parameters(const groth16::MappedParameters& parameters, ParameterPoints out, Stream stream,
                     const Executor& exec, Progress& progress) {
  if (!parameter_counts(parameters).fit(out)) {
    throw InputError(parameters.path().string() + ": the device's lists have other sizes than the file's");
  }
  Loader loader(parameters, stream, exec, progress);
  const auto load = [&](const groth16::QueryLocation& list, std::span<G1Affine> to) {
    loader.load(list, parameters.read_g1(list), to);
  };
  load(parameters.h(), out.h);
  load(parameters.l(), out.l);
  load(parameters.a(), out.a);
  load(parameters.b_g1(), out.b_g1);
  loader.load(parameters.b_g2(), parameters.read_g2(parameters.b_g2()), out.b_g2);
  loader.finish();
}

void write_parameters(const groth16::VerifyingKey& key, const ParameterPoints& points,
                      const std::filesystem::path& path, Stream stream, const Executor& exec, Progress& progress) {
  groth16::ParameterWriter writer(path, exec, progress);
  writer.key(key);
  const Downloader lists(writer, stream);
  lists.write<G1Affine>("h", points.h);
  lists.write<G1Affine>("l", points.l);
  lists.write<G1Affine>("a", points.a);
  lists.write<G1Affine>("b_g1", points.b_g1);
  lists.write<G2Affine>("b_g2", points.b_g2);
  writer.commit();
}

}  // namespace proofline::cuda
