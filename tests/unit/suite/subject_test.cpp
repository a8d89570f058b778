#include "suite/subject.h"

#include "../temporary_folder.h"
#include "frontend/error.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

TEST(Subject, IsTakenFromTheFolderThatIsNamed) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("gsl.bc", "");
  EXPECT_EQ(subject_file("gsl", folder.path()), file);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(subject_file("gsl", "."), "gsl.bc") << "replay commands are short";
  std::filesystem::current_path(before);
}

TEST(Subject, IsFoundWhereItIsFetchedTo) {
  const test::TemporaryFolder folder;
  folder.write("build/subjects/gsl/gsl.bc", "");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(subject_file("gsl", ""), "build/subjects/gsl/gsl.bc");
  std::filesystem::current_path(before);
}

TEST(Subject, AFolderWithoutItIsRefused) {
  const test::TemporaryFolder folder;
  try {
    subject_file("gsl", folder.path());
    FAIL();
  } catch (const frontend::UserError& error) {
    EXPECT_EQ(error.status, frontend::status_usage);
    EXPECT_EQ(error.hint, "scripts/fetch-subjects gsl leaves it in build/subjects/gsl");
  }
}

} // namespace
} // namespace faultline::suite
