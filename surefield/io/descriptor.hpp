// A file of the system, closed whatever happens.
#pragma once

#include <unistd.h>

namespace surefield {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  /// Closes and says whether that worked: some file systems report a full disk only here.
  bool close() {
    const int value = value_;
    value_ = -1;
    return ::close(value) == 0;
  }

 private:
  int value_;
};

}  // namespace surefield
