#include "tests/distributed/saved_ascents.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/distributed/checkpoint.hpp"
#include "surefield/io/binary/binary_field.hpp"
#include "tests/distributed/field_truth.hpp"

namespace {

using namespace surefield;

constexpr Index kVariables = 300;  // blocks of 64: every one of four ranks has some

double value_of(Index i) { return static_cast<double>(i + 1) / (kVariables + 2); }
std::uint8_t is_awake(Index i) { return i % 3 == 0 ? 1 : 0; }

/// A chain, and what one rank holds of it.
class Chain {
 public:
  Chain(const std::string& path, const char* partition, const Communicator& ranks)
      : ranks_(ranks),
        model_(path),
        slice_(read_slice(model_, make_partition(model_, 64, partition, 1, ranks), ranks)) {}

  SavedAscent ascent() const {
    SavedAscent saved{.epochs = 3, .phase = AscentPhase::kAwake, .point = {}, .awake = {}};
    for (Index i = 0; i < slice_.size(); ++i) saved.point.push_back(value_of(slice_.in_model(i)));
    for (Index i = 0; i < slice_.own; ++i) saved.awake.push_back(is_awake(slice_.in_model(i)));
    return saved;
  }
  Checkpoint checkpoint(const std::string& folder, bool resume) const {
    return Checkpoint({.folder = folder, .every = 0, .resume = resume}, "a run", kVariables, slice_,
                      ranks_);
  }
  /// Whether the checkpoint is refused as damaged; says so if it is found, but is not what was saved.
  bool is_damaged(const std::string& folder) const {
    try {
      const auto found = checkpoint(folder, true).find(0);
      const SavedAscent saved = ascent();
      if (ranks_.any(!found || found->point != saved.point || found->awake != saved.awake) &&
          ranks_.is_first())
        std::fprintf(stderr, "a checkpoint is found that was not saved\n");
      return false;
    } catch (const Error& error) {
      return std::string(error.what()).find("this checkpoint is damaged") != std::string::npos;
    }
  }

 private:
  const Communicator& ranks_;
  BinaryField model_;
  FieldSlice slice_;
};

/// Changes the last bytes of a file.
void change(const std::string& path, std::size_t bytes,
            const std::function<void(std::vector<char>&)>& how) {
  std::vector<char> tail(bytes);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(bytes), std::ios::end);
  file.read(tail.data(), static_cast<std::streamsize>(bytes));
  how(tail);
  file.seekp(-static_cast<std::streamoff>(bytes), std::ios::end);
  file.write(tail.data(), static_cast<std::streamsize>(bytes));
}

}  // namespace

bool saved_ascents_are_found_whole(const std::string& folder, const Communicator& ranks) {
  const std::string path = folder + "/chain.sfm", saved = folder + "/chain-saved";
  if (ranks.is_first()) {
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i + 1 < kVariables; ++i) edges.push_back({i, i + 1, -1.0});
    write_model(
        path,
        {make_pairwise_field(std::vector<double>(kVariables, 1), edges), {}, unit_box(kVariables)});
  }
  ranks.together([] {});
  const Chain blocks(path, "blocks", ranks), scattered(path, "random", ranks);
  blocks.checkpoint(saved, false).save(0, blocks.ascent());

  struct Damage {
    const char* what;
    const char* file;
    std::size_t bytes;
    std::function<void(std::vector<char>&)> how;
  };
  const std::vector<Damage> damages{
      {"one bit of a number", "x.npy", 8, [](auto& tail) { tail[0] = tail[0] ^ 1; }},
      {"two numbers that changed places", "x.npy", 16,
       [](auto& tail) { std::swap_ranges(tail.begin(), tail.begin() + 8, tail.begin() + 8); }},
      {"a variable that is awake", "awake.npy", 8, [](auto& tail) { tail[0] = tail[0] ^ 1; }},
      {"two that changed sleep", "awake.npy", 8, [](auto& tail) { tail[0] = tail[0] ^ 6; }},
  };
  bool ok = true;
  const auto expect = [&](const char* what, bool damaged) {
    for (const Chain* chain : {&blocks, &scattered})
      if (chain->is_damaged(saved) != damaged) {
        ok = false;
        if (ranks.is_first()) std::fprintf(stderr, "checkpoint, %s: wrongly judged\n", what);
      }
  };
  for (const Damage& damage : damages)
    for (const bool there : {true, false}) {  // and mended again
      const std::string file = saved + "/ascent-0/" + damage.file;
      if (ranks.is_first()) change(file, damage.bytes, damage.how);
      ranks.together([] {});
      expect(damage.what, there);
    }
  return ok;
}
