#include "hunt/fixing.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "fix/source_edits.h"
#include "fix/source_fortran.h"
#include "fix/source_loops.h"
#include "hunt/single_target.h"
#include "hunt/workers.h"
#include "judge/given_input.h"
#include "judge/space_of_target.h"
#include "model/problem.h"
#include "numeric/stable_sort.h"
#include "program/code_body.h"
#include "program/compile.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace faultline::hunt {

using namespace model;
using base::UserError;

namespace {

constexpr size_t largest_source = size_t(64) << 20;
// The error after a repair, above conditioning, from which on a better candidate is looked for: some ulps of a double.
constexpr double clean = 2e-15;
constexpr size_t most_candidates = 4; // of one question that are tried
constexpr double trial_seconds = 120; // at most: the number of inputs ends a trial
constexpr size_t most_first = 8;      // inputs that showed the problem

std::optional<fix::Language> language_of_fix(const std::string& file) {
  switch (program::language_of(file)) {
  case program::Language::c:
    return fix::Language::c;
  case program::Language::cxx:
    return fix::Language::cpp;
  case program::Language::fortran:
    return fix::Language::fortran;
  default:
    return std::nullopt;
  }
}

bool is_same_path(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::weakly_canonical(a, error) == std::filesystem::weakly_canonical(b, error);
}

// As git apply takes it: relative to the folder of the repository, or else to the current one.
std::string path_in_patch(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(file, error);
  for (fs::path folder = whole.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / ".git", error))
      return fs::relative(whole, folder, error).string();
  const fs::path relative = fs::relative(whole, fs::current_path(error), error);
  return relative.empty() || relative.string().starts_with("..") ? whole.filename().string() : relative.string();
}

// A version of the program, ready for jobs on one function.
struct Version {
  program::Program program;
  model::Target target;
  Settings settings;
};

Version version_of(const Options& options, const TargetReport& report) {
  Options own = options;
  own.functions = {report.function};
  program::Program program = load_program(own);
  const bool measured = !report.extents.empty();
  model::Target target = single_target(program, own, measured ? Fit::huntable : Fit::suitable);
  Settings settings = settings_for(target, own);
  if (measured) {
    for (const FoundExtent& extent : report.extents)
      settings.sizes.emplace(extent.parameter, extent.extents);
    target = program.laid_out(target, {settings.sizes, settings.aliases});
  }
  return {std::move(program), std::move(target), std::move(settings)};
}

using Texts = std::map<std::string, std::string>; // of files

// The original function, and trials of changed texts of its files.
class Trials {
public:
  // `texts`: those that are the same in all trials.
  Trials(const Options& options, const TargetReport& report, std::map<std::string, std::string> texts,
         const std::atomic<bool>& stop)
      : options_(options), report_(report), texts_(std::move(texts)), stop_(stop),
        original_(version_of(options, report)) {
    for (const size_t output : judge::judged_outputs(original_.target, original_.settings))
      if (original_.target.outputs[output].type.floating)
        outputs_.push_back(output);
  }

  const model::Target& target() const { return original_.target; }
  const Settings& settings() const { return original_.settings; }

  // The result of a trial; the reason why there is none as its `why`, with `worse` above 0.
  TrialDone run(const Texts& text, const TrialTask& task) {
    TrialDone failed;
    failed.worse = 1;
    try {
      Version changed = changed_version(text);
      std::optional<TrialDone> done;
      std::string died;
      exec::Reference& reference = this->reference(outputs_.empty() ? 0 : outputs_.front());
      Options own = options_;
      own.limits.oracle_operations = std::numeric_limits<uint64_t>::max(); // the number of inputs limits it
      const Assignment assignment{.job = job_for(changed.target, original_.settings, own, task),
                                  .target = &changed.target,
                                  .reference = &reference,
                                  .on_message =
                                      [&](const Message& message) {
                                        if (const auto* answer = std::get_if<TrialDone>(&message))
                                          done = *answer;
                                        else if (const auto* death = std::get_if<WorkerDeath>(&message))
                                          died = detail_of(*death);
                                      },
                                  .seconds = trial_seconds};
      exec::WorkerLimits once = options_.worker;
      once.restarts = 0;
      run_alone(assignment, changed.program, once, stop_);
      if (done)
        return *done;
      failed.why = died.empty() ? "the trial did not end in time" : fmt::format("in the trial it {}", died);
    } catch (const UserError& problem) {
      failed.why = base::first_line(problem.what());
    }
    return failed;
  }

  // Inputs that a hunt on the changed code finds, with the original as its meaning.
  std::vector<Input> hunted(const Texts& text, double seconds) {
    std::vector<Input> inputs;
    try {
      for (const size_t output : outputs_) {
        Version changed = changed_version(text);
        Settings settings = original_.settings;
        settings.oracle = OracleName::reference;
        settings.outputs = {original_.target.outputs[output].name};
        settings.budget_seconds = seconds;
        settings.evaluations = 20'000; // a guess: more than a search needs for one formula
        settings.wanted = {.error = true, .exceptions = false, .crashes = true, .branches = false, .bound = false};
        const Assignment assignment{
            .job = job_for(changed.target, settings, options_, HuntTask{.retries = {}, .briefly = true}),
            .target = &changed.target,
            .reference = &reference(output),
            .on_message =
                [&](const Message& message) {
                  const auto* told = std::get_if<FindingMessage>(&message);
                  if (told && told->finding.values.size() == changed.target.inputs.size())
                    inputs.push_back(checked_input(changed.target, told->finding.values));
                },
            .seconds = seconds_in_all(seconds)};
        run_alone(assignment, changed.program, options_.worker, stop_);
      }
    } catch (const UserError&) { // the trial has said what there is to say
    }
    return inputs;
  }

  // A trial, a hunt on the changed code, and a trial of what it finds.
  TrialDone judge(const Texts& texts, const TrialTask& task, const std::function<void(const char*)>& say) {
    if (say)
      say("trying");
    TrialDone done = run(texts, task);
    if (done.worse > 0 || done.better == 0 || stop_)
      return done;
    if (say)
      say("hunting in");
    constexpr double seconds = 2;
    const std::vector<Input> found = hunted(texts, seconds);
    if (found.empty())
      return done;
    const TrialDone second = run(texts, {.first = found, .inputs = 2'000, .measured = 0});
    done.tried += second.tried;
    done.worse += second.worse;
    if (second.worse > 0) {
      done.why = second.why;
      done.counterexamples = second.counterexamples;
    }
    done.before.anywhere = std::max(done.before.anywhere, second.before.anywhere);
    done.after.anywhere = std::max(done.after.anywhere, second.after.anywhere);
    return done;
  }

private:
  // Its settings are not used: comments in the source may state them, which are read for the code on disk only.
  Version changed_version(const Texts& texts) const {
    Options own = options_;
    own.sources.texts = texts_;
    for (const auto& [file, text] : texts)
      own.sources.texts[file] = text;
    return version_of(own, report_);
  }

  // Programs are consumed by the worker's fork only, so one reference serves all trials.
  exec::Reference& reference(size_t output) {
    const auto known = references_.find(output);
    if (known != references_.end())
      return known->second;
    Version copy = version_of(options_, report_);
    exec::Limits limits = options_.limits;
    limits.oracle_operations = std::numeric_limits<uint64_t>::max();
    return references_
        .emplace(output,
                 exec::Reference::of_code(std::move(copy.program), copy.target, output, limits, copy.settings.rejects))
        .first->second;
  }

  const Options& options_;
  const TargetReport& report_;
  std::map<std::string, std::string> texts_;
  const std::atomic<bool>& stop_;
  Version original_;
  std::vector<size_t> outputs_; // that are judged
  std::map<size_t, exec::Reference> references_;
};

// Why a problem is not one that other code repairs; empty if it may be.
std::string refusal_of(const Problem& problem) {
  const Finding& finding = problem.representative();
  if (is_ending(finding.kind))
    return fmt::format("{}: it is not a matter of arithmetic", problem.fault);
  if (finding.verdict == Verdict::ill_conditioned)
    return fmt::format("the problem is ill-conditioned there: rounding the inputs alone makes such an error, so no "
                       "rewrite in this format helps");
  if (finding.verdict == Verdict::inherent)
    return "the exact result is outside of the format";
  if (finding.is_truncated())
    return "a loop stops too early: its tolerance or the number of its turns has to change";
  if (finding.kind == Kind::branch_flip && !finding.error)
    return "the code takes another branch than in exact arithmetic: a matter of its conditions";
  if (finding.parts && finding.parts->is_wrong_method())
    return "the formula itself is wrong: exact arithmetic gives the same error";
  return "";
}

// The repair of one problem.
class Repair {
public:
  Repair(const Options& options, const FixRequest& request, const FixListener& listener, const Problem& problem,
         const std::string& text, const std::atomic<bool>& stop)
      : options_(options), request_(request), listener_(listener), problem_(problem), text_(text), stop_(stop),
        name_(path_in_patch(problem.file)) {}

  // `known`: repairs of other problems of the function, which may be repairs of this one, too.
  Fix run(const std::vector<Fix>& known) {
    const Finding& finding = problem_.representative();
    fix_.problem = problem_.id;
    fix_.tier = problem_.tier;
    fix_.fault = problem_.fault;
    fix_.file = problem_.file;
    fix_.function = problem_.target().function;
    fix_.line = problem_.line;
    fix_.column = problem_.column;
    fix_.source = problem_.source;
    fix_.input = finding.input;
    fix_.refusal = refusal_of(problem_);
    if (fix_.refusal.empty())
      try {
        trials_.emplace(options_, problem_.target(), Texts(), stop_);
        if (!is_repaired_by(known))
          repair();
      } catch (const UserError& problem) {
        fix_.refusal = base::first_line(problem.what());
      }
    return std::move(fix_);
  }

private:
  void say(const std::string& phase) const {
    if (listener_.on_phase)
      listener_.on_phase(phase);
  }
  bool is_over() const { return stop_ || watch_.seconds() > request_.seconds; }

  // The inputs that show the problem.
  std::vector<Input> shown() const {
    std::vector<Input> inputs;
    for (const Evidence& evidence : problem_.findings)
      if (evidence.finding->values.size() == trials_->target().inputs.size() && inputs.size() < most_first &&
          evidence.target == &problem_.target())
        inputs.push_back(evidence.finding->values);
    return inputs;
  }

  bool is_repaired_by(const std::vector<Fix>& known) {
    for (const Fix& other : known) {
      if (!other.is_repaired() || other.function != fix_.function || !is_same_path(other.file, fix_.file))
        continue;
      say("trying the repair of another problem");
      const TrialDone done = trials_->run({{problem_.file, edited(text_, other.edits)}},
                                          {.first = shown(), .borders = {}, .inputs = 200, .measured = 100});
      if (done.worse > 0 || !done.shown || !(done.after.first <= clean))
        continue;
      fix_.edits = other.edits;
      fix_.advice = other.advice;
      fix_.patch = other.patch;
      fix_.steps = other.steps;
      fix_.trial = other.trial;
      fix_.trial.before.first = done.before.first;
      fix_.trial.after.first = done.after.first;
      return true;
    }
    return false;
  }

  void repair() {
    const std::optional<fix::Language> language = language_of_fix(problem_.file);
    if (!language) {
      fix_.refusal = "only C, C++ and Fortran sources are changed";
      return;
    }
    say("reading the code");
    const std::optional<fix::Function> function =
        *language == fix::Language::fortran
            ? fix::fortran_function(text_, problem_.file, problem_.line, fix::is_fixed_form(problem_.file))
            : fix::function_from(program::body_at(problem_.file, problem_.line, options_.sources), *language);
    if (!function) {
      fix_.refusal = fmt::format("line {} is in no function of {}", problem_.line, problem_.file);
      return;
    }
    const fix::Questions questions = fix::questions_for(*function, text_, offsets(*function), inputs(*function));
    fix_.refusal = questions.refusal;
    for (const fix::LoopRepair& repair : fix::loop_repairs(*function, text_, why()))
      if (!is_over() && !is_good_enough())
        consider(repair.edits, repair.advice, {}, {});
    for (const fix::PlaceQuestion& question : questions.all) {
      if (is_over() || is_good_enough())
        break;
      ask(*function, question);
    }
    if (best_) {
      fix_.edits = best_->edits;
      fix_.advice = best_->advice;
      fix_.trial = best_->trial;
      fix_.steps = best_->steps;
      fix_.patch = unified_diff(name_, text_, edited(text_, best_->edits));
      fix_.refusal.clear();
    } else if (fix_.refusal.empty() || fix_.candidates > 0) {
      fix_.refusal = fix_.candidates == 0 ? why_none_
                                          : fmt::format("none of {} candidates passes: {}", fix_.candidates, why_none_);
    }
  }

  // The place at fault, and those that the error passes through.
  std::vector<size_t> offsets(const fix::Function& function) const {
    std::vector<size_t> all;
    const auto add = [&](const std::string& file, int line, int column) {
      const size_t offset = fix::offset_of(text_, line, column);
      if (is_same_path(file, problem_.file) && offset != std::string::npos && function.span.contains(offset) &&
          std::ranges::find(all, offset) == all.end())
        all.push_back(offset);
    };
    // flang gives the column of the statement: the expression is found by its text.
    const size_t line = fix::offset_of(text_, problem_.line, 1);
    if (function.language == fix::Language::fortran && !problem_.source.empty() && line != std::string::npos)
      if (const size_t at = text_.find(problem_.source, line); function.span.contains(at))
        all.push_back(at);
    add(problem_.file, problem_.line, problem_.column);
    for (const Evidence& evidence : problem_.findings)
      if (evidence.finding->diagnosis)
        for (const ChainLink& link : evidence.finding->diagnosis->chain)
          add(link.file, link.line, link.column);
    return all;
  }

  // Those of the function under test, if the place is in its own code.
  std::vector<fix::KnownInput> inputs(const fix::Function& function) const {
    std::vector<fix::KnownInput> all;
    const std::string& target = problem_.target().function;
    if (target != function.name && !target.ends_with("::" + function.name))
      return all;
    const search::Space space = judge::space_of(trials_->target(), trials_->settings());
    const std::vector<numeric::Value>& values = problem_.representative().values;
    for (size_t i = 0; i < space.dimensions.size() && i < values.size(); ++i)
      all.push_back({space.dimensions[i].name, space.dimensions[i].low, space.dimensions[i].high, values[i]});
    return all;
  }

  struct Accepted {
    std::vector<Edit> edits;
    std::string advice;
    TrialDone trial;
    std::vector<std::string> steps;
    size_t lines = 0; // of the diff that are added
  };

  bool is_good_enough() const {
    return best_ && request_.prefer != Prefer::accuracy && best_->trial.after.first <= clean &&
           best_->trial.after.everyday <= clean && best_->trial.after.bits <= 1;
  }

  std::string why() const {
    const std::string source = problem_.source.empty() ? "the result" : problem_.source;
    const Finding& finding = problem_.representative();
    const bool cancels = problem_.fault == "cancellation";
    const std::string where = finding.when.empty() ? "" : fmt::format(" where {}", finding.when);
    return fmt::format("{} {}{}", source,
                       cancels                         ? "cancels"
                       : problem_.fault == "overflow"  ? "overflows"
                       : problem_.fault == "underflow" ? "underflows"
                                                       : "loses digits",
                       where);
  }

  void ask(const fix::Function& function, const fix::PlaceQuestion& question) {
    say(fmt::format(
        "looking for another form of {}",
        text_.substr(question.place.node->span.begin, std::min<size_t>(question.place.node->span.size(), 40))));
    fix::Question asked = question.question;
    asked.seed = options_.settings.seed;
    asked.most_cost = request_.most_cost;
    asked.allow_doubled = std::ranges::none_of(options_.sources.flags, [](const std::string& flag) {
      return flag == "-ffast-math" || flag == "-Ofast" || flag == "-fassociative-math";
    });
    // What the trial finds worse is a sample of the next search.
    constexpr int most_rounds = 2;
    for (int round = 0; round < most_rounds && !is_over() && !is_good_enough(); ++round) {
      const size_t known = asked.failing.size();
      const fix::Answer answer = fix::search_candidates(asked);
      if (answer.candidates.empty() && why_none_.empty())
        why_none_ = answer.reason;
      for (const fix::Candidate* candidate : in_order(answer))
        if (!is_over() && !is_good_enough())
          for (const Input& input : consider(function, question, *candidate))
            if (const std::optional<fix::Point> point = point_of(question, input))
              asked.failing.push_back(*point);
      if (asked.failing.size() == known)
        break;
    }
  }

  // The values of the question's variables at an input; nothing if some of them are no inputs.
  std::optional<fix::Point> point_of(const fix::PlaceQuestion& question, const Input& input) const {
    fix::Point point;
    for (const std::string& name : question.inputs) {
      const auto& cells = trials_->target().inputs;
      const auto cell = std::ranges::find(cells, name, &model::Cell::name);
      if (name.empty() || cell == cells.end())
        return std::nullopt;
      point.push_back(input[size_t(cell - cells.begin())]);
    }
    return point;
  }

  // The first few, and of those that are right at all samples the smallest first.
  static std::vector<const fix::Candidate*> in_order(const fix::Answer& answer) {
    std::vector<const fix::Candidate*> some;
    for (size_t i = 0; i < answer.candidates.size() && i < most_candidates; ++i)
      some.push_back(&answer.candidates[i]);
    const auto rank = [](const fix::Candidate* one) {
      const bool right = one->after.everyday.largest <= clean && one->after.near.largest <= clean &&
                         one->after.everyday.average_bits <= 1;
      return std::tuple(!right, one->branches.size(), right ? one->size : 0);
    };
    numeric::sort_stably(some, [&](const fix::Candidate* a, const fix::Candidate* b) { return rank(a) < rank(b); });
    return some;
  }

  // Returns inputs at which the candidate is worse than the original.
  std::vector<Input> consider(const fix::Function& function, const fix::PlaceQuestion& question,
                              const fix::Candidate& candidate) {
    const auto edits = fix::edits_for(function, text_, question, candidate.branches, why());
    if (!edits)
      return {};
    std::vector<std::string> steps;
    for (const std::vector<fix::Step>& branch : candidate.evidence.equality)
      for (const fix::Step& step : branch)
        if (!step.name.empty())
          steps.push_back(step.name);
    return consider(*edits, fix::advice_for(function, text_, question, candidate.branches),
                    borders(candidate, question), std::move(steps));
  }

  std::vector<Input> consider(const std::vector<Edit>& edits, std::string advice,
                              std::vector<std::pair<uint64_t, numeric::Value>> borders,
                              std::vector<std::string> steps) {
    const std::string changed = edited(text_, edits);
    if (!tried_.insert(changed).second)
      return {};
    ++fix_.candidates;
    TrialDone trial = this->trial(changed, std::move(borders));
    if (!passes(trial))
      return trial.counterexamples;
    Accepted accepted{edits, std::move(advice), std::move(trial), std::move(steps), 0};
    const std::string diff = unified_diff(name_, text_, changed);
    accepted.lines = size_t(std::ranges::count(diff, '\n'));
    if (!best_ || is_better(accepted, *best_))
      best_ = std::move(accepted);
    return {};
  }

  bool is_better(const Accepted& a, const Accepted& b) const {
    const auto rank = [](const TrialDone& trial) {
      return std::tuple(!(trial.after.first <= clean), !(trial.after.everyday <= clean), trial.after.bits > 1);
    };
    switch (request_.prefer) {
    case Prefer::accuracy:
      return std::tuple(rank(a.trial), a.trial.after.bits, a.trial.after.anywhere) <
             std::tuple(rank(b.trial), b.trial.after.bits, b.trial.after.anywhere);
    case Prefer::speed:
      return std::tuple(rank(a.trial), a.trial.cost) < std::tuple(rank(b.trial), b.trial.cost);
    default:
      return std::tuple(rank(a.trial), a.lines, a.trial.after.bits) <
             std::tuple(rank(b.trial), b.lines, b.trial.after.bits);
    }
  }

  // The inputs at which branches of the candidate begin, where variables are inputs.
  std::vector<std::pair<uint64_t, numeric::Value>> borders(const fix::Candidate& candidate,
                                                           const fix::PlaceQuestion& question) const {
    std::vector<std::pair<uint64_t, numeric::Value>> all;
    for (const fix::Branch& branch : candidate.branches)
      for (const fix::Condition& condition : branch.when) {
        const std::string& name = question.question.variables[condition.variable].name;
        const auto& inputs = trials_->target().inputs;
        const auto input = std::ranges::find(inputs, name, &model::Cell::name);
        if (input == inputs.end())
          continue;
        all.emplace_back(uint64_t(input - inputs.begin()), condition.border);
        if (condition.magnitude)
          all.emplace_back(uint64_t(input - inputs.begin()), -condition.border);
      }
    return all;
  }

  TrialDone trial(const std::string& changed, std::vector<std::pair<uint64_t, numeric::Value>> borders) {
    const TrialTask task{.first = shown(), .borders = std::move(borders)};
    return trials_->judge({{problem_.file, changed}}, task,
                          [&](const char* phase) { say(fmt::format("{} candidate {}", phase, fix_.candidates)); });
  }

  bool passes(const TrialDone& trial) {
    const auto fails = [&](const std::string& why) {
      why_none_ = why;
      return false;
    };
    if (trial.worse > 0)
      return fails(trial.why.empty() ? "worse at some inputs" : trial.why);
    if (!trial.shown)
      return fails("the original is right at the inputs of the problem");
    if (trial.better == 0 || !(trial.after.first < trial.before.first / 2))
      return fails("no better where the original is wrong");
    if (trial.unknown * 10 > trial.tried)
      return fails("the reference is unknown at too many inputs");
    if (trial.cost > request_.most_cost)
      return fails(fmt::format("it takes {:.1f} times as long (--cost)", trial.cost));
    return true;
  }

  const Options& options_;
  const FixRequest& request_;
  const FixListener& listener_;
  const Problem& problem_;
  const std::string& text_; // of the file
  const std::atomic<bool>& stop_;
  std::string name_; // of the file in the patch
  std::optional<Trials> trials_;
  base::Stopwatch watch_;
  Fix fix_;
  std::optional<Accepted> best_;
  std::set<std::string> tried_;
  std::string why_none_;
};

// Joins the edits of repairs. Those that overlap earlier ones are left out, with the reason.
void join(FixReport& report) {
  for (FixedFile& file : report.files) {
    std::vector<Edit> all;
    std::vector<const Fix*> joined;
    for (Fix& fix : report.fixes) {
      if (!fix.is_repaired() || !is_same_path(fix.file, file.path))
        continue;
      const auto overlaps = [&](const Edit& a) {
        return a.length > 0 && std::ranges::any_of(all, [&](const Edit& b) {
                 return b.length > 0 && a.offset < b.offset + b.length && b.offset < a.offset + a.length;
               });
      };
      const bool is_known = std::ranges::any_of(joined, [&](const Fix* one) { return one->edits == fix.edits; });
      if (is_known)
        continue;
      if (std::ranges::any_of(fix.edits, overlaps)) {
        fix.refusal = "another repair changes the same code: run faultline fix again after it";
        continue;
      }
      joined.push_back(&fix);
      for (const Edit& edit : fix.edits)
        if (edit.length > 0 || std::ranges::find(all, edit) == all.end()) // a header once
          all.push_back(edit);
    }
    file.after = edited(file.before, all);
  }
}

// Problems of tier error, and wrong results of tier warning that other code can avoid: half of the digits lost.
bool is_to_be_repaired(const Problem& problem, bool given) {
  if (problem.set_aside || problem.findings.empty())
    return false;
  const Finding& finding = problem.representative();
  const bool avoidable = is_error(finding.kind) && finding.verdict == Verdict::avoidable;
  return given || problem.tier == Tier::error || (problem.tier == Tier::warning && avoidable);
}

FixedFile& file_of(FixReport& report, const std::string& file) {
  for (FixedFile& known : report.files)
    if (is_same_path(known.path, file))
      return known;
  const std::optional<std::string> text = base::regular_content(file, largest_source);
  if (!text)
    throw UserError(base::status_usage, fmt::format("{}: cannot be read", file), "the sources of the problem");
  report.files.push_back({path_in_patch(file), file, *text, *text});
  return report.files.back();
}

} // namespace

FixReport fix(const Options& options, const FixRequest& request, const FixListener& listener,
              const std::atomic<bool>& stop) {
  FixReport report;
  report.version = model::version;
  report.command = options.command;
  if (request.at.empty())
    report.hunted = hunt(options, listener.hunting, stop);
  else
    report.hunted = report_of(explain(options, request.at, 0), options);
  const RankedReport ranked(report.hunted);
  std::vector<const Problem*> chosen;
  for (const Problem& problem : ranked.problems)
    if (is_to_be_repaired(problem, !request.at.empty()))
      chosen.push_back(&problem);
  report.reproduced = !chosen.empty();
  for (const Problem* problem : chosen) {
    if (stop)
      break;
    std::string text;
    try {
      text = file_of(report, problem->file).before;
    } catch (const UserError&) {
      Fix& unread = report.fixes.emplace_back();
      unread.problem = problem->id;
      unread.tier = problem->tier;
      unread.fault = problem->fault;
      unread.file = problem->file;
      unread.function = problem->target().function;
      unread.refusal = "its source cannot be read";
      continue;
    }
    report.fixes.push_back(Repair(options, request, listener, *problem, text, stop).run(report.fixes));
  }
  join(report);
  report.interrupted = stop;
  return report;
}

namespace {

// The files of the options that a patch changes, before and after.
std::vector<FixedFile> patched_files(const Options& options, const std::string& patch) {
  std::vector<FixedFile> files;
  for (const FileDiff& diff : parse_diff(patch)) {
    const auto own = std::ranges::find_if(options.sources.files, [&](const std::string& file) {
      return is_same_path(file, diff.file) || path_in_patch(file) == diff.file ||
             std::filesystem::path(file).filename() == std::filesystem::path(diff.file).filename();
    });
    if (own == options.sources.files.end())
      throw UserError(base::status_usage,
                      fmt::format("the patch changes {}, which is not among the sources", diff.file), "name it, too");
    const std::optional<std::string> text = base::regular_content(*own, largest_source);
    if (!text)
      throw UserError(base::status_usage, fmt::format("{}: cannot be read", *own), "the file that the patch changes");
    files.push_back({path_in_patch(*own), *own, *text, patched(*text, diff)});
  }
  return files;
}

// The functions whose code a patch changes.
std::vector<std::string> changed_functions(const Options& options, const Options& changed) {
  program::Program before = load_program(options), after = load_program(changed);
  const std::vector<model::Target> old_targets = targets_of(before, options, Fit::huntable);
  const std::vector<model::Target> new_targets = targets_of(after, changed, Fit::huntable);
  const auto old_hashes = before.reach_hashes(old_targets), new_hashes = after.reach_hashes(new_targets);
  std::vector<std::string> functions;
  for (size_t i = 0; i < old_targets.size(); ++i) {
    const auto same = std::ranges::find(new_targets, old_targets[i].function, &model::Target::function);
    if (same == new_targets.end() || !(new_hashes[size_t(same - new_targets.begin())] == old_hashes[i]))
      functions.push_back(old_targets[i].function);
  }
  return functions;
}

// The verdict on a patch at one function.
Fix judged(const TargetReport& report, const TrialDone& trial, const FixRequest& request) {
  Fix fix;
  fix.fault = "patch";
  fix.file = report.file;
  fix.function = report.function;
  fix.line = report.line;
  fix.trial = trial;
  if (trial.worse > 0)
    fix.refusal = fmt::format("worse at {} of {} inputs: {}", trial.worse, trial.tried, trial.why);
  else if (trial.better == 0)
    fix.refusal = "no better at any input";
  else if (trial.cost > request.most_cost)
    fix.refusal = fmt::format("it takes {:.1f} times as long (--cost)", trial.cost);
  return fix;
}

} // namespace

FixReport check_patch(const Options& options, const FixRequest& request, const std::string& patch,
                      const FixListener& listener, const std::atomic<bool>& stop) {
  FixReport report;
  report.version = model::version;
  report.command = options.command;
  report.files = patched_files(options, patch);
  Options changed = options;
  for (const FixedFile& file : report.files)
    changed.sources.texts[file.path] = file.after;
  Options own = options;
  if (own.functions.empty())
    own.functions = changed_functions(options, changed);
  if (own.functions.empty())
    throw UserError(base::status_unsuitable, "the patch changes the code of no function that can be tested",
                    "faultline list SOURCE shows those that can");
  report.hunted = request.at.empty() ? hunt(own, listener.hunting, stop) : report_of(explain(own, request.at, 0), own);
  for (const TargetReport& target : report.hunted.targets) {
    if (stop || target.outcome == TargetOutcome::refused)
      continue;
    if (listener.on_phase)
      listener.on_phase(fmt::format("trying {}", target.function));
    Trials trials(own, target, changed.sources.texts, stop);
    TrialTask task;
    for (const Finding& finding : target.findings)
      if (finding.values.size() == trials.target().inputs.size() && task.first.size() < most_first)
        task.first.push_back(finding.values);
    Fix fix = judged(target, trials.judge({}, task, nullptr), request);
    fix.patch = patch;
    for (const Finding& finding : target.findings)
      if (fix.input.empty())
        fix.input = finding.input;
    report.fixes.push_back(std::move(fix));
  }
  report.interrupted = stop;
  return report;
}

} // namespace faultline::hunt
