#include "frontend/temporary_folder.h"

#include "frontend/error.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace faultline::frontend {
namespace {

constexpr int line_descriptor = base::ProcessOptions::first_kept;

// In a process of its own, with all signals blocked. It sends errno and the name of the folder.
int keep(std::string name) {
  const bool made = mkdtemp(name.data());
  const int error = made ? 0 : errno;
  base::write_all(line_descriptor, {reinterpret_cast<const char*>(&error), sizeof error});
  base::write_all(line_descriptor, name);
  close(line_descriptor);
  if (made) {
    sigset_t death;
    sigemptyset(&death);
    sigaddset(&death, SIGTERM);
    int signal = 0;
    sigwait(&death, &signal);
    const timespec until_compilers_are_gone{0, 30'000'000}; // their keepers need less
    nanosleep(&until_compilers_are_gone, nullptr);
    std::error_code ignored;
    std::filesystem::remove_all(name, ignored);
  }
  return 0;
}

// What the keeper tells. A keeper that is killed says nothing.
std::string told(int line, size_t length, int& error) {
  std::string name(length, '\0');
  size_t done = 0;
  if (read(line, &error, sizeof error) != sizeof error)
    error = ECHILD;
  while (error == 0 && done < length) {
    const ssize_t count = read(line, name.data() + done, length - done);
    if (count <= 0)
      error = ECHILD;
    else
      done += size_t(count);
  }
  return name;
}

[[noreturn]] void cannot_be_made(const std::string& why) {
  const char* said = std::getenv("TMPDIR");
  throw UserError(status_usage,
                  fmt::format("no temporary folder can be made in {}: {}", said && *said ? said : "/tmp", why),
                  "TMPDIR names a folder that exists and that you may write to");
}

} // namespace

TemporaryFolder::TemporaryFolder() : owner_(getpid()) {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
  if (problem)
    cannot_be_made(problem.message());
  const std::string name = (folder / "faultline-XXXXXX").string();
  base::Pipe line;
  constexpr int nothing = base::ProcessOptions::nothing;
  keeper_ = base::Process::copy([&] { return keep(name); }, {.input = nothing,
                                                             .output = nothing,
                                                             .errors = nothing,
                                                             .kept = {line.writing.number()},
                                                             .own_group = true,
                                                             .death_signal = SIGTERM,
                                                             .blocked = base::all_signals()});
  line.writing.close();
  int error = 0;
  path_ = told(line.reading.number(), name.size(), error);
  if (error != 0)
    cannot_be_made(std::strerror(error));
}

TemporaryFolder::~TemporaryFolder() {
  if (getpid() != owner_)
    return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace faultline::frontend
