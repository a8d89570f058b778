// Names that the user gives and the function does not have.
#include "target_space.h"

#include "base/error.h"

namespace faultline::judge {

using model::Settings;
namespace {

using numeric::Format;

struct Wrong {
  std::string name;
  std::function<void(Settings&)> set;
  std::string option;
};
void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.name; }

class CheckNames : public testing::TestWithParam<Wrong> {};

TEST_P(CheckNames, TellsTheUserWhichNamesThereAre) {
  Settings settings;
  settings.sizes = {{"a", {2}}};
  const model::Target target = target_of("double f(double x, const double* a) { return x + a[0] * a[1]; }", settings);
  EXPECT_NO_THROW(check_names({target}, settings));
  GetParam().set(settings);
  try {
    check_names({target}, settings);
    FAIL() << "no error was thrown";
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, 2);
    EXPECT_NE(std::string(error.what()).find("zz"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().option), std::string::npos) << error.what();
    EXPECT_NE(error.hint.find(GetParam().option == "--output" ? "return" : "a"), std::string::npos) << error.hint;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CheckNames,
    testing::Values(Wrong{"range",
                          [](Settings& settings) {
                            settings.ranges["zz"] = {0, 1};
                          },
                          "--range"},
                    Wrong{"hold", [](Settings& settings) { settings.held["zz"] = 1; }, "--hold"},
                    Wrong{"format", [](Settings& settings) { settings.formats["zz"] = Format::binary32; }, "--format"},
                    Wrong{"size", [](Settings& settings) { settings.sizes["zz"] = {3}; }, "--size"},
                    Wrong{"output", [](Settings& settings) { settings.outputs = {"zz"}; }, "--output"},
                    Wrong{"element_beyond_the_end",
                          [](Settings& settings) {
                            settings.ranges["zz[5]"] = {0, 1};
                          },
                          "--range"}),
    [](const auto& info) { return info.param.name; });

TEST(CheckNames, TakesCellsParametersAndAll) {
  Settings settings;
  settings.sizes = {{"*", {2}}};
  settings.ranges = {{"a", {0, 1}}, {"a[1]", {0, 1}}, {"*", {0, 1}}};
  settings.formats = {{"*", Format::binary32}};
  settings.held = {{"x", 1}};
  settings.outputs = {"return"};
  const model::Target target = target_of("double f(double x, const double* a) { return x + a[0] * a[1]; }", settings);
  EXPECT_NO_THROW(check_names({target}, settings));
}

} // namespace
} // namespace faultline::judge
