// What the engine's threads do: witness workers, one thread a device, one finisher a device.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/units.hpp"
#include "engine/engine_state.hpp"

namespace proofline::engine {
namespace {

void update_mean(double& mean, double value) {
  mean = mean <= 0 ? value : mean * 0.8 + value * 0.2;
}

/// Tells a job's timings and the recorder of each stage of a device's step.
class StepObserver : public groth16::StageObserver {
 public:
  StepObserver(PartitionWork& work, std::string track)
      : work_(work), track_(std::move(track)), subject_(work.subject()), begin_(Clock::now()) {}
  void stage_done(std::string_view name) override {
    const Clock::time_point now = Clock::now();
    work_.engine.parts.recorder.span(track_, name, subject_, begin_, now);
    const std::lock_guard lock(work_.engine.mutex);
    work_.engine.add_stage(work_.job(), name, seconds_between(begin_, now));
    begin_ = now;
  }

 private:
  PartitionWork& work_;
  std::string track_, subject_;
  Clock::time_point begin_;
};

/// Runs a step of a partition on a device. It is stopped with the job, with the engine, and when it takes too long.
template <class Step>
auto watched(EngineState& state, const PartitionWork& work, std::size_t device, std::string name,
             const std::stop_token& engine_stop, const Step& step) {
  std::stop_source stop;
  const std::stop_callback with_job(work.job().stop.get_token(), [&stop] { stop.request_stop(); });
  const std::stop_callback with_engine(engine_stop, [&stop] { stop.request_stop(); });
  std::list<StepWatch> here;
  here.push_back({work.attempt, device, std::move(name), stop, Clock::time_point::max()});
  const auto watch = here.begin();
  if (state.options.step_timeout.count() > 0 && !state.devices[device].status.is_fallback)
    watch->deadline = Clock::now() + state.options.step_timeout;
  {
    const std::lock_guard lock(state.mutex);
    state.watches.splice(state.watches.end(), here);
    state.changed.notify_all();
  }
  struct Leave {
    EngineState& state;
    std::list<StepWatch>::iterator watch;
    std::size_t device;
    ~Leave() {
      const std::lock_guard lock(state.mutex);
      if (watch->asked_to_stop) state.devices[device].status.lost = false;
      state.watches.erase(watch);
      state.changed.notify_all();
    }
  } leave{state, watch, device};
  try {
    return step(stop.get_token());
  } catch (const device::Cancelled&) {
    const std::lock_guard lock(state.mutex);
    if (!watch->asked_to_stop) throw;
    throw Error(fmt::format("{}: {} took longer than the limit of {} ms", state.devices[device].status.name,
                            watch->step, state.options.step_timeout.count()));
  }
}

/// Calls `body` and turns what it throws into the attempt's outcome. Whether it threw nothing.
template <class Body>
bool guarded(EngineState& state, const PartitionWork& work, std::optional<std::size_t> device,
             const std::stop_token& engine_stop, const Body& body) {
  const auto failed = [&](const std::string& reason) {
    if (engine_stop.stop_requested()) return;  // the journal knows that the job is not done
    if (device) return state.device_failed(work.attempt, *device, reason);
    state.partition_failed(work.attempt, reason);
  };
  const std::string where = "partition " + std::to_string(work.attempt.partition) + ": ";
  try {
    body();
    return true;
  } catch (const InputError& error) {
    state.partition_failed(work.attempt, where + error.what());
  } catch (const UnsatisfiedError& error) {
    state.partition_failed(work.attempt, where + error.what());
  } catch (const std::exception& error) {
    failed(where + error.what());
  }
  return false;
}

/// A partition goes again to the device that failed on it only where no other takes it.
bool takes(const EngineState& state, const Device& device, const PartitionWork& work) {
  if (device.status.is_fallback || work.fallback) return device.status.is_fallback && work.fallback != nullptr;
  const filecoin::CircuitKind kind = work.job().record.kind;
  if (!takes_kind(device, kind)) return false;
  if (work.job().partitions[work.attempt.partition].failed_on != device.backend.get()) return true;
  return std::ranges::none_of(state.devices, [&](const Device& other) {
    return &other != &device && !other.status.is_fallback && !other.status.lost && takes_kind(other, kind);
  });
}

}  // namespace

PartitionWork::~PartitionWork() {
  pending.reset();
  witness = {};
  const std::lock_guard lock(engine.mutex);
  if (is_own) engine.give_back(job(), std::move(memory));
  memory.release();
  fallback.reset();
  attempt.job.reset();
  engine.changed.notify_all();
}

void EngineState::run_admission(std::unique_lock<std::mutex>& lock, std::shared_ptr<Job> job, const std::string& track,
                                const std::stop_token& stop) {
  job->being_admitted = true;
  if (job->record.priority != Priority::kCritical) admitting = job.get();
  lock.unlock();
  std::string error;
  try {
    const RecordedSpan span(&parts.recorder, track, "admission", "job " + std::to_string(job->record.id));
    std::stop_source either;
    const std::stop_callback with_job(job->stop.get_token(), [&] { either.request_stop(); });
    const std::stop_callback with_engine(stop, [&] { either.request_stop(); });
    admit(*job, either.get_token());
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  lock.lock();
  job->being_admitted = false;
  if (admitting == job.get()) admitting = nullptr;
  if (!error.empty() && !stop.stop_requested()) end_job(*job, JobState::kFailed, error);
  if (job->is_ended()) release_memory(*job);
}

void EngineState::run_witness(std::unique_lock<std::mutex>& lock, std::unique_ptr<PartitionWork> work,
                              const std::string& track, const std::stop_token& stop) {
  lock.unlock();
  const Clock::time_point begin = Clock::now();
  const bool made = guarded(*this, *work, std::nullopt, stop, [&] {
    const RecordedSpan span(&parts.recorder, track, "witness", work->subject());
    work->witness = work->job().task->witness(work->attempt.partition, parts.witness_exec);
  });
  const double seconds = seconds_between(begin, Clock::now());
  if (made && !work->is_own) work->memory.shrink_to(work->job().witness_bytes);
  lock.lock();
  if (made && !work->job().is_ended()) {
    update_mean(witness_seconds, seconds);
    add_stage(work->job(), kWitnessStage, seconds);
    const RecordedSpan span(&parts.recorder, track, "hand over", work->subject());
    // The permit is held until a device has taken the partition: no more can pile up than there are workers.
    const std::shared_ptr<Job> job = work->attempt.job;
    const PartitionWork* const mine = work.get();
    set_stage(work->attempt, PartitionStage::kWaiting);
    ready.push_back(std::move(work));
    ready_peak = std::max(ready_peak, ready.size());
    parts.recorder.counter("partitions waiting", ready.size());
    changed.notify_all();
    const auto place = [&] { return std::ranges::find(ready, mine, &std::unique_ptr<PartitionWork>::get); };
    changed.wait(lock, stop, [&] { return place() == ready.end() || job->is_ended(); });
    if (const auto still_there = place(); still_there != ready.end()) {
      work = std::move(*still_there);
      ready.erase(still_there);
    }
  }
  lock.unlock();
  work.reset();
  lock.lock();
}

void EngineState::witness_worker(std::stop_token stop, const std::string& track, Priority lowest) {
  const bool only_critical = lowest == Priority::kCritical;
  std::unique_lock lock(mutex);
  for (;;) {
    std::shared_ptr<Job> to_admit;
    std::unique_ptr<PartitionWork> work;
    const bool has_work = changed.wait(lock, stop, [&] {
      if (stop.stop_requested() || (!only_critical && busy_workers >= workers_wanted())) return false;
      to_admit = next_to_admit(lowest);
      if (to_admit == nullptr) work = claim(lowest);
      return to_admit != nullptr || work != nullptr;
    });
    if (!has_work) return;
    if (!only_critical) ++busy_workers;
    if (to_admit != nullptr) {
      run_admission(lock, std::move(to_admit), track, stop);
    } else {
      run_witness(lock, std::move(work), track, stop);
    }
    if (!only_critical) --busy_workers;
    changed.notify_all();
  }
}

void EngineState::device_worker(std::stop_token stop, std::size_t number) {
  Device& device = devices[number];
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    const auto next = [&] {
      if (device.status.is_fallback) divert_to_fallback();
      auto best = ready.end();
      for (auto it = ready.begin(); it != ready.end(); ++it) {
        if ((*it)->job().is_ended() || !takes(*this, device, **it)) continue;
        if (best == ready.end() || goes_before((*it)->job(), (*best)->job())) best = it;
      }
      return best;
    };
    if (!changed.wait(lock, stop, [&] { return next() != ready.end(); })) return;
    const auto taken = next();
    std::unique_ptr<PartitionWork> work = std::move(*taken);
    ready.erase(taken);
    parts.recorder.counter("partitions waiting", ready.size());
    device.status.work = work->subject();
    device.status.job = work->job().record.id;
    set_stage(work->attempt, PartitionStage::kDevice);
    changed.notify_all();
    lock.unlock();

    const Clock::time_point begin = Clock::now();
    const bool started = guarded(*this, *work, number, stop, [&] {
      const RecordedSpan span(&parts.recorder, device.status.name, "start", work->subject());
      StepObserver observer(*work, device.status.name + " stages");
      const ProvingKit& kit = work->job().kit;
      work->pending = watched(*this, *work, number, "start", stop, [&](std::stop_token step_stop) {
        return device.backend->start(
            {kit.circuit, kit.parameters, std::move(work->witness), groth16::Blinding::random()}, std::move(step_stop),
            &observer);
      });
    });
    const double seconds = seconds_between(begin, Clock::now());
    if (!started) work.reset();
    lock.lock();
    device.status.work.clear();
    device.status.job.reset();
    if (!started) continue;
    if (!device.status.is_fallback) update_mean(start_seconds, seconds);
    changed.wait(lock, stop, [&] { return device.started == nullptr; });
    if (stop.stop_requested()) {
      lock.unlock();
      work.reset();
      return;
    }
    set_stage(work->attempt, PartitionStage::kFinish);
    device.started = std::move(work);
    changed.notify_all();
  }
}

void EngineState::finisher(std::stop_token stop, std::size_t number) {
  Device& device = devices[number];
  std::unique_lock lock(mutex);
  while (changed.wait(lock, stop, [&] { return device.started != nullptr; })) {
    std::unique_ptr<PartitionWork> work = std::move(device.started);
    changed.notify_all();
    lock.unlock();
    groth16::Proof proof;
    const bool holds = guarded(*this, *work, number, stop, [&] {
      const RecordedSpan span(&parts.recorder, device.status.name + " finish", "finish", work->subject());
      StepObserver observer(*work, device.status.name + " finish stages");
      proof = watched(*this, *work, number, "finish", stop, [&](std::stop_token step_stop) {
        return work->pending->finish(std::move(step_stop), &observer);
      });
      if (!groth16::verify(*work->job().kit.key, work->job().task->public_inputs(work->attempt.partition), proof)) {
        throw Error(device.status.name + " made a proof that does not verify");
      }
      observer.stage_done("verification");
    });
    if (holds) {
      guarded(*this, *work, std::nullopt, stop, [&] { partition_done(work->attempt, number, proof); });
    }
    work.reset();
    lock.lock();
  }
}

}  // namespace proofline::engine
