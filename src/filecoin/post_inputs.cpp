#include "filecoin/post_inputs.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "filecoin/node_hash.hpp"
#include "filecoin/post_challenges.hpp"

namespace proofline::filecoin {

using math::Fr;

void check_statement(const PostStatement& statement) {
  const std::string name(post_name(statement.shape.kind));
  node_to_fr(statement.randomness, name + ": randomness");
  post_partitions(statement.shape, statement.sectors.size());
  for (std::size_t i = 1; i < statement.sectors.size(); ++i) {
    const std::uint64_t before = statement.sectors[i - 1].id, id = statement.sectors[i].id;
    if (before == id) throw InputError(name + ": sector " + std::to_string(id) + " is given twice");
    if (before > id) {
      throw InputError(name + ": sector " + std::to_string(id) + " comes after sector " + std::to_string(before) +
                       "; expected ascending order");
    }
  }
}

std::span<const PostSector> partition_sectors(const PostStatement& statement, std::size_t partition) {
  const std::size_t partitions = post_partitions(statement.shape, statement.sectors.size());
  if (partition >= partitions) {
    throw InputError(std::string(post_name(statement.shape.kind)) + ": partition " + std::to_string(partition) +
                     " of " + std::to_string(partitions) + " does not exist");
  }
  const std::size_t size = statement.shape.sectors_per_partition();
  const auto rest = std::span(statement.sectors).subspan(partition * size);
  return rest.first(std::min(rest.size(), size));
}

std::vector<std::uint64_t> partition_challenges(const PostStatement& statement, std::size_t partition, std::size_t i) {
  return post_challenges(statement.shape, statement.version, statement.randomness,
                         partition_sectors(statement, partition)[i].id,
                         (statement.partitions_before + partition) * statement.shape.sectors_per_partition() + i);
}

std::vector<Fr> post_public_inputs(const PostStatement& statement, std::size_t partition) {
  const PostShape& shape = statement.shape;
  const std::span<const PostSector> sectors = partition_sectors(statement, partition);
  std::vector<Fr> out;
  out.reserve(shape.num_inputs() - 1);
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    const std::vector<std::uint64_t> challenges = partition_challenges(statement, partition, i);
    for (std::size_t n = 0; n < challenges.size(); ++n) {
      if (n % shape.challenges_per_circuit_sector == 0) out.push_back(sectors[i].comm_r);
      out.push_back(Fr::from_u64(challenges[n]));
    }
  }
  // A partition that is not full repeats the inputs of its last sector; only a WindowPoSt's can be.
  const std::size_t per_sector = 1 + std::size_t{shape.challenges_per_circuit_sector};
  while (out.size() < shape.num_inputs() - 1) out.push_back(out[out.size() - per_sector]);
  return out;
}

}  // namespace proofline::filecoin
