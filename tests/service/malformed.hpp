#pragma once
/// Requests that are wrong in all sorts of ways, the same in each run.
#include <array>
#include <random>
#include <string>
#include <vector>

#include "cuzk.pb.h"
#include "support/test_data.hpp"

namespace proofline::test {

inline std::string text_of(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

/// A request as it should be: the golden WindowPoSt of two sectors.
inline cuzk::v1::SubmitProofRequest golden_window_request() {
  cuzk::v1::SubmitProofRequest out;
  out.set_request_id("wdpost-1000-0-[1 2 3]");
  out.set_proof_kind(cuzk::v1::WINDOW_POST_PARTITION);
  out.set_sector_size(2048);
  out.set_registered_proof(10);
  const std::string post = "posts/window-2k-1/";
  out.set_randomness(text_of(unhex(read_json(data_path(post + "inputs.json")).at("randomness").get<std::string>())));
  for (const char* file : {"vanilla-0.bin", "vanilla-1.bin"})
    out.add_vanilla_proofs(text_of(read_bytes(data_path(post + file))));
  return out;
}

class MalformedRequests {
 public:
  explicit MalformedRequests(std::uint64_t seed) : random_(seed) {
    cuzk::v1::SubmitProofRequest window = golden_window_request();
    window.mutable_vanilla_proofs()->RemoveLast();
    seeds_.push_back(window);
    cuzk::v1::SubmitProofRequest porep;
    porep.set_proof_kind(cuzk::v1::POREP_SEAL_COMMIT);
    porep.set_registered_proof(5);
    // The head of a C1, where the parser decides most.
    porep.set_vanilla_proof(text_of(read_bytes(data_path("sectors/2k-1/c1.json"))).substr(0, 1500));
    seeds_.push_back(porep);
    cuzk::v1::SubmitProofRequest snap;
    snap.set_proof_kind(cuzk::v1::SNAP_DEALS_UPDATE);
    for (std::string* comm : {snap.mutable_comm_r_old(), snap.mutable_comm_r_new(), snap.mutable_comm_d_new()})
      *comm = std::string(32, '\1');
    snap.add_vanilla_proofs(std::string(100, '\0'));
    seeds_.push_back(snap);
  }

  /// On the wire.
  std::string next() {
    cuzk::v1::SubmitProofRequest message = seeds_[below(seeds_.size())];
    switch (below(8)) {
      case 0:
        return random_bytes(below(300));
      case 1: {
        const std::string whole = message.SerializeAsString();
        return whole.substr(0, below(whole.size()));
      }
      case 2:
        return damaged(message.SerializeAsString());
      case 3:  // another type on the wire, or a field that nobody knows
        return message.SerializeAsString() + std::string(1, static_cast<char>(below(256))) + random_bytes(below(20));
      case 4:  // a length far beyond the message
        return std::string("\x52\xff\xff\xff\xff\x07", 6) + random_bytes(below(20));
      case 5:
        hostile_json(message);
        break;
      case 6:
        wrong_values(message);
        break;
      default:
        for (std::string& proof : *message.mutable_vanilla_proofs()) proof = damaged(proof);
        if (!message.vanilla_proof().empty()) message.set_vanilla_proof(damaged(message.vanilla_proof()));
    }
    return message.SerializeAsString();
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  std::string random_bytes(std::size_t size) {
    std::string out(size, '\0');
    for (char& c : out) c = static_cast<char>(random_());
    return out;
  }
  std::string damaged(std::string bytes) {
    if (bytes.empty()) return bytes;
    for (std::size_t i = below(4) + 1; i > 0; --i) bytes[below(bytes.size())] = static_cast<char>(random_());
    if (below(3) == 0) bytes.resize(below(bytes.size()) + 1);
    return bytes;
  }
  void hostile_json(cuzk::v1::SubmitProofRequest& message) {
    const std::string deep(2000, '['), long_number(5000, '9');
    const std::array<std::string, 10> texts = {
        "{",
        "null",
        "[]",
        deep,
        "{\"Phase1Out\":\"" + std::string(below(2000), 'A') + "\"}",
        "{\"SectorNum\":1,\"Phase1Out\":\"e30=\",\"SectorSize\":" + long_number + "}",
        "{\"registered_proof\":" + deep + "}",
        "{\"registered_proof\":\"StackedDrg2KiBV1_1\",\"vanilla_proofs\":{\"StackedDrg2KiBV1\":[[" + deep + "]]}}",
        "{\"Phase1Out\":\"\xff\xfe\"}",
        "\xef\xbb\xbf{}" + std::string(1, '\0')};
    message.Clear();
    message.set_proof_kind(cuzk::v1::POREP_SEAL_COMMIT);
    message.set_vanilla_proof(texts[below(texts.size())]);
  }
  void wrong_values(cuzk::v1::SubmitProofRequest& message) {
    switch (below(6)) {
      case 0:
        message.set_proof_kind(static_cast<cuzk::v1::ProofKind>(below(1000)));
        break;
      case 1:
        message.set_sector_size(random_());
        break;
      case 2:
        message.set_registered_proof(below(2) == 0 ? below(40) : random_());
        break;
      case 3:
        message.set_randomness(random_bytes(below(40)));
        break;
      case 4:
        message.set_request_id(std::string(below(2000), 'x'));
        break;
      default:
        for (int i = 0; i < 50; ++i) message.add_vanilla_proofs(random_bytes(below(50)));
    }
  }

  std::mt19937_64 random_;
  std::vector<cuzk::v1::SubmitProofRequest> seeds_;
};

}  // namespace proofline::test
