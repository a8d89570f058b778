#include "constraint/smtlib/file.h"

#include "frontend/error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>

namespace faultline::constraint {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* hint = "name an SMT-LIB file, or - for standard input";

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw UserError(status_usage, fmt::format("{}: {}", file, what), hint);
}

std::string contents(std::FILE* stream, const std::string& file) {
  struct stat status {};
  if (fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode))
    refuse(file, "is a folder");
  std::string text;
  constexpr size_t block = size_t{1} << 20;
  for (size_t count = block; count == block;) {
    const size_t size = text.size();
    if (size > most_script_bytes)
      refuse(file, fmt::format("larger than {} MB", most_script_bytes >> 20));
    text.resize(size + block);
    count = std::fread(text.data() + size, 1, block, stream);
    text.resize(size + count);
  }
  if (std::ferror(stream))
    refuse(file, std::strerror(errno));
  return text;
}

} // namespace

Script load_smtlib(const std::string& file) {
  if (file == "-")
    return read_smtlib(contents(stdin, "standard input"), "standard input");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!stream)
    refuse(file, std::strerror(errno));
  return read_smtlib(contents(stream.get(), file), file);
}

} // namespace faultline::constraint
