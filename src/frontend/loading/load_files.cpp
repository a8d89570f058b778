#include "frontend/loading/load_files.h"

#include "frontend/compile.h"
#include "frontend/compiling/compilation_database.h"
#include "frontend/compiling/compiler_advice.h"
#include "frontend/compiling/compiler_process.h"
#include "frontend/compiling/fortran_order.h"
#include "frontend/error.h"
#include "frontend/fpcore/file.h"
#include "frontend/temporary_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <sstream>

namespace faultline::frontend {
namespace {

constexpr size_t most_told = 5; // of a sort: whoever has more of them mends the first ones first

bool is_fortran(const std::string& file) { return language_of(file) == Language::fortran; }

bool is_read(const std::string& file) {
  return language_of(file) == Language::bitcode || language_of(file) == Language::assembly;
}

// Files that the database does not list, and whose flags they get.
void tell_neighbours(const Sources& sources, std::vector<std::string>& remarks) {
  size_t guessed = 0;
  for (const std::string& file : sources.files) {
    if (is_read(file) || language_of(file) == Language::fpcore)
      continue;
    const std::string neighbour = sources.recorded->entry_for(file).neighbour;
    if (neighbour.empty() || ++guessed > most_told)
      continue;
    remarks.push_back(fmt::format("{} is not in {}: it is compiled with the flags of {}", file,
                                  sources.compilation_database, neighbour));
  }
  if (guessed > most_told)
    remarks.push_back(fmt::format("... and {} more files with the flags of a neighbour", guessed - most_told));
}

// As an error's hints are printed.
std::string lines_to_try(const std::string& hint) {
  std::string text;
  std::istringstream lines(hint);
  for (std::string line; std::getline(lines, line);)
    text += "\n  try: " + line;
  return text;
}

class Loading {
public:
  explicit Loading(const Sources& given) : sources_(given) {
    if (std::ranges::any_of(sources_.files, is_fortran))
      modules_.emplace();
    if (sources_.compilation_database.empty())
      return;
    sources_.recorded =
        std::make_shared<CompilationDatabase>(sources_.compilation_database, sources_.files, sources_.trust);
    tell_neighbours(sources_, loaded_.remarks);
  }

  LoadedFiles run() {
    const FortranOrder order = in_order_of_modules(sources_.files);
    std::ranges::copy(order.remarks, std::back_inserter(loaded_.remarks));
    for (const std::string& file : order.files)
      read(file);
    if (units_.empty())
      throw *first_failure_;
    for (const std::string& file : sources_.files)
      if (const auto unit = units_.find(file); unit != units_.end()) {
        loaded_.units.push_back(std::move(unit->second));
        units_.erase(unit);
      }
    if (loaded_.left_out.size() > most_told)
      loaded_.remarks.push_back(
          fmt::format("... and {} more files that do not compile", loaded_.left_out.size() - most_told));
    return std::move(loaded_);
  }

private:
  void read(const std::string& file) {
    try {
      units_.emplace(file, Unit::read(file, sources_, modules_ ? modules_->path() : ""));
      if (language_of(file) == Language::fpcore)
        tell_said(file);
    } catch (const CompilerKilled&) {
      throw; // the next run would take its functions for new ones
    } catch (const UserError& error) {
      if (sources_.files.size() == 1 || error.status == status_usage)
        throw;
      if (!first_failure_)
        first_failure_ = error;
      loaded_.left_out.push_back(file);
      if (loaded_.left_out.size() <= most_told)
        loaded_.remarks.push_back(fmt::format("{} is left out, as it does not compile: {}{}", file,
                                              first_error(error.what()),
                                              error.hint == told_hint_ ? "" : lines_to_try(error.hint)));
      told_hint_ = error.hint;
    }
  }

  // What is wrong with ranges and meanings is an error now, not when they are used.
  void tell_said(const std::string& file) {
    const auto is_meant = [&](const std::string& function) {
      return sources_.functions.empty() || std::ranges::find(sources_.functions, function) != sources_.functions.end();
    };
    for (const fpcore::FunctionSaid& said : fpcore::said_in(file)) {
      if (!is_meant(said.function))
        continue;
      std::ranges::copy(said.remarks, std::back_inserter(loaded_.remarks));
      if (said.has_conditions && sources_.preconditions == fpcore::Preconditions::left_out)
        loaded_.remarks.push_back(
            fmt::format("{}: its :pre says more than ranges; what is proved holds without that, for all of the ranges",
                        said.function));
    }
  }

  Sources sources_;
  std::optional<TemporaryFolder> modules_; // only Fortran needs it
  std::map<std::string, Unit> units_;
  std::optional<UserError> first_failure_;
  std::string told_hint_; // the last one: files often lack the same
  LoadedFiles loaded_;
};

} // namespace

LoadedFiles load_files(const Sources& sources) { return Loading(sources).run(); }

} // namespace faultline::frontend
