#include "surefield/bounds/log_z/harris/harris_search.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "surefield/bounds/log_z/harris/harris_bound.hpp"
#include "surefield/bounds/log_z/sets_of_box.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr Index kSharedLevel = 2;         // classes so far below the top are shared among threads
constexpr Index kShares = 64;             // among so many searches, whatever the number of threads
constexpr double kFirstTolerance = 1e-4;  // of the upper end, while
constexpr double kFarOff = 0.1;           // the interval is wider than this
constexpr double kLeastFactor = 0.01;     // from one round's tolerance to the next

struct ScaledClass {
  double scale;  // e^{F(S)} and the settled items
  BestItemClass sets;
};

/// Goes through the classes below one.
class ClassSearch {
 public:
  ClassSearch(const BestItemTable& table, double tolerance, double entries, const Budget& budget)
      : table_(&table), bound_(table), tolerance_(tolerance), most_(entries), ticks_(budget, 64) {}

  /// Classes on the shared level are left in `shared`, if given, instead of being searched.
  void search(ScaledClass top, std::vector<ScaledClass>* shared) {
    shared_ = shared;
    if (levels_.empty()) levels_.emplace_back();
    levels_[0].sets = std::move(top.sets);
    go_through(0, top.scale);
  }

  double entries() const { return bound_.entries(); }
  bool cut_short() const { return cut_short_; }
  Index classes() const { return classes_; }

  CompensatedSum low, high;

 private:
  struct Level {
    BestItemClass sets;
    std::vector<double> share;
  };

  void settle(double a, double b) {
    low.add(a);
    high.add(b);
  }

  bool may_split() {
    if (!cut_short_) cut_short_ = ticks_.spent() || bound_.entries() > most_;
    return !cut_short_;
  }

  void go_through(Index depth, double scale) {
    if (levels_.size() == depth + 1) levels_.emplace_back();
    Level& here = levels_[depth];
    BestItemClass& sets = here.sets;
    const HarrisBound::Ends ends = bound_.bound(sets);
    ++classes_;
    scale *= ends.settled;
    const double whole = scale * ends.product;
    if (whole * (ends.high - ends.low) <= tolerance_ || !may_split())
      return settle(whole * ends.low, whole * ends.high);
    std::ranges::sort(sets.rest, [&](std::uint32_t j, std::uint32_t k) {
      const double a = bound_.share(j), b = bound_.share(k);
      return a > b || (a == b && j < k);
    });
    double gap = 0;  // of the sets without the items already split off, about
    here.share.clear();
    for (std::uint32_t i = 0; i < sets.rest.size(); ++i) {
      sets.place[sets.rest[i]] = static_cast<std::int32_t>(i);
      here.share.push_back(bound_.share(sets.rest[i]));
      gap += here.share.back();
    }
    double without = whole;
    for (Index i = 0; i < sets.rest.size(); ++i) {
      if (i > 0 && without * gap <= tolerance_) {
        make_part(*table_, sets, i, nullptr, levels_[depth + 1].sets);
        return descend(depth + 1, scale);
      }
      const std::uint32_t k = sets.rest[i];
      without /= 1 + sets.odds[k];
      gap -= here.share[i];
      make_part(*table_, sets, i + 1, &k, levels_[depth + 1].sets);
      descend(depth + 1, scale * sets.odds[k]);
    }
    settle(scale, scale);  // none of the rest
  }

  void descend(Index depth, double scale) {
    if (shared_ && depth == kSharedLevel)
      shared_->push_back({scale, levels_[depth].sets});
    else
      go_through(depth, scale);
  }

  const BestItemTable* table_;
  HarrisBound bound_;
  double tolerance_, most_;
  Ticks ticks_;
  std::vector<ScaledClass>* shared_ = nullptr;
  std::deque<Level> levels_;  // one a depth, used again and again
  Index classes_ = 0;
  bool cut_short_ = false;
};

/// What a search found: all of it, or one share.
struct Found {
  double low = 0, high = 0;  // of e^{-constant} Z
  double entries = 0;
  Index classes = 0;
  bool cut_short = false;

  static Found of(const ClassSearch& search) {
    return {search.low.value(), search.high.value(), search.entries(), search.classes(),
            search.cut_short()};
  }
};

auto fields_of(Found& found) {
  auto& [low, high, entries, classes, cut_short] = found;
  return std::tie(low, high, entries, classes, cut_short);
}

/// The classes on the shared level, every 64th of which is one share: neighbours cost alike.
struct Shares {
  double tolerance = 0, entries = 0;
  std::vector<ScaledClass> classes = {};

  Index count() const { return std::min(kShares, classes.size()); }
  /// Leaves the classes of the share empty if they are to be taken.
  template <class Classes>
  static Found search(Classes& classes, const BestItemTable& table, double tolerance,
                      double entries, Index share, const Budget& budget) {
    ClassSearch below(table, tolerance, 2 * entries / static_cast<double>(kShares), budget);
    for (Index c = share; c < classes.size(); c += std::min(kShares, classes.size()))
      below.search(std::move(classes[c]), nullptr);
    return Found::of(below);
  }
};

/// One share of a round, for another process: it comes to the same classes from the same tolerance.
struct ShareQuestion {
  double tolerance = 0, entries = 0;
  Index classes = 0, share = 0;
};

auto fields_of(ShareQuestion& question) {
  auto& [tolerance, entries, classes, share] = question;
  return std::tie(tolerance, entries, classes, share);
}

Found search_classes(const BestItemTable& table, double tolerance, double entries,
                     const HarrisOptions& options, const Subject& subject) {
  Shares shares{tolerance, entries};
  ClassSearch top(table, tolerance, entries, options.budget);
  top.search({1, whole_class(table)}, &shares.classes);
  std::vector<Found> below(shares.count());
  // Who was cut short by time has other classes than another process would have.
  ask(top.cut_short() ? nullptr : options.helpers,
      {.subject = subject,
       .count = below.size(),
       .budget = options.budget,
       .here =
           [&](std::size_t t) {
             below[t] =
                 Shares::search(shares.classes, table, tolerance, entries, t, options.budget);
           },
       .question =
           [&](std::size_t t) {
             return packed(ShareQuestion{tolerance, entries, shares.classes.size(), t});
           },
       .keep = [&](std::size_t t, std::string_view bytes) { below[t] = unpacked<Found>(bytes); },
       .ahead = 1});
  Found round = Found::of(top);
  CompensatedSum low = top.low, high = top.high;
  for (const Found& share : below) {
    low.add(share.low);
    high.add(share.high);
    round.entries += share.entries;
    round.classes += share.classes;
    round.cut_short |= share.cut_short;
  }
  round.low = low.value();
  round.high = high.value();
  return round;
}

/// Searches shares for another process.
class ShareSearcher {
 public:
  ShareSearcher(BestItemTable table, const Budget& budget)
      : table_(std::move(table)), budget_(budget) {}

  Found operator()(const ShareQuestion& question) {
    const auto shares = shares_of(question);
    require(shares->classes.size() == question.classes, "harris: there are ",
            shares->classes.size(), " classes here and ", question.classes, " there");
    return Shares::search(shares->classes, table_, question.tolerance, question.entries,
                          question.share, budget_);
  }

 private:
  std::shared_ptr<const Shares> shares_of(const ShareQuestion& question) {
    const std::lock_guard lock(mutex_);
    if (!shares_ || shares_->tolerance != question.tolerance ||
        shares_->entries != question.entries) {
      auto made = std::make_shared<Shares>(Shares{question.tolerance, question.entries});
      // Never cut short by time: the classes must be those of the other process.
      ClassSearch top(table_, question.tolerance, question.entries, Budget());
      top.search({1, whole_class(table_)}, &made->classes);
      shares_ = std::move(made);
    }
    return shares_;
  }

  const BestItemTable table_;
  const Budget budget_;
  std::mutex mutex_;
  std::shared_ptr<const Shares> shares_;
};

}  // namespace

HarrisLogZ harris_log_z(const AnyModel& model, const Box* box, const HarrisOptions& options) {
  require(options.width >= 0, "harris: the width is ", options.width, ", which must be >= 0");
  const BestItemTable table = best_item_table(model, box, options.beta);
  // A class costs at most a number an item and group on each level, and there is a level an item.
  const auto size = static_cast<double>(table.items * (table.groups + 4));
  options.budget.require({.operations = 100 * size, .bytes = 16 * 8 * size}, "harris");
  double tolerance = kInfinity;  // the first round looks at all sets as one class
  HarrisLogZ result{.log_z = {-kInfinity, kInfinity}, .status = Status::kEpochLimit};
  const Subject subject{std::string(kHarrisSubject), packed(SetsOfBox::of(box, options.beta))};
  while (true) {
    const Found round =
        search_classes(table, tolerance, options.entries - result.entries, options, subject);
    result.entries += round.entries;
    result.classes = round.classes;
    // Leaves are added up with one rounding more; both logarithms and the sum with the constant round too.
    const double sizes = 1 + std::abs(table.constant) + std::abs(std::log(round.high));
    const double margin =
        table.error + gamma_of(HarrisBound::roundings(table)) + gamma_of(16) * sizes;
    result.log_z.low = std::max(result.log_z.low, table.constant + std::log(round.low) - margin);
    result.log_z.high = std::min(result.log_z.high, table.constant + std::log(round.high) + margin);
    const double width = result.log_z.width();
    if (width <= options.width) {
      result.status = Status::kConverged;
    } else if (round.high - round.low <= margin * round.low) {
      result.status = Status::kDone;
    } else if (options.budget.spent() || (options.observer && !options.observer(result.log_z))) {
      result.status = Status::kInterrupted;
    } else if (!round.cut_short && result.entries < options.entries) {
      // At first the upper end is far off, and what is small beside it is not small beside Z.
      const double wanted = std::pow(0.7 * options.width / width, 1.8);
      const double next = width > kFarOff ? kLeastFactor : std::clamp(wanted, kLeastFactor, 0.5);
      tolerance *= next;
      if (width > kFarOff || std::isinf(tolerance))
        tolerance = std::min(tolerance, kFirstTolerance * round.high);
      continue;
    }
    return result;
  }
}

Answerer harris_answerer(const AnyModel& model, std::string_view subject, const Budget& budget) {
  const auto sets = unpacked<SetsOfBox>(subject);
  const auto search =
      std::make_shared<ShareSearcher>(best_item_table(model, sets.get(), sets.beta), budget);
  return [search](std::string_view question) {
    return packed((*search)(unpacked<ShareQuestion>(question)));
  };
}

}  // namespace surefield
