#include "surefield/api/select_training.hpp"

#include <fmt/format.h>

namespace surefield {
namespace {

constexpr double kEnoughEpochs = 20;
constexpr double kLessNoise = 4;

}  // namespace

PaidTraining paid_training(const SetCollection& data, std::span<const Index> dimensions,
                           Index folds, const NceOptions& asked, const RoundsWork& work) {
  const auto an_epoch_of_all = [&](NceOptions how) {
    double operations = 0;
    for (const Index d : dimensions) {
      how.dimensions = d;
      if (d > 0) operations += nce_operations(data, how);
    }
    return operations * static_cast<double>((folds - 1) * how.starts);  // a fold is left out
  };
  const auto epochs_paid = [&](const NceOptions& how) {
    return work.operations / std::max(1.0, an_epoch_of_all(how));
  };
  PaidTraining paid{asked, {}};
  NceOptions& how = paid.how;
  const double enough = std::min(kEnoughEpochs, static_cast<double>(asked.epochs));
  const double all = an_epoch_of_all(asked) * static_cast<double>(asked.epochs);
  if (all <= work.operations) return paid;
  how.starts = 1;
  if (epochs_paid(how) < enough) how.noise_ratio /= kLessNoise;
  how.epochs = paid_rounds(work, an_epoch_of_all(how), asked.epochs, "epochs");
  std::string what;
  if (how.starts < asked.starts) what += fmt::format("one start of {}, ", asked.starts);
  if (how.noise_ratio < asked.noise_ratio)
    what +=
        fmt::format("{:.3g} noise sets a set and not {:.3g}, ", how.noise_ratio, asked.noise_ratio);
  what += fmt::format("at most {} epochs of {}", how.epochs, asked.epochs);
  paid.notes.push_back(
      fmt::format("trainings have {}: all that was asked for would take up to {:.2g} "
                  "processor minutes; --thorough takes them",
                  what, all * 1e-9 / 60));
  return paid;
}

}  // namespace surefield
