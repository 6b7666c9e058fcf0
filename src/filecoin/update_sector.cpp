#include "filecoin/update_sector.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/output_folder.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/node_file.hpp"
#include "filecoin/sector_trees.hpp"
#include "filecoin/update_encode.hpp"
#include "filecoin/update_randomness.hpp"

namespace proofline::filecoin {
namespace {

using math::Fr;

/// Nodes worked on between progress reports: 2 MiB, a power of two.
constexpr std::uint64_t kPart = std::uint64_t{1} << 16;

/// Both commitments of a p_aux.
struct ReplicaRoots {
  Node comm_c, comm_r_last;
};

/// Reads p_aux, whose hash must be `comm_r`.
ReplicaRoots read_p_aux(const std::filesystem::path& path, const Fr& comm_r, const std::string& whose) {
  const NodeFile file(path, 2);
  const Node hash = about(path.string(), [&] { return poseidon_parent(file.nodes()); });
  if (hash != comm_r.to_bytes()) {
    throw InputError(path.string() + ": hashes to " + to_hex(hash) + ", expected comm_r " + hex(comm_r) + " of " +
                     whose);
  }
  return {file.nodes()[0], file.nodes()[1]};
}

/// A sealed sector that is, or is to be, updated.
struct SealedSector {
  explicit SealedSector(const std::filesystem::path& folder)
      : info(read_sector_info(folder / "sector.json")),
        files(folder, info.rules.shape()),
        comm_r(node_to_fr(info.comm_r, files.info().string() + ": comm_r")),
        roots(read_p_aux(files.p_aux(), comm_r, files.info().string())),
        replica(files.sealed(), info.rules.shape().nodes()) {}

  SectorInfo info;
  SectorFiles files;
  Fr comm_r;
  ReplicaRoots roots;
  NodeFile replica;
};

/// Calls work(begin, end) for each part of a sector's nodes, in order.
template <class Work>
void for_parts(std::uint64_t nodes, std::string_view stage, Progress& progress, const Work& work) {
  for (std::uint64_t begin = 0; begin < nodes; begin += kPart) {
    const std::uint64_t end = std::min(begin + kPart, nodes);
    work(begin, end);
    progress.report(stage, end, nodes);
  }
}

Fr phi_of(const UpdateStatement& statement) {
  return update_phi(statement.comm_d_new, statement.comm_r_old);
}

}  // namespace

UpdateInfo update_sector(const std::filesystem::path& sector, const std::filesystem::path& data,
                         const std::filesystem::path& out, const Executor& exec, Progress& progress) {
  const SealedSector old(sector);
  const SectorShape& shape = old.info.rules.shape();
  const UpdateShape& update = update_shape(shape.sector_size);
  const MappedFile input(data);
  const std::uint64_t capacity = fr32_unpadded_size(shape.sector_size);
  if (input.bytes().size() > capacity) {
    throw InputError(data.string() + ": " + std::to_string(input.bytes().size()) + " bytes do not fit a " +
                     std::string(shape.name) + " sector, which holds " + std::to_string(capacity));
  }

  OutputFolder folder(out);
  const UpdateFiles files(folder.path(), shape);
  folder.make_folder(files.cache().filename());
  UpdateInfo info;
  info.statement.sector_size = shape.sector_size;
  info.statement.comm_r_old = old.comm_r;
  info.data_bytes = input.bytes().size();
  {
    const MappedOutput staged(files.staged(), shape.sector_size);
    fr32_pad(input.bytes(), staged.bytes(), exec);
    staged.sync();
    {
      const MappedOutput tree_d = write_tree_d(files.tree_d(), nodes_of(staged), exec, progress);
      info.statement.comm_d_new = node_to_fr(nodes_of(tree_d).back(), "comm_d_new");
    }
    const MappedOutput replica(files.replica(), shape.sector_size);
    const UpdateFactors rho = UpdateFactors::rho(update, phi_of(info.statement), exec);
    about(old.files.sealed().string(), [&] {
      for_parts(shape.nodes(), "encode", progress, [&](std::uint64_t begin, std::uint64_t end) {
        encode_update(begin, old.replica.nodes().subspan(begin, end - begin),
                      nodes_of(staged).subspan(begin, end - begin), rho, nodes_of(replica).subspan(begin, end - begin),
                      exec);
        old.replica.drop(begin, end);
      });
    });
    replica.sync();
    const Node comm_r_last = write_tree_r_last(files.trees(), shape.tree, nodes_of(replica), exec, progress);
    info.statement.comm_r_new = node_to_fr(write_p_aux(files.p_aux(), old.roots.comm_c, comm_r_last), "comm_r_new");
  }
  AtomicFile json(files.info());
  json.write(to_json(info));
  json.commit();
  folder.commit();
  return info;
}

std::uint64_t decode_updated_sector(const std::filesystem::path& update, const std::filesystem::path& sector,
                                    const std::filesystem::path& out, const Executor& exec, Progress& progress) {
  const UpdateInfo info = read_update_info(UpdateFiles::info(update));
  const SealedSector old(sector);
  if (!(old.comm_r == info.statement.comm_r_old) || old.info.rules.sector_size != info.statement.sector_size) {
    throw InputError(UpdateFiles::info(update).string() + ": comm_r_old " + hex(info.statement.comm_r_old) +
                     ", but the sector's comm_r in " + old.files.info().string() + " is " + hex(old.comm_r));
  }
  const UpdateShape& shape = info.statement.shape();
  const UpdateFiles files(update, old.info.rules.shape());
  const NodeFile replica(files.replica(), shape.nodes());
  const UpdateFactors inverse_rho = UpdateFactors::inverse_rho(shape, phi_of(info.statement), exec);

  AtomicFile file(out);
  std::vector<Node> data(std::min(kPart, shape.nodes()));
  std::vector<std::uint8_t> plain;
  std::vector<Node> roots;
  std::uint64_t left = info.data_bytes;
  about(files.replica().string() + " and " + old.files.sealed().string(), [&] {
    for_parts(shape.nodes(), "decode", progress, [&](std::uint64_t begin, std::uint64_t end) {
      decode_update(begin, old.replica.nodes().subspan(begin, end - begin), replica.nodes().subspan(begin, end - begin),
                    inverse_rho, data, exec);
      roots.push_back(tree_root(TreeHash::kSha256, {2, 0, 0}, data, exec));
      const std::span<const std::uint8_t> padded(reinterpret_cast<const std::uint8_t*>(data.data()),
                                                 data.size() * kNodeBytes);
      plain.resize(std::min(left, fr32_unpadded_size(padded.size())));
      fr32_unpad(padded, plain, exec);
      file.write(plain);
      left -= plain.size();
      old.replica.drop(begin, end);
      replica.drop(begin, end);
    });
  });
  const Node comm_d = roots.size() == 1 ? roots.front() : tree_root(TreeHash::kSha256, {2, 0, 0}, roots, exec);
  if (comm_d != info.statement.comm_d_new.to_bytes()) {
    throw InputError(files.replica().string() + ": does not decode to the data of comm_d_new in " +
                     files.info().string());
  }
  file.commit();
  return info.data_bytes;
}

Node remove_updated_data(const std::filesystem::path& update, const std::filesystem::path& out, const Executor& exec,
                         Progress& progress) {
  const UpdateInfo info = read_update_info(UpdateFiles::info(update));
  const UpdateShape& shape = info.statement.shape();
  const SectorShape& sector = sector_shape(shape.sector_size);
  const UpdateFiles from(update, sector);
  const ReplicaRoots roots = read_p_aux(from.p_aux(), info.statement.comm_r_new, from.info().string());
  const NodeFile replica(from.replica(), shape.nodes());
  const NodeFile staged(from.staged(), shape.nodes());
  const UpdateFactors rho = UpdateFactors::rho(shape, phi_of(info.statement), exec);

  OutputFolder folder(out);
  const SectorFiles files(folder.path(), sector);
  folder.make_folder(files.cache().filename());
  Node comm_r_last;
  {
    const MappedOutput sealed(files.sealed(), shape.sector_size);
    about(from.replica().string() + " and " + from.staged().string(), [&] {
      for_parts(shape.nodes(), "remove", progress, [&](std::uint64_t begin, std::uint64_t end) {
        remove_update(begin, replica.nodes().subspan(begin, end - begin), staged.nodes().subspan(begin, end - begin),
                      rho, nodes_of(sealed).subspan(begin, end - begin), exec);
        replica.drop(begin, end);
        staged.drop(begin, end);
      });
    });
    sealed.sync();
    comm_r_last = write_tree_r_last(files, shape.tree, nodes_of(sealed), exec, progress);
    const Node comm_r = write_p_aux(files.p_aux(), roots.comm_c, comm_r_last);
    if (comm_r != info.statement.comm_r_old.to_bytes()) {
      throw InputError(from.replica().string() + ": without its data it is the replica of comm_r " + to_hex(comm_r) +
                       ", expected comm_r_old " + hex(info.statement.comm_r_old) + " of " + from.info().string());
    }
  }
  folder.commit();
  return comm_r_last;
}

}  // namespace proofline::filecoin
