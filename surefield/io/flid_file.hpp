// FLID text, as its authors' trained models come: `n D n_logz seconds`, the n utilities, then n
// rows of D weights.
//
//   2 1 -0.5 0.1
//   0.25 -1
//   3
//   0.5
//
// n_logz is minus the log normaliser that training estimated, seconds how long it took; both are
// kept, neither is used.
#pragma once

#include <string>
#include <string_view>

#include "surefield/models/flid/flid.hpp"

namespace surefield {

struct FlidFile {
  Flid model;
  double n_logz = 0;
  double seconds = 0;
};

FlidFile parse_flid(std::string_view text, std::string_view name);
FlidFile read_flid(const std::string& path);
std::string flid_text(const Flid& model, double n_logz = 0, double seconds = 0);

}  // namespace surefield
