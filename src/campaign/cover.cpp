#include "campaign/cover.h"

#include "campaign/configuration.h"
#include "campaign/job.h"
#include "campaign/number.h"
#include "campaign/space_of_target.h"
#include "campaign/version.h"
#include "numeric/decimal.h"
#include "ops/table.h"
#include "tape/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace faultline::campaign {

using frontend::Target;
using search::Standing;

namespace {

Json to_json(const exec::Input& input) {
  Json values = Json::array();
  for (const long double value : input)
    values.push_back(numeric::hex_float(value));
  return values;
}

exec::Input input_in(const Json& json) {
  exec::Input input;
  for (const Json& value : json)
    input.push_back(numeric::parse_long_double(value.get<std::string>()).value_or(0));
  return input;
}

std::string outcome_text(const runtime::Site& site, int64_t outcome) {
  if (site.predicate != "switch")
    return outcome ? "true" : "false";
  return outcome > 0 && size_t(outcome) <= site.cases.size() ? fmt::format("case {}", site.cases[size_t(outcome) - 1])
                                                             : "default";
}

// The worker's first part: explore, and send what was found.
void explore_here(exec::Session& session, const Target& target, const Options& options, const CoverOptions& how,
                  exec::Line& line) {
  const search::Space space = space_of(target, options);
  search::Budget budget;
  budget.seconds = options.budget_seconds;
  if (options.evaluations)
    budget.evaluations = *options.evaluations;
  uint64_t runs = 0;
  search::Evaluator evaluator(session, budget, [&](const exec::Input&, const exec::Run&, const tape::Tape&) {
    if (++runs % 256 == 0)
      line.send(Json{{"progress", runs}}.dump());
  });
  const search::Exploration found =
      search::explore_paths(evaluator, space, target, how.limits, numeric::Rng(options.seed));
  for (const search::BranchOutcome& branch : found.outcomes) {
    const runtime::Site& site = session.sites().sites[branch.site];
    line.send(Json{{"branch",
                    {{"site", branch.site},
                     {"outcome", branch.outcome},
                     {"standing", int(branch.standing)},
                     {"input", to_json(branch.input)},
                     {"solver", branch.solver},
                     {"why", branch.why},
                     {"file", site.file},
                     {"function", site.function},
                     {"line", site.line},
                     {"column", site.column},
                     {"operation", ops::name(site.op)},
                     {"condition", site.op == ops::Op::decide ? site.predicate : std::string(ops::symbol(site.op))},
                     {"text", outcome_text(site, branch.outcome)}}}}
                  .dump());
  }
  line.send(Json{{"done",
                  {{"paths", found.paths.size()},
                   {"complete", found.complete},
                   {"bounded", found.bounded},
                   {"questions", found.questions},
                   {"unanswered", found.unanswered},
                   {"evaluations", evaluator.evaluations()},
                   {"seconds", evaluator.seconds()}}}}
                .dump());
}

// The second worker's: each input again, and the decisions it takes.
void replay_here(exec::Session& session, const std::vector<exec::Input>& inputs, exec::Line& line) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const exec::Run& run = session.run(inputs[i]);
    const tape::Tape tape(run, session.sites(), inputs[i].size());
    std::set<std::pair<uint32_t, int64_t>> taken;
    for (const tape::Branch& branch : tape::path(tape))
      taken.insert({branch.site, branch.outcome});
    Json decisions = Json::array(), outputs = Json::array();
    for (const auto& [site, outcome] : taken)
      decisions.push_back(Json::array({site, outcome}));
    for (const exec::OutputValue& output : run.outputs)
      outputs.push_back(numeric::hex_float(output.value));
    line.send(Json{{"run",
                    {{"input", i},
                     {"ending", std::string(exec::text(run.outcome))},
                     {"returned", run.outcome == exec::Outcome::returned},
                     {"decisions", decisions},
                     {"outputs", outputs}}}}
                  .dump());
  }
}

struct Replayed {
  bool returned = false;
  std::string ending;
  std::set<std::pair<uint32_t, int64_t>> decisions;
  std::vector<long double> outputs;
};

Replayed replayed_in(const Json& run) {
  Replayed replayed{run["returned"].get<bool>(), run["ending"].get<std::string>(), {}, {}};
  for (const Json& decision : run["decisions"])
    replayed.decisions.insert({decision[0].get<uint32_t>(), decision[1].get<int64_t>()});
  for (const Json& output : run["outputs"])
    replayed.outputs.push_back(numeric::parse_long_double(output.get<std::string>()).value_or(0));
  return replayed;
}

Options as_written(Options options) {
  options.sources.as_written = true;
  return options;
}

// The function that is named; without a name, the only one that can be called.
Target target_of(frontend::Program& program, const Options& options) {
  std::vector<Target> found = targets_of(program, options, true);
  if (!options.functions.empty())
    return found.front();
  std::erase_if(found,
                [&](const Target& target) { return !target.can_be_called || options_for(target, options).skip; });
  if (found.size() != 1)
    throw frontend::UserError(frontend::status_usage,
                              fmt::format("the sources have {} functions that can be called", found.size()),
                              "name one with -f; faultline list shows them");
  return found.front();
}

class Covering {
public:
  Covering(const Options& options, const CoverOptions& how, const std::function<void(uint64_t)>& on_progress,
           const std::atomic<bool>& stop)
      : options_(options), how_(how), on_progress_(on_progress), stop_(stop),
        program_(load_program(as_written(options))) {
    report_.version = version;
    report_.command = options.command;
    report_.seed = options.seed;
    report_.loop_bound = how.limits.loop_bound;
    report_.target = target_of(program_, options);
    check_names({report_.target}, options);
    options_ = options_for(report_.target, options);
  }

  CoverReport run() {
    const search::Space space = space_of(report_.target, options_);
    for (size_t i = 0; i < space.dimensions.size(); ++i) {
      const search::Dimension& dimension = space.dimensions[i];
      const frontend::Type& type = report_.target.inputs[i].type;
      report_.inputs.push_back({dimension.name, type.name(), number_of(dimension.low, type).decimal,
                                number_of(dimension.high, type).decimal});
    }
    explore();
    choose_inputs();
    replay();
    report_.interrupted = stop_;
    return std::move(report_);
  }

private:
  void in_worker(const std::function<void(exec::Session&, exec::Line&)>& work,
                 const std::function<void(const Json&)>& on_message) {
    std::optional<frontend::UserError> error;
    std::vector<exec::Job> jobs;
    jobs.push_back(make_job(
        [&](exec::Line& line) {
          exec::Session session(std::move(program_), report_.target, options_.limits, line.flight, {.decisions = true});
          session.skip(line.skip);
          work(session, line);
        },
        [&](const Json& message) {
          if (auto found = error_in(message))
            error = found;
          else
            on_message(message);
        },
        [&](const exec::Death&) {
          branches_.clear();
          report_.note = "a call killed the worker process, and was left out";
        },
        [](bool) {}));
    exec::run_jobs(std::move(jobs), 1, options_.worker, stop_, [] {});
    if (error)
      throw *error;
  }

  void explore() {
    in_worker(
        [&](exec::Session& session, exec::Line& line) { explore_here(session, report_.target, options_, how_, line); },
        [&](const Json& message) {
          if (message.contains("progress")) {
            on_progress_(message["progress"].get<uint64_t>());
          } else if (message.contains("branch")) {
            branches_.push_back(message["branch"]);
          } else if (message.contains("done")) {
            const Json& done = message["done"];
            report_.paths = done["paths"].get<uint64_t>();
            report_.complete = done["complete"].get<bool>();
            report_.bounded = done["bounded"].get<uint64_t>();
            report_.questions = done["questions"].get<uint64_t>();
            report_.unanswered = done["unanswered"].get<uint64_t>();
            report_.evaluations = done["evaluations"].get<uint64_t>();
            report_.seconds = done["seconds"].get<double>();
          }
        });
  }

  // The distinct inputs of the branches, in their order.
  void choose_inputs() {
    for (const Json& branch : branches_) {
      if (Standing(branch["standing"].get<int>()) != Standing::covered)
        continue;
      const exec::Input input = input_in(branch["input"]);
      if (std::find(inputs_.begin(), inputs_.end(), input) == inputs_.end())
        inputs_.push_back(input);
    }
  }

  void replay() {
    std::vector<Replayed> runs(inputs_.size());
    if (!inputs_.empty())
      in_worker([&](exec::Session& session, exec::Line& line) { replay_here(session, inputs_, line); },
                [&](const Json& message) {
                  if (message.contains("run"))
                    runs[message["run"]["input"].get<size_t>()] = replayed_in(message["run"]);
                });
    const std::vector<size_t> kept = fewest(runs);
    for (const size_t i : kept)
      report_.tests.push_back(test_of(inputs_[i], runs[i]));
    for (const Json& branch : branches_)
      report_.branches.push_back(branch_of(branch, kept, runs));
  }

  // Inputs that show all that the inputs show, the ones that show most first.
  std::vector<size_t> fewest(const std::vector<Replayed>& runs) const {
    std::set<std::pair<uint32_t, int64_t>> wanted;
    for (const Json& branch : branches_)
      if (Standing(branch["standing"].get<int>()) == Standing::covered)
        wanted.insert({branch["site"].get<uint32_t>(), branch["outcome"].get<int64_t>()});
    std::vector<size_t> kept;
    for (;;) {
      size_t best = 0, most = 0;
      for (size_t i = 0; i < runs.size(); ++i) {
        const auto shows = size_t(std::count_if(runs[i].decisions.begin(), runs[i].decisions.end(),
                                                [&](const auto& decision) { return wanted.contains(decision); }));
        if (shows > most) {
          most = shows;
          best = i;
        }
      }
      if (most == 0)
        break;
      kept.push_back(best);
      for (const auto& decision : runs[best].decisions)
        wanted.erase(decision);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
  }

  CoverTest test_of(const exec::Input& input, const Replayed& run) const {
    CoverTest test{named_input(report_.target, input), input, run.ending, run.returned, {}};
    for (size_t i = 0; run.returned && i < run.outputs.size() && i < report_.target.outputs.size(); ++i)
      test.outputs.push_back(
          {report_.target.outputs[i].name, number_of(run.outputs[i], report_.target.outputs[i].type)});
    return test;
  }

  CoveredBranch branch_of(const Json& branch, const std::vector<size_t>& kept, const std::vector<Replayed>& runs) {
    CoveredBranch covered{branch["file"].get<std::string>(),
                          branch["function"].get<std::string>(),
                          branch["line"].get<int>(),
                          branch["column"].get<int>(),
                          branch["operation"].get<std::string>(),
                          branch["condition"].get<std::string>(),
                          branch["text"].get<std::string>(),
                          Standing(branch["standing"].get<int>()),
                          branch["solver"].get<std::string>(),
                          branch["why"].get<std::string>(),
                          {}};
    if (covered.standing != Standing::covered)
      return covered;
    const std::pair wanted{branch["site"].get<uint32_t>(), branch["outcome"].get<int64_t>()};
    for (size_t test = 0; test < kept.size(); ++test)
      if (runs[kept[test]].decisions.contains(wanted)) {
        covered.shown = test;
        return covered;
      }
    ++report_.not_replayed;
    covered.standing = Standing::open;
    covered.why = "a fresh process did not confirm its input";
    return covered;
  }

  Options options_;
  const CoverOptions& how_;
  const std::function<void(uint64_t)>& on_progress_;
  const std::atomic<bool>& stop_;
  frontend::Program program_;
  CoverReport report_;
  std::vector<Json> branches_;
  std::vector<exec::Input> inputs_;
};

} // namespace

size_t CoverReport::count(Standing standing) const {
  return size_t(std::count_if(branches.begin(), branches.end(),
                              [standing](const CoveredBranch& branch) { return branch.standing == standing; }));
}

CoverReport cover(const Options& options, const CoverOptions& how, const std::function<void(uint64_t)>& on_progress,
                  const std::atomic<bool>& stop) {
  return Covering(options, how, on_progress, stop).run();
}

} // namespace faultline::campaign
