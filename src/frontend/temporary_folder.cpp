#include "frontend/temporary_folder.h"

#include "frontend/error.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace faultline::frontend {
namespace {

// Nothing of its parent's is kept open: who reads what that prints shall see its end.
void let_go(int line) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {0, 1, 2})
    dup2(nothing, standard);
  dup2(line, 3);
  close_range(4, ~0u, 0);
}

// In a process of its own. The name is told when the folder is there; an empty one, and errno, if it cannot be made.
[[noreturn]] void keep(std::string name, pid_t parent, int line) {
  setpgid(0, 0);
  sigset_t all, death;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  sigemptyset(&death);
  sigaddset(&death, SIGTERM);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  let_go(line);
  if (getppid() != parent)
    _exit(1); // it died before the kernel knew that we want to know
  const bool made = mkdtemp(name.data());
  const int error = made ? 0 : errno;
  (void)!write(3, &error, sizeof error);
  (void)!write(3, name.data(), name.size());
  close(3);
  if (made) {
    int signal = 0;
    sigwait(&death, &signal);
    const timespec until_compilers_are_gone{0, 30'000'000}; // their keepers need less
    nanosleep(&until_compilers_are_gone, nullptr);
    std::error_code ignored;
    std::filesystem::remove_all(name, ignored);
  }
  _exit(0);
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
  int line[2];
  if (pipe2(line, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "a pipe");
  std::fflush(nullptr);
  keeper_ = fork();
  if (keeper_ == 0)
    keep(name, owner_, line[1]);
  close(line[1]);
  int error = keeper_ < 0 ? errno : 0;
  if (keeper_ > 0)
    path_ = told(line[0], name.size(), error);
  close(line[0]);
  if (error == 0)
    return;
  if (keeper_ > 0)
    waitpid(keeper_, nullptr, 0);
  cannot_be_made(std::strerror(error));
}

TemporaryFolder::~TemporaryFolder() {
  if (getpid() != owner_)
    return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  kill(keeper_, SIGKILL);
  waitpid(keeper_, nullptr, 0);
}

} // namespace faultline::frontend
