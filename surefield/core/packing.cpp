#include "surefield/core/packing.hpp"

#include <mutex>
#include <set>

namespace surefield {

std::string_view lasting(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> kept;
  const std::lock_guard lock(mutex);
  return *kept.insert(text).first;
}

}  // namespace surefield
