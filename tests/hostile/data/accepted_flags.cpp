// Prints the flags that files may set: of all options of clang and flang, alone and with sample values, those that are
// accepted, by the option's name, in canonical form, separated by tabs.
#include "program/compiling/flag_filter.h"
#include "program/compiling/option_table.h"
#include "base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

using namespace faultline::program;

int main() {
  const std::vector<std::string> values = {"",          "1",       "16",     "all",    "include", "include/all.h",
                                           "N=2",       "c",       "c++",    "c++17",  "gnu11",   "f2018",
                                           "fast",      "strict",  "hidden", "native", "x86-64",  "x86_64-linux-gnu",
                                           "undefined", "address", "memory", "cfi",    "thin",    "full",
                                           "libomp",    "libmvec", "libc++", "none",   "sse",     "medium",
                                           "tls",       "off",     "ON",     "sysv",   "gnu2",    "global-dynamic"};
  std::set<std::string> accepted;
  for (const std::string& name : all_options(Compilers::both))
    for (const std::string& value : values)
      for (const std::vector<std::string>& words : {std::vector{name + value}, std::vector{name, value}})
        try {
          const std::vector<std::string> taken = flags_from_file(words, {"data", ProjectFolders()}, Trust::no);
          if (!taken.empty())
            accepted.insert(fmt::format("{}\t{}", read_option(words, 0, Compilers::both).name, fmt::join(taken, "\t")));
        } catch (const faultline::base::UserError&) {
          continue;
        }
  for (const std::string& flags : accepted)
    fmt::print("{}\n", flags);
}
