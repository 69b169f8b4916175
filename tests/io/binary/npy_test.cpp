#include "surefield/io/binary/npy.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "surefield/io/binary/npy_writer.hpp"
#include "surefield/io/point_file.hpp"
#include "surefield/io/read_file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

using testing::refusal;
using testing::TemporaryFolder;

// What numpy 1.24 writes for np.save("a.npy", np.array([0.5, -1])), byte by byte.
std::string as_numpy_writes_it() {
  std::string text("\x93NUMPY\x01\x00v\x00", 10);
  text += "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  text.resize(127, ' ');
  text += '\n';
  text.append("\0\0\0\0\0\0\xe0\x3f\0\0\0\0\0\0\xf0\xbf", 16);
  return text;
}

TEST(Npy, IsWhatNumpyWrites) {
  const TemporaryFolder folder("npy-bytes");
  const std::string path = folder.text() + "/a.npy";
  write_npy(path, std::vector{0.5, -1.0});
  EXPECT_EQ(read_file(path), as_numpy_writes_it());
  const NpyArray array(path);
  EXPECT_EQ(array.type(), "<f8");
  const auto values = array.values<double>();
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()), (std::vector{0.5, -1.0}));
  EXPECT_EQ(refusal([&] { array.values<std::uint32_t>(); }),
            path + ": its numbers are <f8, which must be <u4");
}

TEST(Npy, IsWrittenInSlices) {
  const TemporaryFolder folder("npy-slices");
  const std::string path = folder.text() + "/a.npy";
  NpyWriter<std::uint64_t> out(path, 300'000);
  std::vector<std::uint64_t> slice(1000);
  for (std::uint64_t part = 0; part < 300; ++part) {
    for (std::uint64_t k = 0; k < 1000; ++k) slice[k] = part * 1000 + k;
    out.write(slice);
  }
  EXPECT_EQ(refusal([&] { out.write(std::uint64_t{1}); }),
            path + ": more numbers are written than were announced");
  out.close();
  const NpyArray array(path);
  const auto values = array.values<std::uint64_t>();
  ASSERT_EQ(values.size(), 300'000U);
  for (std::uint64_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i);
  NpyWriter<double> short_of_one(folder.text() + "/b.npy", 1);
  EXPECT_EQ(refusal([&] { short_of_one.close(); }),
            folder.text() + "/b.npy: 1 numbers fewer are written than were announced");
}

TEST(Npy, RefusesWhatIsNoArrayOfOneDimension) {
  const TemporaryFolder folder("npy-refusals");
  const std::string path = folder.text() + "/a.npy";
  const std::string good = as_numpy_writes_it();
  const auto says = [&](const std::string& bytes) {
    folder.write("a.npy", bytes);
    return refusal([&] { NpyArray array(path); });
  };
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string bytes = good;
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  EXPECT_EQ(says("hello"), path + ": it does not start as a .npy file does");
  EXPECT_EQ(says(""), path + ": it does not start as a .npy file does");
  EXPECT_EQ(says(good.substr(0, 40)), path + ": it ends within its .npy header");
  EXPECT_EQ(
      says(good.substr(0, 140)),
      path + ": it says that it holds 2 numbers of 8 bytes, but there are 12 bytes of numbers");
  EXPECT_EQ(says(with("(2,)", "(2,2)")),
            path + ": its shape is (2,2), which must be of one dimension, as (3,)");
  EXPECT_EQ(says(with("(2,)", "()")),
            path + ": its shape is (), which must be of one dimension, as (3,)");
  EXPECT_EQ(says(with("<f8", ">f8")),
            path + ": its numbers are '>f8', which must be <f8, <u8 or <u4");
  EXPECT_EQ(says(with("False", "True,")), path + ": it is in Fortran order, which must be False");
  EXPECT_EQ(says(with("'descr'", "'desc_'")), path + ": its .npy header has no 'descr'");
  EXPECT_EQ(says(with("(2,), }                  ",
                      "(2305843009213693954,), }")),  // times 8 is 16 beyond 2^64
            path +
                ": it says that it holds 2305843009213693954 numbers of 8 bytes, but there are 16 "
                "bytes of numbers");
  EXPECT_EQ(refusal([&] { NpyArray array(folder.text()); }),
            folder.text() + ": cannot be read: it is not a regular file");
}

TEST(Npy, IsAPointToStartFrom) {
  const TemporaryFolder folder("npy-point");
  const std::string path = folder.text() + "/x.npy";
  write_npy(path, std::vector{0.25, 1.0});
  EXPECT_EQ(read_point(path, 2), (std::vector{0.25, 1.0}));
  EXPECT_EQ(refusal([&] { read_point(path, 3); }),
            path + ": there are 2 numbers, expected 3, one an item");
  write_npy(path, std::vector{0.25, 1.5});
  EXPECT_EQ(refusal([&] { read_point(path, 2); }),
            path + ": number 1 is 1.5, expected a number from 0 to 1");
}

}  // namespace
}  // namespace surefield
