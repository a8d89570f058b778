// lib/faultline/redirect.so, which `faultline record` makes the loader of every process load (LD_AUDIT, rtld-audit(7)).
// It runs before the program and its libraries: a program with captured code is replaced by its recording twin, and so
// is each library that is loaded, by its path, however the process was started. It uses the C library only, in a name
// space of its own.
//
// `faultline record --twin FILE -o ANSWER` makes a twin, once for each file: the answer is the first line of a file in
// the folder of the recording, the twin's path, or "!" and the reason why there is none.
#include "run/call_record.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* capture_section = ".faultline"; // program/capture/section.h, which needs LLVM

const Elf64_Shdr* section_at(const char* bytes, uint64_t size, uint64_t index) {
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(bytes);
  if (index >= header.e_shnum || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > size ||
      (index + 1) * sizeof(Elf64_Shdr) > size - header.e_shoff)
    return nullptr;
  const auto* section = reinterpret_cast<const Elf64_Shdr*>(bytes + header.e_shoff) + index;
  return section->sh_offset <= size && section->sh_size <= size - section->sh_offset ? section : nullptr;
}

bool names_section(const char* bytes, uint64_t size) {
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(bytes);
  if (std::memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64)
    return false;
  const Elf64_Shdr* names = section_at(bytes, size, header.e_shstrndx);
  const size_t length = std::strlen(capture_section) + 1;
  for (uint64_t i = 0; names && i < header.e_shnum; ++i) {
    const Elf64_Shdr* section = section_at(bytes, size, i);
    if (section && section->sh_name <= names->sh_size && names->sh_size - section->sh_name >= length &&
        std::memcmp(bytes + names->sh_offset + section->sh_name, capture_section, length) == 0)
      return true;
  }
  return false;
}

bool has_captured_code(int file, const struct stat& status) {
  if (!S_ISREG(status.st_mode) || status.st_size < off_t(sizeof(Elf64_Ehdr)))
    return false;
  void* mapped = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  if (mapped == MAP_FAILED)
    return false;
  const bool found = names_section(static_cast<const char*>(mapped), uint64_t(status.st_size));
  munmap(mapped, size_t(status.st_size));
  return found;
}

bool is_ours(const char* variable) {
  return std::strncmp(variable, "LD_AUDIT=", 9) == 0 || std::strncmp(variable, "FAULTLINE_RECORD_", 17) == 0;
}

// The output goes nowhere: the program's own streams must not change.
void make_twin(const char* maker, const char* file, const char* answer) {
  size_t count = 0;
  while (environ[count])
    ++count;
  auto** environment = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
  if (!environment)
    return;
  for (size_t i = 0, kept = 0; i < count; ++i)
    if (!is_ours(environ[i]))
      environment[kept++] = environ[i];
  const char* arguments[] = {maker, "record", "--twin", file, "-o", answer, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; ++stream)
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawn(&child, maker, &actions, nullptr, const_cast<char**>(arguments), environment) == 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  posix_spawn_file_actions_destroy(&actions);
  std::free(environment);
}

// Sets `twin` to the first line of the answer. False if the file has no captured code, or no twin.
bool find_twin(const char* file, char (&twin)[PATH_MAX]) {
  const char *folder = std::getenv(faultline::run::folder_variable),
             *maker = std::getenv(faultline::run::maker_variable);
  const int opened = folder && maker ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  struct stat status {};
  const bool captured = opened >= 0 && fstat(opened, &status) == 0 && has_captured_code(opened, status);
  if (opened >= 0)
    close(opened);
  if (!captured)
    return false;
  char answer[PATH_MAX], lock[PATH_MAX];
  std::snprintf(answer, sizeof answer, "%s/twin-%llx-%llx-%llx-%lx", folder, (unsigned long long)status.st_dev,
                (unsigned long long)status.st_ino, (unsigned long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  if (access(answer, F_OK) != 0) { // other processes wait for the twin, too
    std::snprintf(lock, sizeof lock, "%s/lock", folder);
    const int locked = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (locked >= 0)
      flock(locked, LOCK_EX);
    if (access(answer, F_OK) != 0)
      make_twin(maker, file, answer);
    if (access(answer, F_OK) != 0) // an empty answer prevents another try
      close(open(answer, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (locked >= 0)
      close(locked);
  }
  const int read_from = open(answer, O_RDONLY | O_CLOEXEC);
  const ssize_t length = read_from >= 0 ? read(read_from, twin, sizeof twin - 1) : 0;
  if (read_from >= 0)
    close(read_from);
  twin[length > 0 ? length : 0] = 0;
  twin[std::strcspn(twin, "\n")] = 0;
  return twin[0] == '/' && access(twin, R_OK) == 0;
}

// Before anything of the program has run.
[[gnu::constructor]] void replace_program(int, char** arguments, char** environment) {
  char program[PATH_MAX], twin[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0 || getauxval(AT_SECURE))
    return;
  program[length] = 0;
  if (find_twin(program, twin))
    execve(twin, arguments, environment);
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] unsigned la_version(unsigned version) {
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

// Called for each path at which the loader looks for a library.
[[gnu::visibility("default")]] char* la_objsearch(const char* name, uintptr_t*, unsigned) {
  static char twin[PATH_MAX]; // the loader holds a lock
  const bool is_path = std::strchr(name, '/') != nullptr;
  return is_path && find_twin(name, twin) ? twin : const_cast<char*>(name);
}

} // extern "C"
