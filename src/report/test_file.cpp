#include "report/test_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using campaign::CoverReport;
using campaign::CoverTest;
using frontend::Cell;
using frontend::Parameter;
using frontend::Passing;
using frontend::Target;
using frontend::Type;
using numeric::Format;

namespace {

std::string c_type(const Type& type) {
  if (!type.floating)
    return fmt::format("{}int{}_t", type.is_signed ? "" : "u", type.bits);
  return type.format == Format::binary32 ? "float" : type.format == Format::binary64 ? "double" : "long double";
}

// A number as C reads it back.
std::string literal(const campaign::Number& number, const Type& type) {
  if (!type.floating)
    return number.decimal == "-9223372036854775808" ? "INT64_MIN" : number.decimal + (type.bits > 32 ? "ll" : "");
  if (number.decimal == "inf" || number.decimal == "-inf")
    return number.decimal == "inf" ? "INFINITY" : "-INFINITY";
  if (number.decimal.find("nan") != std::string::npos)
    return "NAN";
  return number.hex + (type.format == Format::binary32 ? "f" : type.format == Format::binary64 ? "" : "L");
}

const Cell* returned(const Target& target) {
  const auto found = std::find_if(target.outputs.begin(), target.outputs.end(),
                                  [](const Cell& cell) { return cell.name == "return"; });
  return found == target.outputs.end() ? nullptr : &*found;
}

std::string prototype(const Target& target) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : target.parameters)
    parameters.push_back(parameter.passing == Passing::pointer ? "void *" : c_type(parameter.type));
  return fmt::format("{} subject({}) __asm__(\"{}\");", returned(target) ? c_type(returned(target)->type) : "void",
                     parameters.empty() ? "void" : fmt::format("{}", fmt::join(parameters, ", ")), target.symbol);
}

// The statements of one test; `check` is what compares a value with an expected one.
std::string body(const Target& target, const CoverTest& test, const char* check) {
  std::string text = fmt::format("  static union {{ unsigned char bytes[{}]; long double aligned; }} block;\n",
                                 std::max<uint64_t>(target.block_bytes, 1));
  text += "  memset(&block, 0, sizeof block);\n";
  std::vector<std::string> arguments;
  for (const Parameter& parameter : target.parameters) {
    if (parameter.passing == Passing::pointer) {
      arguments.push_back(fmt::format("block.bytes + {}", parameter.offset));
      continue;
    }
    for (size_t i = 0; i < target.inputs.size(); ++i)
      if (target.inputs[i].offset == parameter.offset)
        arguments.push_back(literal(test.input[i].value, target.inputs[i].type));
  }
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const Cell& cell = target.inputs[i];
    const bool by_value =
        std::any_of(target.parameters.begin(), target.parameters.end(), [&](const Parameter& parameter) {
          return parameter.passing == Passing::value && parameter.offset == cell.offset;
        });
    if (!by_value)
      text +=
          fmt::format("  {{ {} value = {}; memcpy(block.bytes + {}, &value, {}); }} // {}\n", c_type(cell.type),
                      literal(test.input[i].value, cell.type), cell.offset,
                      cell.type.floating && cell.type.format == Format::extended80 ? 10 : cell.type.bytes(), cell.name);
  }
  const Cell* result = returned(target);
  text +=
      fmt::format("  {}subject({});\n", result ? c_type(result->type) + " result = " : "", fmt::join(arguments, ", "));
  for (size_t i = 0; i < test.outputs.size(); ++i) {
    const Cell& cell = target.outputs[i];
    const std::string expected = literal(test.outputs[i].value, cell.type);
    if (&cell == result)
      text += fmt::format("  {}(result, {}); // {}\n", check, expected, test.outputs[i].value.decimal);
    else
      text += fmt::format("  {{ {} value; memcpy(&value, block.bytes + {}, {}); {}(value, {}); }} // {}\n",
                          c_type(cell.type), cell.offset,
                          cell.type.floating && cell.type.format == Format::extended80 ? 10 : cell.type.bytes(), check,
                          expected, cell.name);
  }
  return text;
}

// What the input is there for.
std::string purpose(const CoverReport& report, size_t test) {
  std::string text;
  for (const campaign::CoveredBranch& branch : report.branches)
    if (branch.shown == test)
      text += fmt::format("// {}:{}: {} is {}\n", std::filesystem::path(branch.file).filename().string(), branch.line,
                          branch.condition, branch.outcome);
  return text;
}

std::string identifier(const std::string& name) {
  std::string text = name;
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return text;
}

constexpr const char* closeness = R"(
// Equal, both NaN, or a few ulps apart.
static int close_to(long double actual, long double expected, long double epsilon) {
  if (actual != actual || expected != expected)
    return actual != actual && expected != expected;
  return actual == expected || fabsl(actual - expected) <= 4 * epsilon * fabsl(expected);
}
)";

std::string epsilon_of(const Target& target) {
  for (const Cell& cell : target.outputs)
    if (cell.type.floating && cell.type.format == Format::binary32)
      return "FLT_EPSILON";
  return "DBL_EPSILON";
}

std::string head(const CoverReport& report, bool cpp) {
  return fmt::format("// Written by faultline {}: one input for each branch outcome of {} ({}).\n"
                     "// Link with the code under test{}.\n",
                     report.version, report.target.function,
                     std::filesystem::path(report.target.file).filename().string(),
                     cpp ? " and GoogleTest" : "; the exit status is the number of failures");
}

} // namespace

std::string no_test_reason(const Target& target) {
  const bool structure =
      target.returned_by_pointer || std::any_of(target.outputs.begin(), target.outputs.end(),
                                                [](const Cell& cell) { return cell.name.starts_with("return."); });
  return structure ? fmt::format("{} returns a struct, and a test cannot declare that", target.function) : "";
}

std::string test_file_cpp(const CoverReport& report) {
  std::string text = head(report, true);
  text += "#include <cfloat>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n#include <gtest/gtest.h>\n\n";
  text += "extern \"C\" " + prototype(report.target) + "\n" + closeness;
  text += fmt::format("#define EXPECT_CLOSE(actual, expected) EXPECT_TRUE(close_to(actual, expected, {})) << actual\n",
                      epsilon_of(report.target));
  for (size_t i = 0; i < report.tests.size(); ++i) {
    const CoverTest& test = report.tests[i];
    text += "\n" + purpose(report, i);
    text += fmt::format("TEST({}, input_{}) {{\n", identifier(report.target.function), i + 1);
    if (test.returned)
      text += body(report.target, test, "EXPECT_CLOSE");
    else
      text += "  EXPECT_DEATH({\n" + body(report.target, test, "EXPECT_CLOSE") + "  }, \"\"); // " + test.ending + "\n";
    text += "}\n";
  }
  return text;
}

std::string test_file_c(const CoverReport& report) {
  std::string text = head(report, false);
  text += "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\n";
  text += prototype(report.target) + "\n" + closeness;
  text += fmt::format("static int failures;\n"
                      "#define EXPECT_CLOSE(actual, expected) \\\n"
                      "  do {{ if (!close_to(actual, expected, {})) {{ ++failures; \\\n"
                      "    printf(\"%s: %.17Lg instead of %.17Lg\\n\", __func__, (long double)(actual), (long "
                      "double)(expected)); }} }} while (0)\n",
                      epsilon_of(report.target));
  std::string calls;
  for (size_t i = 0; i < report.tests.size(); ++i) {
    const CoverTest& test = report.tests[i];
    if (!test.returned) {
      text += fmt::format("\n{}// input_{} is left out: the call {}.\n", purpose(report, i), i + 1, test.ending);
      continue;
    }
    text += fmt::format("\n{}static void input_{}(void) {{\n{}}}\n", purpose(report, i), i + 1,
                        body(report.target, test, "EXPECT_CLOSE"));
    calls += fmt::format("  input_{}();\n", i + 1);
  }
  return text + "\nint main(void) {\n" + calls + "  return failures > 100 ? 100 : failures;\n}\n";
}

} // namespace faultline::report
