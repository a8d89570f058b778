// A compile_commands.json that somebody has damaged is read or refused, and nothing else happens.
#include "short_run.h"

#include <gtest/gtest.h>

namespace faultline::frontend {
namespace {

constexpr const char* databases[] = {
    R"([{"directory": "/project", "file": "other.c", "command": "cc -c other.c"},
        {"directory": "/project", "file": "f.c", "command": "cc -Iinclude -D'A=\"b c\"' -o f.o -c f.c -MF f.d"}])",
    R"([{"directory": "/project/build", "file": "../f.c", "output": "f.o",
         "arguments": ["clang", "-O3", "-o", "f.o", "-c", "--", "../f.c"]}])",
    R"([{"file": "/project/f.c", "command": ""}])"};

TEST(ForeignBytes, OfACompilationDatabaseAreReadOrRefused) {
  fuzz::expect_no_surprise(fuzz::fuzz_compile_commands,
                           fuzz::json_material({std::begin(databases), std::end(databases)}), fuzz::json_mutant);
}

} // namespace
} // namespace faultline::frontend
