#include "surefield/learn/mean_field_layer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

constexpr std::size_t kElements = 3;

/// A batch with memory of its own, and what came out.
struct LayerRun {
  MeanFieldLayer layer;
  std::vector<double> parameters, beta;
  std::vector<std::uint8_t> include = {}, exclude = {};
  std::vector<double> marginals = {}, elbo = {}, upper = {};
  std::vector<Status> status = {};
  std::vector<std::string> reason = {};
  std::vector<double> slope = {}, slope_in_beta = {}, slope_in_elbo = {};

  LayerBatch batch() const { return {beta.size(), parameters, beta, include, exclude}; }
  void forward(unsigned threads = 1) {
    const std::size_t count = beta.size();
    marginals.resize(count * layer.items());
    elbo.resize(count);
    upper.resize(count);
    status.resize(count);
    reason.resize(count);
    layer.forward(batch(), {marginals, elbo, upper, status, reason},
                  Budget().with_threads(threads));
  }
  void backward(std::span<const double> in_marginals, std::span<const double> in_elbo,
                unsigned threads = 1) {
    slope.resize(parameters.size());
    slope_in_beta.resize(beta.size());
    layer.backward(batch(), marginals, {in_marginals, in_elbo}, {slope, slope_in_beta, {}, reason},
                   Budget().with_threads(threads));
  }
  void second(std::span<const double> in_elbo, std::span<const double> v,
              std::span<const double> w) {
    slope.resize(parameters.size());
    slope_in_beta.resize(beta.size());
    slope_in_elbo.resize(beta.size());
    layer.second(batch(), marginals, in_elbo, v, w, {slope, slope_in_beta, slope_in_elbo, reason});
  }
};

std::vector<double> draws(std::size_t count, double low, double high, Random& random) {
  std::vector<double> drawn(count);
  for (double& one : drawn) one = random.uniform(low, high);
  return drawn;
}

/// One structure a family, its numbers of no meaning.
std::vector<AnyModel> structures(Index n) {
  const std::vector<double> zero(n, 0.0);
  const std::uint32_t last = static_cast<std::uint32_t>(n) - 1;
  const std::vector<std::vector<Entry>> customers{{{0, 1}, {1, 1}, {last, 1}}, {{1, 1}, {2, 1}}};
  const std::vector<std::vector<Entry>> concepts{{{0, 1}, {1, 0.5}},
                                                 {{1, 1}, {2, 0.8}, {last, 0.3}}};
  const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -1}, {0, last, -1}};
  const Coverage coverage = make_coverage(zero, {1, 1}, concepts);
  return {make_flid(zero, std::vector<double>(2 * n, 0.0), 2),
          make_facility_location(zero, customers), coverage, make_pairwise_field(zero, edges),
          make_weighted_sum(
              n, {{1, coverage},
                  {1, make_flid(std::vector<double>(n, 0.4), std::vector<double>(n, 0.7), 1)},
                  {1, make_graph_cut(zero, {{0, 1, 0.5}, {1, 2, 1}})}})};
}

/// Numbers of moderate size that leave the model submodular.
LayerRun random_run(const AnyModel& structure, std::uint64_t seed,
                    MeanFieldLayerOptions options = {}) {
  Random random(seed);
  MeanFieldLayer layer(structure, options);
  LayerRun run{std::move(layer), {}, draws(kElements, 0.6, 1.3, random)};
  for (std::size_t e = 0; e < kElements; ++e)
    for (std::size_t b = 0; b < run.layer.blocks().size(); ++b) {
      const bool items = b == 0 && structure.kind() != "sum";
      const bool couplings = structure.kind() == "pairwise" && !items;
      const std::size_t size = run.layer.blocks()[b].size();
      const auto drawn = items
                             ? draws(size, -1, 1.5, random)
                             : draws(size, couplings ? -1.4 : 0.1, couplings ? -0.1 : 1.4, random);
      run.parameters.insert(run.parameters.end(), drawn.begin(), drawn.end());
    }
  return run;
}

/// The model of an element, through the families' own makers.
AnyModel element_of(const LayerRun& run, std::size_t e) {
  const std::size_t width = run.layer.parameter_count();
  const auto theta = std::span(run.parameters).subspan(e * width, width);
  const AnyModel& structure = run.layer.structure();
  if (const auto* flid = structure.as<Flid>()) return with_parameters(*flid, theta);
  if (const auto* facility = structure.as<FacilityLocation>())
    return with_parameters(*facility, theta);
  if (const auto* coverage = structure.as<Coverage>()) return with_parameters(*coverage, theta);
  if (const auto* field = structure.as<PairwiseField>()) return with_parameters(*field, theta);
  return with_parameters(*structure.as<WeightedSum>(), theta);
}

/// beta E F + H by summing over all sets: nothing of the code under test.
double elbo_by_sets(const AnyModel& model, double beta, std::span<const double> x) {
  const Index n = model.size();
  double sum = 0;
  for (std::uint32_t bits = 0; bits < (1U << n); ++bits) {
    std::vector<std::uint8_t> chosen(n);
    double chance = 1;
    for (Index i = 0; i < n; ++i) {
      chosen[i] = bits >> i & 1;
      chance *= chosen[i] ? x[i] : 1 - x[i];
    }
    if (chance > 0) sum += beta * chance * model.evaluate(chosen);
  }
  for (const double one : x) sum += -x_log_x(one) - x_log_x(1 - one);
  return sum;
}

/// The slope of the same along one coordinate of its linear part.
double slope_by_sets(const AnyModel& model, double beta, std::vector<double> x, Index i) {
  x[i] = 1;
  const double high = elbo_by_sets(model, beta, x);
  x[i] = 0;
  return high - elbo_by_sets(model, beta, x);
}

std::span<const double> row(const LayerRun& run, std::size_t e) {
  return std::span(run.marginals).subspan(e * run.layer.items(), run.layer.items());
}

TEST(MeanFieldLayer, EveryFamilyEndsInAFixedPointWithItsElboBelowItsBound) {
  constexpr Index kLayerItems = 5;
  for (const AnyModel& structure : structures(kLayerItems)) {
    for (const LayerGradient gradient : {LayerGradient::kImplicit, LayerGradient::kUnrolled}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(::testing::Message() << structure.kind() << " seed " << seed);
        LayerRun run = random_run(structure, seed, {.gradient = gradient});
        run.include.assign(kElements * kLayerItems, 0);
        run.exclude.assign(kElements * kLayerItems, 0);
        run.include[kLayerItems + 1] = run.exclude[kLayerItems + 3] = 1;  // of the second element
        run.forward();
        for (std::size_t e = 0; e < kElements; ++e) {
          ASSERT_EQ(run.status[e], Status::kConverged) << run.reason[e];
          const AnyModel model = element_of(run, e);
          const std::vector<double> x(row(run, e).begin(), row(run, e).end());
          for (Index i = 0; i < kLayerItems; ++i) {
            const bool in = run.include[e * kLayerItems + i] != 0,
                       out = run.exclude[e * kLayerItems + i] != 0;
            const double best = in || out ? in : sigmoid(slope_by_sets(model, run.beta[e], x, i));
            EXPECT_NEAR(x[i], best, 1e-9) << "element " << e << " item " << i;
          }
          EXPECT_NEAR(run.elbo[e], elbo_by_sets(model, run.beta[e], x), 1e-10);
          Random random(seed);
          for (int k = 0; k < 20; ++k) {  // no point is above the bound
            std::vector<double> other = x;
            for (Index i = 0; i < kLayerItems; ++i)
              if (other[i] > 0 && other[i] < 1) other[i] = random.uniform();
            EXPECT_LE(elbo_by_sets(model, run.beta[e], other), run.upper[e]);
          }
          EXPECT_LE(run.elbo[e], run.upper[e]);
          EXPECT_TRUE(std::isfinite(run.upper[e]));
        }
      }
    }
  }
}

/// a . x + c . ELBO, the loss whose derivatives are compared with differences.
double loss_of(LayerRun& run, std::span<const double> a, std::span<const double> c) {
  run.forward();
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * run.marginals[k];
  for (std::size_t e = 0; e < c.size(); ++e) sum += c[e] * run.elbo[e];
  return sum;
}

/// (loss at +step) - (loss at -step) over 2 steps, for every number that `at` refers to.
template <class Loss>
void expect_differences(std::vector<double>& numbers, const std::vector<double>& found, Loss&& loss,
                        double tolerance) {
  constexpr double kStep = 1e-5;
  ASSERT_EQ(found.size(), numbers.size());
  for (std::size_t p = 0; p < numbers.size(); ++p) {
    const double kept = numbers[p];
    numbers[p] = kept + kStep;
    const double high = loss();
    numbers[p] = kept - kStep;
    const double low = loss();
    numbers[p] = kept;
    EXPECT_NEAR(found[p], (high - low) / (2 * kStep), tolerance) << p;
  }
}

TEST(MeanFieldLayer, BackwardIsTheDifferenceOfForward) {
  constexpr Index kLayerItems = 4;
  for (const AnyModel& structure : structures(kLayerItems)) {
    for (const MeanFieldLayerOptions& options :
         {MeanFieldLayerOptions{.tolerance = 1e-13},
          MeanFieldLayerOptions{.gradient = LayerGradient::kUnrolled, .tolerance = 1e-13},
          MeanFieldLayerOptions{
              .gradient = LayerGradient::kUnrolled, .epochs = 2, .tolerance = 0}}) {
      SCOPED_TRACE(::testing::Message() << structure.kind() << " epochs " << options.epochs);
      LayerRun run = random_run(structure, 7, options);
      run.include.assign(kElements * kLayerItems, 0);
      run.include[1] = 1;
      Random random(3);
      const auto a = draws(kElements * kLayerItems, -1, 1, random),
                 c = draws(kElements, -1, 1, random);
      for (const bool both : {true, false}) {
        const std::span<const double> by_elbo =
            both ? std::span<const double>(c) : std::span<const double>();
        run.forward();
        run.backward(a, by_elbo);
        for (const std::string& why : run.reason) EXPECT_EQ(why, "");
        const auto slope = run.slope, in_beta = run.slope_in_beta;
        const auto loss = [&] { return loss_of(run, a, by_elbo); };
        expect_differences(run.parameters, slope, loss, 2e-7);
        expect_differences(run.beta, in_beta, loss, 2e-7);
      }
    }
  }
}

TEST(MeanFieldLayer, SecondIsTheDifferenceOfBackwardForTheElbo) {
  constexpr Index kLayerItems = 4;
  for (const AnyModel& structure : structures(kLayerItems)) {
    SCOPED_TRACE(structure.kind());
    LayerRun run = random_run(structure, 11, {.tolerance = 1e-13});
    run.exclude.assign(kElements * kLayerItems, 0);
    run.exclude[2] = 1;
    Random random(5);
    std::vector<double> c = draws(kElements, -1, 1, random);
    const auto v = draws(run.parameters.size(), -1, 1, random), w = draws(kElements, -1, 1, random);
    run.forward();
    run.second(c, v, w);
    for (const std::string& why : run.reason) EXPECT_EQ(why, "");
    const auto slope = run.slope, in_beta = run.slope_in_beta, in_elbo = run.slope_in_elbo;
    const auto loss = [&] {
      run.forward();
      run.backward({}, c);
      double sum = 0;
      for (std::size_t p = 0; p < v.size(); ++p) sum += v[p] * run.slope[p];
      for (std::size_t e = 0; e < kElements; ++e) sum += w[e] * run.slope_in_beta[e];
      return sum;
    };
    expect_differences(run.parameters, slope, loss, 2e-7);
    expect_differences(run.beta, in_beta, loss, 2e-7);
    expect_differences(c, in_elbo, loss, 2e-7);
  }
}

TEST(MeanFieldLayer, ABadElementIsItsOwnAffair) {
  constexpr Index kLayerItems = 4;
  for (const AnyModel& structure : structures(kLayerItems)) {
    SCOPED_TRACE(structure.kind());
    LayerRun good = random_run(structure, 2);
    good.include.assign(kElements * kLayerItems, 0);
    good.exclude = good.include;
    const std::vector<double> a(kElements * kLayerItems, 1.0);
    good.forward();
    good.backward(a, {});
    for (int fault = 0; fault < 3; ++fault) {
      LayerRun bad = good;
      const std::size_t width = bad.layer.parameter_count();
      if (fault == 0) bad.parameters[width] = std::nan("");
      if (fault == 1) bad.beta[1] = -1;
      if (fault == 2) bad.include[kLayerItems] = bad.exclude[kLayerItems] = 1;
      bad.forward();
      EXPECT_EQ(bad.status[1], Status::kFailed);
      EXPECT_NE(bad.reason[1], "");
      EXPECT_TRUE(std::isnan(bad.elbo[1]) && std::isnan(bad.marginals[kLayerItems]));
      EXPECT_EQ(bad.upper[1], kInfinity);
      bad.backward(a, {});
      EXPECT_NE(bad.reason[1], "");
      for (std::size_t p = 0; p < width; ++p) EXPECT_EQ(bad.slope[width + p], 0);
      for (const std::size_t e : {0, 2}) {
        EXPECT_EQ(bad.status[e], Status::kConverged);
        EXPECT_EQ(bad.elbo[e], good.elbo[e]);
        EXPECT_EQ(bad.upper[e], good.upper[e]);
        for (std::size_t p = 0; p < width; ++p)
          EXPECT_EQ(bad.slope[e * width + p], good.slope[e * width + p]);
      }
    }
  }
  LayerRun run = random_run(structures(4)[0], 2);
  run.beta[1] = 0;
  run.forward();
  EXPECT_EQ(run.reason[1],
            "mean field layer: the inverse temperature is 0, which must be finite and > 0");
  EXPECT_EQ(run.reason[0], "");
}

TEST(MeanFieldLayer, TheSameBitsOnAnyNumberOfThreads) {
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  };
  Random random(1);
  MeanFieldLayer layer(make_flid(std::vector<double>(20, 0.0), std::vector<double>(60, 0.0), 3),
                       {});
  LayerRun one{layer, draws(16 * 80, 0, 1.5, random), std::vector<double>(16, 1.0)};
  const auto a = draws(16 * 20, -1, 1, random);
  LayerRun two = one;
  one.forward(1);
  one.backward(a, {}, 1);
  two.forward(2);
  two.backward(a, {}, 2);
  EXPECT_TRUE(same(one.marginals, two.marginals) && same(one.elbo, two.elbo) &&
              same(one.upper, two.upper) && same(one.slope, two.slope) &&
              same(one.slope_in_beta, two.slope_in_beta));
}

TEST(MeanFieldLayer, NoGradientAtABifurcation) {
  // Two spins that attract: F(S) = 4 |S = both| - 2 |S|, symmetric about x = 1/2, which is no maximum.
  const std::vector<Edge> edge{{0, 1, 4}};
  MeanFieldLayer layer(make_pairwise_field({-2, -2}, edge), {});
  LayerRun run{layer, {-2, -2, 4}, {4}};
  run.forward();
  run.marginals = {0.5, 0.5};
  run.backward(std::vector<double>{1, 1}, {});
  EXPECT_NE(run.reason[0].find("not a local maximum"), std::string::npos) << run.reason[0];
  EXPECT_EQ(run.slope, (std::vector<double>{0, 0, 0}));
  run.beta = {1};  // beta w / 4 = 1: about to split
  run.backward(std::vector<double>{1, 1}, {});
  EXPECT_NE(run.reason[0], "");
  run.marginals = {0.4, 0.5};
  run.backward(std::vector<double>{1, 1}, {});
  EXPECT_NE(run.reason[0].find("not a fixed point"), std::string::npos) << run.reason[0];
}

TEST(MeanFieldLayer, AFieldThatFlipsMendIsBoundedAndAFrustratedOneIsNot) {
  constexpr Index kLayerItems = 4;
  const std::vector<Edge> ring{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 3, 1}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    LayerRun run{
        MeanFieldLayer(make_pairwise_field(std::vector<double>(kLayerItems, 0.0), ring), {}),
        draws(kElements * 8, -1.5, 1.5, random), draws(kElements, 0.5, 1.5, random)};
    run.include.assign(kElements * kLayerItems, 0);
    run.include[seed % kLayerItems] = 1;
    for (std::size_t e = 0; e < kElements; ++e) {
      double product = 1;
      for (std::size_t k = 4; k < 8; ++k) product *= run.parameters[e * 8 + k];
      if (product < 0) run.parameters[e * 8 + 4] *= -1;  // an even number attract: balanced
    }
    run.forward();
    EXPECT_EQ(row(run, 0)[seed % kLayerItems], 1);  // forced in, flipped or not
    for (std::size_t e = 0; e < kElements; ++e) {
      const AnyModel model = element_of(run, e);
      ASSERT_EQ(run.status[e], Status::kConverged) << run.reason[e];
      ASSERT_LT(run.upper[e], kInfinity);
      EXPECT_LE(run.elbo[e], run.upper[e]);
      for (int k = 0; k < 200; ++k) {
        std::vector<double> other(row(run, e).begin(), row(run, e).end());
        for (double& one : other)
          if (one > 0 && one < 1) one = random.uniform();
        EXPECT_LE(elbo_by_sets(model, run.beta[e], other), run.upper[e]);
      }
    }
    run.parameters[4] *= -1;  // an odd number
    run.forward();
    EXPECT_EQ(run.upper[0], kInfinity);
    EXPECT_LT(run.upper[1], kInfinity);
  }
}

TEST(MeanFieldLayer, RefusesWhatItCannotDo) {
  EXPECT_EQ(testing::refusal([] {
              MeanFieldLayer(make_graph_cut({0, 0}, {{0, 1, 1}}), {});
            }),
            "mean field layer: the structure is a cut, which has no derivatives in its "
            "parameters; flid, facility-location, coverage, pairwise and sum have");
  const AnyModel flid = make_flid({0, 0}, {0, 0}, 1);
  EXPECT_EQ(testing::refusal([&] { MeanFieldLayer(flid, {.epochs = 0}); }),
            "mean field layer: the epochs are 0, which must be at least 1");
  EXPECT_EQ(testing::refusal([&] { MeanFieldLayer(flid, {.tolerance = -1}); }),
            "mean field layer: the tolerance is -1, which must be finite and >= 0");
  LayerRun run{MeanFieldLayer(flid, {}), {1, 2, 3}, {1}};
  EXPECT_EQ(
      testing::refusal([&] { run.forward(); }),
      "mean field layer: there are 3 numbers for the parameters of 1 elements, which must be 4");
  LayerRun unrolled{
      MeanFieldLayer(flid, {.gradient = LayerGradient::kUnrolled}), {1, 2, 3, 4}, {1}};
  unrolled.forward();
  EXPECT_EQ(testing::refusal([&] { unrolled.second(unrolled.beta, unrolled.parameters, {}); }),
            "mean field layer: second derivatives are those of the ELBO at a fixed point; the "
            "gradient must be implicit");
}

TEST(MeanFieldLayer, NoElementsNoWork) {
  LayerRun run{MeanFieldLayer(make_flid({0, 0}, {0, 0}, 1), {}), {}, {}};
  run.forward();
  run.backward({}, {});
  EXPECT_TRUE(run.slope.empty());
}

}  // namespace
}  // namespace surefield
