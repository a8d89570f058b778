#include "run/narrowed_sources.h"

#include "base/error.h"
#include "base/files.h"
#include "model/edit.h"
#include "program/compile.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace faultline::run {

namespace fs = std::filesystem;
using base::UserError;

namespace {

constexpr size_t largest_source = 16 << 20; // bytes

std::string absolute_path(const std::string& file, const std::string& folder) {
  return (fs::path(folder) / file).lexically_normal().string();
}

bool is_cxx_record(const program::Record& record) { return record.language == "c++"; }

std::vector<std::string> reading_command(const program::Record& record, const std::vector<std::string>& more) {
  std::vector<std::string> command = {is_cxx_record(record) ? "clang++-19" : "clang-19",
                                      program::no_configuration_files};
  for (const std::string& flag : record.flags)
    if (flag != "-w")
      command.push_back(flag);
  command.insert(command.end(), more.begin(), more.end());
  command.push_back(record.source);
  return command;
}

// A compiler's message: FILE:LINE:COLUMN: error or note.
struct Complaint {
  std::string file;
  int line = 0;
  bool is_error = false;
};

std::vector<Complaint> complaints_in(const std::string& messages, const std::string& folder) {
  std::vector<Complaint> found;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const size_t error = line.find(": error: "), note = line.find(": note: "), fatal = line.find(": fatal error: ");
    const size_t mark = std::min({error, note, fatal});
    const size_t column = mark == std::string::npos ? mark : line.rfind(':', mark - 1);
    const size_t number = column == std::string::npos || column == 0 ? std::string::npos : line.rfind(':', column - 1);
    if (number == std::string::npos)
      continue;
    found.push_back(
        {absolute_path(line.substr(0, number), folder), std::atoi(line.c_str() + number + 1), note != mark});
  }
  return found;
}

} // namespace

NarrowedSources::NarrowedSources(const std::vector<program::Record>& records) {
  for (const program::Record& record : records)
    if (record.reason.empty())
      read_unit(record);
  std::set<std::string> types;
  for (size_t before = ~size_t(0); before != types.size();) {
    before = types.size();
    for (const auto& [file, text] : texts_)
      add_double_types(text.text, types);
  }
  for (const auto& [file, text] : texts_)
    for (Declaration& declaration : declarations_in(text.text, file, types))
      declarations_.push_back(std::move(declaration));
  for (size_t i = 0; i < declarations_.size(); ++i)
    for (const std::string& name : declarations_[i].names)
      by_name_[name].push_back(i);
  if (by_name_.empty())
    throw UserError(base::status_unsuitable, "the sources of the program declare nothing as double",
                    "--narrow is for programs in double");
  narrow_.assign(declarations_.size(), true);
}

void NarrowedSources::read_unit(const program::Record& record) {
  if (record.language == "fortran")
    throw UserError(base::status_unsuitable, fmt::format("{}: --narrow reads C and C++", record.source),
                    "for Fortran, try a build with another kind of real");
  Unit unit{record, {record.source}};
  const program::CompilerRun listed =
      program::run_compiler(reading_command(record, {"-MM", "-MT", "x"}), record.directory, record.source,
                            program::CompilerFiles{.environment = program::CompilerEnvironment::of_build});
  std::istringstream words(listed.output);
  for (std::string word; words >> word;)
    if (word != "x:" && word != "\\")
      if (const std::string file = absolute_path(word, record.directory); !file.starts_with("/usr/"))
        unit.files.push_back(file);
  std::ranges::sort(unit.files);
  unit.files.erase(std::ranges::unique(unit.files).begin(), unit.files.end());
  for (const std::string& file : unit.files) {
    if (texts_.contains(file))
      continue;
    const auto text = base::regular_content(file, largest_source);
    if (!text)
      throw UserError(base::status_unsuitable, fmt::format("{}: cannot be read", file),
                      "--narrow needs the sources where they were built");
    texts_[file] = {*text, tokens_of(*text)};
  }
  units_.push_back(std::move(unit));
}

std::string NarrowedSources::path_of(const std::string& shown) const {
  std::error_code error;
  const std::string path = fs::absolute(shown, error).lexically_normal().string();
  if (texts_.contains(path))
    return path;
  for (const auto& [file, text] : texts_)
    if (fs::path(file).filename() == fs::path(shown).filename())
      return file;
  return path;
}

// The nearest declaration before the line; if this file has none, those of other files.
std::vector<size_t> NarrowedSources::meant(const std::string& name, const std::string& file, int line) const {
  const auto known = by_name_.find(name);
  if (known == by_name_.end())
    return {};
  std::vector<size_t> here;
  for (const size_t i : known->second)
    if (declarations_[i].file == file && declarations_[i].line <= line)
      here = {i};
  return here.empty() ? known->second : here;
}

std::vector<size_t> NarrowedSources::used(const std::string& file, size_t begin, size_t end) const {
  std::vector<size_t> found;
  const std::vector<Token>& tokens = texts_.at(file).tokens;
  for (size_t i = begin; i < std::min(end, tokens.size()); ++i)
    for (const size_t declaration : meant(tokens[i].text, file, tokens[i].line))
      found.push_back(declaration);
  return found;
}

std::pair<size_t, size_t> NarrowedSources::tokens_of_line(const std::string& file, int line) const {
  const auto known = texts_.find(file);
  if (known == texts_.end())
    return {0, 0};
  const std::vector<Token>& tokens = known->second.tokens;
  const auto begin = std::ranges::lower_bound(tokens, line, {}, &Token::line);
  const auto end = std::ranges::upper_bound(tokens, line, {}, &Token::line);
  return {size_t(begin - tokens.begin()), size_t(end - tokens.begin())};
}

std::pair<size_t, size_t> NarrowedSources::statement_of(const Declaration& declaration) const {
  const std::vector<Token>& tokens = texts_.at(declaration.file).tokens;
  const auto ends = [](const Token& token) { return token.text == ";" || token.text == "{" || token.text == "}"; };
  size_t begin = size_t(std::ranges::lower_bound(tokens, declaration.offset, {}, &Token::offset) - tokens.begin());
  size_t end = begin;
  while (begin > 0 && !ends(tokens[begin - 1]))
    --begin;
  while (end < tokens.size() && !ends(tokens[end]))
    ++end;
  return {begin, end};
}

size_t NarrowedSources::widen(const std::vector<size_t>& declarations) {
  size_t count = 0;
  for (const size_t i : declarations)
    if (narrow_[i] && !declarations_[i].names.empty()) {
      narrow_[i] = false;
      ++count;
    }
  return count;
}

size_t NarrowedSources::widen_target(const std::string& file, int line) {
  const auto [begin, end] = tokens_of_line(file, line);
  if (begin == end)
    return 0;
  const std::vector<Token>& tokens = texts_.at(file).tokens;
  size_t set = end; // the sign of an assignment
  for (size_t i = begin; i < end && set == end; ++i) {
    const bool compares = i + 1 < end && tokens[i + 1].text == "=";
    const bool follows = i > begin && (tokens[i - 1].text == "=" || tokens[i - 1].text == "<" ||
                                       tokens[i - 1].text == ">" || tokens[i - 1].text == "!");
    if (tokens[i].text == "=" && !compares && !follows)
      set = i;
  }
  return set == end ? 0 : widen(used(file, begin, set));
}

size_t NarrowedSources::widen_line(const std::string& file, int line) {
  const auto [begin, end] = tokens_of_line(file, line);
  return begin == end ? 0 : widen(used(file, begin, end));
}

size_t NarrowedSources::widen_function(const std::string& file, int line) {
  const auto known = texts_.find(file);
  if (known == texts_.end())
    return 0;
  int depth = 0, first = 1, last = 1 << 30; // between lines on which the text is outside of all braces
  for (const Token& token : known->second.tokens) {
    if (depth == 0 && token.text == ";" && token.line < line)
      first = token.line + 1;
    depth += token.text == "{" ? 1 : token.text == "}" ? -1 : 0;
    if (depth == 0 && token.text == "}") {
      if (token.line < line)
        first = token.line + 1;
      else
        last = std::min(last, token.line);
    }
  }
  std::vector<size_t> inside;
  for (size_t i = 0; i < declarations_.size(); ++i)
    if (declarations_[i].file == file && declarations_[i].line >= first && declarations_[i].line <= last)
      inside.push_back(i);
  return widen(inside);
}

// A cast or a size goes with the names of its statement, and without names with all.
bool NarrowedSources::is_narrow(size_t declaration) const {
  const Declaration& what = declarations_[declaration];
  if (!what.names.empty())
    return narrow_[declaration];
  const auto [begin, end] = statement_of(what);
  const std::vector<size_t> named = used(what.file, begin, end);
  if (!named.empty())
    return std::ranges::all_of(named, [&](size_t i) { return narrow_[i]; });
  for (size_t i = 0; i < declarations_.size(); ++i)
    if (!narrow_[i])
      return false;
  return true;
}

// An array and what its size is taken for must not differ: memset(x, 0, n * sizeof(double)).
bool NarrowedSources::keep_sizes_together() {
  size_t count = 0;
  for (const Declaration& size : declarations_)
    if (size.kind == Declaration::Kind::size) {
      const auto [begin, end] = statement_of(size);
      const std::vector<size_t> named = used(size.file, begin, end);
      if (std::ranges::any_of(named, [&](size_t i) { return !narrow_[i]; }))
        count += widen(named);
    }
  return count > 0;
}

std::string NarrowedSources::edited_text(const std::string& file) const {
  std::vector<model::Edit> edits;
  for (size_t i = 0; i < declarations_.size(); ++i)
    if (declarations_[i].file == file && is_narrow(i))
      edits.push_back({file, declarations_[i].offset, declarations_[i].length, "float"});
  return model::edited(texts_.at(file).text, edits);
}

// For clang's -ivfsoverlay: the compiler sees other texts under the same names.
void NarrowedSources::write_overlay(const std::string& folder) const {
  nlohmann::json roots = nlohmann::json::array();
  for (const auto& [file, text] : texts_) {
    const std::string changed = edited_text(file);
    if (changed == text.text)
      continue;
    const std::string copy = fmt::format("{}/{}{}", folder, roots.size(), fs::path(file).extension().string());
    std::ofstream(copy, std::ios::binary) << changed;
    roots.push_back({{"name", file}, {"type", "file"}, {"external-contents", copy}, {"use-external-name", false}});
  }
  std::ofstream(folder + "/overlay.yaml") << nlohmann::json{{"version", 0}, {"roots", roots}}.dump();
}

// The messages about a unit; empty if it compiles. A format of scanf must fit, too.
std::string NarrowedSources::complaints(const Unit& unit, const std::string& folder) const {
  const program::CompilerRun run =
      program::run_compiler(reading_command(unit.record, {"-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics",
                                                          "-Werror=incompatible-pointer-types", "-Werror=format",
                                                          "-ivfsoverlay" + folder + "/overlay.yaml"}),
                            unit.record.directory, unit.record.source,
                            program::CompilerFiles{.environment = program::CompilerEnvironment::of_build});
  return run.succeeded() ? "" : run.errors;
}

// What the lines of the messages name: pointers, arrays and templates if there are any, else all; else the parameters
// of functions that they name.
size_t NarrowedSources::widen_for(const std::string& messages, const Unit& unit) {
  std::vector<size_t> named, addressed, indirect, parameters;
  for (const Complaint& complaint : complaints_in(messages, unit.record.directory)) {
    const auto [begin, end] = tokens_of_line(complaint.file, complaint.line);
    if (begin == end)
      continue;
    for (const size_t i : used(complaint.file, begin, end))
      if (narrow_[i]) {
        named.push_back(i);
        if (declarations_[i].is_indirect)
          indirect.push_back(i);
      }
    const std::vector<Token>& tokens = texts_.at(complaint.file).tokens;
    for (size_t token = begin + 2; token < end; ++token)
      if (tokens[token - 1].text == "&" && (tokens[token - 2].text == "(" || tokens[token - 2].text == ","))
        for (const size_t i : used(complaint.file, token, token + 1))
          if (narrow_[i])
            addressed.push_back(i);
    for (size_t i = 0; i < declarations_.size(); ++i)
      for (size_t token = begin; token < end; ++token)
        if (!declarations_[i].owner.empty() && declarations_[i].owner == tokens[token].text)
          parameters.push_back(i);
  }
  for (const std::vector<size_t>* found : {&addressed, &indirect, &named})
    if (!found->empty())
      return widen(*found);
  return widen(parameters);
}

bool NarrowedSources::close() {
  for (bool changed = true; changed;) {
    changed = keep_sizes_together();
    const program::TemporaryFolder folder;
    write_overlay(folder.path());
    for (const Unit& unit : units_) {
      const std::string messages = complaints(unit, folder.path());
      if (messages.empty())
        continue;
      if (widen_for(messages, unit) == 0) {
        message_ = program::first_error(messages);
        return false;
      }
      changed = true;
    }
  }
  return true;
}

std::vector<program::Record> NarrowedSources::compiled() const {
  const program::TemporaryFolder folder;
  write_overlay(folder.path());
  std::vector<program::Record> records;
  for (const Unit& unit : units_) {
    const bool same = std::ranges::all_of(
        unit.files, [&](const std::string& file) { return edited_text(file) == texts_.at(file).text; });
    if (same)
      continue;
    std::vector<std::string> flags = unit.record.flags;
    flags.push_back("-ivfsoverlay" + folder.path() + "/overlay.yaml");
    program::CompilerRun run = program::run_bitcode_compiler(
        is_cxx_record(unit.record) ? program::Language::cxx : program::Language::c, unit.record.source, flags,
        {.directory = unit.record.directory, .environment = program::CompilerEnvironment::of_build});
    if (!run.succeeded())
      throw UserError(base::status_unsuitable,
                      fmt::format("{}: does not compile: {}", unit.record.source, program::first_error(run.errors)),
                      "build the program again");
    records.push_back(unit.record);
    records.back().bitcode = std::move(run.output);
  }
  return records;
}

std::vector<const Declaration*> NarrowedSources::declarations(bool narrowed) const {
  std::vector<const Declaration*> found;
  for (size_t i = 0; i < declarations_.size(); ++i)
    if (!declarations_[i].names.empty() && narrow_[i] == narrowed)
      found.push_back(&declarations_[i]);
  return found;
}

std::string NarrowedSources::diff() const {
  std::string diff;
  std::error_code error;
  for (const auto& [file, text] : texts_) {
    const std::string relative = fs::relative(file, fs::current_path(error), error).string();
    diff += model::unified_diff(relative.empty() || relative.starts_with("..") ? file : relative, text.text,
                                edited_text(file));
  }
  return diff;
}

} // namespace faultline::run
