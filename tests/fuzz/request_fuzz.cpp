/// The way of a request from the wire to its task, on any bytes: only Errors may be thrown.
#include <cstdint>

#include "cuzk.pb.h"
#include "engine/proof_task.hpp"
#include "service/translate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cuzk::v1::SubmitProofRequest message;
  if (!message.ParseFromArray(data, static_cast<int>(size))) return 0;
  try {
    proofline::engine::make_task(proofline::service::take_submission(message).request);
  } catch (const proofline::Error&) {
  }
  return 0;
}
