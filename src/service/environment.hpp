#pragma once
/// Environment variables: those of Proofline, and those that users of Filecoin's other provers know.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace proofline::service {

/// A variable that sets a configuration key.
struct EnvironmentSetting {
  std::string variable, key, value;
};

struct EnvironmentEffects {
  std::vector<EnvironmentSetting> settings;
  bool no_gpu = false;
  std::vector<std::string> warnings;
};

/// What the variables ask for:
///   PROOFLINE_<SECTION>_<KEY>     the key of the configuration; PROOFLINE_DAEMON_LISTEN is daemon.listen
///   FIL_PROOFS_PARAMETER_CACHE    where parameters are, unless srs.param_cache says (engine/parameter_files.hpp)
///   BELLMAN_NO_GPU                by its value: 1, true, yes or on; not by being there
///   CUDA_VISIBLE_DEVICES          read by CUDA itself; empty or -1 means no device
///   RUST_LOG                      a hint: its level without target sets logging.level
/// Other FIL_*, BELLMAN_* and PROOFLINE_* names get one warning each: with no effect here, or unknown with the nearest
/// name.
EnvironmentEffects environment_effects(const std::map<std::string, std::string>& variables);

/// This process's.
std::map<std::string, std::string> process_environment();

}  // namespace proofline::service
