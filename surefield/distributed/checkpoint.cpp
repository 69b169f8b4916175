#include "surefield/distributed/checkpoint.hpp"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "surefield/core/error.hpp"
#include "surefield/core/ordered_json.hpp"
#include "surefield/distributed/sliced_point.hpp"
#include "surefield/io/binary/new_folder.hpp"
#include "surefield/io/json_cursor.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/write_file.hpp"

namespace surefield {
namespace {

namespace folders = std::filesystem;

constexpr std::string_view kState = "state.json";

/// What the first rank says, at all of them.
std::string told_by_the_first(const std::string& text, const Communicator& ranks) {
  const std::string said = ranks.is_first() ? text : std::string();
  const auto all = ranks.gather_to_all<char>(std::span(said.data(), said.size()));
  return {all.front().begin(), all.front().end()};
}

/// Scatters bits (Steele, Lea, Flood. Fast splittable pseudorandom number generators. OOPSLA 2014).
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

/// Of every number and flag with its place in the model, added up modulo 2^64: the same for any ranks, and another if one bit is.
std::uint64_t check_of(const SavedAscent& ascent, const FieldSlice& slice,
                       const Communicator& ranks) {
  std::uint64_t sum = 0;
  for (Index i = 0; i < slice.own; ++i) {
    const std::uint64_t place = mixed(slice.in_model(i) + 1);
    sum += mixed(place ^ std::bit_cast<std::uint64_t>(ascent.point[i]));
    if (!ascent.awake.empty() && ascent.awake[i] != 0) sum += place;
  }
  return ranks.sum(sum);
}

}  // namespace

Checkpoint::Checkpoint(CheckpointOptions options, std::string run, Index variables,
                       const FieldSlice& slice, const Communicator& ranks)
    : options_(std::move(options)),
      run_(std::move(run)),
      variables_(variables),
      slice_(slice),
      ranks_(ranks),
      next_(options_.every) {
  require(options_.every >= 0, "--every: it is ", options_.every, ", which must be >= 0");
  ranks_.together([&] {
    if (!ranks_.is_first()) return;
    std::error_code ignored;
    const bool there = folders::exists(place(0), ignored);
    require(there || !options_.resume, options_.folder, ": there is no checkpoint to resume");
    require(!there || options_.resume, options_.folder,
            ": it holds a checkpoint already; --resume goes on from it, or delete the folder");
    folders::create_directories(options_.folder, ignored);
    require(folders::is_directory(options_.folder, ignored), options_.folder,
            ": cannot be written: it is not a folder and cannot be made one");
  });
}

std::string Checkpoint::place(std::size_t number) const {
  return message(options_.folder, "/ascent-", number);
}

std::optional<SavedAscent> Checkpoint::find(std::size_t number) const {
  std::optional<SavedAscent> found;
  std::string check;
  const std::string folder = place(number);
  ranks_.together([&] {
    const std::string name = folder + "/" + std::string(kState);
    std::error_code ignored;
    if (!options_.resume || !folders::exists(folder, ignored)) return;
    const nlohmann::json document = parse_json(read_file(name), name);
    const JsonCursor top(document, name);
    const std::string& run = top.at("run").text();
    require(run == run_, options_.folder, ": this checkpoint is of another run: it says ", run,
            ", but this is ", run_);
    found.emplace();
    found->done = top.at("done").truth();
    found->status =
        static_cast<Status>(top.at("status").whole(0, static_cast<std::uint64_t>(Status::kFailed)));
    found->epochs = top.at("epochs").number();
    found->value = top.at("value").number();
    found->phase = static_cast<AscentPhase>(top.at("phase").whole(0, 2));
    check = top.at("check").text();
    found->point = read_sliced_point(slice_, variables_, folder + "/x.npy");
    if (!found->done && found->phase == AscentPhase::kAwake)
      found->awake = read_sliced_flags(slice_, variables_, folder + "/awake.npy");
  });
  if (found)
    require(check == std::to_string(check_of(*found, slice_, ranks_)), folder,
            ": this checkpoint is damaged: its arrays are not those that were saved");
  return found;
}

bool Checkpoint::due() const { return ranks_.any(ranks_.is_first() && since_.seconds() >= next_); }

void Checkpoint::save(std::size_t number, const SavedAscent& ascent) {
  try {
    std::optional<NewFolder> folder;
    ranks_.together([&] {
      if (ranks_.is_first()) folder.emplace(place(number), kState);
    });
    const auto file = [&](std::string_view name) {
      return told_by_the_first(folder ? folder->file(name) : std::string(), ranks_);
    };
    write_sliced_point(slice_, variables_, ascent.point, file("x.npy"), ranks_);
    const std::string awake = file("awake.npy");
    const std::string check = std::to_string(check_of(ascent, slice_, ranks_));
    // By what is the same on all ranks: one that holds no variables has an empty list and must take part.
    if (!ascent.done && ascent.phase == AscentPhase::kAwake)
      write_sliced_flags(slice_, variables_, ascent.awake, awake, ranks_);
    ranks_.together([&] {
      if (!folder) return;
      const OrderedJson state{{"surefield", "1"},
                              {"run", run_},
                              {"done", ascent.done},
                              {"status", static_cast<int>(ascent.status)},
                              {"epochs", ascent.epochs},
                              {"value", ascent.value},
                              {"phase", static_cast<int>(ascent.phase)},
                              {"check", check}};
      write_file(folder->file(kState), state.dump(2) + "\n");
      folder->keep();
    });
  } catch (const Error& error) {
    failure_ = error.what();
  }
  next_ = since_.seconds() + options_.every;
}

}  // namespace surefield
