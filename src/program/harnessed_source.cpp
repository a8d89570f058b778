#include "program/harnessed_source.h"

#include "base/error.h"
#include "base/files.h"
#include "program/code_body.h"
#include "program/compiling/compilation_database.h"
#include "program/compiling/compile_cache.h"
#include "program/compiling/compiler_process.h"
#include "program/project_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace faultline::program {

namespace {

// An error with the notes that follow it.
struct Complaint {
  std::string message;
  HarnessNote* about = nullptr; // the first harness that it mentions
};

// Finds the harness in "harness_mean:3:4: error: ..." and in "In file included from harness_mean:3:".
HarnessNote* named_in(const std::string& line, HarnessNotes& notes) {
  for (HarnessNote& note : notes.harnesses)
    if (const size_t at = line.find(note.name + ":"); at == 0 || (at != std::string::npos && line[at - 1] == ' '))
      return &note;
  return nullptr;
}

// The first line of flang's messages has the file; the others describe the error.
bool is_headline(const std::string& line) {
  return line.starts_with("error: Semantic errors in ") || line.starts_with("error: Could not parse ");
}

std::vector<Complaint> complaints_in(const std::string& text, HarnessNotes& notes) {
  std::vector<Complaint> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (is_headline(line))
      continue;
    if (const size_t error = line.find("error: "); error != std::string::npos)
      all.push_back({line.substr(error + std::string_view("error: ").size())});
    if (!all.empty() && !all.back().about)
      all.back().about = named_in(line, notes);
  }
  return all;
}

using Json = nlohmann::json;

constexpr uint64_t length_of_results = 4; // of a returned vector without a known size: a guess

std::string program_path() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / "faultline-harness").string();
}

// Returns the output of faultline-harness; nothing if it fails: then the source is compiled without harnesses, which
// reports the error.
Json harnesses_from_tool(const std::string& file, Language language, const std::vector<std::string>& flags,
                         const std::string& directory, const Sources& sources) {
  std::vector<std::string> command{program_path(), language == Language::c ? "c" : "c++", file};
  command.insert(command.end(), sources.functions.begin(), sources.functions.end());
  command.push_back("--");
  command.insert(command.end(), {no_configuration_files, "-x", language == Language::c ? "c" : "c++"});
  command.insert(command.end(), flags.begin(), flags.end());
  const Compilation how = compilation_of(sources, directory, "");
  const CompilerFiles files{.readable = readable_files(command.front(), file, flags, how)};
  std::vector<std::string> question = files.readable;
  question.push_back(directory);
  question.insert(question.end(), command.begin(), command.end());
  const CompileCache cache(command.front(), question);
  const std::optional<CompilerRun> known = cache.find();
  const CompilerRun run = known ? *known : run_compiler(command, directory, file, files);
  Json answer = run.succeeded() ? Json::parse(run.output, nullptr, false) : Json();
  if (!answer.is_object())
    return Json::object();
  if (!known)
    cache.keep(run, answer.value("read", std::vector<std::string>()), directory, paths_in_flags(flags, directory));
  return answer;
}

// The values of a harness's free lengths.
class SizesOfHarness {
public:
  SizesOfHarness(const Json& harness, const model::Sizes& given) {
    uint64_t longest = 0;
    for (const Json& size : harness.at("sizes"))
      if (const std::string parameter = size.at("parameter"); parameter != "return" || given.contains(parameter))
        take(parameter, size.at("constants"), given, longest);
    for (const Json& size : harness.at("sizes"))
      for (const std::string constant : size.at("constants"))
        if (size.at("parameter") == "return" && !values_.contains(constant))
          values_[constant] = longest > 0 ? longest : length_of_results;
  }

  const std::string& missing() const { return missing_; } // the message; empty if nothing is missing

  std::string definitions() const {
    std::vector<std::string> all;
    for (const auto& [name, value] : values_)
      all.push_back(fmt::format("{} = {}", name, value));
    return fmt::format("  enum {{ {} }};", fmt::join(all, ", "));
  }
  uint64_t value(const std::string& extent) const {
    const auto found = values_.find(extent);
    return found != values_.end() ? found->second : std::stoull(extent);
  }

private:
  void take(const std::string& parameter, const std::vector<std::string>& constants, const model::Sizes& given,
            uint64_t& longest) {
    auto found = given.find(parameter);
    if (found == given.end())
      found = given.find("*");
    const bool fits = found != given.end() && (found->second.size() == constants.size() || found->second.size() == 1);
    if (!fits && missing_.empty())
      missing_ = fmt::format("'{0}' has a length that is free, and needs a size: --size {0}=N{1}", parameter,
                             constants.size() > 1 ? "xM" : "");
    for (size_t i = 0; fits && i < constants.size(); ++i) {
      values_[constants[i]] = found->second.size() == 1 ? found->second.front() : found->second[i];
      longest = std::max(longest, values_[constants[i]]);
    }
  }

  std::map<std::string, uint64_t> values_;
  std::string missing_;
};

NamedParameter named_from(const Json& json, const SizesOfHarness& sizes) {
  NamedParameter named{
      json.at("parameter"), json.at("before"), json.at("between"), json.at("after"), {}, json.at("leaves"), true, false,
      json.at("of")};
  for (const std::string extent : json.at("extents"))
    named.extents.push_back(sizes.value(extent));
  named.read = json.at("use") != "written";
  named.written = json.at("use") != "read";
  return named;
}

HarnessNote note_from(const Json& json, const Sources& sources) {
  HarnessNote note{.function = json.at("function"),
                   .symbol = json.at("symbol"),
                   .file = json.at("file"),
                   .line = json.at("line"),
                   .name = json.at("name"),
                   .text = {},
                   .parameters = {},
                   .families = json.at("families"),
                   .obstacle = json.at("obstacle")};
  if (!note.exists()) {
    note.text = json.at("text");
    return note;
  }
  model::Target target;
  target.function = note.function;
  target.file = note.file;
  target.line = note.line;
  const SizesOfHarness sizes(json, sources.shapes_of ? sources.shapes_of(target).sizes : model::Sizes{});
  note.needs_size = !sizes.missing().empty();
  note.obstacle = sizes.missing();
  if (note.needs_size)
    return note;
  note.text = json.at("text");
  if (const size_t mark = note.text.find("@sizes@"); mark != std::string::npos)
    note.text.replace(mark, std::string_view("@sizes@").size(), sizes.definitions());
  for (const Json& parameter : json.at("parameters"))
    note.parameters.push_back(named_from(parameter, sizes));
  return note;
}

HarnessNotes notes_from(const Json& answer, const Sources& sources) {
  HarnessNotes notes;
  for (const Json& harness : answer.value("harnesses", Json::array()))
    notes.harnesses.push_back(note_from(harness, sources));
  for (const Json& one : answer.value("extents", Json::array()))
    if (const std::vector<uint64_t> extents = one.at("extents");
        std::ranges::none_of(extents, [](uint64_t extent) { return extent == 0; }))
      notes.extents.push_back({one.at("symbol"), one.at("parameter"), extents});
  return notes;
}

std::string content_of(const std::string& file) {
  constexpr size_t largest = 256u << 20;
  return base::regular_content(file, largest).value_or("");
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::weakly_canonical(a, error) == std::filesystem::weakly_canonical(b, error);
}

// The source followed by the harnesses, each a separate file to the compiler.
std::string harness_code(const std::string& source, const HarnessNotes& notes) {
  std::string text = source + "\n";
  for (const HarnessNote& note : notes.harnesses)
    if (note.exists())
      text += fmt::format("#line 1 \"{}\"\n{}", note.name, note.text);
  return text;
}

} // namespace

const std::string* replacing_text(const std::string& file, const Sources& sources) {
  for (const auto& [name, text] : sources.texts)
    if (is_same_file(name, file))
      return &text;
  return nullptr;
}

std::string body_at(const std::string& file, int line, const Sources& given) {
  Sources sources = given;
  sources.folders = project_folders(sources);
  std::vector<std::string> flags;
  std::string directory, path = file;
  if (!sources.compilation_database.empty()) {
    const CompilationDatabase recorded(sources.compilation_database, sources.files, sources.trust, sources.project);
    const DatabaseEntry entry = recorded.entry_for(file);
    flags = entry.flags;
    directory = entry.directory;
    path = std::filesystem::absolute(file).string();
  }
  flags.insert(flags.end(), sources.flags.begin(), sources.flags.end());
  const Language language = language_of(file);
  flags = with_standard(language, flags);
  const char* name = language == Language::c ? "c" : "c++";
  std::vector<std::string> command{
      program_path(), "body", std::to_string(line), name, path, "--", no_configuration_files, "-x", name};
  command.insert(command.end(), flags.begin(), flags.end());
  const Compilation how = compilation_of(sources, directory, "");
  const CompilerRun run = run_compiler(command, directory, file,
                                       CompilerFiles{.readable = readable_files(command.front(), path, flags, how)});
  if (!run.succeeded())
    throw base::UserError(base::status_unsuitable, fmt::format("{}: cannot be read: {}", file, run.errors),
                          "faultline hunt shows whether it compiles");
  return run.output;
}

bool leave_out_failed(const std::string& text, HarnessNotes& notes) {
  const std::vector<Complaint> complaints = complaints_in(text, notes);
  for (const Complaint& complaint : complaints) {
    if (!complaint.about)
      return false;
    if (complaint.about->exists())
      complaint.about->obstacle = fmt::format("it cannot be called by a harness: {}", complaint.message);
  }
  return !complaints.empty();
}

std::string compile_with_harnesses(const std::string& file, const std::vector<std::string>& flags,
                                   const std::string& directory, const Sources& sources) {
  const Language language = language_of(file);
  std::vector<std::string> all = flags;
  const Json answer = harnesses_from_tool(file, language, with_standard(language, flags), directory, sources);
  HarnessNotes notes = notes_from(answer, sources);
  const std::string* other = replacing_text(file, sources);
  const std::string source = other ? *other : content_of(file);
  const Compilation how = compilation_of(sources, directory, "");
  constexpr int most_tries = 4; // each leaves out what failed. A guess: most errors appear at once
  for (int i = 0; i < most_tries; ++i) {
    if (std::ranges::none_of(notes.harnesses, &HarnessNote::exists))
      break;
    const UnnamedFile whole;
    whole.fill(harness_code(source, notes));
    all = flags;
    all.emplace_back("-ferror-limit=0");
    Compilation replaced = how;
    replaced.replacement = &whole;
    try {
      return with_notes(compile(file, all, replaced), notes);
    } catch (const base::UserError& problem) {
      if (problem.status == base::status_inconclusive)
        throw; // killed, or at a limit: another try takes as long
      if (!leave_out_failed(problem.what(), notes))
        break; // the source itself is wrong, which is reported below
    }
  }
  for (HarnessNote& note : notes.harnesses)
    if (note.exists())
      note.obstacle = "its harness does not compile";
  if (!other)
    return with_notes(compile(file, flags, how), notes);
  const UnnamedFile whole;
  whole.fill(source);
  Compilation replaced = how;
  replaced.replacement = &whole;
  return with_notes(compile(file, flags, replaced), notes);
}

} // namespace faultline::program
