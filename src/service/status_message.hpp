#pragma once
/// What a host does now, for GetStatus.
#include "service/engine_host.hpp"

namespace cuzk::v1 {
class GetStatusResponse;
}

namespace proofline::service {

void fill_status(EngineHost& host, cuzk::v1::GetStatusResponse& out);

}  // namespace proofline::service
