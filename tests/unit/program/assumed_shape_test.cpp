// Fortran's arrays of assumed shape: which of them are inputs and outputs, and the descriptors they are passed with.
#include "../temporary_folder.h"
#include "expect_target.h"
#include "program/descriptor.h"
#include "program/program.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::program {
namespace {

using Words = std::vector<uint64_t>;

// As debug information describes them: no harness is written, because these procedures are not requested.
std::vector<model::Target> targets_in(const std::string& text, const model::Sizes& sizes) {
  test::TemporaryFolder folder;
  Sources sources{{folder.write("subject.f90", text)}, {}, ""};
  sources.functions = {"another"};
  return Program::load(sources).targets(sizes);
}

std::vector<model::Target> targets_of(const std::string& procedures, const model::Sizes& sizes) {
  return targets_in("module m\nimplicit none\ncontains\n" + procedures + "end module\n", sizes);
}

model::Target target_of(const std::string& procedures, const model::Sizes& sizes = {{"*", {2}}}) {
  const std::vector<model::Target> all = targets_of(procedures, sizes);
  const auto found = std::ranges::find(all, "f", &model::Target::function);
  EXPECT_NE(found, all.end());
  return found == all.end() ? model::Target() : *found;
}

Words words_of(const std::string& element, const Words& extents) {
  const model::Target target =
      target_of("real(8) function f(x, a)\nreal(8), intent(in) :: x\n" + element + ", intent(in) :: a" +
                    (extents.size() == 1 ? "(:)" : "(:,:)") + "\nf = x - size(a)\nend function\n",
                {{"a", extents}});
  EXPECT_EQ(target.unsuitable, "");
  return target.parameters.size() == 2 ? descriptor_words(target.parameters[1]) : Words();
}

TEST(AssumedShape, WhatIsReadIsAnInput) {
  expect(target_of("real(8) function f(a)\nreal(8), intent(in) :: a(:)\nf = a(1) - a(size(a))\nend function\n"),
         "a[0]:binary64 a[1]:binary64", "return:binary64");
  expect(target_of("real(8) function f(a)\nreal(4), intent(in) :: a(:,:)\nf = sum(a)\nend function\n", {{"a", {1, 2}}}),
         "a[0]:binary32 a[1]:binary32", "return:binary64");
}

TEST(AssumedShape, WhatIsWrittenIsAnOutput) {
  expect(target_of("subroutine f(x, d)\nreal(8), intent(in) :: x(:)\nreal(8), intent(out) :: d(:)\ninteger :: i\n"
                   "do i = 1, size(d)\nd(i) = x(i) * 2\nend do\nend subroutine\n"),
         "x[0]:binary64 x[1]:binary64", "d[0]:binary64 d[1]:binary64");
}

TEST(AssumedShape, WhatIsChangedInPlaceIsBoth) {
  expect(target_of("subroutine f(x, s)\nreal(8), intent(inout) :: x(:)\nreal(8), value :: s\ninteger :: i\n"
                   "do i = 1, size(x)\nx(i) = x(i) * s\nend do\nend subroutine\n"),
         "x[0]:binary64 x[1]:binary64 s:binary64", "x[0]:binary64 x[1]:binary64");
}

TEST(AssumedShape, ArraysAreFollowedIntoTheFunctionsOfTheModule) {
  const std::string inner = "subroutine inner(a, b)\nreal(8), intent(in) :: a(:)\nreal(8), intent(out) :: b(:)\n"
                            "integer :: i\ndo i = 1, size(a)\nb(i) = a(i) + 1\nend do\nend subroutine\n";
  const std::string outer = "subroutine f(a, b)\nreal(8), intent(in) :: a(:)\nreal(8), intent(out) :: b(:)\n"
                            "call inner(a, b)\nend subroutine\n";
  expect(target_of(inner + outer), "a[0]:binary64 a[1]:binary64", "b[0]:binary64 b[1]:binary64");
}

TEST(AssumedShape, TheRuntimeLibraryIsKnownToReadOnly) {
  expect(target_of("real(8) function f(a)\nreal(8), intent(in) :: a(:)\nf = norm2(a) + maxval(abs(a))\nend function\n"),
         "a[0]:binary64 a[1]:binary64", "return:binary64");
}

TEST(AssumedShape, ArraysThatUnknownCodeGetsAreBoth) {
  expect(target_of("subroutine f(a)\nreal(8), intent(inout) :: a(:)\ninterface\nsubroutine elsewhere(b)\n"
                   "real(8), intent(inout) :: b(:)\nend subroutine\nend interface\ncall elsewhere(a)\nend "
                   "subroutine\n"),
         "a[0]:binary64 a[1]:binary64", "a[0]:binary64 a[1]:binary64");
}

TEST(AssumedShape, ArraysAndValuesKeepTheirNames) {
  expect(target_of("real(8) function f(a, s)\nreal(8), intent(in), contiguous :: a(:)\nreal(8), value :: s\n"
                   "f = a(1) - s * a(2)\nend function\n"),
         "a[0]:binary64 a[1]:binary64 s:binary64", "return:binary64");
}

TEST(AssumedShape, OneSizeForAllIsThatOfEachDimension) {
  const model::Target target =
      target_of("real(8) function f(a, x)\nreal(8), intent(in) :: a(:,:), x(:)\nf = a(1,1) - x(1)\n"
                "end function\n",
                {{"*", {3}}});
  EXPECT_EQ(target.unsuitable, "");
  EXPECT_EQ(target.inputs.size(), 12u);
  EXPECT_EQ(target.parameters.at(0).extents, (Words{3, 3}));
}

TEST(AssumedShape, SizesMustFitTheDimensions) {
  const std::string source = "real(8) function f(a)\nreal(8), intent(in) :: a(:,:)\nf = a(1,1)\nend function\n";
  expect_unsuitable(target_of(source, {}), "'a(:,:)' is an array and needs a size: --size a=NxM");
  expect_unsuitable(target_of(source, {{"a", {4}}}), "'a(:,:)' has 2 dimensions, the size 4 has 1: --size a=NxM");
  expect_unsuitable(target_of(source, {{"a", {2, 2, 2}}}), "the size 2x2x2 has 3");
  expect_unsuitable(target_of(source, {{"*", {1000}}}), "has 1000 x 1000 elements; 1 to 131072 are possible");
  expect_unsuitable(
      target_of("real(8) function f(a)\nreal(8), intent(in) :: a(:)\nf = a(1)\nend function\n", {{"*", {2, 2}}}),
      "'a(:)' has 1 dimension, the size 2x2 has 2: --size a=N");
}

TEST(AssumedShape, OptionalArraysWithoutASizeAreAbsent) {
  const std::string source =
      "real(8) function f(x, a)\nreal(8), intent(in) :: x\nreal(8), intent(in), optional :: a(:)\n"
      "f = x - 1\nif (present(a)) f = f * a(1)\nend function\n";
  const model::Target absent = target_of(source, {});
  expect(absent, "x:binary64", "return:binary64");
  EXPECT_EQ(absent.parameters.at(1).passing, model::Passing::absent);
  expect(target_of(source, {{"a", {1}}}), "x:binary64 a[0]:binary64", "return:binary64");
}

TEST(AssumedShape, AllocatablesAndPointersNeedAHarness) {
  for (const auto& [attribute, raw] : {std::pair("allocatable", "'a' is allocatable"), {"pointer", "'a' is a pointer"}})
    expect_unsuitable(target_of(std::string("real(8) function f(a)\nreal(8), intent(in), ") + attribute +
                                " :: a(:)\nf = a(1)\nend function\n"),
                      raw);
}

TEST(AssumedShape, WhatFlangCallsAnIntegerForLackOfWordsNeedsAHarness) {
  const std::string point = "real(8) function f(p, x)\nreal(8), intent(in) :: x(:)\n";
  const std::string body = "\nf = p%x - p%y * x(1)\nend function\n";
  const auto with_point = [](const std::string& procedures) {
    return targets_in("module m\nimplicit none\ntype t\nreal(8) :: x, y\nend type\ncontains\n" + procedures +
                          "end module\n",
                      {{"*", {2}}})
        .at(0);
  };
  expect_unsuitable(with_point(point + "type(t), intent(in) :: p" + body), "'p' has a type that");
  expect_unsuitable(with_point(point + "class(t), intent(in) :: p" + body), "'p' has a type that");
  expect_unsuitable(with_point(point + "type(t), intent(in) :: p(:)\nf = p(1)%x - p(2)%y * x(1)\nend function\n"),
                    "'p' has a type that");
  expect_unsuitable(with_point(point + "interface\nreal(8) function p(x)\nreal(8), intent(in) :: x\nend function\nend "
                                       "interface\nf = p(x(1)) - 1\nend function\n"),
                    "has a type that");
  expect_unsuitable(with_point(point + "character(*), intent(in) :: p\nf = x(1) - len(p)\nend function\n"),
                    "takes a string");
}

TEST(AssumedShape, IntegersStayIntegers) {
  expect(target_of("real(8) function f(n, w, x)\ninteger, intent(in) :: n, w(:)\nreal(8), intent(in) :: x(:)\n"
                   "integer :: i\nf = n\ndo i = 1, size(w)\nf = f - w(i) * x(i)\nend do\nend function\n"),
         "n:int32 w[0]:int32 w[1]:int32 x[0]:binary64 x[1]:binary64", "return:binary64");
}

TEST(AssumedShape, DescriptorsAreThoseOfFlang) {
  const auto third = [](uint64_t rank, uint64_t code) { return 20180515 | rank << 32 | code << 40; };
  EXPECT_EQ(words_of("real(8)", {5}), (Words{0, 8, third(1, 28), 1, 5, 8}));
  EXPECT_EQ(words_of("real(4)", {3, 2}), (Words{0, 4, third(2, 27), 1, 3, 4, 1, 2, 12}));
  EXPECT_EQ(words_of("integer", {5}), (Words{0, 4, third(1, 9), 1, 5, 4}));
  EXPECT_EQ(words_of("integer(8)", {5}), (Words{0, 8, third(1, 10), 1, 5, 8}));
  EXPECT_EQ(words_of("logical", {5}), (Words{0, 4, third(1, 14), 1, 5, 4}));
  EXPECT_EQ(words_of("logical(1)", {5}), (Words{0, 1, third(1, 39), 1, 5, 1}));
}

} // namespace
} // namespace faultline::program
