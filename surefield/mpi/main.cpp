// surefield-mpi <command> [options]: the commands of surefield on the ranks of an MPI job. `infer` of a binary model is
// done by all of them, so are the tasks of `fit`, `select`, `agree` and `reproduce` and the searches of `logz` and `infer --certify`;
// every other command by the first, while the rest wait.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "surefield/cli/processes.hpp"
#include "surefield/cli/program.hpp"
#include "surefield/cli/sliced_inference.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/distributed/infer_over_ranks.hpp"
#include "surefield/distributed/work_queue.hpp"

namespace {

using namespace surefield;

class OverRanks final : public cli::SlicedInference {
 public:
  explicit OverRanks(const Communicator& ranks) : ranks_(ranks) {}

  /// A refusal is the same on all ranks. Anything else that one rank meets alone would leave the others waiting, so it
  /// ends all.
  Result infer(const std::string& model, const InferOptions& options, const std::string& start_file,
               const std::string& marginals_file) override {
    try {
      std::optional<BinaryField> field;
      ranks_.together([&] { field.emplace(model); });
      // Two ranks, as one may be who is gone.
      if (!checkpoint.empty() && ranks_.rank() < 2)
        ranks_.say_when_left_waiting(
            [budget = options.budget] { return budget.stopped(); },
            "told to stop, but another rank does not answer; should the job end like this, the "
            "same command with --checkpoint " +
                checkpoint + " --resume goes on from the last checkpoint");
      return infer_over_ranks(
          *field, options,
          {.partition = partition,
           .start_file = start_file,
           .checkpoint = {.folder = checkpoint, .every = every, .resume = resume},
           .marginals_file = marginals_file},
          ranks_);
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      ranks_.abort("out of memory");
    } catch (const std::exception& error) {
      ranks_.abort(error.what());
    }
  }

 private:
  const Communicator& ranks_;
};

bool is_shared(std::string_view command) {
  constexpr std::array<std::string_view, 6> kShared{"infer",  "logz",  "fit",
                                                    "select", "agree", "reproduce"};
  return std::ranges::find(kShared, command) != kShared.end();
}

/// As opposed to --version, help and the like.
bool is_work(std::string_view command) {
  return !command.starts_with('-') && command != "help" && command != "list";
}

bool is_quiet(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc,
                     [](std::string_view word) { return word == "-q" || word == "--quiet"; });
}

}  // namespace

int main(int argc, char** argv) {
  const Communicator ranks(&argc, &argv);
  OverRanks door(ranks);
  cli::sliced_inference() = &door;
  WorkQueue queue(ranks, cli::ask_to_stop);
  cli::crew() = &queue;
  cli::when_out_of_memory() = [&ranks] { ranks.abort("out of memory"); };
  const bool shared = argc > 1 && is_shared(argv[1]);
  if (!ranks.is_first()) {  // one rank talks for all
    if (std::freopen("/dev/null", "w", stdout) == nullptr ||
        std::freopen("/dev/null", "w", stderr) == nullptr)
      ranks.abort("cannot be made silent");
  }
  if (ranks.is_first() && ranks.size() > 1 && !shared && argc > 1 && is_work(argv[1]) &&
      !is_quiet(argc, argv))
    std::fprintf(stderr, "%s: the first rank alone is at work\n", argv[1]);
  const int code = ranks.is_first() || shared ? cli::run_program(argc, argv) : 0;
  queue.leave();
  return ranks.is_first() ? code : 0;
}
