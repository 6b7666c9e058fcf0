#include "engine/proof_task.hpp"

#include "base/error.hpp"
#include "engine/kind_tasks.hpp"

namespace proofline::engine {

std::shared_ptr<const ProofTask> make_task(ProofRequest request) {
  switch (request.kind) {
    case filecoin::CircuitKind::kPorep:
      return make_porep_task(std::move(request));
    case filecoin::CircuitKind::kWinningPost:
    case filecoin::CircuitKind::kWindowPost:
      return make_post_task(std::move(request));
    case filecoin::CircuitKind::kUpdate:
      return make_update_task(std::move(request));
  }
  throw InputError("kind: " + std::to_string(static_cast<int>(request.kind)) + " is no kind of proof");
}

}  // namespace proofline::engine
