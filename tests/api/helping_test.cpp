#include "surefield/api/helping.hpp"

#include <gtest/gtest.h>

#include "tests/support/led_searches.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// Asks who answers by bytes, as another process would be asked, the last question first; every third it answers itself.
class ByBytes final : public Helpers {
 public:
  explicit ByBytes(const Problem& problem) : answerers_(helpers_with(problem)) {}

  void ask(const Questions& questions) override {
    const Answerer answer = answerers_(questions.subject, Budget());
    for (std::size_t k = questions.count; k-- > 0;) {
      if (k % 3 == 2) {
        questions.here(k);
        continue;
      }
      ++answers[questions.subject.method];
      questions.keep(k, answer(questions.question(k)));
    }
  }

  std::map<std::string, int> answers;

 private:
  Answerers answerers_;
};

TEST(Helping, EverySearchHasTheSameBitsWhoeverAnswers) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    testing::each_led_search(
        seed, [&](const char* what, const Problem& problem, const testing::LedSearch& search) {
          SCOPED_TRACE(what);
          ByBytes helpers(problem);
          EXPECT_EQ(search(&helpers), search(nullptr));
          EXPECT_GT(helpers.answers[what], 0);
        });
}

TEST(Helping, RefusesASubjectThatItDoesNotKnow) {
  const Problem problem = make_problem(generate("flid", {.items = 3}));
  EXPECT_EQ(testing::refusal([&] { helpers_with(problem)({"juggling"}, Budget()); }),
            "helping: there is no subject 'juggling'");
}

}  // namespace
}  // namespace surefield
