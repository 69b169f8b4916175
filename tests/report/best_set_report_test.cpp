#include "surefield/report/best_set_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace surefield {
namespace {

BestSetResult filled_best_set() {
  BestSetResult result;
  result.model_kind = "flid";
  result.names = {"crib", "pram", "a,b"};
  result.items = {0, 2};
  result.value = 1.25;
  result.lower = 1.2421875;
  result.upper = 1.3750000001;
  result.found_by = "annealing";
  result.upper_method = "minimum cuts";
  result.basis = Basis::kAssumesSubmodular;
  result.guarantee = "half";
  result.most = 7;
  result.status = Status::kShort;
  result.notes = {"a note"};
  result.seed = 9;
  result.seconds = 0.5;
  return result;
}

TEST(BestSetReport, TextRoundsTheEndsOutwards) {
  EXPECT_EQ(best_set_text(filled_best_set(), 1),
            "answer        the best set of at most 7 items is at most 0.133 better, certified\n"
            "value         1.250000000, by annealing\n"
            "optimum       1.242187500 to 1.375000001, assumed submodular by minimum cuts\n"
            "guarantee     half\n"
            "note          a note\n"
            "model         flid, 0.5 s\n\n"
            "  2 items\n"
            "  crib\n"
            "  ... and 1 more (--top 0 shows all)\n");
  EXPECT_NEAR(relative_gap(filled_best_set()), 0.1328125001 / 1.2421875, 1e-12);
}

TEST(BestSetReport, JsonAndCsvHaveEveryField) {
  EXPECT_EQ(nlohmann::json::parse(best_set_json(filled_best_set())), nlohmann::json::parse(R"({
    "surefield": "1", "command": "best-set", "model": {"kind": "flid"}, "most": 7, "items": [0, 2],
    "names": ["crib", "a,b"], "value": 1.25, "found_by": "annealing", "lower": 1.2421875,
    "upper": 1.3750000001, "upper_method": "minimum cuts", "basis": "assumed submodular",
    "status": "short", "guarantee": "half", "notes": ["a note"], "seed": 9, "seconds": 0.5})"));
  EXPECT_EQ(best_set_csv(filled_best_set()), "item,name\n0,crib\n2,\"a,b\"\n");
}

}  // namespace
}  // namespace surefield
