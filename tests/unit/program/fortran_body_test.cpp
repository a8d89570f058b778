// What a procedure does with its arguments, from its statements; the functions that are passed for a procedure.
#include "program/fortran/family.h"
#include "program/fortran/procedure.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

FortranBody body_of(const std::string& statements) {
  return fortran_bodies("SUBROUTINE f (x)\n REAL x\n" + statements + "END SUBROUTINE\n")[body_key("", "f")];
}

std::string use_in(const std::string& statements, bool is_array = false) {
  const FortranBody::Use use = body_of(statements).use_of("x", is_array);
  return std::string(use.read ? "read " : "") + (use.written ? "written" : "");
}

TEST(FortranBody, TellsWhatIsOnlyWritten) {
  EXPECT_EQ(use_in(" x=1._8\n y=x\n"), "written");
  EXPECT_EQ(use_in(" IF (y<0._8)  x=1._8\n"), "written");
  EXPECT_EQ(use_in(" 10  x=1._8\n"), "written");
  EXPECT_EQ(use_in(" x(1_8)=1._8\n y=x(2_8)\n", true), "read written");
  EXPECT_EQ(use_in(" x(1_8)=y\n x(2_8)=z\n", true), "written");
}

TEST(FortranBody, TellsWhatIsRead) {
  EXPECT_EQ(use_in(" y=x\n"), "read ");
  EXPECT_EQ(use_in(" x=x+1._8\n"), "read written");
  EXPECT_EQ(use_in(" IF (x==1._8)  y=1._8\n"), "read ");
  EXPECT_EQ(use_in(" CALL g(x)\n"), "read written");
  EXPECT_EQ(use_in(" p%x=1._8\n"), "");
}

TEST(FortranBody, KnowsTheTextsOfAnOption) {
  const FortranBody body = body_of(" IF (lsame(x,\"U\"))  y=1._8\n IF (x==\"L\".or.\"N\"==x)  y=1._8\n IF (x(1_8:1_8)=="
                                   "\"u\")  y=2._8\n SELECT CASE (x)\n CASE (\"abc\", \"d\")\n  y=1._8\n END SELECT\n"
                                   " SELECT CASE (z)\n CASE (\"other\")\n  y=1._8\n END SELECT\n");
  EXPECT_EQ(body.texts_compared_with("x"), (std::vector<std::string>{"U", "L", "N", "abc", "d"}));
}

TEST(FortranBody, FindsTheCallOfAProcedureAndWhereItIsHandedOn) {
  const FortranBody body = body_of(" CALL g(n,a(1_8,2_8),y)\n CALL h(n,g,y)\n");
  EXPECT_EQ(body.arguments_of_call("g").size(), 3u);
  ASSERT_EQ(body.passed_on("g").size(), 1u);
  EXPECT_EQ(body.passed_on("g").front().procedure, "h");
  EXPECT_EQ(body.passed_on("g").front().argument, 1u);
}

TEST(FortranBody, BelongsToTheOutermostProcedure) {
  const auto bodies =
      fortran_bodies("MODULE m\n INTERFACE\n  SUBROUTINE i (x)\n   REAL x\n  END SUBROUTINE\n END INTERFACE\n"
                     "CONTAINS\n SUBROUTINE a (x)\n  CALL b(x)\n CONTAINS\n  SUBROUTINE b (y)\n   x=1._8\n"
                     "  END SUBROUTINE\n END SUBROUTINE\n REAL(KIND=8_4) FUNCTION c(x)\n  c=x\n END FUNCTION\n"
                     "END MODULE\n");
  EXPECT_EQ(bodies.size(), 2u);
  EXPECT_TRUE(bodies.at("m:a").use_of("x", false).written);
  EXPECT_TRUE(bodies.at("m:c").use_of("x", false).read);
}

TEST(FortranBody, OfHostileTextIsReadToItsEnd) {
  const std::string text = "SUBROUTINE f (x)\n CALL g(x,((\n x(=1\n IF (x\n \"U\n SELECT CASE\n CASE (\"\nEND";
  for (size_t length = 0; length <= text.size(); ++length)
    for (const auto& [name, body] : fortran_bodies(text.substr(0, length))) {
      body.use_of("x", true);
      body.texts_compared_with("x");
      body.arguments_of_call("g");
      body.passed_on("x");
    }
}

// The extents of MINPACK's fcn(n,x,fvec,iflag) are those that the caller declares.
TEST(FortranFamily, WritesWhatACallerGivesRoomFor) {
  const FortranScope caller = read_symbol_dump("Global scope: size=0\n  Subprogram scope: f size=0\n"
                                               "    n: ObjectEntity dummy type: INTEGER(4)\n"
                                               "    x: ObjectEntity dummy type: REAL(8) shape: 1_8:int(n,kind=8)\n"
                                               "    y: ObjectEntity dummy type: REAL(8) shape: 1_8:int(k,kind=8)\n"
                                               "    fcn, EXTERNAL (Subroutine): ProcEntity\n");
  const FortranScope& scope = caller.scopes.front();
  const FortranProcedure interface =
      called_interface(fortran_entity(*scope.symbol("fcn")), {{"n"}, {"x"}, {"y"}, {"x", "+", "1", ".", "_8"}}, scope);
  ASSERT_EQ(interface.dummies.size(), 4u);
  EXPECT_EQ(interface.dummies[1].shape.front().text(), "1_8:int(x1,kind=8)");
  EXPECT_EQ(interface.dummies[2].shape.front().upper, "*"); // of k fcn knows nothing
  EXPECT_TRUE(interface.dummies[3].has("INTENT(IN)"));
  const std::string text = family_text(interface, "some");
  EXPECT_NE(text.find("subroutine some_sine(x1, x2, x3, x4)"), std::string::npos);
  EXPECT_NE(text.find("do row_ = 0, int(x1,8)-1"), std::string::npos);
}

} // namespace
} // namespace faultline::program
