#include "campaign/commit.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace faultline::campaign {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  constexpr size_t most = 4096; // a path or a hash
  std::ifstream stream(file);
  std::string line;
  for (char c; line.size() < most && stream.get(c) && c != '\n';)
    line += c;
  return line;
}

bool is_hash(const std::string& text) {
  return text.size() >= 40 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string after(const std::string& text, std::string_view mark) {
  return text.starts_with(mark) ? text.substr(mark.size()) : std::string();
}

std::string in_packed(const fs::path& file, const std::string& name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.ends_with(" " + name))
      return line.substr(0, line.find(' '));
  return {};
}

std::string head_in(const fs::path& git) {
  const std::string head = first_line(git / "HEAD"), name = after(head, "ref: ");
  if (name.empty())
    return head;
  // A worktree has its own HEAD, and its branches in the folder that all share.
  const std::string shared = first_line(git / "commondir");
  const fs::path common = shared.empty() ? git : git / shared;
  const std::string loose = first_line(common / name);
  return loose.empty() ? in_packed(common / "packed-refs", name) : loose;
}

} // namespace

std::string commit_of(const std::string& folder) {
  std::error_code error;
  for (fs::path at = fs::absolute(folder, error).lexically_normal();; at = at.parent_path()) {
    const fs::path git = at / ".git";
    std::string commit;
    if (fs::is_directory(git, error))
      commit = head_in(git);
    else if (fs::is_regular_file(git, error))
      commit = head_in(at / after(first_line(git), "gitdir: "));
    if (fs::exists(git, error))
      return is_hash(commit) ? commit : std::string();
    if (at == at.parent_path())
      return {};
  }
}

} // namespace faultline::campaign
