#include "surefield/api/work.hpp"

#include "surefield/api/algorithm_table.hpp"

namespace surefield {
namespace {

constexpr WholeRule kAnyCount{0, 100000000};

std::vector<std::string> algorithms_that(auto&& belong) {
  std::vector<std::string> names;
  for (const AlgorithmRow& row : algorithm_table())
    if (belong(row)) names.emplace_back(row.name);
  return names;
}

}  // namespace

void show_options(InferWork& work, OptionVisitor& visitor) {
  InferOptions& how = work.how;
  visitor.choice({"algorithm", 'a'}, how.algorithm,
                 algorithms_that([](const AlgorithmRow&) { return true; }), "see `surefield list`");
  visitor.real("beta", how.inverse_temperature, kPositive, "inverse temperature");
  visitor.whole("epochs", how.epochs, kCounted, "at most so many sweeps of coordinate ascent");
  visitor.real("tolerance", how.tolerance, kNonNegative,
               "converged when no marginal moves by more");
  visitor.choice("order", how.order, {"auto", "natural", "shuffled", "coloured"},
                 "of the coordinates; auto is coloured for large sparse fields, else natural");
  visitor.choice("start", how.start, {"low", "high", "middle", "random"},
                 "of coordinate-ascent, in the box");
  visitor.real("seconds", work.seconds, kSeconds,
               "stop after about so long, with the best point so far");
  visitor.real("certify", how.certify, kSeconds,
               "seconds to spend on proving the global optimum afterwards");
  visitor.real("gap", how.wanted_gap, kNonNegative, "relative gap at which --certify is content");
  visitor.flag("polish", how.polish, "continue a one-pass algorithm by coordinate ascent");
  visitor.flag("contract", how.contract,
               "first cut the box to what can hold an optimum; best always does");
  visitor.whole("rounds", how.rounds, kAtLeastOne, "of continuous double greedy");
  visitor.real("epsilon", how.epsilon, kPositive,
               "of bscb: bisect to epsilon/n as the paper's code; else to rounding");
  visitor.flag(
      "multilinear-direction", how.multilinear_direction,
      "of shrunken-frank-wolfe: leave the entropy out of the direction, as the paper's code");
  visitor.flag("trace", how.trace, "the value after every epoch");
}

std::vector<OptionScope> infer_scopes(bool polish) {
  const auto ascends = [&](const AlgorithmRow& row) { return row.polished || polish; };
  const auto frank_wolfe = [](const AlgorithmRow& row) {
    return row.id == Algorithm::kShrunkenFrankWolfe || row.id == Algorithm::kTwoPhaseFrankWolfe;
  };
  const auto all_at_once = [&](const AlgorithmRow& row) {  // no coordinate before another
    return frank_wolfe(row) || row.id == Algorithm::kContinuous;
  };
  const std::string polished = "any with --polish";
  const auto ordered =
      algorithms_that([&](const auto& row) { return ascends(row) || !all_at_once(row); });
  return {
      {"epochs", algorithms_that([&](const auto& row) { return ascends(row) || frank_wolfe(row); }),
       polished},
      {"tolerance", algorithms_that(ascends), polished},
      {"order", ordered, polished},
      {"order-file", ordered, polished},
      {"start", {"coordinate-ascent"}},
      {"start-file", {"best", "coordinate-ascent"}},
      {"hint-file", {"guarded"}},
      {"polish", algorithms_that([](const auto& row) { return !row.polished; })},
      {"contract", algorithms_that([](const auto& row) { return row.id != Algorithm::kBest; })},
      {"rounds", {"continuous"}},
      {"epsilon", algorithms_that([](const auto& row) { return row.id == Algorithm::kBscb; })},
      {"multilinear-direction", {"shrunken-frank-wolfe"}},
      {"trace", algorithms_that([&](const auto& row) {
         return ascends(row) || row.id != Algorithm::kContinuous;
       }),
       polished},
  };
}

void show_options(LogZWork& work, OptionVisitor& visitor) {
  LogZOptions& how = work.how;
  visitor.real("beta", how.inverse_temperature, kPositive, "inverse temperature");
  visitor.real("width", how.width, kPositive,
               "of the certified interval; exit code 1 if it stays wider");
  visitor.real("seconds", work.seconds, kSeconds, "at most, for all methods together");
  visitor.whole("condition", how.conditioned, {0, 20},
                "items settled in all ways for the conditioned bounds");
  visitor.whole("enumerate", how.enumerable, {0, 30},
                "visit all sets of up to so many free items; 2^30 take about a minute");
  visitor.flag("marginals", how.marginals,
               "P(i in S) too: exact where log Z is, else certified intervals");
  visitor.flag("compare", how.compare, "run the other methods too where one is exact");
}

void show_options(SampleWork& work, OptionVisitor& visitor) {
  SampleOptions& how = work.how;
  visitor.whole({"count", 'k'}, how.count, kAnyCount, "how many sets");
  visitor.choice("method", how.method, {"auto", "perfect", "gibbs"},
                 "perfect is independent and exact, gibbs approximate");
  visitor.real("beta", how.inverse_temperature, kPositive, "inverse temperature");
  visitor.real("seconds", work.seconds, kSeconds, "at most; then what was drawn by then");
}

void show_options(BestSetWork& work, OptionVisitor& visitor) {
  BestSetOptions& how = work.how;
  visitor.whole({"most", 'k'}, how.most, kAnyCount, "items at most, those forced in counted");
  visitor.real("gap", how.wanted_gap, kNonNegative, "relative; the proof stops there");
  visitor.real("seconds", work.seconds, kSeconds, "at most; then what is found and proved by then");
}

void show_options(AgreeWork& work, OptionVisitor& visitor) {
  AgreeOptions& how = work.how;
  visitor.reals("beta", work.inverse_temperatures, kPositive,
                "inverse temperatures, comma separated");
  visitor.real("width", how.width, kPositive,
               "of the certified interval of PA; exit code 1 if one stays wider");
  visitor.real("seconds", how.seconds, kSeconds, "at most, for each log Z by branch and bound");
  visitor.flag("pairs", work.pairs,
               "the table of pairs for two models too; else the PA distribution in full");
}

void show_options(RecommendWork& work, OptionVisitor& visitor) {
  RecommendOptions& how = work.how;
  visitor.whole({"count", 'k'}, how.count, kAtLeastOne, "suggestions, at most");
  visitor.choice("method", how.method, {"auto", "exact", "mean-field", "gain"},
                 "exact marginals, those of mean field, or by gain: the chance if nothing else is "
                 "put in; auto: exact where that is cheap, else mean field, else gain where the "
                 "model is not submodular");
  visitor.flag(
      "explain", how.explain,
      "why each is suggested: items had that raise or lower its gain; and what it replaces "
      "and complements, by the change of marginals");
  visitor.real("beta", how.inverse_temperature, kPositive, "inverse temperature");
}

bool asks_for_distribution(const AgreeWork& work, Index models) {
  return models == 2 && work.inverse_temperatures.size() == 1 && !work.pairs;
}

}  // namespace surefield
