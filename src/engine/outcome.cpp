// How partitions and jobs end.
#include <algorithm>

#include "base/units.hpp"
#include "engine/engine_state.hpp"

namespace proofline::engine {

bool takes_kind(const Device& device, filecoin::CircuitKind kind) {
  return device.kinds.empty() || std::ranges::find(device.kinds, kind) != device.kinds.end();
}

void EngineState::add_stage(Job& job, std::string_view name, double seconds) {
  const auto known = std::ranges::find(job.stages, name, &StageTime::name);
  if (known != job.stages.end()) {
    known->seconds += seconds;
  } else {
    job.stages.push_back({std::string(name), seconds});
  }
  auto total = std::ranges::find(stage_totals, name, &StageTotal::name);
  if (total == stage_totals.end()) total = stage_totals.insert(total, {.name = std::string(name)});
  ++total->count;
  total->seconds += seconds;
}

void EngineState::set_stage(const Attempt& attempt, PartitionStage stage) {
  PartitionState& partition = attempt.job->partitions[attempt.partition];
  if (partition.failures == attempt.number && partition.is_claimed()) partition.stage = stage;
}

void EngineState::keep(JobId id) {
  parts.journal.keep(id);
  if (const auto job = jobs.find(id); job != jobs.end()) job->second->record.is_kept = true;
}

void EngineState::end_job(Job& job, JobState job_state, const std::string& error) {
  if (job.is_ended()) return;
  job.record.state = job_state;
  job.record.error = error;
  try {
    parts.journal.finished(job.record.id, job_state, error, WallClock::now());
  } catch (const Error& failure) {
    // There the job has not ended: the next start takes it up again.
    job.record.error += std::string(error.empty() ? "" : "; ") + failure.what();
  }
  job.record.finished = WallClock::now();
  release_memory(job);
  ++(job_state == JobState::kDone ? done : job_state == JobState::kCancelled ? cancelled : failed);
  if (options.on_end) options.on_end(job.record);
  // The lock is held: whoever is woken goes on after it is free.
  job.stop.request_stop();
  changed.notify_all();
}

void EngineState::release_memory(Job& job) {
  if (job.own_partition) give_back(job, std::move(*job.own_partition));
  job.own_partition.reset();
  job.input.release();
  for (PartitionState& partition : job.partitions) partition.fallback.reset();
}

void EngineState::partition_done(const Attempt& attempt, std::size_t device, const groth16::Proof& proof) {
  Job& job = *attempt.job;
  const std::lock_guard lock(mutex);
  PartitionState& partition = job.partitions[attempt.partition];
  if (job.is_ended() || partition.is_done()) return;
  parts.journal.partition_done(job.record.id, attempt.partition, proof);
  ++devices[device].status.partitions;
  partition.stage = PartitionStage::kDone;
  job.record.partitions[attempt.partition] = proof;
  if (std::ranges::all_of(job.partitions, &PartitionState::is_done)) end_job(job, JobState::kDone, "");
  changed.notify_all();
}

void EngineState::partition_failed(const Attempt& attempt, const std::string& reason) {
  const std::lock_guard lock(mutex);
  if (attempt.job->partitions[attempt.partition].failures != attempt.number) return;
  end_job(*attempt.job, JobState::kFailed, reason);
}

void EngineState::device_failed(const Attempt& attempt, std::size_t device, const std::string& reason) {
  const std::lock_guard lock(mutex);
  Job& job = *attempt.job;
  PartitionState& partition = job.partitions[attempt.partition];
  // Of an attempt that was given up earlier, or a job that was: nothing new.
  if (job.is_ended() || partition.failures != attempt.number || !partition.is_claimed()) return;
  ++devices[device].status.failures;
  partition.failed_on = devices[device].backend.get();
  ++partition.failures;
  if (devices[device].status.is_fallback) return end_job(job, JobState::kFailed, reason + " (no other device is left)");
  if (partition.failures > 1) {
    partition.fallback = take_fallback_memory(job);
    if (!partition.fallback) {
      const std::string lacking = devices.back().status.is_fallback
                                      ? "; " + devices.back().status.name + " would need " +
                                            format_bytes(job.fallback_bytes) + " more of memory"
                                      : "";
      return end_job(job, JobState::kFailed, reason + " (the second failure" + lacking + ")");
    }
  } else if (!has_device(job.record.kind) && !has_fallback(job)) {
    return end_job(job, JobState::kFailed, reason + "; no other device takes the job");
  }
  partition.stage = PartitionStage::kQueued;
  changed.notify_all();
}

void EngineState::watch_deadlines(std::stop_token stop) {
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    const Clock::time_point now = Clock::now();
    const WallClock::time_point wall = WallClock::now();
    Clock::time_point next = now + std::chrono::hours(1);
    for (const auto& [id, job] : jobs) {
      if (job->is_ended() || !job->record.deadline) continue;
      if (*job->record.deadline <= wall) {
        end_job(*job, JobState::kTimedOut, "not done before its deadline");
      } else {
        next = std::min(next, now + (*job->record.deadline - wall));
      }
    }
    std::vector<StepWatch> hanging;
    for (StepWatch& watch : watches) {
      if (watch.deadline <= now) {
        if (watch.asked_to_stop) {
          devices[watch.device].status.lost = true;
          hanging.push_back(watch);
          watch.deadline = Clock::time_point::max();
        } else {
          watch.stop.request_stop();
          watch.asked_to_stop = true;
          watch.deadline = now + options.step_timeout;
        }
      }
      next = std::min(next, watch.deadline);
    }
    if (!hanging.empty()) {
      lock.unlock();
      for (const StepWatch& watch : hanging) {
        device_failed(watch.attempt, watch.device,
                      devices[watch.device].status.name + " hangs in " + watch.step + " and does not stop");
      }
      lock.lock();
      continue;
    }
    forget_ended();
    changed.wait_until(lock, next);
  }
}

}  // namespace proofline::engine
