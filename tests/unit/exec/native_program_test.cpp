#include "exec/native_program.h"

#include "../temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace faultline::exec {
namespace {

constexpr uint64_t memory = uint64_t(1) << 30;

TEST(ConfinedProgram, CannotWriteFilesOrStartProcesses) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("written");
  EXPECT_FALSE(run_confined({"touch", file}, 10, memory).succeeded());
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(run_confined({"sh", "-c", "true; /bin/true; true"}, 10, memory).succeeded());
  EXPECT_TRUE(run_confined({"echo", "hello"}, 10, memory).succeeded());
  EXPECT_TRUE(base::run({"touch", file}).succeeded()) << "a compiler has to";
}

TEST(NativeProgram, SaysInOneLineWhyThereIsNone) {
  const NativeProgram broken("no bitcode", "int main(void) { return 0; }", MainProgram::c, {});
  EXPECT_FALSE(broken.problem().empty());
  EXPECT_EQ(broken.problem().find('\n'), std::string::npos);
}

} // namespace
} // namespace faultline::exec
