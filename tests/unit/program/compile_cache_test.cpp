// Answers of compilers are used again only if nothing that they depend on has changed, and if they are the user's own.
#include "../temporary_folder.h"

#include "program/compiling/compile_cache.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

namespace faultline::program {
namespace {

namespace fs = std::filesystem;

class CompileCacheTest : public ::testing::Test {
protected:
  CompileCacheTest() {
    setenv("FAULTLINE_CACHE", folder.path("cache").c_str(), 1);
    folder.write("include/a.h", "int a;");
    folder.write("other/readme.txt", "");
    folder.write("one.c", "#include \"a.h\"");
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // what changed just now is not kept
    keep();
  }
  ~CompileCacheTest() override { unsetenv("FAULTLINE_CACHE"); }

  void keep() {
    CompileCache("true", {"-O2"})
        .keep({0, "bitcode", "warning"}, {"one.c", "include/a.h"}, folder.path(), {folder.path("other")});
  }
  static std::optional<CompilerRun> found(const std::string& flag = "-O2") {
    return CompileCache("true", {flag}).find();
  }
  fs::path answer() const { return fs::directory_iterator(folder.path("cache"))->path(); }

  test::TemporaryFolder folder;
};

TEST_F(CompileCacheTest, GivesTheAnswerToTheSameQuestion) {
  ASSERT_TRUE(found());
  EXPECT_EQ(found()->output, "bitcode");
  EXPECT_EQ(found()->errors, "warning");
  EXPECT_TRUE(found()->succeeded());
  EXPECT_FALSE(found("-O1"));
}

TEST_F(CompileCacheTest, ForgetsItIfAFileThatWasReadChanges) {
  folder.write("include/a.h", "int b;");
  EXPECT_FALSE(found());
}

TEST_F(CompileCacheTest, ForgetsItIfAHeaderIsAddedBesideOneThatWasRead) {
  folder.write("a.h", "int c;");
  EXPECT_FALSE(found()) << "it comes before the other one";
}

TEST_F(CompileCacheTest, ForgetsItIfAHeaderIsAddedWhereAFlagLooks) {
  folder.write("other/b.h", "int d;");
  EXPECT_FALSE(found());
}

TEST_F(CompileCacheTest, IgnoresOtherFilesThatAreAdded) {
  folder.write("report.html", "");
  EXPECT_TRUE(found());
}

TEST_F(CompileCacheTest, DoesNotTrustAFolderOrFileOfOthers) {
  fs::permissions(folder.path("cache"), fs::perms::group_read | fs::perms::owner_all);
  EXPECT_FALSE(found());
  fs::permissions(folder.path("cache"), fs::perms::owner_all);
  ASSERT_TRUE(found());
  fs::permissions(answer(), fs::perms::owner_all | fs::perms::others_write);
  EXPECT_FALSE(found());
}

TEST_F(CompileCacheTest, DoesNotFollowALink) {
  const fs::path file = answer(), elsewhere = folder.path("elsewhere");
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  EXPECT_FALSE(found());
}

TEST_F(CompileCacheTest, RefusesWhatIsDamaged) {
  const std::string name = "cache/" + answer().filename().string(), text = folder.read(name);
  for (const std::string& damaged : {text.substr(0, text.size() - 1), text + "x", std::string("{}\n"), std::string()}) {
    folder.write(name, damaged);
    EXPECT_FALSE(found()) << damaged;
  }
}

TEST_F(CompileCacheTest, KeepsNothingOfFailuresAndOfFilesThatChangeMeanwhile) {
  const CompileCache failing("true", {"-x"}), changing("true", {"-y"});
  failing.keep({1, "", "error"}, {"one.c"}, folder.path(), {});
  EXPECT_FALSE(failing.find());
  folder.write("one.c", "int changed;");
  changing.keep({0, "bitcode", ""}, {"one.c"}, folder.path(), {});
  EXPECT_FALSE(changing.find());
}

TEST_F(CompileCacheTest, CanBeSwitchedOff) {
  setenv("FAULTLINE_CACHE", "off", 1);
  EXPECT_FALSE(found());
}

} // namespace
} // namespace faultline::program
