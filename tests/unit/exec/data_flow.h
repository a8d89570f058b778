// Ways of a value through a program, and what has to hold on each of them (data_flow_test.cpp).
#pragma once

#include "../session_fixture.h"
#include "formula.h"

namespace faultline::test {

struct Way {
  std::string name;
  std::string ending;
  std::string source; // defines f
  std::vector<long double> input;
  Formula formula;
  std::vector<std::string> flags = {};
};

inline void PrintTo(const Way& way, std::ostream* stream) { *stream << way.name; }

class EveryWay : public testing::TestWithParam<Way> {
protected:
  exec::Session session = open_text(GetParam().source, GetParam().ending, "f", {.flags = GetParam().flags});
};

inline constexpr const char* noinline = "#define NOINLINE __attribute__((noinline))\n";

inline constexpr auto way_name = [](const auto& info) { return info.param.name; };

} // namespace faultline::test
