#include "surefield/bounds/log_z/harris/harris_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "surefield/bounds/log_z/harris/class_search.hpp"
#include "surefield/bounds/log_z/sets_of_box.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/core/stopwatch.hpp"

namespace surefield {
namespace {

using detail::ClassSearch;
using detail::SharedClasses;

constexpr Index kShares = 64;             // among so many searches, whatever the number of threads
constexpr double kFirstTolerance = 1e-2;  // of the upper end, while
constexpr double kFarOff = 0.1;           // the interval is wider than this
constexpr double kLeastFactor = 0.01;     // from one round's tolerance to the next
constexpr double kMostFactor = 0.5;
constexpr double kOfTimeLeft = 0.8;  // that a round is meant to take

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
  double tolerance, entries;
  SharedClasses classes;

  Index count() const { return std::min(kShares, classes.parts.size()); }
  Found search(const BestItemTable& table, Index share, const Budget& budget) const {
    ClassSearch below(table, tolerance, 2 * entries / static_cast<double>(kShares), budget);
    for (Index c = share; c < classes.parts.size(); c += count())
      below.search(classes, classes.parts[c]);
    return Found::of(below);
  }
};

/// One share of a round, for another process: it comes to the same classes from the same tolerance.
struct ShareQuestion {
  double tolerance = 0, entries = 0, room = 0;
  Index classes = 0, share = 0;
};

auto fields_of(ShareQuestion& question) {
  auto& [tolerance, entries, room, classes, share] = question;
  return std::tie(tolerance, entries, room, classes, share);
}

Found search_classes(const BestItemTable& table, double tolerance, double entries,
                     const HarrisOptions& options, const Subject& subject) {
  Shares shares{tolerance, entries, SharedClasses(options.room)};
  ClassSearch top(table, tolerance, entries, options.budget);
  top.search_all(shares.classes);
  std::vector<Found> below(shares.count());
  // Who was cut short by time has other classes than another process would have.
  ask(top.cut_short() ? nullptr : options.helpers,
      {.subject = subject,
       .count = below.size(),
       .budget = options.budget,
       .here = [&](std::size_t t) { below[t] = shares.search(table, t, options.budget); },
       .question =
           [&](std::size_t t) {
             return packed(
                 ShareQuestion{tolerance, entries, options.room, shares.classes.parts.size(), t});
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
    require(shares->classes.parts.size() == question.classes, "harris: there are ",
            shares->classes.parts.size(), " classes here and ", question.classes, " there");
    return shares->search(table_, question.share, budget_);
  }

 private:
  std::shared_ptr<const Shares> shares_of(const ShareQuestion& question) {
    const std::lock_guard lock(mutex_);
    if (!shares_ || shares_->tolerance != question.tolerance ||
        shares_->entries != question.entries) {
      auto made = std::make_shared<Shares>(
          Shares{question.tolerance, question.entries, SharedClasses(question.room)});
      // Never cut short by time: the classes must be those of the other process.
      ClassSearch top(table_, question.tolerance, question.entries, Budget());
      top.search_all(made->classes, false);
      shares_ = std::move(made);
    }
    return shares_;
  }

  const BestItemTable table_;
  const Budget budget_;
  std::mutex mutex_;
  std::shared_ptr<const Shares> shares_;
};

/// Which tolerance the time left suffices for: a round takes about tolerance^-p as long, p by the last two.
class Pace {
 public:
  void add(double tolerance, double seconds) {
    if (seconds > last_seconds_ && tolerance < last_tolerance_ && last_seconds_ > 0)
      power_ = std::clamp(std::log(seconds / last_seconds_) / std::log(last_tolerance_ / tolerance),
                          0.4, 1.0);
    last_seconds_ = std::isfinite(tolerance) ? seconds : 0;
    last_tolerance_ = tolerance;
  }
  /// Of the next round's tolerance to the last one's, at least.
  double factor_within(double seconds) const {
    return std::pow(last_seconds_ / (kOfTimeLeft * seconds), 1 / power_);
  }

 private:
  double power_ = 1;
  double last_seconds_ = 0, last_tolerance_ = kInfinity;
};

}  // namespace

HarrisLogZ harris_log_z(const AnyModel& model, const Box* box, const HarrisOptions& options) {
  require(options.width >= 0, "harris: the width is ", options.width, ", which must be >= 0");
  const BestItemTable table = best_item_table(model, box, options.beta);
  // A class costs at most a number an item and group on each level, and there is a level an item.
  const auto size = static_cast<double>(table.items * (table.groups + 4));
  const double shared = std::min(options.room, static_cast<double>(table.items) * size);
  options.budget.require({.operations = 100 * size, .bytes = 16 * 8 * size + shared}, "harris");
  Pace pace;
  double tolerance = kInfinity;  // the first round looks at all sets as one class
  HarrisLogZ result{.log_z = {-kInfinity, kInfinity}, .status = Status::kEpochLimit};
  const Subject subject{std::string(kHarrisSubject), packed(SetsOfBox::of(box, options.beta))};
  while (true) {
    const Stopwatch watch;
    const Found round =
        search_classes(table, tolerance, options.entries - result.entries, options, subject);
    pace.add(tolerance, watch.seconds());
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
      const double next =
          width > kFarOff ? kLeastFactor : std::clamp(wanted, kLeastFactor, kMostFactor);
      const double in_time = pace.factor_within(options.budget.seconds_left());
      if (in_time > kMostFactor) {
        result.status = Status::kInterrupted;
        return result;
      }
      tolerance *= std::max(next, in_time);
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
