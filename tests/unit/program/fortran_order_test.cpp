// Fortran files are compiled in the order of their modules, whatever they look like.
#include "../temporary_folder.h"
#include "program/load_files.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

using Names = std::set<std::string>;

FortranModules scan(const std::string& text, FortranForm form = FortranForm::free) {
  return modules_in(text, form, [](const std::string& file) { return file == "Uses.inc" ? "use included\n" : ""; });
}

TEST(FortranModules, AreSeenInFreeForm) {
  const FortranModules found = scan(R"(! module comment
MODULE Alpha; use Beta, only: pi => other
  use, intrinsic :: iso_c_binding
  use, non_intrinsic :: gamma
  use :: &
      ! between
    & del&
    &ta
  use ieee_arithmetic
  include 'Uses.inc'
  print *, "; use quoted", 'it''s; module quoted'
  print *, 'open &
    &use quoted2'
  use = 3
  use(1) = 4
contains
  module procedure here
  module subroutine there(x)
  end subroutine
end module Alpha
submodule (Alpha) child
submodule (alpha:child) grandchild
)");
  EXPECT_EQ(found.defined, (Names{"alpha", "alpha:child", "alpha:grandchild"}));
  EXPECT_EQ(found.used, (Names{"beta", "gamma", "delta", "included", "alpha", "alpha:child"}));
}

TEST(FortranModules, AreSeenInFixedForm) {
  const FortranModules found = scan("c     use comment\n"
                                    "*     use comment\n"
                                    "      SUBROUTINE S(X)\n"
                                    "      USE LA_\n"
                                    "     $CONSTANTS, ONLY: ZERO\n"
                                    "  10  use second ! use third\n"
                                    "\tuse tabbed\n"
                                    "      module numbers" +
                                        std::string(52, ' ') + // up to the column that counts no more
                                        "use\n"
                                        "      END\n",
                                    FortranForm::fixed);
  EXPECT_EQ(found.defined, (Names{"numbers"}));
  EXPECT_EQ(found.used, (Names{"la_constants", "second", "tabbed"}));
}

class FortranOrderTest : public testing::Test {
protected:
  std::string write(const std::string& name, const std::string& text) { return folder.write(name, text); }
  test::TemporaryFolder folder;
};

TEST_F(FortranOrderTest, PutsDefinersFirstAndLeavesTheRest) {
  const std::string user = write("a.f90", "subroutine s\n use late\n use nowhere\nend subroutine\n");
  const std::string c = write("b.c", "");
  const std::string middle = write("c.f90", "module late\n use early\nend module\n");
  const std::string apart = write("d.f90", "subroutine t\nend subroutine\n");
  const std::string first = write("e.f90", "module early\nend module\n");
  const FortranOrder order = in_order_of_modules({user, c, middle, apart, first});
  EXPECT_EQ(order.files, (std::vector{apart, c, first, middle, user}));
  EXPECT_TRUE(order.remarks.empty());
}

TEST_F(FortranOrderTest, TellsOfFilesThatNeedEachOther) {
  const std::string one = write("one.f90", "module one\n use two\nend module\n");
  const std::string two = write("two.f90", "module two\n use one\nend module\n");
  const FortranOrder order = in_order_of_modules({one, two});
  EXPECT_EQ(order.files, (std::vector{one, two}));
  ASSERT_EQ(order.remarks.size(), 1u);
  EXPECT_NE(order.remarks[0].find("two.f90"), std::string::npos) << order.remarks[0];
}

} // namespace
} // namespace faultline::program
