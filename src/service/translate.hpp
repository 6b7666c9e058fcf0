#pragma once
/// Between the messages of proto/cuzk.proto and the engine's requests and results.
#include "engine/engine.hpp"

namespace cuzk::v1 {
class SubmitProofRequest;
class AwaitProofResponse;
}  // namespace cuzk::v1

namespace proofline::service {

struct Submission {
  engine::ProofRequest request;
  engine::SubmitOptions options;  ///< request_id and priority
};

/// Takes the payload out of the message. Checks what the message alone can tell; make_task checks the rest. Throws
/// InputError starting with the message's field at fault.
Submission take_submission(cuzk::v1::SubmitProofRequest& message);

/// A client's id of a job. Throws InputError starting with `field` for one that is longer than 512 bytes or has control
/// characters.
void require_id(const std::string& id, std::string_view field);

/// Of a job that has ended. job_id is its request_id.
void fill_result(const engine::JobStatus& status, cuzk::v1::AwaitProofResponse& out);

}  // namespace proofline::service
