#include "hunt/targets.h"
#include "base/error.h"
#include "base/text.h"
#include "exec/extent_probe.h"
#include "hunt/configuration.h"
#include "hunt/workers.h"
#include "instrument/count.h"
#include "judge/extent_search.h"
#include "judge/judge.h"
#include "judge/meaning/statements.h"
#include "judge/space_of_target.h"
#include "model/settings/table.h"
#include "program/capture/section.h"
#include "program/content_hash.h"
#include "program/project_files.h"
#include "program/target_names.h"
#include "search/legal.h"
#include "search/strategy.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::hunt {

using namespace model;
using namespace program;

Listing list(const Options& options) {
  Program program = load_program(options);
  Listing listing{{}, program.captured()};
  if (const std::string left_out = program.left_out_remark(); options.tell && !left_out.empty())
    options.tell(left_out);
  if (options.tell && !program.without_harness().empty())
    options.tell(program.without_harness());
  std::vector<Target> targets = targets_of(program, options, Fit::anything);
  program::check_aliases(targets, options.settings.aliases);
  program::check_sizes(targets, options.settings.sizes);
  for (Target& target : targets) {
    const Settings own = settings_for(target, options);
    if (own.skip && !by_name(options) && target.huntable()) {
      target.unsuitable = fmt::format("skipped by {}", options.configuration->file);
      target.obstacle = Obstacle::skipped;
    }
    const uint64_t sites = target.huntable() ? instrument::count_sites(program, target.symbol) : 0;
    std::map<std::string, std::string> held;
    std::map<std::string, std::vector<int64_t>> values;
    for (const search::Dimension& dimension : judge::space_of(target, own).dimensions)
      if (!dimension.floating && dimension.held() && (target.suitable() || own.held.contains(dimension.name)))
        held[dimension.name] = judge::range_end(dimension.low, dimension);
      else if (!dimension.values.empty())
        values[dimension.name].assign(dimension.values.begin(), dimension.values.end());
    listing.targets.push_back({std::move(target), sites, std::move(held), std::move(values)});
  }
  return listing;
}

namespace {

// Returns a hint with some of the lines that have additions.
std::string hint(const runtime::SiteTable& table) {
  constexpr size_t most = 8;
  std::set<std::pair<std::string, int>> lines;
  for (const runtime::Site& site : table.sites)
    if (site.line > 0)
      lines.insert({std::filesystem::path(site.file).filename().string(), site.line});
  if (lines.empty())
    return "the code has no additions";
  std::vector<std::string> names;
  for (const auto& [file, line] : lines)
    if (names.size() < most)
      names.push_back(fmt::format("{}:{}", file, line));
  return fmt::format("additions are in {}{}", fmt::join(names, ", "), lines.size() > most ? ", ..." : "");
}

} // namespace

void check_lines(Program& program, const std::vector<Target>& targets, const search::Checks& checks) {
  if (checks.lines.empty())
    return;
  runtime::SiteTable additions;
  for (const Target& target : targets)
    std::ranges::move(instrument::addition_sites(program, target.symbol), std::back_inserter(additions.sites));
  if (const search::CheckedLine* line = search::without_addition(checks, additions))
    throw base::UserError(base::status_usage,
                          fmt::format("--site {}:{}: there is no addition or subtraction", line->file, line->line),
                          hint(additions));
}

namespace {

constexpr size_t most_reasons = 5; // at most this many are printed

// Returns the functions to search. Of those that -f names, some may be unsuitable.
// `skipped` counts the others.
std::vector<Target> huntable_targets(Program& program, const Options& options, std::map<Obstacle, size_t>& skipped) {
  std::vector<Target> all = targets_of(program, options, Fit::huntable);
  if (!options.functions.empty())
    return all;
  if (all.empty())
    throw base::UserError(base::status_unsuitable,
                          options.sources.files.size() == 1
                              ? fmt::format("{}: there are no functions in it that another file could call",
                                            options.sources.files.front())
                              : "there are no functions in these files that another one could call",
                          "a file with such functions; main and static ones are not counted");
  std::vector<Target> fitting;
  std::vector<std::string> reasons;
  program::check_sizes(all, options.settings.sizes);
  for (Target& target : all) {
    if (settings_for(target, options).skip) {
      target.unsuitable = fmt::format("skipped by {}", options.configuration->file);
      target.obstacle = Obstacle::skipped;
    }
    if (target.huntable() && options.near && !find_seen(*options.seen, target)) {
      target.unsuitable = "it was not called in the recorded run (--near)";
      target.obstacle = Obstacle::skipped;
    }
    if (target.huntable()) {
      fitting.push_back(std::move(target));
      continue;
    }
    ++skipped[target.obstacle];
    if (reasons.size() < most_reasons)
      reasons.push_back(fmt::format("{}: {}", target.function, target.unsuitable));
  }
  if (fitting.empty())
    throw base::UserError(base::status_unsuitable,
                          fmt::format("no function is suitable\n  {}", fmt::join(reasons, "\n  ")),
                          "write a harness: a function with scalar parameters or plain arrays that calls the code");
  return fitting;
}

HuntTargets targets_before_measuring(const Options& options) {
  search::check_strategy(options.settings.strategy);
  HuntTargets selected{load_program(options), {}, {}, {}, {}};
  if (options.tell && !selected.program.captured().missing.empty())
    options.tell(program::capture_text(selected.program.captured(), false));
  for (Target& target : huntable_targets(selected.program, options, selected.skipped))
    (target.huntable() ? selected.targets : selected.refused).push_back(std::move(target));
  for (const Target& target : selected.targets)
    selected.settings.push_back(settings_for(target, options));
  return selected;
}

// Measures arrays. A function whose arrays cannot be measured is refused.
void measure(HuntTargets& selected, const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory) {
  selected.measured = measure(selected.program, selected.targets, selected.settings, options, stop, memory);
  for (size_t i = selected.targets.size(); i-- > 0;)
    if (!selected.targets[i].suitable()) {
      selected.refused.push_back(std::move(selected.targets[i]));
      selected.targets.erase(selected.targets.begin() + long(i));
      selected.settings.erase(selected.settings.begin() + long(i));
      selected.measured.erase(selected.measured.begin() + long(i));
    }
  if (selected.targets.empty())
    throw base::UserError(base::status_unsuitable,
                          fmt::format("{}: {}", selected.refused.back().function, selected.refused.back().unsuitable));
}

void check(HuntTargets& selected, const Options& options) {
  judge::check_names(selected.targets, options.settings);
  judge::check_meanings(selected.targets, options.settings);
  for (size_t i = 0; i < selected.targets.size(); ++i)
    judge::meanings_of(selected.targets[i], selected.settings[i]); // wrong ones are refused before anything runs
  check_lines(selected.program, selected.targets, judge::checks_of(options.settings));
  if (options.settings.oracle == OracleName::reference && selected.targets.size() != 1)
    throw base::UserError(base::status_usage, "a reference belongs to one function", "name it with -f");
}

} // namespace

HuntTargets select_targets(const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory) {
  HuntTargets selected = targets_before_measuring(options);
  measure(selected, options, stop, memory);
  check(selected, options);
  return selected;
}

HuntTargets select_unmeasured_targets(const Options& options) {
  HuntTargets selected = targets_before_measuring(options);
  check(selected, options);
  return selected;
}

namespace {

// Checks functions given by name. An error in the configuration, such as a size with a wrong name, may be the reason
// why one is unsuitable.
void check_named(Program& program, const Options& options) {
  std::vector<Target> named = program.targets(options.settings.sizes, options.settings.aliases);
  std::erase_if(named, [&](const Target& target) {
    return std::ranges::none_of(program::names_of(target), [&](const std::string& name) {
      return std::ranges::find(options.functions, name) != options.functions.end();
    });
  });
  check(*options.configuration, named, false);
}

[[noreturn]] void refuse_pattern(const std::string& pattern, const std::vector<Target>& like,
                                 const std::vector<Target>& all) {
  if (!like.empty())
    throw base::UserError(base::status_unsuitable,
                          fmt::format("-f '{}': none of {} like this can be tested\n  {}: {}", pattern,
                                      base::counted(like.size(), "function"), like.front().function,
                                      like.front().unsuitable),
                          "faultline list --all shows why, function by function");
  std::vector<std::string> names;
  for (const Target& target : all)
    names.push_back(target.function);
  std::string stem = pattern;
  std::erase_if(stem, [](char letter) { return letter == '*' || letter == '?'; });
  const std::vector<std::string> close = base::nearest(stem, names);
  throw base::UserError(base::status_unsuitable, fmt::format("there is no function like '{}'", pattern),
                        close.empty()
                            ? "faultline list shows all names; * matches anything"
                            : fmt::format("the nearest names: {}; faultline list shows all", fmt::join(close, ", ")));
}

// True if a name in -f is a pattern and not a name. Some names contain * or [, such as f(double*).
bool stands_for_others(const std::string& name, const std::vector<Target>& all) {
  return !all.empty() && program::is_pattern(name) && program::called(name, all).empty();
}

bool is_good_for(const Target& target, Fit fit) {
  if (fit == Fit::suitable)
    return target.suitable();
  return target.huntable() || (fit == Fit::callable && target.can_be_called);
}

bool fits(const Target& target, const Options& options, Fit fit) {
  return fit == Fit::anything || (is_good_for(target, fit) && !settings_for(target, options).skip);
}

std::vector<Target> like(const std::string& pattern, const std::vector<Target>& all, const Options& options, Fit fit) {
  std::vector<Target> matching;
  std::ranges::copy_if(all, std::back_inserter(matching),
                       [&](const Target& target) { return program::answers_to(target, pattern); });
  const std::vector<Target> asked = matching;
  std::erase_if(matching, [&](const Target& target) { return !fits(target, options, fit); });
  if (matching.empty())
    refuse_pattern(pattern, asked, all);
  if (options.tell && matching.size() < asked.size())
    options.tell(fmt::format("-f '{}': {} left out that cannot be tested; faultline list --all shows why", pattern,
                             base::counted(asked.size() - matching.size(), "function")));
  return matching;
}

// Returns the distinct functions in the order of -f. Of several given by name, some may not fit.
std::vector<Target> asked_for(Program& program, const Options& options, Fit fit) {
  const auto& [sizes, aliases] = std::tie(options.settings.sizes, options.settings.aliases);
  const std::vector<Target> all = by_name(options) ? std::vector<Target>() : program.targets(sizes, aliases);
  std::vector<Target> found;
  std::set<std::string> symbols;
  for (const std::string& name : options.functions)
    for (Target& target :
         stands_for_others(name, all) ? like(name, all, options, fit) : program.named(name, sizes, aliases))
      if (symbols.insert(target.symbol).second)
        found.push_back(std::move(target));
  const Fit named = fit == Fit::anything ? Fit::huntable : fit;
  if (std::ranges::none_of(found, [&](const Target& target) { return is_good_for(target, named); }))
    return program.find(options.functions, sizes, fit == Fit::callable, aliases); // throws with the reason
  return found;
}

// Returns the function to use of several with one name.
const Target& only_one(const std::vector<Target>& targets, const Options& options) {
  std::set<std::string> names;
  for (const Target& target : targets)
    names.insert(model::before_parameters(target.function));
  if (names.size() > 1) // if these are overloads of one name, the first is used
    throw base::UserError(
        base::status_usage,
        fmt::format("-f '{}' means {} functions, and this is for one", options.functions.front(), targets.size()),
        fmt::format("one of {}", fmt::join(names, ", ")));
  return targets.front();
}

} // namespace

bool by_name(const Options& options) {
  return !options.functions.empty() && std::ranges::none_of(options.functions, program::is_pattern);
}

namespace {

void compare_with_checksum(const Target& target, SourceFiles& files) {
  if (!files.compared.insert(target.file).second)
    return;
  const std::vector<std::string> unchanged = program::unchanged_files({target});
  files.unchanged.insert(files.unchanged.end(), unchanged.begin(), unchanged.end());
  if (files.text)
    files.text->add_to_project(unchanged);
}

} // namespace

std::vector<std::string> project_of(const Options& options) {
  std::vector<std::string> project = program::project_folders(options.sources);
  project.insert(project.end(), options.files->unchanged.begin(), options.files->unchanged.end());
  return project;
}

Settings settings_for(const Target& target, const Options& options) {
  compare_with_checksum(target, *options.files);
  Settings settings = options.configuration ? settings_for(*options.configuration, target) : options.settings;
  if (options.configuration && options.configuration->recorded)
    return settings; // they include those of the comment at that time
  if (!options.files->text)
    options.files->text.emplace(project_of(options));
  FunctionComments comments = function_comments(*options.files->text, target);
  // Other settings override these meanings.
  settings.means.insert(settings.means.begin(), comments.meanings.begin(), comments.meanings.end());
  std::ranges::move(comments.assumptions, std::back_inserter(settings.assumptions));
  options.files->fpcore.apply(target, settings);
  if (const SeenFunction* seen = options.seen ? find_seen(*options.seen, target) : nullptr)
    use_seen(*seen, target, settings);
  if (!target.inputs.empty()) // otherwise it is not laid out yet
    std::erase_if(settings.assumptions,
                  [&](const std::string& assumption) { return !search::fits(assumption, target); });
  return settings;
}

Program load_program(const Options& options) {
  Sources sources = options.sources;
  sources.rejects = options.settings.rejects;
  sources.functions = options.functions;
  const ShapesOf configured = [configuration = options.configuration](const Target& target) {
    const Settings own = settings_for(*configuration, target);
    return Shapes{own.sizes, own.aliases, {}, own.setups};
  };
  const Shapes raw{options.settings.sizes, options.settings.aliases, {}, options.settings.setups};
  sources.shapes_of = options.configuration ? configured : [raw](const Target&) { return raw; };
  Program program = Program::load(sources);
  if (options.tell)
    std::ranges::for_each(program.remarks(), options.tell);
  program.shape_by(sources.shapes_of);
  return program;
}

std::vector<Target> targets_of(Program& program, const Options& options, Fit fit) {
  const bool all = options.functions.empty();
  const auto& [sizes, aliases] = std::tie(options.settings.sizes, options.settings.aliases);
  std::vector<Target> targets;
  for (const std::string& setup : options.settings.setups)
    program.function(setup); // throws UserError if there is none
  try {
    targets = all ? program.targets(sizes, aliases) : asked_for(program, options, fit);
  } catch (const base::UserError& problem) {
    if (options.configuration && !all && problem.status == base::status_unsuitable)
      check_named(program, options);
    throw;
  }
  if (!options.configuration && !options.settings.setups.empty() &&
      std::ranges::all_of(targets, [](const Target& target) { return target.setups.empty(); }))
    throw base::UserError(base::status_usage,
                          fmt::format("--setup {}: no function takes what it makes", options.settings.setups.front()),
                          "-f selects functions that take a pointer to the struct that it makes");
  if (all)
    program::leave_out_hidden(targets);
  if (options.configuration)
    for (const std::string& remark : check(*options.configuration, targets, all))
      if (options.tell)
        options.tell(remark);
  return targets;
}

Target single_target(Program& program, const Options& options, Fit fit) {
  std::vector<Target> targets = targets_of(program, options, fit);
  if (!options.functions.empty())
    return only_one(targets, options);
  std::erase_if(targets, [&](const Target& target) { return !fits(target, options, fit); });
  if (targets.size() != 1)
    throw base::UserError(base::status_usage,
                          fmt::format("the sources have {} {}", targets.size(),
                                      fit == Fit::callable ? "functions that can be called" : "suitable functions"),
                          "name one with -f; faultline list shows them");
  return targets.front();
}

namespace {

bool is_integer(const Target& target, const std::string& name, numeric::Value low, numeric::Value high) {
  const auto cell = std::ranges::find(target.inputs, name, &Cell::name);
  if (cell == target.inputs.end() || cell->type.floating)
    return false;
  const Range type = judge::range_of_type(cell->type);
  return type.low <= low && low <= high && high <= type.high;
}

// True if the name is an element of a measured array of integers.
bool is_index(const FoundExtents& found, const Target& target, const std::string& name) {
  return std::ranges::any_of(found.arrays, [&](const FoundExtent& array) {
    const auto parameter = std::ranges::find(target.parameters, array.parameter, &Parameter::name);
    uint64_t count = 1;
    for (const uint64_t extent : array.extents)
      count *= extent;
    const std::optional<ArrayCell> cell = model::array_cell(name);
    return parameter != target.parameters.end() && !parameter->type.floating && cell &&
           cell->array == array.parameter && cell->index < count;
  });
}

// True if the answer is about this target. The code under test could have sent it.
bool fits(const FoundExtents& found, const Target& target) {
  const std::vector<exec::FreeArray> arrays = exec::free_arrays(target, false);
  return std::ranges::equal(found.arrays, arrays, {}, &FoundExtent::parameter,
                            [&](const exec::FreeArray& array) { return target.parameters[array.parameter].name; }) &&
         std::ranges::all_of(found.held,
                             [&](const auto& held) {
                               return is_index(found, target, held.first) ||
                                      is_integer(target, held.first, held.second, held.second);
                             }) &&
         std::ranges::all_of(found.ranges, [&](const auto& range) {
           return is_integer(target, range.first, range.second.low, range.second.high);
         });
}

Assignment assignment_for(const Target& target, const Settings& settings, const Options& options,
                          ExtentAnswer& answer) {
  constexpr double slack = 2; // seconds, for slow machines
  return {.job = job_for(target, settings, options, ProbeTask{}),
          .target = &target,
          .on_message =
              [&](const Message& message) {
                if (const auto* extents = std::get_if<ExtentsMessage>(&message);
                    extents && fits(extents->extents, target))
                  answer.found = extents->extents;
                else if (const auto* failure = std::get_if<Failure>(&message))
                  answer.why_not = failure->what;
              },
          .seconds = judge::extent_share * settings.budget_seconds + slack};
}

// True if a pointer was assumed to point to a single number, and does.
bool is_one_number(const FoundExtent& found, const Target& target) {
  const auto parameter = std::ranges::find(target.parameters, found.parameter, &Parameter::name);
  return target.suitable() && !parameter->is_array && found.extents == std::vector<uint64_t>{1};
}

// "p: 16 elements (n * n)"
std::string extents_text(const std::vector<FoundExtent>& arrays) {
  std::string text;
  for (const FoundExtent& array : arrays) {
    const bool one = array.extents == std::vector<uint64_t>{1};
    text += fmt::format("{}{}: {} element{}{}{}{}", text.empty() ? "" : ", ", array.parameter,
                        fmt::join(array.extents, " x "), one ? "" : "s",
                        array.formula.empty() ? "" : fmt::format(" ({})", array.formula),
                        array.endless ? ", and runs went beyond any size" : "",
                        array.before ? ", and a run went before the first" : "");
  }
  return text;
}

std::string note_of(const std::vector<FoundExtent>& extents, const FoundExtents& found) {
  std::string text = fmt::format("{}, found by running it (--size {}=N overrides this)", extents_text(extents),
                                 extents.front().parameter);
  for (const auto& [name, value] : found.held)
    if (!name.ends_with(']'))
      text += fmt::format("; {} is held at {}", name, value);
    else if (name.ends_with("[0]"))
      text += fmt::format("; {} has indices, and is held at {}, {}, ...", model::array_of(name), value, value + 1);
  for (const auto& [name, range] : found.ranges)
    text += fmt::format("; {} is searched from {:.0f} to {:.0f}", name, range.low, range.high);
  return text;
}

// Applies the extents as if the user had given them. Settings of the user take precedence.
MeasuredExtents apply(const FoundExtents& found, Program& program, Target& target, Settings& settings,
                      const Options& options) {
  MeasuredExtents measured;
  std::ranges::copy_if(found.arrays, std::back_inserter(measured.extents),
                       [&](const FoundExtent& one) { return !is_one_number(one, target); });
  if (measured.extents.empty())
    return measured;
  Settings raw = settings;
  for (const FoundExtent& one : measured.extents)
    raw.sizes.emplace(one.parameter, one.extents);
  target = program.laid_out(target, {raw.sizes, raw.aliases});
  settings = settings_for(target, options);
  settings.sizes = std::move(raw.sizes);
  for (const auto& [name, value] : found.held)
    if (!settings.ranges.contains(name))
      settings.held.emplace(name, value);
  for (const auto& [name, range] : found.ranges)
    if (!settings.held.contains(name) && !settings.everyday.contains(name))
      settings.ranges.emplace(name, range);
  measured.note = note_of(measured.extents, found);
  measured.cut = found.cut;
  return measured;
}

constexpr size_t many_measured = 50; // a guess: from here on it takes long enough for a message

// A function to measure, and the hash of everything that its answer depends on, if answers are remembered.
struct Question {
  size_t target = 0;
  std::string hash;
};

// Takes remembered answers and leaves the questions without one.
void recall(const ExtentMemory& memory, Program& program, const std::vector<Target>& targets,
            const std::vector<Settings>& settings, std::vector<Question>& questions,
            std::vector<ExtentAnswer>& answers) {
  std::vector<Target> asked;
  for (const Question& question : questions)
    asked.push_back(targets[question.target]);
  const std::vector<ReachHash> hashes = program.reach_hashes(asked);
  for (size_t k = 0; k < questions.size(); ++k) {
    Hash hash;
    hash.add(hashes[k].code);
    for (const std::string& word : words_of(raw_settings_of(settings[questions[k].target])))
      hash.add(word);
    questions[k].hash = hash.text();
  }
  std::erase_if(questions, [&](const Question& question) {
    const Target& target = targets[question.target];
    const std::optional<ExtentAnswer> before = memory.recall(target, question.hash);
    if (!before || (before->found && !fits(*before->found, target)))
      return false;
    answers[question.target] = *before;
    return true;
  });
}

} // namespace

std::vector<MeasuredExtents> measure(Program& program, std::vector<Target>& targets, std::vector<Settings>& settings,
                                     const Options& options, const std::atomic<bool>& stop,
                                     const ExtentMemory* memory) {
  std::vector<ExtentAnswer> answers(targets.size());
  std::vector<Assignment> assignments;
  std::vector<Question> questions;
  for (size_t i = 0; i < targets.size(); ++i)
    if (targets[i].huntable() && targets[i].harness.empty() && !exec::free_arrays(targets[i], false).empty())
      questions.push_back({i, ""});
  if (memory)
    recall(*memory, program, targets, settings, questions, answers);
  for (const Question& question : questions)
    assignments.push_back(
        assignment_for(targets[question.target], settings[question.target], options, answers[question.target]));
  if (memory)
    for (size_t k = 0; k < questions.size(); ++k)
      assignments[k].then = [&, question = questions[k]](double) -> std::optional<Assignment> {
        if (const ExtentAnswer& answer = answers[question.target]; answer.found || !answer.why_not.empty())
          memory->keep(targets[question.target], question.hash, answer);
        return std::nullopt;
      };
  if (options.tell && assignments.size() >= many_measured)
    options.tell(fmt::format("measuring the arrays of {} functions", assignments.size()));
  if (!assignments.empty())
    run(assignments, program, options.jobs, options.worker, stop, [] {});
  std::vector<MeasuredExtents> measured(targets.size());
  for (size_t i = 0; i < targets.size(); ++i)
    if (answers[i].found)
      measured[i] = apply(*answers[i].found, program, targets[i], settings[i], options);
    else if (!targets[i].suitable() && !answers[i].why_not.empty())
      targets[i].unsuitable += fmt::format("; probing its array sizes failed ({})", answers[i].why_not);
  return measured;
}

MeasuredExtents measure(Program& program, Target& target, Settings& settings, const Options& options) {
  std::vector<Target> targets{target};
  std::vector<Settings> all{settings};
  const std::atomic<bool> never = false;
  MeasuredExtents measured = std::move(measure(program, targets, all, options, never).front());
  if (!targets.front().suitable() && !targets.front().can_be_called)
    throw base::UserError(base::status_unsuitable,
                          fmt::format("{}: {}", targets.front().function, targets.front().unsuitable));
  target = std::move(targets.front());
  settings = std::move(all.front());
  return measured;
}

} // namespace faultline::hunt
