#include "recorder/signature_file.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::recorder {
namespace {

Signatures map_signatures(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return {};
  struct stat status {};
  Signatures signatures;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    void* mapped = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED)
      signatures = signatures_in(mapped, uint64_t(status.st_size));
  }
  close(file);
  return signatures;
}

bool is_ours(const char* variable) {
  return std::strncmp(variable, "LD_PRELOAD=", 11) == 0 || std::strncmp(variable, "FAULTLINE_RECORD_", 17) == 0;
}

// The environment without what makes a process one that is recorded.
char** plain_environment() {
  size_t count = 0;
  while (environ && environ[count])
    ++count;
  auto** plain = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
  size_t kept = 0;
  for (size_t i = 0; plain && i < count; ++i)
    if (!is_ours(environ[i]))
      plain[kept++] = environ[i];
  return plain;
}

// Its output is thrown away: the program's own belongs to the program.
void make_signatures(const char* program, const char* path, const char* to) {
  char* arguments[] = {const_cast<char*>(program),
                       const_cast<char*>("record"),
                       const_cast<char*>("--signatures"),
                       const_cast<char*>(path),
                       const_cast<char*>("-o"),
                       const_cast<char*>(to),
                       nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {0, 1, 2})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
  char** environment = plain_environment();
  pid_t child = 0;
  if (environment && posix_spawn(&child, program, &actions, nullptr, arguments, environment) == 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  posix_spawn_file_actions_destroy(&actions);
  std::free(environment);
}

} // namespace

Signatures signatures_of(const char* path, const char* folder, const char* program, char* name, size_t name_bytes) {
  struct stat status {};
  if (stat(path, &status) != 0)
    return {};
  std::snprintf(name, name_bytes, "signatures-%llx-%llx-%llx-%lx", (unsigned long long)status.st_dev,
                (unsigned long long)status.st_ino, (unsigned long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  char to[PATH_MAX], made[PATH_MAX + 32];
  std::snprintf(to, sizeof to, "%s/%s", folder, name);
  if (access(to, F_OK) != 0) { // another process may be about it: whoever is last wins, with the same content
    std::snprintf(made, sizeof made, "%s.%d", to, int(getpid()));
    make_signatures(program, path, made);
    if (rename(made, to) != 0) // an empty one: it is not tried again
      close(open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  }
  return map_signatures(to);
}

} // namespace faultline::recorder
