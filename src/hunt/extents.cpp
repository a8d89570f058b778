#include "hunt/extents.h"

#include "exec/extent_probe.h"
#include "finding/settings/table.h"
#include "frontend/error.h"
#include "frontend/target.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/extent_search.h"
#include "judge/space_of_target.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::campaign {

using finding::FoundExtent;
using finding::FoundExtents;
using finding::Settings;
using frontend::Parameter;
using frontend::SizedBy;
using frontend::Target;

namespace {

bool is_integer(const Target& target, const std::string& name, numeric::Value low, numeric::Value high) {
  const auto cell = std::ranges::find(target.inputs, name, &frontend::Cell::name);
  if (cell == target.inputs.end() || cell->type.floating)
    return false;
  const finding::Range type = judge::range_of_type(cell->type);
  return type.low <= low && low <= high && high <= type.high;
}

// True if the name is an element of a measured array of integers.
bool is_index(const FoundExtents& found, const Target& target, const std::string& name) {
  return std::ranges::any_of(found.arrays, [&](const FoundExtent& array) {
    const auto parameter = std::ranges::find(target.parameters, array.parameter, &Parameter::name);
    uint64_t count = 1;
    for (const uint64_t extent : array.extents)
      count *= extent;
    const std::optional<frontend::ArrayCell> cell = frontend::array_cell(name);
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
  return {.job = job_for(target, settings, options, finding::ProbeTask{}),
          .target = &target,
          .on_message =
              [&](const finding::Message& message) {
                if (const auto* extents = std::get_if<finding::ExtentsMessage>(&message);
                    extents && fits(extents->extents, target))
                  answer.found = extents->extents;
                else if (const auto* failure = std::get_if<finding::Failure>(&message))
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
    if (const std::string array = frontend::parameter_of(name); array == name)
      text += fmt::format("; {} is held at {}", name, value);
    else if (name.ends_with("[0]"))
      text += fmt::format("; {} has indices, and is held at {}, {}, ...", array, value, value + 1);
  for (const auto& [name, range] : found.ranges)
    text += fmt::format("; {} is searched from {:.0f} to {:.0f}", name, range.low, range.high);
  return text;
}

// Applies the extents as if the user had given them. Settings of the user take precedence.
Measured apply(const FoundExtents& found, frontend::Program& program, Target& target, Settings& settings,
               const Options& options) {
  Measured measured;
  std::ranges::copy_if(found.arrays, std::back_inserter(measured.extents),
                       [&](const FoundExtent& one) { return !is_one_number(one, target); });
  if (measured.extents.empty())
    return measured;
  finding::Settings said = settings;
  for (const FoundExtent& one : measured.extents)
    said.sizes.emplace(one.parameter, one.extents);
  target = program.laid_out(target, {said.sizes, said.aliases});
  settings = settings_for(target, options);
  settings.sizes = std::move(said.sizes);
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
void recall(const ExtentMemory& memory, frontend::Program& program, const std::vector<Target>& targets,
            const std::vector<Settings>& settings, std::vector<Question>& questions,
            std::vector<ExtentAnswer>& answers) {
  std::vector<Target> asked;
  for (const Question& question : questions)
    asked.push_back(targets[question.target]);
  const std::vector<frontend::ReachHash> hashes = program.reach_hashes(asked);
  for (size_t k = 0; k < questions.size(); ++k) {
    finding::Hash hash;
    hash.add(hashes[k].code);
    for (const std::string& word : words_of(said_by(settings[questions[k].target])))
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

std::vector<Measured> measure(frontend::Program& program, std::vector<Target>& targets, std::vector<Settings>& settings,
                              const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory) {
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
  std::vector<Measured> measured(targets.size());
  for (size_t i = 0; i < targets.size(); ++i)
    if (answers[i].found)
      measured[i] = apply(*answers[i].found, program, targets[i], settings[i], options);
    else if (!targets[i].suitable() && !answers[i].why_not.empty())
      targets[i].unsuitable += fmt::format("; probing its array sizes failed ({})", answers[i].why_not);
  return measured;
}

Measured measure(frontend::Program& program, Target& target, Settings& settings, const Options& options) {
  std::vector<Target> targets{target};
  std::vector<Settings> all{settings};
  const std::atomic<bool> never = false;
  Measured measured = std::move(measure(program, targets, all, options, never).front());
  if (!targets.front().suitable() && !targets.front().can_be_called)
    throw frontend::UserError(frontend::status_unsuitable,
                              fmt::format("{}: {}", targets.front().function, targets.front().unsuitable));
  target = std::move(targets.front());
  settings = std::move(all.front());
  return measured;
}

} // namespace faultline::campaign
