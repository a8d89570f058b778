#include "instrument/standard_headers.h"

#include <algorithm>

namespace faultline::instrument {
namespace {

bool take(std::string_view& path, std::string_view beginning) {
  if (!path.starts_with(beginning))
    return false;
  path.remove_prefix(beginning.size());
  return true;
}

// The headers that ISO C names; glibc has them at the top of /usr/include, among those of other libraries.
bool is_header_of_c(std::string_view name) {
  static constexpr std::string_view names[] = {
      "assert.h", "complex.h", "ctype.h",     "errno.h",  "fenv.h",   "float.h",    "inttypes.h", "iso646.h",
      "limits.h", "locale.h",  "math.h",      "setjmp.h", "signal.h", "stdalign.h", "stdarg.h",   "stdatomic.h",
      "stdbit.h", "stdbool.h", "stdckdint.h", "stddef.h", "stdint.h", "stdio.h",    "stdlib.h",   "stdnoreturn.h",
      "string.h", "tgmath.h",  "threads.h",   "time.h",   "uchar.h",  "wchar.h",    "wctype.h"};
  return std::ranges::find(names, name) != std::end(names);
}

// Below /usr/include: glibc's folders, libstdc++'s and libc++'s.
bool is_of_a_standard_library(std::string_view path) {
  const bool of_machine = take(path, "x86_64-linux-gnu/");
  for (const std::string_view folder : {"bits/", "sys/", "gnu/", "c++/"})
    if (path.starts_with(folder))
      return true;
  return !of_machine && is_header_of_c(path);
}

} // namespace

bool is_standard_header(std::string_view path) {
  if (!take(path, "/usr/local/") && !take(path, "/usr/"))
    return false;
  if (take(path, "include/"))
    return is_of_a_standard_library(path);
  if (!take(path, "lib/") && !take(path, "lib64/"))
    return false;
  if (path.starts_with("gcc/") || path.starts_with("clang/")) // gcc's own headers, clang's where it is not versioned
    return true;
  if (!path.starts_with("llvm-")) // Debian's folder of one version of LLVM, with clang's, libc++'s and flang's headers
    return false;
  for (const std::string_view folder : {"/lib/clang/", "/include/c++/", "/include/flang/"})
    if (path.substr(std::min(path.find('/'), path.size())).starts_with(folder))
      return true;
  return false;
}

} // namespace faultline::instrument
