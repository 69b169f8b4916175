// Searches that the first rank leads and the others help with, against the same searches of one process, bit by bit.
#include "tests/distributed/led_searches.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/led_searches.hpp"

namespace {

using namespace surefield;

constexpr const char* kGreeting = "greeting";

/// Returns when every other rank is there and has answered once.
void wait_for_all(Helpers* helpers, int ranks) {
  std::vector<bool> seen(static_cast<std::size_t>(ranks), false);
  const Subject subject{kGreeting};
  for (int missing = ranks - 1; missing > 0;)
    helpers->ask(
        {.subject = subject,
         .count = static_cast<std::size_t>(2 * ranks),
         .budget = Budget(),
         .here = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); },
         .question = [](std::size_t) { return std::string(); },
         .keep =
             [&](std::size_t, std::string_view bytes) {
               const auto rank = static_cast<std::size_t>(unpacked<int>(bytes));
               if (!seen[rank]) --missing, seen[rank] = true;
             }});
}

class LedSearches {
 public:
  LedSearches(const Communicator& ranks, WorkQueue& queue) : ranks_(ranks), queue_(queue) {}

  void same(const char* what, const Problem& problem, const testing::LedSearch& search) {
    const Answerers known = helpers_with(problem);
    std::atomic<std::uint64_t> answers = 0;
    const Answerers answerers = [&](const Subject& subject, const Budget& budget) -> Answerer {
      if (subject.method == kGreeting) return greeting();
      return [&answers, answer = known(subject, budget)](std::string_view question) {
        ++answers;
        return answer(question);
      };
    };
    bool differs = false;
    queue_.lead(
        Budget(),
        [&](Helpers* helpers) {
          if (helpers != nullptr) wait_for_all(helpers, ranks_.size());
          const std::string many = search(helpers);
          differs = many != search(nullptr);
        },
        answerers);
    const bool helped = ranks_.size() == 1 || ranks_.sum(answers) > 0;
    if (ranks_.is_first() && (differs || !helped)) {
      std::fprintf(stderr, "%s over %d ranks: %s\n", what, ranks_.size(),
                   differs ? "the bits differ" : "nobody helped");
      ok_ = false;
    }
  }

  /// Of questions that are refused the first one's words come out, though others are heard of before.
  void the_first_refusal_comes_out() {
    const auto answer = [](std::size_t k) {
      if (k == 7) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));  // behind those of 9 and more
        throw Error("question 7 is refused");
      }
      if (k == 9 || k > 20) throw Error(message("question ", k, " is refused"));
    };
    const Answerers answerers = [&](const Subject& subject, const Budget&) -> Answerer {
      if (subject.method == kGreeting) return greeting();
      return [&](std::string_view question) {
        answer(unpacked<std::size_t>(question));
        return std::string();
      };
    };
    std::string heard;
    queue_.lead(
        Budget(),
        [&](Helpers* helpers) {
          if (helpers != nullptr) wait_for_all(helpers, ranks_.size());
          const Subject subject{"refusals"};
          try {
            ask(helpers, {.subject = subject,
                          .count = 40,
                          .budget = Budget(),
                          .here = answer,
                          .question = [](std::size_t k) { return packed(k); },
                          .keep = [](std::size_t, std::string_view) {}});
          } catch (const Error& error) {
            heard = error.what();
          }
        },
        answerers);
    if (!ranks_.is_first() || heard == "question 7 is refused") return;
    std::fprintf(stderr, "refusals over %d ranks: heard '%s'\n", ranks_.size(), heard.c_str());
    ok_ = false;
  }

  bool ok() const { return ok_; }

 private:
  Answerer greeting() const {
    return [this](std::string_view) { return packed(ranks_.rank()); };
  }

  const Communicator& ranks_;
  WorkQueue& queue_;
  bool ok_ = true;
};

}  // namespace

bool led_searches_have_the_same_bits(const Communicator& ranks, WorkQueue& queue) {
  LedSearches searches(ranks, queue);
  searches.the_first_refusal_comes_out();
  testing::each_led_search(
      1, [&](const char* what, const Problem& problem, const testing::LedSearch& search) {
        searches.same(what, problem, search);
      });
  return searches.ok();
}
