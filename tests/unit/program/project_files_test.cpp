#include "program/project_files.h"

#include "../temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace faultline::program {
namespace {

class Project : public ::testing::Test {
protected:
  std::vector<std::string> folders_of(const std::string& file) const {
    Sources sources;
    sources.files = {folder_.path(file)};
    return project_folders(sources);
  }
  bool reads(const std::vector<std::string>& folders, const std::string& file) const {
    return base::ProjectFiles(folders).open(folder_.path(file)).has_value();
  }

  test::TemporaryFolder folder_;
};

TEST_F(Project, HasTheFolderOfTheSource) {
  folder_.write("src/a.c", "");
  folder_.write("src/more/b.h", "");
  folder_.write("other/c.h", "");
  const auto folders = folders_of("src/a.c");
  EXPECT_TRUE(reads(folders, "src/a.c"));
  EXPECT_TRUE(reads(folders, "src/more/b.h"));
  EXPECT_TRUE(reads(folders, "other/../src/a.c"));
  EXPECT_FALSE(reads(folders, "other/c.h"));
  EXPECT_FALSE(reads(folders, "src/../other/c.h"));
}

TEST_F(Project, IsMarkedByVersionControl) {
  folder_.write("project/.git/HEAD", "");
  folder_.write("project/src/a.c", "");
  folder_.write("project/include/b.h", "");
  folder_.write("secret.h", "");
  const auto folders = folders_of("project/src/a.c");
  EXPECT_TRUE(reads(folders, "project/include/b.h"));
  EXPECT_FALSE(reads(folders, "project/.git/HEAD")) << "hidden";
  EXPECT_FALSE(reads(folders, "secret.h"));
}

TEST_F(Project, HasNoLinksToOtherFiles) {
  folder_.write("src/a.c", "");
  folder_.write("secret.h", "");
  std::filesystem::create_symlink("../secret.h", folder_.path("src/link.h"));
  std::filesystem::create_symlink("a.c", folder_.path("src/own.c"));
  EXPECT_FALSE(reads(folders_of("src/a.c"), "src/link.h"));
  EXPECT_TRUE(reads(folders_of("src/a.c"), "src/own.c"));
}

TEST_F(Project, IsNoFolderWhoseNameOnlyBeginsInTheSameWay) {
  folder_.write("src/a.c", "");
  folder_.write("src2/b.h", "");
  EXPECT_FALSE(reads(folders_of("src/a.c"), "src2/b.h"));
}

TEST_F(Project, OfASavedCommandIsNearItsFileOrTheReader) {
  folder_.write("mine/a.c", "");
  folder_.write("mine/found.json", "");
  folder_.write("other/b.c", "");
  const SavedProject project(folder_.path("mine/found.json"));
  const auto folders =
      project.folders({"hunt", folder_.path("mine/a.c"), folder_.path("other/b.c"), "--", folder_.path("other")});
  EXPECT_TRUE(reads(folders, "mine/a.c"));
  EXPECT_FALSE(reads(folders, "other/b.c"));
}

TEST_F(Project, FlagsNameFoldersInOneWordOrTwo) {
  folder_.write("a/x.h", "");
  folder_.write("b/x.h", "");
  const std::string a = std::filesystem::canonical(folder_.path("a")).string(),
                    b = std::filesystem::canonical(folder_.path("b")).string();
  const auto paths = paths_in_flags({"-I" + a, "-isystem", b, "--sysroot=" + a, "-include" + b + "/x.h"}, "");
  EXPECT_EQ(paths, (std::vector<std::string>{a, b, a, b + "/x.h"}));
  EXPECT_EQ(paths_in_flags({"-I", "../b"}, a), std::vector<std::string>{b});
  EXPECT_TRUE(paths_in_flags({"-I/", "--sysroot=/", "-DPATH=" + a, "-D", "-I" + a, "-O2"}, "").empty());
}

} // namespace
} // namespace faultline::program
