#include "surefield/cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "surefield/cli/progress_text.hpp"

namespace surefield::cli {
namespace {

constexpr double kRedraw = 0.1;          // seconds between two drawings, at least
constexpr std::size_t kUsualWidth = 80;  // where the terminal does not say

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsualWidth;
}

}  // namespace

Progress::Progress(std::size_t total, std::string label, const CommonOptions& options)
    : total_(std::max<std::size_t>(1, total)),
      label_(std::move(label)),
      visible_(!options.quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

void Progress::advance() {
  if (!visible_) return;
  const std::scoped_lock lock(mutex_);
  fraction_ = std::max(fraction_, static_cast<double>(++done_) / static_cast<double>(total_));
  draw();
}

void Progress::set(double fraction) {
  if (!visible_) return;
  const std::scoped_lock lock(mutex_);
  fraction_ = std::max(fraction_, fraction);
  draw();
}

void Progress::draw() {
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < kRedraw) return;
  last_ = now;
  drawn_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  // The last column stays free: some terminals break the line there.
  fmt::print(stderr, "\r{}\x1b[K", progress_text(label_, fraction_, elapsed, terminal_width() - 1));
  std::fflush(stderr);
}

}  // namespace surefield::cli
