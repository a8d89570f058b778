// What flang prints of the names in a file, read: types, shapes, procedures; and untrusted text.
#include "program/fortran/declared.h"
#include "program/fortran/procedure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdexcept>

namespace faultline::program {
namespace {

// Shortened from flang-new-19 -fc1 -fdebug-dump-symbols.
constexpr const char* dump = R"(Global scope: size=0 alignment=1 sourceRange=0 bytes
  m: Module
  made (Function): Subprogram result:REAL(8) y, ALLOCATABLE (REAL(8) x)
  dtest (Subroutine): Subprogram (CHARACTER(1_8,1) uplo,REAL(8) a,fcn,REAL(8) g)
  IntrinsicModules scope: size=0 alignment=1 sourceRange=0 bytes
    Module scope: iso_fortran_env size=4 alignment=4
      real64, PARAMETER, PUBLIC: ObjectEntity type: INTEGER(4) init:8_4
  Module scope: m size=4 alignment=4 sourceRange=1641 bytes
    func, ABSTRACT, PUBLIC (Function): Subprogram isInterface result:REAL(8) y (REAL(8) x)
    point, PUBLIC: DerivedType components: x,y
    seg, PUBLIC: DerivedType components: point,to,z,v
    seglen, PUBLIC (Function): Subprogram result:REAL(8) seglen (CLASS(seg) this,REAL(8) s,f)
    .c.point, SAVE, TARGET (CompilerCreated, ReadOnly): ObjectEntity type: TYPE(component) shape: 0_8:1_8
    DerivedType scope: point size=16 alignment=8 instantiation of point sourceRange=25 bytes
      x size=8 offset=0: ObjectEntity type: REAL(8)
      y size=8 offset=8: ObjectEntity type: REAL(8)
    DerivedType scope: seg size=112 alignment=8 instantiation of seg sourceRange=190 bytes
      length: ProcBinding => seglen
      point (ParentComp) size=16 offset=0: ObjectEntity type: TYPE(point)
      to size=32 offset=16: ObjectEntity type: TYPE(point) shape: 1_8:2_8
      v, ALLOCATABLE size=48 offset=56: ObjectEntity type: REAL(8) shape: :
      z size=16 offset=48: ObjectEntity type: COMPLEX(4)
    Subprogram scope: func size=16 alignment=8 sourceRange=89 bytes
      x, INTENT(IN) size=8 offset=0: ObjectEntity dummy type: REAL(8)
      y size=8 offset=8: ObjectEntity funcResult type: REAL(8)
    Subprogram scope: seglen size=56 alignment=8 sourceRange=144 bytes
      f, EXTERNAL (Function): ProcEntity func
      s, INTENT(IN), OPTIONAL size=8 offset=48: ObjectEntity dummy type: REAL(8)
      seglen size=8 offset=0: ObjectEntity funcResult type: REAL(8)
      this, INTENT(IN) size=40 offset=8: ObjectEntity dummy type: CLASS(seg)
  Subprogram scope: made size=96 alignment=8 sourceRange=106 bytes
    x, INTENT(IN) size=48 offset=0: ObjectEntity dummy type: REAL(8) shape: :
    y, ALLOCATABLE size=48 offset=48: ObjectEntity funcResult type: REAL(8) shape: :
  Subprogram scope: dtest size=184 alignment=8 sourceRange=306 bytes
    a size=72 offset=16: ObjectEntity dummy type: REAL(8) shape: 0_8:int(lda,kind=8),1_8:3_8,1_8:*
    fcn, EXTERNAL (Subroutine): ProcEntity
    g, EXTERNAL (Function): ProcEntity REAL(8)
    other: Use from seg in m
    uplo size=1 offset=0: ObjectEntity dummy type: CHARACTER(1_8,1)
)";

class FortranSymbols : public testing::Test {
protected:
  FortranScope global = read_symbol_dump(dump);
  FortranNames names{global};
};

TEST_F(FortranSymbols, HaveTheArgumentsOfAProcedureInTheirOrder) {
  const auto procedure = names.procedure("", "dtest");
  ASSERT_TRUE(procedure);
  ASSERT_EQ(procedure->dummies.size(), 4u);
  EXPECT_FALSE(procedure->is_function);
  EXPECT_EQ(procedure->dummies[0].type.kind, FortranKind::character);
  EXPECT_TRUE(procedure->dummies[2].is_procedure);
  EXPECT_FALSE(procedure->dummies[2].is_function);
  EXPECT_TRUE(procedure->dummies[3].is_function);
  EXPECT_EQ(procedure->dummies[3].type.bytes, 8);
}

TEST_F(FortranSymbols, HaveTheBoundsOfAnArray) {
  const FortranEntity array = names.procedure("", "dtest")->dummies[1];
  ASSERT_EQ(array.shape.size(), 3u);
  EXPECT_EQ(array.shape[0].first(), 0);
  EXPECT_FALSE(array.shape[0].extent());
  EXPECT_EQ(array.shape[1].extent(), 3);
  EXPECT_EQ(array.shape[2].upper, "*");
  EXPECT_FALSE(array.is_assumed_shape());
  EXPECT_EQ((FortranBounds{"1_8", "int(n,kind=8)"}.length()), "n");
}

TEST_F(FortranSymbols, HaveResultsAndIntentsOfModuleProcedures) {
  const auto procedure = names.procedure("m", "seglen");
  ASSERT_TRUE(procedure);
  EXPECT_TRUE(procedure->is_function);
  EXPECT_EQ(procedure->result.type.text, "real(8)");
  EXPECT_TRUE(procedure->dummies[0].type.polymorphic);
  EXPECT_TRUE(procedure->dummies[1].has("OPTIONAL"));
  const auto interface = names.interface_of(procedure->dummies[2], *procedure);
  ASSERT_TRUE(interface);
  EXPECT_EQ(interface->name, "func");
  EXPECT_TRUE(interface->dummies.at(0).has("INTENT(IN)"));
}

TEST_F(FortranSymbols, HaveResultsThatAreAllocated) {
  const auto procedure = names.procedure("", "made");
  ASSERT_TRUE(procedure);
  EXPECT_TRUE(procedure->result.has("ALLOCATABLE"));
  EXPECT_EQ(procedure->dummies.size(), 1u);
}

TEST_F(FortranSymbols, HaveTheComponentsOfATypeThatAModuleCallsOtherwise) {
  const auto components = components_of(fortran_type("TYPE(other)"), names, *names.procedure("", "dtest")->scope);
  std::string text;
  for (const FortranComponent& one : components)
    text += fmt::format("{}:{}:{}x{} ", one.shown, one.type.text, one.places.size(), one.rank);
  EXPECT_EQ(text,
            "%x:real(8):1x0 %y:real(8):1x0 %to%x:real(8):2x0 %to%y:real(8):2x0 %z:complex(4):1x0 %v:real(8):1x1 ");
  EXPECT_EQ(components[2].places[1], "%to(2)%x");
  EXPECT_EQ(FortranNames::use_of("other", *names.procedure("", "dtest")->scope), "m, only: other => seg");
}

TEST_F(FortranSymbols, LeaveTheCompilersOwnModulesOut) {
  EXPECT_EQ(global.scope("IntrinsicModules", ""), nullptr);
  EXPECT_EQ(global.scope("Module", "m")->symbol(".c.point"), nullptr);
}

TEST_F(FortranSymbols, AreReadFromEveryBeginningOfTheText) {
  const std::string text = dump;
  for (size_t length = 0; length < text.size(); ++length) {
    const FortranScope part = read_symbol_dump(text.substr(0, length));
    const FortranNames some(part);
    if (const auto procedure = some.procedure("m", "seglen"))
      for (const FortranEntity& dummy : procedure->dummies)
        try {
          some.interface_of(dummy, *procedure);
          components_of(dummy.type, some, *procedure->scope);
        } catch (const std::invalid_argument&) { // a type that is not there in full
        }
  }
}

TEST_F(FortranSymbols, NestedWithoutEndAreNotFollowed) {
  std::string deep = "Global scope: size=0\n";
  for (size_t i = 1; i < 20000; ++i)
    deep += std::string(i, ' ') + "Subprogram scope: f size=0\n";
  EXPECT_EQ(read_symbol_dump(deep).scopes.size(), 1u);
}

TEST_F(FortranSymbols, ThatGoRoundInCirclesEnd) {
  const FortranScope circle =
      read_symbol_dump("Global scope: size=0\n"
                       "  Module scope: a size=0\n    t: Use from t in b\n"
                       "  Module scope: b size=0\n    t: Use from t in a\n"
                       "  Module scope: c size=0\n    u, PUBLIC: DerivedType components: u\n"
                       "    DerivedType scope: u size=0\n      u: ObjectEntity type: TYPE(u)\n");
  const FortranNames some(circle);
  EXPECT_THROW(components_of(fortran_type("TYPE(t)"), some, *circle.scope("Module", "a")), std::invalid_argument);
  EXPECT_THROW(components_of(fortran_type("TYPE(u)"), some, *circle.scope("Module", "c")), std::invalid_argument);
}

TEST_F(FortranSymbols, OfOddTypesAreNone) {
  for (const char* text : {"", "REAL", "REAL(", ")", "(8)", "TYPE(t", "WHAT(3)"})
    EXPECT_EQ(fortran_type(text).kind, FortranKind::none) << text;
}

} // namespace
} // namespace faultline::program
