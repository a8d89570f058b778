#include "base/files.h"

#include "../temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace faultline::base {
namespace {

TEST(RegularFile, IsReadUpToALimit) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("a", "some text");
  EXPECT_EQ(regular_content(file, 100), "some text");
  EXPECT_EQ(regular_content(file, 4), "some");
  EXPECT_EQ(last_bytes(file, 4), "text");
  EXPECT_EQ(last_bytes(file, 100), "some text");
}

TEST(RegularFile, IsNoPipeDeviceOrFolderAndNotTheKernels) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/proc/self/status", folder.path("link"));
  for (const std::string& path : {folder.path("pipe"), folder.path("link"), folder.path(), folder.path("none"),
                                  std::string("/dev/zero"), std::string("/proc/self/status"), std::string("/dev/null")})
    EXPECT_FALSE(regular_content(path, 10)) << path;
}

TEST(RegularFile, HasItsRealPath) {
  const test::TemporaryFolder folder;
  const std::string file = std::filesystem::canonical(folder.write("a", "")).string();
  std::filesystem::create_symlink("a", folder.path("b"));
  const auto opened = open_regular(folder.path("./b"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->path, file);
}

TEST(Replacing, DoesNotFollowALink) {
  const test::TemporaryFolder folder;
  const std::string victim = folder.write("victim", "precious");
  std::filesystem::create_symlink(victim, folder.path("link"));
  replace_file(folder.path("link"), "new");
  EXPECT_EQ(folder.read("victim"), "precious");
  EXPECT_EQ(folder.read("link"), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(folder.path("link")));
  replace_file(folder.path("link"), "newer");
  EXPECT_EQ(folder.read("link"), "newer");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2) << "nothing is left over";
}

TEST(Replacing, ThrowsWhereNothingCanBeWritten) { EXPECT_THROW(replace_file("/nonexistent/a", ""), std::system_error); }

} // namespace
} // namespace faultline::base
