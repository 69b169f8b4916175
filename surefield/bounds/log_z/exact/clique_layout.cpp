#include "surefield/bounds/log_z/exact/clique_layout.hpp"

#include <algorithm>

#include "surefield/core/assert.hpp"

namespace surefield {

CliqueLayout::CliqueLayout(Index later, std::uint64_t part) : stride_(later, 0) {
  for (Index k = 1; part != 0; part &= part - 1, ++k)
    stride_[static_cast<Index>(std::countr_zero(part))] = Index{1} << k;
  const Index low = std::min(later, kBlockBits);
  // The lowest bits that are all in the table, or all absent, make runs without a jump.
  contiguous_ = low > 0 && stride_[0] == 2;
  while (run_bits_ < low && stride_[run_bits_] == (contiguous_ ? Index{2} << run_bits_ : 0))
    ++run_bits_;
  // Going from one run to the next: bit t rises, all bits below it fall.
  Index fallen = 0;
  for (Index b = run_bits_; b < low; ++b) {
    jump_.push_back(stride_[b] - fallen);  // may wrap; added to an offset it comes out right
    fallen += stride_[b];
  }
  if (run_bits_ < 3)
    for (Index y = 0; y < Index{1} << low; ++y)
      offsets_.push_back(static_cast<std::uint32_t>(offset(y)));
}

const CliqueLayout& CliqueLayouts::of(std::span<const std::uint32_t> steps,
                                      const std::vector<std::uint32_t>& later) {
  std::uint64_t part = 0;
  Index at = 0;
  for (const auto step : steps.subspan(1)) {
    while (at < later.size() && later[at] != step) ++at;
    SUREFIELD_ASSERT(at < later.size());
    part |= std::uint64_t{1} << at;
  }
  return made_.try_emplace({later.size(), part}, later.size(), part).first->second;
}

}  // namespace surefield
