#include "surefield/io/binary/npy_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "surefield/io/write_file.hpp"

namespace surefield {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

[[noreturn]] void cannot_write(const std::string& path) {
  fail(path, ": cannot be written: ", std::strerror(errno));
}

}  // namespace

ByteWriter::ByteWriter(std::string path)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (file_.get() < 0) cannot_write(path_);
  buffer_.reserve(kBuffer);
}

void ByteWriter::write(const void* data, std::size_t size) {
  const char* const from = static_cast<const char*>(data);
  for (std::size_t done = 0; done < size;) {
    const std::size_t part = std::min(size - done, kBuffer - buffer_.size());
    buffer_.insert(buffer_.end(), from + done, from + done + part);
    done += part;
    if (buffer_.size() == kBuffer) flush();
  }
}

void ByteWriter::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const auto written = ::write(file_.get(), buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_write(path_);
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void ByteWriter::close() {
  flush();
  if (::fsync(file_.get()) != 0) cannot_write(path_);
  if (!file_.close()) cannot_write(path_);
}

void write_npy(const std::string& path, std::span<const double> values) {
  std::string text = npy_header_text(npy_type<double>(), values.size());
  text.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  write_file(path, text);
}

}  // namespace surefield
