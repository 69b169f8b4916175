#include "surefield/core/sampled_sets.hpp"

#include <string_view>
#include <unordered_map>

namespace surefield {

SampledSets::SampledSets(Index samples, std::uint64_t seed, std::span<const double> x)
    : samples_(samples),
      seed_(seed),
      x_(x.begin(), x.end()),
      words_((x.size() + 63) / 64),
      bits_(samples * words_, 0) {
  for (Index k = 0; k < samples; ++k)
    for (Index i = 0; i < x.size(); ++i)
      if (keyed_uniform(seed, k, i) < x[i])
        bits_[k * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
}

void SampledSets::write(Index k, std::span<std::uint8_t> chosen) const {
  for (Index i = 0; i < size(); ++i) chosen[i] = contains(k, i);
}

std::vector<Index> SampledSets::twins() const {
  std::unordered_map<std::string_view, Index> first;
  first.reserve(samples_);
  std::vector<Index> result(samples_);
  const std::size_t bytes = words_ * sizeof(std::uint64_t);
  for (Index k = 0; k < samples_; ++k) {
    const auto* const row = reinterpret_cast<const char*>(bits_.data() + k * words_);
    result[k] = first.try_emplace(std::string_view(row, bytes), k).first->second;
  }
  return result;
}

}  // namespace surefield
