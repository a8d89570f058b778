// FPCore: what is read, what is refused and where, and the C that it becomes.
#include "base/error.h"
#include "numeric/decimal.h"
#include "program/fpcore/file.h"
#include "program/fpcore/operators.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>

namespace faultline::program::fpcore {
namespace {

using numeric::Format;

std::string c_of(const std::string& text) { return c_source_of(text, "f.fpcore"); }
FunctionSettings settings_of(const std::string& text) { return settings_in_text(text, "f.fpcore").front(); }

// "LINE:COLUMN: what", of the error that reading ends with.
std::string refusal(const std::string& text) {
  try {
    c_of(text);
    settings_in_text(text, "f.fpcore");
  } catch (const base::UserError& error) {
    EXPECT_FALSE(error.hint.empty()) << text;
    const std::string what = error.what();
    return what.starts_with("f.fpcore:") ? what.substr(9) : what;
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

double number(const char* text) { return double(rounded(number_of(text).value(), Format::binary64)); }

TEST(FPCoreNumbers, AreRoundedOnce) {
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(number("0x1.8p3"), 12.0);
  EXPECT_EQ(number("1/3"), 1.0 / 3.0);
  EXPECT_EQ(number("3969/625"), 6.3504);
  EXPECT_EQ(number("1e400"), INFINITY);
  EXPECT_EQ(number("4.9e-324"), 4.9e-324);
  EXPECT_TRUE(std::signbit(number("-0.0")));
  // Just above the middle between two floats, by a digit far behind: one rounding, not two.
  EXPECT_EQ(number("1.00000000000000011102230246251565404236316680908203126"), 1.0 + DBL_EPSILON);
  EXPECT_EQ(number("1.00000000000000011102230246251565404236316680908203125"), 1.0) << "the middle itself: to even";
  for (const char* wrong : {"1/0", "1e99999", "0x", "1.2.3", "12abc", "1/2/3", "--1", "1e"})
    EXPECT_FALSE(number_of(wrong)) << wrong;
}

TEST(FPCoreNumbers, WithExponentsThatNoFormatHasAreRefused) {
  for (const char* exponent : {"-9223372036854775808", "9223372036854775807", "-7000", "7000"}) {
    EXPECT_FALSE(number_of(std::string("1e") + exponent)) << exponent;
    EXPECT_FALSE(number_of_digits("1", exponent, "10")) << exponent;
  }
  EXPECT_TRUE(number_of("1e-5000"));
  EXPECT_TRUE(number_of("0x1p-16445"));
}

TEST(FPCoreNumbers, OfRangesAreRoundedInwards) {
  const Number tenth = number_of("0.1").value(), one = number_of("1").value();
  EXPECT_EQ(double(rounded_up(tenth, Format::binary64, false)), 0.1) << "the double 0.1 is above one tenth";
  EXPECT_EQ(double(rounded_down(tenth, Format::binary64, false)), std::nextafter(0.1, 0));
  EXPECT_EQ(double(rounded_up(one, Format::binary64, true)), 1 + DBL_EPSILON);
  EXPECT_EQ(double(rounded_down(one, Format::binary64, true)), std::nextafter(1.0, 0));
  EXPECT_EQ(float(rounded_down(one, Format::binary32, true)), std::nextafter(1.0f, 0.0f));
}

TEST(FPCoreConstants, AreThoseOfC) {
  const auto value = [](const char* name) { return *numeric::parse_double(find_constant(name)->digits); };
  EXPECT_EQ(value("E"), M_E);
  EXPECT_EQ(value("LOG2E"), M_LOG2E);
  EXPECT_EQ(value("LOG10E"), M_LOG10E);
  EXPECT_EQ(value("LN2"), M_LN2);
  EXPECT_EQ(value("LN10"), M_LN10);
  EXPECT_EQ(value("PI"), M_PI);
  EXPECT_EQ(value("PI_2"), M_PI_2);
  EXPECT_EQ(value("PI_4"), M_PI_4);
  EXPECT_EQ(value("M_1_PI"), M_1_PI);
  EXPECT_EQ(value("M_2_PI"), M_2_PI);
  EXPECT_EQ(value("M_2_SQRTPI"), M_2_SQRTPI);
  EXPECT_EQ(value("SQRT2"), M_SQRT2);
  EXPECT_EQ(value("SQRT1_2"), M_SQRT1_2);
}

TEST(FPCoreC, HasOperationsAtTheirPlaces) {
  const std::string c = c_of("(FPCore f (x)\n  (- 1\n     (cos x)))");
  EXPECT_TRUE(contains(c, "\n#line 3\n      __builtin_cos(x);")) << c;
  EXPECT_TRUE(contains(c, "0x1p+0\n#line 2\n   - value_1;")) << c;
}

TEST(FPCoreC, TakesNothingOfTheFileAsItStands) {
  const std::string c =
      c_of(R"((FPCore a\b (int x*/y __builtin_trap) :name "#include </etc/passwd>" (+ int (! :x "}" x*/y))))");
  for (const char* part : {"passwd", "*/", "\\", "(int ", "trap)", "}\""})
    EXPECT_FALSE(contains(c, part)) << part << "\n" << c;
}

TEST(FPCoreC, HasFormatsOfTheContextAndTheOperands) {
  const std::string narrow = c_of("(FPCore f (x) (! :precision binary32 (+ x 1)))");
  EXPECT_TRUE(contains(narrow, "float value_1 = (float)(x")) << "a double operand: in double, then rounded\n" << narrow;
  EXPECT_TRUE(contains(c_of("(FPCore f (x) :precision (float 8 32) (sqrt x))"), "__builtin_sqrtf(x)"));
  EXPECT_TRUE(contains(c_of("(FPCore f (x) :precision binary80 (sqrt x))"), "long double f(long double x)"));
  EXPECT_TRUE(contains(c_of("(FPCore f ((! :precision binary32 x)) (* x x))"), "(double)x"));
  const std::string loop =
      c_of("(FPCore f (x) :precision binary32 (while (< s 9) ([s 0 (! :precision binary64 (+ s x))]) s))");
  EXPECT_TRUE(contains(loop, "double f(float x)")) << "a variable has the widest format of its updates\n" << loop;
}

TEST(FPCoreNames, AreFreeAndDistinct) {
  const std::string text = "(FPCore sin (x) (sin x)) (FPCore sin (double if) (+ double if)) (FPCore (x) x)"
                           "(FPCore (x) :name \"NMSE p42, positive\" x) (FPCore main (x) x)";
  std::vector<std::string> names;
  for (const FunctionSettings& one : settings_in_text(text, "f.fpcore"))
    names.push_back(one.function);
  EXPECT_EQ(names, (std::vector<std::string>{"sin_", "sin__2", "fpcore_3", "NMSE_p42__positive", "main_"}));
}

TEST(FPCorePreconditions, BecomeRangesAndConditions) {
  const FunctionSettings settings =
      settings_of("(FPCore f (x y z) :pre (and (<= 0 x 1/2) (and (< y 1) (>= y -1)) (< (+ x y) z)) x)");
  EXPECT_EQ(settings.ranges, (std::vector<std::string>{"x=0:0.5", "y=-1:0.9999999999999999"}));
  EXPECT_TRUE(settings.has_conditions);
  EXPECT_TRUE(contains(c_of("(FPCore f (x y) :pre (< x y) x)"), "fpcore_precondition();\n"));
  EXPECT_FALSE(
      contains(c_source_of("(FPCore f (x y) :pre (< x y) x)", "f", Preconditions::left_out), "fpcore_precondition();"));
  EXPECT_EQ(settings_of("(FPCore f (x) :pre (> x 0) x)").ranges,
            std::vector<std::string>{"x=5e-324:1.7976931348623157e+308"});
  EXPECT_TRUE(contains(refusal("(FPCore f (x) :pre (< 1 x 0) x)"), "no x is within the precondition"));
}

TEST(FPCoreSpecs, BecomeMeanings) {
  EXPECT_EQ(settings_of("(FPCore f (x) :spec (/ (sin x) 1/3) x)").meaning, "(sin(x)/(1/3))");
  EXPECT_EQ(
      settings_of("(FPCore f (x y) :spec (let ([x y] [y x]) (if (< x y 2) (fabs x) (- y))) x)").meaning,
      "(let named_1 = y in let named_2 = x in if((named_1 < named_2) and (named_2 < 2), abs(named_1), (-named_2)))");
  const FunctionSettings loop = settings_of("(FPCore f (x) :spec (while (< i 3) ([i 0 (+ i 1)]) x) x)");
  EXPECT_TRUE(loop.meaning.empty());
  ASSERT_EQ(loop.remarks.size(), 1u);
  EXPECT_TRUE(contains(loop.remarks.front(), "while"));
  EXPECT_EQ(settings_in_text("(FPCore g (a) (* a a)) (FPCore f (x) :spec g x)", "f.fpcore")[1].meaning, "(x*x)");
}

TEST(FPCoreRefusals, NameThePlaceAndTheReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"(FPCore (x)\n (+ x y))", "2:7: 'y' is not defined here"},
      {"(FPCore (x) (foo x))", "1:13: there is no operation 'foo'"},
      {"(FPCore (x) (sin x x))", "1:13: 2 operands of 'sin'"},
      {"(FPCore (x) :precision binary128 x)", "1:24: the precision 'binary128' is not supported"},
      {"(FPCore (x) :round toZero x)", "1:20: rounding 'toZero' is not supported"},
      {"(FPCore (x) (if x 1 2))", "1:17: 'x' is a number where a condition is expected"},
      {"(FPCore (x) (+ x (< x 1)))", "1:18: '(< ...)' is a condition where a number is expected"},
      {"(FPCore (x) (tensor ([i 3]) i))", "1:13: '(tensor ...)' uses tensors, which are not supported"},
      {"(FPCore ((A 3)) 1)", "1:10: '(A ...)' is not a valid argument"},
      {"(FPCore (x x) x)", "1:12: two arguments are called 'x'"},
      {"(FPCore (x) 1..2)", "1:13: '1..2' is not a valid number"},
      {"(FPCore (x) x", "1:1: a '(' that is never closed"},
      {"(FPCore (x) x))", "1:15: a ')' that closes nothing"},
      {"(FPCore (x) [+ x 1))", "1:19: a ')' that closes nothing"},
      {"(+ 1 2)", "1:1: '(+ ...)' where an FPCore is expected"},
      {"(FPCore (x) (let ([y]) y))", "1:18: not what '(let ...)' binds"},
      {"(FPCore f (x) (f x))", "1:15: there is no operation 'f'"},
      {"(FPCore (x) :name \"a", "1:19: a string that is never closed"},
      {"(FPCore (x) x y)", "1:15: unexpected text after the body"},
      {"", " there is no FPCore in it"}};
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(refusal(text), expected) << text;
}

TEST(FPCoreLimits, HoldForFilesThatWouldBreakTheReader) {
  std::string deep = "(FPCore (x) ";
  for (int i = 0; i < 100'000; ++i)
    deep += "(- ";
  EXPECT_TRUE(contains(refusal(deep), "nested parentheses"));
  EXPECT_TRUE(contains(refusal(std::string(largest_file + 1, ' ')), "is larger than"));
  std::string many = "(FPCore (x) (+ x";
  for (size_t i = 0; i < most_forms; ++i)
    many += " 1";
  EXPECT_TRUE(contains(refusal(many + "))"), "words and lists"));
  std::string cores;
  for (size_t i = 0; i <= most_cores; ++i)
    cores += "(FPCore () 1)";
  EXPECT_TRUE(contains(refusal(cores), "more than 1000 FPCores"));
  // Loops in each other whose formats settle late are written again and again: that ends.
  std::string loops = "x";
  for (int i = 0; i < 60; ++i)
    loops = "\n(while (< x 1) ([x (! :precision binary32 (cast x)) (! :precision binary80 (+ 0 " + loops + "))]) x)";
  EXPECT_TRUE(contains(refusal("(FPCore (x) :precision binary32 " + loops + ")"), "more than 50000 operations"));
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

// Little text that stands for much.
TEST(FPCoreLimits, HoldForWhatAFileBecomes) {
  EXPECT_TRUE(contains(refusal("(FPCore (x) (if (!=" + repeated(" x", 400) + ") 1 0))"), "more than 50000 operations"));
  const FunctionSettings sum = settings_of("(FPCore (x) :spec (+" + repeated(" 1e6000", 20'000) + ") x)");
  EXPECT_TRUE(contains(sum.remarks.at(0), "more than 60000 characters"));
  const std::string ratio = "(/ 1 (/ 1 1e6000))", fraction = repeated("(/ ", 20) + ratio + repeated(" 1e-6000)", 20);
  EXPECT_EQ(settings_of("(FPCore (x) :pre (<= 0 x " + ratio + ") x)").has_conditions, false);
  EXPECT_EQ(settings_of("(FPCore (x) :pre (<= 0 x " + fraction + ") x)").has_conditions, true);
  const std::string sums = "(+" + repeated(" x", 100) + ")";
  EXPECT_TRUE(contains(refusal("(FPCore (x) " + repeated("(if (< x 1) x ", 390) + sums + repeated(")", 391)),
                       "the function is too large for C"));
  EXPECT_TRUE(contains(refusal(repeated("(FPCore (x) " + sums + ")", 500)), "more than 64 MiB of C"));
}

TEST(FPCoreLimits, HoldForArguments) {
  const std::string c = c_of("(FPCore f (a* a/ a+) a/)");
  EXPECT_TRUE(contains(c, "f(double a_, double a__2, double a__3)")) << c;
  EXPECT_TRUE(contains(c, "return a__2;")) << c;
  std::string names;
  for (size_t i = 0; i <= most_arguments; ++i)
    names += "a" + std::to_string(i) + " ";
  EXPECT_TRUE(contains(refusal("(FPCore (" + names + ") 1)"), "more than 1000 arguments"));
}

} // namespace
} // namespace faultline::program::fpcore
