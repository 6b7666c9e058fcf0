#include "filecoin/update_inputs.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::filecoin {

using math::Fr;

Fr partition_and_h_select(const UpdateShape& shape, unsigned partition) {
  if (partition >= shape.partitions) {
    throw InputError("sector update: partition " + std::to_string(partition) + " of a " + std::string(shape.name) +
                     " sector does not exist; it has " + std::to_string(shape.partitions));
  }
  return Fr::from_u64(partition | h_select(shape, shape.h()) << shape.partition_bits());
}

std::vector<Fr> update_public_inputs(const UpdateStatement& statement, unsigned partition) {
  return {partition_and_h_select(statement.shape(), partition), statement.comm_r_old, statement.comm_d_new,
          statement.comm_r_new};
}

}  // namespace proofline::filecoin
