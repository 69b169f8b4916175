#include "surefield/bounds/elbo/part_help.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/elbo/term_parts.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

// Whole searches, whoever bounds their parts: tests/api/helping_test.cpp.
TEST(PartHelp, APartIsBoundedElsewhereToTheBitsItHasHere) {
  int finer = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(30);
    const auto parts = term_parts(testing::random_flid(n, 2, seed), 3).value().dual.parts();
    if (parts.empty()) continue;
    const Answerer elsewhere = part_answerer(parts);
    const TermPart& here = parts[0];
    const auto members = here.members().size();
    for (const double precision : {1e-2, 1e-8, 1e-4, 1e-9}) {
      PartQuestion asked{.part = 0, .precision = precision};
      for (std::size_t k = 0; k < members; ++k) {
        asked.theta.push_back(random.uniform(-2, 0.5));
        asked.c.push_back(random.uniform(0, 1));
        asked.low.push_back(0), asked.high.push_back(1);
      }
      asked.notes = here.notes();
      const auto answer = unpacked<PartAnswer>(elsewhere(packed(asked)));
      std::vector<double> x(members);
      const std::size_t before = here.work();
      EXPECT_EQ(here.bound(asked.theta, asked.c, asked.low, asked.high, precision, x),
                answer.bound);
      EXPECT_EQ(x, answer.x);
      EXPECT_EQ(here.notes(), answer.notes);
      finer += before > 0 && here.work() > before;
    }
  }
  EXPECT_GT(finer, 20) << "grids that never grow leave nothing to remember";
}

TEST(PartHelp, RefusesAPartThatIsNotThere) {
  const Answerer answer =
      part_answerer(term_parts(testing::random_flid(4, 2, 1)).value().dual.parts());
  EXPECT_EQ(testing::refusal([&] { answer(packed(PartQuestion{.part = 2})); }),
            "parts: there is no part 2");
}

}  // namespace
}  // namespace surefield
