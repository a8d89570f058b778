#include "report/writer.h"

#include "frontend/error.h"
#include "report/json.h"
#include "report/text.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace faultline::report {

using frontend::status_usage;
using frontend::UserError;

namespace {

using Render = std::string (*)(const campaign::Report&);

std::string plain_text(const campaign::Report& report) { return report_text(report, source_files(), Style(false)); }

struct FileFormat {
  const char* ending;
  Render render; // none: known, but not in this version
};
constexpr FileFormat formats[] = {
    {".json", json_text}, {".txt", plain_text}, {".sarif", nullptr}, {".xml", nullptr},
    {".html", nullptr},   {".cpp", nullptr},    {".c", nullptr},
};

Render render_for(const std::string& file) {
  if (file == "-")
    return json_text;
  const std::string ending = std::filesystem::path(file).extension().string();
  std::vector<std::string> endings;
  for (const FileFormat& format : formats) {
    if (ending == format.ending && !format.render)
      throw UserError(status_usage, fmt::format("-o {}: {} reports are not in this version", file, ending),
                      "use .json");
    if (ending == format.ending)
      return format.render;
    if (format.render)
      endings.emplace_back(format.ending);
  }
  throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", file),
                  fmt::format("one of {}, or -o - for JSON on standard output", fmt::join(endings, ", ")));
}

[[noreturn]] void cannot_write(const std::string& file, int error) {
  throw UserError(status_usage, fmt::format("-o {}: cannot be written: {}", file, std::strerror(error)),
                  "name a file in a folder that exists and that you may write to");
}

// /dev/null, a pipe: nothing to rename there.
bool is_special(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Where the bytes end up: a link is followed, so that it stays a link.
std::string destination(const std::string& file) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(file, error);
  return error ? file : real.string();
}

// A file that exists only until it is renamed, or until this object goes.
class Temporary {
public:
  Temporary(const std::string& target, const std::string& shown) : path_(target + ".XXXXXX"), shown_(shown) {
    descriptor_ = mkstemp(path_.data());
    if (descriptor_ < 0)
      cannot_write(shown_, errno);
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor_, 0666 & ~mask); // mkstemp's files are private
  }
  ~Temporary() {
    if (descriptor_ >= 0)
      close(descriptor_);
    if (!path_.empty())
      unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void write(const std::string& text) {
    for (size_t done = 0; done < text.size();) {
      const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
      if (count < 0 && errno != EINTR)
        cannot_write(shown_, errno);
      done += count < 0 ? 0 : static_cast<size_t>(count);
    }
  }
  void rename_to(const std::string& target) {
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0 || std::rename(path_.c_str(), target.c_str()) != 0)
      cannot_write(shown_, errno);
    path_.clear();
  }

private:
  std::string path_, shown_;
  int descriptor_ = -1;
};

} // namespace

Writer::Writer(const std::string& file) : file_(file), render_(render_for(file)) {
  if (to_standard_output())
    return;
  std::error_code error;
  if (std::filesystem::is_directory(file_, error))
    cannot_write(file_, EISDIR);
  if (std::filesystem::exists(file_, error) && access(file_.c_str(), W_OK) != 0)
    cannot_write(file_, errno);
  if (!is_special(file_))
    Temporary(destination(file_), file_); // made and removed: the proof
}

void Writer::write(const campaign::Report& report) const {
  const std::string text = render_(report);
  if (to_standard_output())
    return print(text);
  if (is_special(file_)) {
    std::FILE* stream = std::fopen(file_.c_str(), "w");
    if (!stream)
      cannot_write(file_, errno);
    const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    if (std::fclose(stream) != 0 || !written)
      cannot_write(file_, errno);
    return;
  }
  const std::string target = destination(file_);
  Temporary temporary(target, file_);
  temporary.write(text);
  temporary.rename_to(target);
}

std::vector<Writer> writers(const std::vector<std::string>& files) {
  std::vector<Writer> all;
  std::set<std::string> seen;
  for (const std::string& file : files) {
    if (!seen.insert(destination(file)).second)
      throw UserError(status_usage, fmt::format("-o {}: given twice", file), "name each report once");
    all.emplace_back(file);
  }
  return all;
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw UserError(status_usage, fmt::format("standard output cannot be written: {}", std::strerror(errno)),
                    "is the disk full?");
}

} // namespace faultline::report
