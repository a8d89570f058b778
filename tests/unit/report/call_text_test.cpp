#include "report/call_text.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using frontend::Cell;
using frontend::Passing;
using frontend::Target;
using frontend::Type;
using numeric::Format;

Type floating(Format format) { return Type{true, format, 0, true}; }
const Type whole{false, Format::binary64, 32, true};
const Type number = floating(Format::binary64);

Target of_one_input() {
  Target target;
  target.function = "f";
  target.symbol = "_Z1fd";
  target.parameters = {{"x", "double", Passing::value, number}};
  target.inputs = {{"x", number, 0}};
  target.return_offset = 16;
  target.block_bytes = 48;
  return target;
}

TEST(CallText, IsDeclaredByItsSymbolSoThatNoHeaderIsNeeded) {
  Target target = of_one_input();
  target.outputs = {{"return", number, 16}};
  EXPECT_EQ(declaration_text(target, "subject", false), "double subject(double) __asm__(\"_Z1fd\");");
  EXPECT_EQ(declaration_text(target, "subject", true), "extern \"C\" double subject(double) __asm__(\"_Z1fd\");");
}

TEST(CallText, AStructInRegistersHasTheSameFields) {
  Target target = of_one_input();
  target.outputs = {{"return[0]", floating(Format::binary32), 16}, {"return[1]", number, 24}};
  EXPECT_NE(declaration_text(target, "subject", false).find("{ float field_0; double field_1; };"), std::string::npos);
  const std::string call = call_text(target, "subject", {{"x", {"1", "0x1p+0"}}});
  EXPECT_NE(call.find("returned = subject(0x1p+0);"), std::string::npos) << call;
  EXPECT_NE(call.find("memcpy(block.bytes + 16, &returned, 16);"), std::string::npos) << call;
  EXPECT_EQ(no_call_reason(target), "");
  target.outputs = {{"return[0]", floating(Format::extended80), 16}, {"return[1]", floating(Format::extended80), 32}};
  EXPECT_NE(no_call_reason(target), "") << "complex long double comes back in registers of its own";
}

TEST(CallText, AStructInMemoryIsAHiddenFirstArgument) {
  Target target = of_one_input();
  target.returned_by_pointer = true;
  target.outputs = {{"return.a", number, 16}, {"return.b", number, 24}, {"return.c", number, 32}};
  EXPECT_EQ(declaration_text(target, "subject", false), "void subject(void *, double) __asm__(\"_Z1fd\");");
  EXPECT_NE(call_text(target, "subject", {{"x", {"1", "0x1p+0"}}}).find("subject(block.bytes + 16, 0x1p+0);"),
            std::string::npos);
}

TEST(CallText, EveryNumberReadsBackAsItself) {
  EXPECT_EQ(c_literal({"0.1", "0x1.99999ap-4"}, floating(Format::binary32)), "0x1.99999ap-4f");
  EXPECT_EQ(c_literal({"0.1", "0x1.999999999999999ap-4"}, floating(Format::extended80)), "0x1.999999999999999ap-4L");
  EXPECT_EQ(c_literal({"-inf", "-inf"}, number), "-INFINITY");
  EXPECT_EQ(c_literal({"nan", "nan"}, number), "NAN");
  EXPECT_EQ(c_literal({"7", "7"}, whole), "7");
}

} // namespace
} // namespace faultline::report
