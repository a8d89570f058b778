#include "frontend/compiling/flag_filter.h"
#include "targets.h"

#include <algorithm>

namespace faultline::fuzz {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

// Words that make a compiler load or run something, where they are flags and not values of others.
bool is_dangerous(const std::string& word) {
  constexpr std::string_view beginnings[] = {"-fplugin", "-fpass-plugin", "-load",  "-mllvm", "-mmlir",
                                             "-Xflang",  "-cc1",          "-B",     "-o",     "-MF",
                                             "--config", "-ftime-trace",  "-Wp,-M", "-ccc-"};
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return word.starts_with(begin); });
}

} // namespace

int fuzz_flags(const uint8_t* data, size_t size) {
  const std::vector<std::string> flags =
      frontend::flags_from_file(lines_of(text_of(data, size)), "data", frontend::Trust::no);
  constexpr std::string_view before_values[] = {
      "-D",         "-U",       "-I",        "-F",       "-isystem",          "-iquote",
      "-idirafter", "-iprefix", "-isysroot", "-imacros", "-iwithprefix",      "-iwithprefixbefore",
      "--sysroot",  "-Xclang",  "-x",        "-target",  "-working-directory"};
  bool value = false; // as the compilers read it: of the word before
  for (const std::string& flag : flags) {
    if (flag.starts_with("@") || (!value && is_dangerous(flag)))
      throw Broken("a dangerous flag is taken: " + flag);
    value = !value && std::ranges::find(before_values, flag) != std::end(before_values);
  }
  if (!flags.empty() && frontend::flags_from_file(flags, "data", frontend::Trust::yes).size() < flags.size())
    throw Broken("what was taken once is dropped the second time");
  return 0;
}

} // namespace faultline::fuzz
