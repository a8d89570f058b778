#include "cli/output_file.h"

#include "frontend/error.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

[[noreturn]] void cannot_write(const std::string& file, int error) {
  throw UserError(status_usage, fmt::format("-o {}: cannot be written: {}", file, std::strerror(error)),
                  "name a file in a folder that exists and that you may write to");
}

// /dev/null, a pipe: nothing to rename there.
bool is_special(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// A file that has its name only when it is whole. Until then it has none, where the file system knows such files:
// nothing is left behind, whatever ends us.
class Temporary {
public:
  Temporary(const std::string& target, const std::string& shown) : path_(target + ".XXXXXX"), shown_(shown) {
    const std::filesystem::path folder = std::filesystem::path(target).parent_path();
    descriptor_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    named_ = descriptor_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
    if (named_)
      descriptor_ = mkstemp(path_.data());
    if (descriptor_ < 0)
      cannot_write(shown_, errno);
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor_, 0666 & ~mask); // it was private until now
  }
  ~Temporary() {
    if (descriptor_ >= 0)
      close(descriptor_);
    if (named_)
      unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void write(std::string_view text) {
    for (size_t done = 0; done < text.size();) {
      const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
      if (count < 0 && errno != EINTR)
        cannot_write(shown_, errno);
      done += count < 0 ? 0 : static_cast<size_t>(count);
    }
  }
  void rename_to(const std::string& target) {
    if (!named_ && !give_name(target))
      give_passing_name();
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0 || (named_ && std::rename(path_.c_str(), target.c_str()) != 0))
      cannot_write(shown_, errno);
    named_ = false;
  }

private:
  bool give_name(const std::string& name) const {
    const std::string itself = fmt::format("/proc/self/fd/{}", descriptor_);
    return linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

  // There is a file of that name, and only a rename replaces it.
  void give_passing_name() {
    const int taken = errno == EEXIST ? mkstemp(path_.data()) : -1; // a name that nobody else has
    if (taken < 0)
      cannot_write(shown_, errno);
    close(taken);
    unlink(path_.c_str());
    if (!give_name(path_))
      cannot_write(shown_, errno);
    named_ = true;
  }

  std::string path_, shown_;
  int descriptor_ = -1;
  bool named_ = false; // there is a file of the name path_
};

} // namespace

OutputFile::OutputFile(const std::string& file) : file_(file) {
  if (is_standard_output())
    return;
  std::error_code error;
  if (std::filesystem::is_directory(file_, error))
    cannot_write(file_, EISDIR);
  if (std::filesystem::exists(file_, error) && access(file_.c_str(), W_OK) != 0)
    cannot_write(file_, errno);
  if (!is_special(file_))
    Temporary(destination(), file_); // made and removed: the proof
}

std::string OutputFile::destination() const {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(file_, error);
  return error ? file_ : real.string();
}

void OutputFile::write(const std::string& text) const {
  write([&](const Sink& sink) { sink(text); });
}

void OutputFile::write(const std::function<void(const Sink&)>& produce) const {
  if (is_standard_output())
    return produce(print);
  if (is_special(file_)) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file_.c_str(), "w"), std::fclose);
    if (!stream)
      cannot_write(file_, errno);
    produce([&](std::string_view text) {
      if (std::fwrite(text.data(), 1, text.size(), stream.get()) != text.size())
        cannot_write(file_, errno);
    });
    if (std::fflush(stream.get()) != 0)
      cannot_write(file_, errno);
    return;
  }
  const std::string target = destination();
  Temporary temporary(target, file_);
  produce([&](std::string_view text) { temporary.write(text); });
  temporary.rename_to(target);
}

std::vector<OutputFile> json_files(const std::vector<std::string>& names) {
  std::vector<OutputFile> files;
  for (const std::string& name : names) {
    if (name != "-" && !name.ends_with(".json"))
      throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", name),
                      ".json, or -o - for JSON on standard output");
    files.emplace_back(name);
  }
  return files;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw UserError(status_usage, fmt::format("standard output cannot be written: {}", std::strerror(errno)),
                    "is the disk full?");
}

} // namespace faultline::cli
