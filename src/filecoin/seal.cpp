#include "filecoin/seal.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/output_folder.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/labels.hpp"
#include "filecoin/pieces.hpp"
#include "filecoin/replica_id.hpp"
#include "filecoin/sector_trees.hpp"

namespace proofline::filecoin {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;

std::span<const Node> const_nodes(const MappedOutput& file) {
  return as_nodes(std::span<const std::uint8_t>(file.bytes()));
}

MappedOutput create_nodes(const std::filesystem::path& path, std::uint64_t nodes) {
  return {path, nodes * kNodeBytes};
}

/// One run of seal_sector: each step writes its files and leaves mappings for the next ones.
class Sealer {
 public:
  Sealer(const SectorFiles& files, SectorInfo& info, const Executor& exec, Progress& progress)
      : files_(files), info_(info), shape_(info.rules.shape()), exec_(exec), progress_(progress) {}

  void stage(std::span<const std::uint8_t> data) {
    staged_ = std::make_unique<MappedOutput>(files_.staged(), shape_.sector_size);
    fr32_pad(data, staged_->bytes(), exec_);
    info_.data_bytes = data.size();
  }

  void commit_data() {
    const MappedOutput file = write_tree_d(files_.tree_d(), const_nodes(*staged_), exec_, progress_);
    const std::span<const Node> nodes = const_nodes(file);
    info_.comm_d = nodes.back();
    // The piece is the leftmost subtree of its size.
    const std::uint64_t piece_size = piece_size_for(info_.data_bytes);
    const auto row = static_cast<unsigned>(std::countr_zero(piece_size / kNodeBytes));
    info_.piece_commitment = nodes[TreeRows(2, shape_.nodes()).row_offset(row)];
    info_.piece_unpadded_size = fr32_unpadded_size(piece_size);
  }

  void make_labels() {
    const StackedGraph graph(shape_.nodes(), info_.rules.porep_id, info_.rules.version);
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) {
      MappedOutput file = create_nodes(files_.layer(layer), shape_.nodes());
      const std::span<const Node> previous = layer == 1 ? std::span<const Node>() : const_nodes(layers_.back());
      fill_layer(graph, info_.replica_id, layer, previous, as_nodes(file.bytes()), exec_, progress_);
      file.sync();
      layers_.push_back(std::move(file));
    }
  }

  Node commit_columns() {
    const TreeRows rows = base_tree_rows(shape_.tree, shape_.nodes());
    std::vector<Node> roots;
    for (unsigned i = 0; i < base_tree_count(shape_.tree); ++i) {
      const MappedOutput file = create_nodes(files_.tree_c(i), rows.total());
      const std::span<Node> leaves = as_nodes(file.bytes()).first(rows.row_size(0));
      const std::span<Node> upper = as_nodes(file.bytes()).subspan(rows.row_size(0));
      std::vector<std::span<const Node>> layers;
      for (const MappedOutput& layer : layers_) layers.push_back(base_tree_part(const_nodes(layer), rows, i));
      hash_columns(layers, leaves, exec_, progress_);
      fill_rows(TreeHash::kPoseidon, rows, leaves, upper, exec_, progress_, "tree_c");
      roots.push_back(upper.back());
      file.sync();
    }
    return join_base_roots(shape_.tree, roots);
  }

  void encode_replica() {
    sealed_ = std::make_unique<MappedOutput>(files_.sealed(), shape_.sector_size);
    encode(const_nodes(*staged_), const_nodes(layers_.back()), as_nodes(sealed_->bytes()), exec_);
    progress_.report("encode", shape_.nodes(), shape_.nodes());
  }

  Node commit_replica() { return write_tree_r_last(files_, shape_.tree, const_nodes(*sealed_), exec_, progress_); }

  void finish(const Node& comm_c, const Node& comm_r_last) {
    info_.comm_r = write_p_aux(files_.p_aux(), comm_c, comm_r_last);
    staged_->sync();
    sealed_->sync();
    AtomicFile json(files_.info());
    json.write(to_json(info_));
    json.commit();
  }

 private:
  static std::span<const Node> base_tree_part(std::span<const Node> nodes, const TreeRows& rows, unsigned i) {
    return nodes.subspan(i * rows.row_size(0), rows.row_size(0));
  }

  const SectorFiles& files_;
  SectorInfo& info_;
  const SectorShape& shape_;
  const Executor& exec_;
  Progress& progress_;
  std::unique_ptr<MappedOutput> staged_;
  std::unique_ptr<MappedOutput> sealed_;
  std::vector<MappedOutput> layers_;
};

}  // namespace

SectorInfo seal_sector(const std::filesystem::path& data, const std::filesystem::path& out, const SealRules& rules,
                       const SectorIds& ids, const Executor& exec, Progress& progress) {
  const SectorShape& shape = rules.shape();
  if (shape.sector_size > kLargest) {
    throw InputError("seal: sectors of " + std::string(shape.name) + " cannot be sealed here; at most 1GiB");
  }
  const MappedFile input(data);
  const std::uint64_t capacity = fr32_unpadded_size(shape.sector_size);
  if (input.bytes().size() > capacity) {
    throw InputError(data.string() + ": " + std::to_string(input.bytes().size()) + " bytes do not fit a " +
                     std::string(shape.name) + " sector, which holds " + std::to_string(capacity));
  }

  OutputFolder folder(out);
  const SectorFiles files(folder.path(), shape);
  folder.make_folder(files.cache().filename());
  SectorInfo info;
  info.rules = rules;
  info.ids = ids;
  {
    Sealer sealer(files, info, exec, progress);
    sealer.stage(input.bytes());
    sealer.commit_data();
    info.replica_id = replica_id(ids.prover_id, ids.sector_id, ids.ticket, info.comm_d, rules.porep_id);
    sealer.make_labels();
    const Node comm_c = sealer.commit_columns();
    sealer.encode_replica();
    const Node comm_r_last = sealer.commit_replica();
    sealer.finish(comm_c, comm_r_last);
  }
  folder.commit();
  return info;
}

std::uint64_t unseal_sector(const std::filesystem::path& folder, const std::filesystem::path& out, const Executor& exec,
                            Progress& progress) {
  const SectorInfo info = read_sector_info(folder / "sector.json");
  const SectorShape& shape = info.rules.shape();
  if (shape.sector_size > kLargest) {
    throw InputError("unseal: sectors of " + std::string(shape.name) + " cannot be unsealed here; at most 1GiB");
  }
  if (replica_id(info.ids.prover_id, info.ids.sector_id, info.ids.ticket, info.comm_d, info.rules.porep_id) !=
      info.replica_id) {
    throw InputError((folder / "sector.json").string() +
                     ": \"replica_id\" does not belong to prover_id, sector_id, ticket, comm_d and proof");
  }
  const SectorFiles files(folder, shape);
  const MappedFile replica(files.sealed());
  if (replica.bytes().size() != shape.sector_size) {
    throw InputError(files.sealed().string() + ": " + std::to_string(replica.bytes().size()) + " bytes; expected " +
                     std::to_string(shape.sector_size));
  }

  const StackedGraph graph(shape.nodes(), info.rules.porep_id, info.rules.version);
  std::vector<Node> previous;
  std::vector<Node> labels;
  for (unsigned layer = 1; layer <= shape.layers; ++layer) {
    std::swap(previous, labels);
    labels.resize(shape.nodes());
    fill_layer(graph, info.replica_id, layer, previous, labels, exec, progress);
  }
  try {
    decode(as_nodes(replica.bytes()), labels, labels, exec);
  } catch (const InputError& error) {
    throw InputError(files.sealed().string() + ": " + error.what());
  }
  progress.report("decode", shape.nodes(), shape.nodes());
  if (tree_root(TreeHash::kSha256, {2, 0, 0}, labels, exec) != info.comm_d) {
    throw InputError(files.sealed().string() + ": does not decode to the data of comm_d in " + files.info().string());
  }

  std::vector<std::uint8_t> data(info.data_bytes);
  fr32_unpad({reinterpret_cast<const std::uint8_t*>(labels.data()), labels.size() * kNodeBytes}, data, exec);
  AtomicFile file(out);
  file.write(data);
  file.commit();
  return data.size();
}

}  // namespace proofline::filecoin
