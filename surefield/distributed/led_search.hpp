// A search that the first rank leads (core/helpers.hpp): it hands its questions out to whoever has a hand free, itself included, and gathers
// the answers by number.
//
//   other rank        first rank       A rank that has not come yet, because it still reads the model, is not waited for: what there is to do is
//   arrive(hands) ->                   done by those who are here. One that cannot read it leaves. When the budget of a round is spent, all
//                 <- subject           are told, and answer what they are at with what they have. A rank that is asked to stop (Ctrl-C)
//                 <- do(question)      tells the first one before it answers. What a question throws comes out of the search, for the first that
//   done(answer)  ->                   does; out of memory ends the job.
//                 <- over              Cost: two messages a question, one a subject and rank.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "surefield/core/helpers.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/distributed/hands.hpp"
#include "surefield/distributed/queue_note.hpp"

namespace surefield {

/// The first rank.
class Leader final : public Helpers {
 public:
  /// `left`: by rank, who has left for good. `stop` is called when another rank was asked to stop. All must outlive this.
  Leader(unsigned threads, const Communicator& ranks, std::uint64_t queue,
         std::vector<std::uint8_t>& left, const std::function<void()>& stop);
  /// Waits for those who have not come yet and sends all on.
  ~Leader() override;
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;

  void ask(const Questions& questions) override;

 private:
  /// A rank as this one sees it.
  struct Member {
    bool arrived = false;
    std::size_t hands = 0, busy = 0;
    std::uint64_t subject = 0;  // the last that it was told
    std::uint64_t stopped = 0;  // the last round that it was told to end
  };

  bool is_here(std::size_t rank) const { return members_[rank].arrived && left_[rank] == 0; }
  void give(std::size_t rank);
  void take(std::size_t rank, TaskOutcome outcome);
  void hear(std::size_t rank, const QueueNote& said);
  void spread_stop();

  const Communicator& ranks_;
  const std::uint64_t queue_;
  std::vector<std::uint8_t>& left_;
  const std::function<void()>& stop_;
  std::vector<Member> members_;
  Hands hands_;
  Patience patience_;
  Subject subject_;  // of the round under way
  std::uint64_t subjects_ = 0, round_ = 0;
  const Questions* now_ = nullptr;
  std::size_t next_ = 0, under_way_ = 0;
  std::optional<TaskOutcome> failure_;
};

/// Any other rank, until the first has done. `budget`: its threads answer; when it is spent, all stop.
void help_the_first(const Budget& budget, const Answerers& answerers, const Communicator& ranks,
                    std::uint64_t queue, const std::function<void()>& stop);

}  // namespace surefield
