#include "surefield/distributed/sliced_point.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/io/binary/npy.hpp"
#include "surefield/io/descriptor.hpp"

namespace surefield {
namespace {

/// Own variables and copies by ascending place in the model: calls see(i, place).
template <class See>
void in_order_of_model(const FieldSlice& slice, const See& see) {
  Index own = 0;
  Index copy = slice.own;
  while (own < slice.own || copy < slice.size()) {
    const bool first =
        copy == slice.size() || (own < slice.own && slice.in_model(own) < slice.in_model(copy));
    const Index i = first ? own++ : copy++;
    see(i, slice.in_model(i));
  }
}

void write_at(int file, const void* data, std::size_t size, std::uint64_t offset,
              const std::string& path) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const auto written = ::pwrite(file, from, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(path, ": cannot be written: ", std::strerror(errno));
    from += written;
    size -= static_cast<std::size_t>(written);
    offset += static_cast<std::uint64_t>(written);
  }
}

/// A file to be written, on the disk once it is closed.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : path_(path), file_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    require(file_.get() >= 0, path, ": cannot be written: ", std::strerror(errno));
  }
  int get() const { return file_.get(); }
  void close() {
    const bool flushed = ::fsync(file_.get()) == 0;
    const bool closed = file_.close();
    require(flushed && closed, path_, ": cannot be written: ", std::strerror(errno));
  }

 private:
  std::string path_;
  Descriptor file_;
};

/// An array of `count` numbers, one for every `per` variables, each rank writing those of its blocks.
template <class T>
void write_blocks(const FieldSlice& slice, std::uint64_t count, Index per, std::span<const T> own,
                  const std::string& path, const Communicator& ranks) {
  const std::string beside = path + ".part";
  const std::string header = npy_header_text(npy_type<T>(), count);
  ranks.together([&] {
    if (!ranks.is_first()) return;
    OpenFile file(beside, O_WRONLY | O_CREAT | O_TRUNC);
    write_at(file.get(), header.data(), header.size(), 0, path);
    file.close();
  });
  ranks.together([&] {
    OpenFile file(beside, O_WRONLY);
    const Index numbers = slice.block / per;  // a block
    for (Index b = 0; b < slice.blocks.size(); ++b) {
      const auto part = own.subspan(b * numbers, std::min(numbers, own.size() - b * numbers));
      write_at(file.get(), part.data(), part.size_bytes(),
               header.size() + slice.blocks[b] * numbers * sizeof(T), path);
    }
    file.close();
  });
  ranks.together([&] {
    if (ranks.is_first() && ::rename(beside.c_str(), path.c_str()) != 0)
      fail(path, ": cannot be written: ", std::strerror(errno));
  });
}

constexpr Index kFlags = 64;  // a number

}  // namespace

std::vector<double> drawn_point(const FieldSlice& slice, std::uint64_t seed) {
  std::vector<double> x(slice.size());
  Random random(seed);
  std::uint64_t next = 0;
  in_order_of_model(slice, [&](Index i, std::uint64_t place) {
    for (; next < place; ++next) random.uniform();
    x[i] = random.uniform();
    ++next;
  });
  return x;
}

std::vector<double> read_sliced_point(const FieldSlice& slice, std::uint64_t variables,
                                      const std::string& path) {
  const NpyArray array(path);
  require(array.count() == variables, path, ": there are ", array.count(), " numbers, expected ",
          variables, ", one an item");
  const auto values = array.values<double>();
  std::vector<double> x(slice.size());
  for (Index i = 0; i < slice.size(); ++i) {
    x[i] = values[slice.in_model(i)];
    require(x[i] >= 0 && x[i] <= 1, path, ": number ", slice.in_model(i), " is ", x[i],
            ", expected a number from 0 to 1");
  }
  return x;
}

void write_sliced_point(const FieldSlice& slice, std::uint64_t variables, std::span<const double> x,
                        const std::string& path, const Communicator& ranks) {
  write_blocks<double>(slice, variables, 1, x.first(slice.own), path, ranks);
}

void write_sliced_flags(const FieldSlice& slice, std::uint64_t variables,
                        std::span<const std::uint8_t> flags, const std::string& path,
                        const Communicator& ranks) {
  std::vector<std::uint64_t> words((slice.own + kFlags - 1) / kFlags, 0);
  for (Index i = 0; i < slice.own; ++i)
    if (flags[i]) words[i / kFlags] |= std::uint64_t{1} << (i % kFlags);
  write_blocks<std::uint64_t>(slice, (variables + kFlags - 1) / kFlags, kFlags, words, path, ranks);
}

std::vector<std::uint8_t> read_sliced_flags(const FieldSlice& slice, std::uint64_t variables,
                                            const std::string& path) {
  const NpyArray array(path);
  const std::uint64_t count = (variables + kFlags - 1) / kFlags;
  require(array.count() == count, path, ": there are ", array.count(), " numbers, expected ",
          count);
  const auto words = array.values<std::uint64_t>();
  std::vector<std::uint8_t> flags(slice.own);
  for (Index i = 0; i < slice.own; ++i) {
    const std::uint64_t place = slice.in_model(i);
    flags[i] = (words[place / kFlags] >> (place % kFlags)) & 1;
  }
  return flags;
}

std::vector<double> gathered_point(const FieldSlice& slice, std::uint64_t variables,
                                   std::span<const double> x, const Communicator& ranks) {
  std::vector<std::vector<std::uint64_t>> blocks(static_cast<std::size_t>(ranks.size()));
  std::vector<std::vector<double>> values(blocks.size());
  blocks[0] = slice.blocks;
  values[0].assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(slice.own));
  const auto all_blocks = ranks.swap(blocks);
  const auto all_values = ranks.swap(values);
  if (!ranks.is_first()) return {};
  std::vector<double> point(variables);
  for (std::size_t r = 0; r < all_blocks.size(); ++r)
    for (std::size_t b = 0; b < all_blocks[r].size(); ++b) {
      const std::size_t first = b * slice.block;
      const std::size_t count = std::min<std::size_t>(slice.block, all_values[r].size() - first);
      std::copy_n(all_values[r].begin() + static_cast<std::ptrdiff_t>(first), count,
                  point.begin() + static_cast<std::ptrdiff_t>(all_blocks[r][b] * slice.block));
    }
  return point;
}

}  // namespace surefield
