// Kernels kept between processes: an entry is believed only when everything about it fits.

#include "runtime/disk_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "braid/error.h"

namespace braid::runtime {
namespace {

class Cache : public ::testing::Test {
 protected:
  Cache() : folder_(std::filesystem::temp_directory_path() / ("braid_cache_" + std::to_string(getpid()))) {}
  ~Cache() override { std::filesystem::remove_all(folder_); }

  static std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static void overwrite(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  std::filesystem::path folder_;
};

TEST_F(Cache, GivesBackWhatWasWritten) {
  const DiskCache cache(folder_.string());
  EXPECT_EQ(cache.read("key"), std::nullopt);
  const std::string bytes("\0binary\n\xff", 9);
  EXPECT_TRUE(cache.write("key", bytes));
  EXPECT_TRUE(cache.write("other", ""));
  EXPECT_EQ(cache.read("key"), bytes);
  EXPECT_EQ(cache.read("other"), "");
  EXPECT_EQ(DiskCache(folder_.string()).read("key"), bytes) << "another process";
  EXPECT_TRUE(cache.write("key", "new"));
  EXPECT_EQ(cache.read("key"), "new");
}

TEST_F(Cache, BelievesNoDamagedEntry) {
  const DiskCache cache(folder_.string());
  ASSERT_TRUE(cache.write("key", "the kernel"));
  const std::string path = cache.pathOf("key"), whole = contents(path);
  for (size_t size = 0; size < whole.size(); ++size) {
    overwrite(path, whole.substr(0, size));
    EXPECT_EQ(cache.read("key"), std::nullopt) << "cut at " << size;
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    overwrite(path, damaged);
    EXPECT_EQ(cache.read("key"), std::nullopt) << "byte " << at << " changed";
  }
  overwrite(path, whole + "x");
  EXPECT_EQ(cache.read("key"), std::nullopt);
  EXPECT_TRUE(cache.write("key", "again"));
  EXPECT_EQ(cache.read("key"), "again");
}

TEST_F(Cache, BelievesNoEntryOfAnotherKey) {
  const DiskCache cache(folder_.string());
  ASSERT_TRUE(cache.write("a", "kernel of a"));
  overwrite(cache.pathOf("b"), contents(cache.pathOf("a")));
  EXPECT_EQ(cache.read("b"), std::nullopt);
}

TEST_F(Cache, IsClosedToOthers) {
  const DiskCache cache(folder_.string());
  struct stat status {};
  ASSERT_EQ(stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
}

TEST_F(Cache, RefusesAFolderThatOthersMayWriteTo) {
  std::filesystem::create_directory(folder_);
  chmod(folder_.c_str(), 0777);
  EXPECT_THROW(DiskCache(folder_.string()), Error);
  std::filesystem::remove_all(folder_);
  overwrite(folder_.string(), "a file");
  EXPECT_THROW(DiskCache(folder_.string()), Error);
}

TEST_F(Cache, AFolderThatVanishesIsAnEmptyCache) {
  const DiskCache cache(folder_.string());
  ASSERT_TRUE(cache.write("key", "kernel"));
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(cache.read("key"), std::nullopt);
  EXPECT_FALSE(cache.write("key", "kernel"));
}

TEST_F(Cache, ManyWritersLeaveOneWholeEntry) {
  const DiskCache cache(folder_.string());
  std::vector<std::thread> threads;
  for (char letter = 'a'; letter < 'i'; ++letter) {
    threads.emplace_back([&, letter] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(cache.write("key", std::string(10000, letter)));
        const auto read = cache.read("key");
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(*read, std::string(10000, (*read)[0]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace braid::runtime
