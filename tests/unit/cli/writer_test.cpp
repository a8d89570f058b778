#include "cli/writer.h"

#include "../../golden/sample_report.h"
#include "base/error.h"
#include "report/junit.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

namespace fs = std::filesystem;

class Writing : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "faultline-writer-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  size_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::string refusal(const std::string& file) {
    try {
      Writer writer(file);
    } catch (const base::UserError& error) {
      EXPECT_EQ(error.status, base::status_usage);
      return error.hint;
    }
    return "accepted";
  }

  fs::path folder_;
};

TEST_F(Writing, LeavesOneWholeFileAndNothingBefore) {
  const Writer writer(path("x.json"));
  EXPECT_EQ(files(), 0u) << "an interrupted hunt would leave it behind";
  writer.write(golden::sample_report());
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(content(path("x.json")), report::json_text(golden::sample_report()));
  const mode_t mask = umask(022);
  Writer(path("y.json")).write(golden::sample_report());
  struct stat status {};
  stat(path("y.json").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0644u) << "others could not read a mkstemp file";
  umask(mask);
}

TEST_F(Writing, ReplacesAnOldFileAndKeepsALink) {
  std::ofstream(path("real.json")) << "old";
  fs::create_symlink("real.json", path("link.json"));
  const Writer writer(path("link.json"));
  EXPECT_EQ(content(path("real.json")), "old") << "the old report is kept until there is a new one";
  writer.write(golden::sample_report());
  EXPECT_TRUE(fs::is_symlink(path("link.json")));
  EXPECT_EQ(content(path("real.json")), report::json_text(golden::sample_report()));
}

TEST_F(Writing, TextByItsEnding) {
  Writer(path("x.txt")).write(golden::sample_report());
  EXPECT_NE(content(path("x.txt")).find("1 error, 1 warning, 3 notes in 5 functions (5 findings)"), std::string::npos);
}

TEST_F(Writing, APageByItsEnding) {
  const Writer writer(path("x.html"));
  EXPECT_TRUE(writer.draws());
  EXPECT_FALSE(Writer(path("x.json")).draws()) << "it would be sampled for nothing";
  writer.write(golden::sample_report());
  EXPECT_TRUE(content(path("x.html")).starts_with("<!DOCTYPE html>"));
}

TEST_F(Writing, UnwritablePathsFailBeforeTheHunt) {
  EXPECT_NE(refusal(path("nowhere/x.json")), "accepted");
  fs::create_directory(path("folder.json"));
  EXPECT_NE(refusal(path("folder.json")), "accepted");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Writing, AFailureAtTheEndLeavesNoTemporary) {
  fs::create_directory(path("in"));
  const Writer writer(path("in/x.json"));
  fs::remove(path("in"));
  EXPECT_THROW(writer.write(golden::sample_report()), base::UserError);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Writing, EndingsAreKnownOrListed) {
  for (const char* unknown : {"x", "x.pdf", "x.json.gz", ""})
    EXPECT_NE(refusal(unknown).find(".json, .txt"), std::string::npos) << unknown;
  for (const char* known : {"x.sarif", "x.xml", "x.html", "x.cpp", "x.c"})
    EXPECT_EQ(refusal(path(known)), "accepted") << known;
  EXPECT_EQ(refusal("-"), "accepted");
  EXPECT_THROW(writers({path("x.json"), path("x.json")}), base::UserError);
}

TEST(Writer, KnowsWhetherACommandWritesAPage) {
  EXPECT_TRUE(writes_page({"hunt", "a.c", "-o", "a.json", "-o", "a.html"}));
  EXPECT_TRUE(writes_page({"hunt", "a.c", "-oa.html"}));
  EXPECT_FALSE(writes_page({"hunt", "a.html", "-o", "a.json"})) << "a source";
  EXPECT_FALSE(writes_page({"hunt", "a.c", "--", "-o", "a.html"})) << "flags of the compiler";
  EXPECT_FALSE(writes_page({"hunt", "a.c", "-o"}));
}

} // namespace
} // namespace faultline::cli
