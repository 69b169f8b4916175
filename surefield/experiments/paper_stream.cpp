#include "surefield/experiments/paper_stream.hpp"

#include <algorithm>
#include <filesystem>

#include "surefield/core/error.hpp"
#include "surefield/experiments/numpy_random.hpp"
#include "surefield/io/formats.hpp"

namespace surefield {
namespace {

constexpr std::uint32_t kSeed = 99;
constexpr int kElboEpochs = 6;
constexpr int kAgreementEpochs = 10;
constexpr std::array<PaperCategory, 13> kCategories{{{"furniture", 32},
                                                     {"media", 58},
                                                     {"diaper", 100},
                                                     {"feeding", 100},
                                                     {"gear", 100},
                                                     {"bedding", 100},
                                                     {"apparel", 100},
                                                     {"bath", 100},
                                                     {"toys", 62},
                                                     {"health", 62},
                                                     {"strollers", 40},
                                                     {"safety", 36},
                                                     {"carseats", 34}}};
constexpr std::size_t kOneStream =
    6;  // PA as printed: the first six share a stream, each of the others starts anew

PaperDraws draw(NumpyRandom& random, Index items, int epochs) {
  PaperDraws draws;
  for (int epoch = 0; epoch < epochs; ++epoch) draws.orders.push_back(random.permutation(items));
  for (auto& start : draws.starts) {
    start.resize(items);
    std::generate(start.begin(), start.end(), [&] { return random.uniform(); });
  }
  return draws;
}

}  // namespace

std::span<const PaperCategory> paper_categories() { return kCategories; }

const PaperCategory& paper_category(std::string_view name) {
  const auto found = std::find_if(kCategories.begin(), kCategories.end(),
                                  [&](const auto& category) { return category.name == name; });
  require(found != kCategories.end(), "category: '", name, "' is none of the paper's");
  return *found;
}

PaperStream elbo_stream() {
  PaperStream stream;
  NumpyRandom random(kSeed);
  for (const auto& category : kCategories)
    for (int fold = 1; fold <= kPaperFolds; ++fold)
      stream[category.name][{fold, 0}] = draw(random, category.items, kElboEpochs);
  return stream;
}

PaperStream agreement_stream(bool released) {
  PaperStream stream;
  NumpyRandom random(kSeed);
  for (std::size_t c = 0; c < kCategories.size(); ++c) {
    if (c >= kOneStream && !released) random = NumpyRandom(kSeed);
    for (int first = 1; first <= kPaperFolds; ++first)
      for (int second = first + 1; second <= kPaperFolds; ++second)
        stream[kCategories[c].name][{first, second}] =
            draw(random, kCategories[c].items, kAgreementEpochs);
  }
  return stream;
}

Problem read_paper_model(const std::string& folder, const PaperCategory& category, Index dimensions,
                         int fold) {
  const std::string path = (std::filesystem::path(folder) /
                            message(category.name, "_flid_d_", dimensions, "_fold_", fold, ".txt"))
                               .string();
  auto file = read_model(path, {.format = "flid"});
  require(size_of(file.model) == category.items, path, ": it has ", size_of(file.model),
          " items, but ", category.name, " has ", category.items);
  return make_problem(std::move(file.model));
}

bool has_paper_models(const std::string& folder, std::string_view category) {
  const std::string start = message(category, "_flid_d_");
  const std::filesystem::directory_iterator files(folder);
  return std::any_of(begin(files), end(files), [&](const auto& entry) {
    return entry.path().filename().string().starts_with(start);
  });
}

std::vector<std::string> missing_categories(const std::string& folder,
                                            std::span<const std::string_view> categories) {
  std::string names;
  for (const auto category : categories)
    if (!has_paper_models(folder, category)) names += message(names.empty() ? "" : ", ", category);
  if (names.empty()) return {};
  return {message(names, ": the folder holds no model of theirs")};
}

}  // namespace surefield
