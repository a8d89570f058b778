#include "program/compiling/compile_cache.h"

#include "base/files.h"
#include "model/report.h"
#include "program/content_hash.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::program {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr size_t largest_answer = 512u << 20;                              // bytes: the limit of a compiler's output
constexpr uint64_t most_kept = 512u << 20, kept_after = most_kept / 4 * 3; // bytes: a guess

// FAULTLINE_CACHE names another folder, or is "off".
std::string chosen_folder() {
  if (const char* folder = std::getenv("FAULTLINE_CACHE"); folder && *folder)
    return *folder == '/' ? folder : "";
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder == '/')
    return std::string(folder) + "/faultline/compiled";
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.cache/faultline/compiled" : "";
}

bool is_own(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

// The folder, made if necessary; empty if it cannot be used.
std::string usable_folder() {
  const std::string folder = chosen_folder();
  if (folder.empty())
    return {};
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  mkdir(folder.c_str(), S_IRWXU);
  struct stat status {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_own(status) ? folder : "";
}

// A file that is no part of a project: its path, size and time.
std::string identity_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    return path.string() + " is missing";
  return fmt::format("{} {} {}.{}", path.string(), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

fs::path found_on_path(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return program;
  const std::string folders = std::getenv("PATH") ? std::getenv("PATH") : "";
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    const fs::path path = fs::path(folders.substr(begin, end - begin)) / program;
    if (access(path.c_str(), X_OK) == 0) {
      std::error_code error;
      return fs::canonical(path, error);
    }
    begin = end + 1;
  }
  return program;
}

std::string environment_text() {
  std::string text;
  for (const char* name : {"PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LD_LIBRARY_PATH", "CPATH",
                           "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SOURCE_DATE_EPOCH"})
    text += fmt::format("{}={}\n", name, std::getenv(name) ? std::getenv(name) : "");
  return text;
}

// Of a file's content; empty if it cannot be read. Many sources read the same headers, so hashes are kept for as long
// as the files do not change.
std::string hash_of_file(const std::string& path) {
  static std::map<std::string, std::pair<std::string, std::string>> known; // identity and hash
  const std::string identity = identity_of(path);
  auto& [of, hash] = known[path];
  if (of != identity) {
    of = identity;
    hash = base::open_regular(path) ? content_hash(path) : "";
  }
  return hash;
}

// Of the names of headers in a folder.
std::string hash_of_headers(const std::string& folder) {
  static const std::set<std::string> endings = {"",   ".h",   ".hh",  ".hpp", ".hxx", ".h++",
                                                ".H", ".inc", ".inl", ".ipp", ".tpp"};
  static std::map<std::string, std::pair<std::string, std::string>> known;
  const std::string identity = identity_of(folder);
  auto& [of, hash] = known[folder];
  if (of == identity)
    return hash;
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
    if (endings.contains(file->path().extension().string()))
      names.insert(file->path().filename().string());
  std::string all;
  for (const std::string& name : names)
    all += name + "/";
  of = identity;
  hash = md5_of(all);
  return hash;
}

struct Answer {
  Json files, folders; // names and hashes
  CompilerRun run;
};

std::string written(const Answer& answer) {
  const std::string payload = answer.run.output + answer.run.errors;
  const Json head = {{"files", answer.files},
                     {"folders", answer.folders},
                     {"output", answer.run.output.size()},
                     {"hash", md5_of(payload)}};
  return head.dump() + "\n" + payload;
}

// Nothing if the file is damaged.
std::optional<Answer> answer_in(const std::string& text) {
  const size_t end = text.find('\n');
  const Json head = end == std::string::npos ? Json() : Json::parse(text.substr(0, end), nullptr, false);
  if (!head.is_object() || !head.contains("hash") || !head.contains("files") || !head.contains("folders") ||
      !head.contains("output") || !head["output"].is_number_unsigned() || !head["files"].is_object() ||
      !head["folders"].is_object())
    return std::nullopt;
  const std::string payload = text.substr(end + 1);
  const size_t output = head["output"];
  if (output > payload.size() || head["hash"] != md5_of(payload))
    return std::nullopt;
  return Answer{head["files"], head["folders"], {0, payload.substr(0, output), payload.substr(output)}};
}

// Removes what was not used for the longest time.
void make_room(const std::string& folder) {
  std::multimap<fs::file_time_type, fs::path> oldest;
  std::map<fs::path, uint64_t> sizes;
  uint64_t all = 0;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    const uint64_t size = file->file_size(error);
    if (error) { // another process has removed it
      error.clear();
      continue;
    }
    oldest.emplace(file->last_write_time(error), file->path());
    sizes[file->path()] = size;
    all += size;
  }
  if (all <= most_kept)
    return;
  for (const auto& [time, path] : oldest) {
    if (all <= kept_after)
      return;
    fs::remove(path, error);
    all -= sizes[path];
  }
}

} // namespace

CompileCache::CompileCache(const std::string& program, const std::vector<std::string>& question)
    : asked_(std::chrono::system_clock::now()) {
  const std::string folder = usable_folder();
  if (folder.empty())
    return;
  std::error_code error;
  static const std::string self = identity_of(fs::read_symlink("/proc/self/exe", error));
  std::string text =
      fmt::format("{}\n{}\n{}\n{}", model::version, self, identity_of(found_on_path(program)), environment_text());
  for (const std::string& word : question)
    text += fmt::format("{} {}\n", word.size(), word);
  text += fs::current_path(error).string();
  file_ = folder + "/" + sha256_of(text);
}

std::optional<CompilerRun> CompileCache::find() const {
  struct stat status {};
  if (file_.empty() || lstat(file_.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || !is_own(status))
    return std::nullopt;
  std::optional<Answer> answer = answer_in(base::regular_content(file_, largest_answer).value_or(""));
  if (!answer)
    return std::nullopt;
  const auto is_as_before = [](const Json& names, std::string (*hash)(const std::string&)) {
    return std::ranges::all_of(names.items(), [&](const auto& entry) { return entry.value() == hash(entry.key()); });
  };
  if (!is_as_before(answer->files, hash_of_file) || !is_as_before(answer->folders, hash_of_headers))
    return std::nullopt;
  utimensat(AT_FDCWD, file_.c_str(), nullptr, 0);
  return std::move(answer->run);
}

void CompileCache::keep(const CompilerRun& answer, const std::vector<std::string>& read, const std::string& directory,
                        const std::vector<std::string>& searched) const {
  if (file_.empty() || !answer.succeeded() || read.empty() ||
      answer.output.size() + answer.errors.size() > largest_answer / 4)
    return;
  constexpr auto resolution = std::chrono::milliseconds(10); // of the times of files
  Answer kept{Json::object(), Json::object(), answer};
  for (const std::string& folder : searched)
    if (std::error_code error; fs::is_directory(folder, error))
      kept.folders[folder] = hash_of_headers(folder);
  for (const std::string& name : read) {
    const std::string path = fs::absolute(fs::path(directory) / name).string();
    struct stat status {};
    if (stat(path.c_str(), &status) != 0)
      return;
    const auto changed = std::chrono::system_clock::from_time_t(status.st_mtim.tv_sec) +
                         std::chrono::nanoseconds(status.st_mtim.tv_nsec);
    if (changed + resolution >= asked_ || hash_of_file(path).empty())
      return;
    kept.files[path] = hash_of_file(path);
    const std::string folder = fs::path(path).parent_path().string();
    kept.folders[folder] = hash_of_headers(folder);
  }
  try {
    base::replace_file(file_, written(kept));
    chmod(file_.c_str(), S_IRUSR | S_IWUSR);
    make_room(fs::path(file_).parent_path().string());
  } catch (const std::system_error&) { // a full disk: the answer is made again next time
  }
}

} // namespace faultline::program
