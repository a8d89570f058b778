#include "frontend/compiling/compiler_advice.h"

#include "frontend/path.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <sstream>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_advice =
    "give the compiler the flags it needs after --, for example: -- -Iinclude -DNDEBUG; or -p with a compilation "
    "database";

// What stands in quotes before or after these words, which the compilers use.
std::string quoted_before(const std::string& messages, const std::string& words) {
  const size_t end = messages.find("' " + words);
  const size_t begin = end == std::string::npos || end == 0 ? end : messages.rfind('\'', end - 1);
  return end == std::string::npos || begin == std::string::npos ? "" : messages.substr(begin + 1, end - begin - 1);
}

struct Found {
  std::optional<fs::path> header;    // the folder to be given with -I
  std::optional<fs::path> template_; // the file that a build makes it from
};

// In the folder and below it.
void look_below(const fs::path& folder, const fs::path& header, Found& found) {
  constexpr int most = 50'000; // entries: a second on a slow disk, and a hint need not be complete
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
  const std::string inside = "/" + header.lexically_normal().string();
  for (int seen = 0; !error && entry != end && seen < most; entry.increment(error), ++seen) {
    const std::string path = entry->path().string();
    if (entry->path().filename().string().starts_with(".") && entry->is_directory(error)) {
      entry.disable_recursion_pending();
      continue;
    }
    if (!found.header && path.ends_with(inside))
      found.header = path.substr(0, path.size() - inside.size());
    for (const char* ending : {".in", ".cmake", ".cmake.in", ".meson"})
      if (!found.template_ && path.ends_with(inside + ending))
        found.template_ = entry->path();
  }
}

// Where anybody may put files, as in /tmp, what lies beside a folder has nothing to do with it.
bool is_anybodys(const fs::path& folder) {
  std::error_code error;
  return (fs::status(folder, error).permissions() & fs::perms::others_write) != fs::perms::none;
}

// Once: where one file lacks a header, the others of its folder do, too.
const Found& look_for(const fs::path& header, const fs::path& file) {
  static std::map<std::pair<fs::path, fs::path>, Found> looked_for;
  const fs::path folder = fs::absolute(file).parent_path();
  const auto [known, is_new] = looked_for.try_emplace({header, folder});
  Found& found = known->second;
  if (!is_new)
    return found;
  look_below(folder, header, found);
  if (const fs::path above = folder.parent_path(); !found.header && !found.template_ && !is_anybodys(above))
    look_below(above, header, found); // include/ beside src/
  return found;
}

// Names that build systems give to what they write.
bool sounds_generated(const fs::path& header) {
  const std::string name = header.filename().string();
  return name.find("config") != std::string::npos || name.find("version") != std::string::npos ||
         name.ends_with("_export.h");
}

std::string header_advice(const std::string& header, const std::string& file) {
  const Found& found = look_for(header, file);
  if (found.header)
    return fmt::format("{} is in {}: -- -I {}", header, shown_path("", found.header->string()),
                       shown_path("", found.header->string()));
  if (!found.template_ && !sounds_generated(header))
    return fmt::format("say where {} is: -- -I FOLDER; or -p with a compilation database", header);
  return fmt::format("{} is made by the build{}: run configure (or cmake) first and add the folder that it is made in, "
                     "-- -I build; or build with `faultline cc` as the compiler and hunt in what it makes",
                     header,
                     found.template_ ? fmt::format(", from {}", shown_path("", found.template_->string())) : "");
}

} // namespace

std::string first_error(const std::string& messages) {
  std::istringstream stream(messages);
  std::string line, any;
  while (std::getline(stream, line)) {
    const size_t at = line.find("error: ");
    if (at == std::string::npos)
      continue;
    if (at > 0) // with a place; the others sum up what follows
      return line;
    any = any.empty() ? line : any;
  }
  return any.empty() ? messages.substr(0, messages.find('\n')) : any;
}

std::string compiler_advice(const std::string& messages, const std::string& file) {
  if (const std::string header = quoted_before(messages, "file not found"); !header.empty()) // clang's words
    return header_advice(header, file);
  if (first_error(messages).find("[-Wimplicit-") != std::string::npos)
    return fmt::format("{}; what is C as it was before 1999 needs -- -std=gnu89", usual_advice);
  const std::string absent = quoted_before(messages, "was not found"); // flang's
  if (absent.ends_with(".mod"))
    return fmt::format("module {} is in none of the files: name the file that defines it, too, or the folder of {}: -- "
                       "-I FOLDER",
                       fs::path(absent).stem().string(), absent);
  return absent.empty() ? usual_advice : header_advice(absent, file);
}

} // namespace faultline::frontend
