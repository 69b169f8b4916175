#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "surefield/io/read_file.hpp"
#include "surefield/io/write_file.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              (std::string("surefield_") +
               ::testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
               std::to_string(::getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string in(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(Files, WhatIsWrittenIsRead) {
  std::string bytes(300000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  for (const std::string& text : {bytes, std::string(), std::string(65536, 'x')}) {
    write_file(in("a"), text);
    EXPECT_EQ(read_file(in("a")), text);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1)
      << "nothing left beside";
}

TEST_F(Files, KeepsPermissionsAndLinks) {
  write_file(in("a"), "old");
  fs::permissions(in("a"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a", folder_ / "link");
  write_file(in("link"), "new");
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(read_file(in("a")), "new");
  EXPECT_EQ(fs::status(in("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, AFailedWriteLeavesTheOldFile) {
  write_file(in("a"), "old");
  fs::create_directory(folder_ / "d");
  EXPECT_EQ(testing::refusal([&] { write_file(in("d"), "x"); }),
            in("d") + ": cannot be written: it is a folder, not a file");
  EXPECT_EQ(testing::refusal([&] { write_file(in("no/b"), "x"); }),
            in("no/b") + ": cannot be written: No such file or directory");
  for (int i = 0; i < 1000; ++i)
    std::ofstream(in("a.part" + std::to_string(i)));  // every place beside is taken
  EXPECT_EQ(testing::refusal([&] { write_file(in("a"), "x"); }),
            in("a") + ": cannot be written: File exists");
  EXPECT_EQ(read_file(in("a")), "old");
}

TEST_F(Files, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(testing::refusal([&] { read_file(in("none")); }),
            in("none") + ": cannot be read: No such file or directory");
  EXPECT_EQ(testing::refusal([&] { read_file(folder_.string()); }),
            folder_.string() + ": cannot be read: it is a folder, not a file");
}

TEST_F(Files, APipeIsWrittenToDirectly) {
  write_file("/dev/null", "text");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  EXPECT_EQ(read_file("/dev/null"), "");
}

}  // namespace
}  // namespace surefield
