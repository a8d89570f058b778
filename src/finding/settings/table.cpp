#include "finding/settings/table.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::finding {

using frontend::status_usage;
using frontend::UserError;

const std::vector<std::string>& Said::values(const std::string& key) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(key);
  return found == values_.end() ? none : found->second;
}

const std::string& Said::value(const std::string& key) const {
  static const std::string none;
  const std::vector<std::string>& all = values(key);
  return all.empty() ? none : all.back();
}

void Said::set(const std::string& key, std::vector<std::string> values) {
  if (values.empty())
    values_.erase(key);
  else
    values_[key] = std::move(values);
}

namespace {

// True if a setting for `by` also applies to `name`.
bool covers(const std::string& by, const std::string& name, const std::function<bool(const std::string&)>& is_float) {
  if (by == "*")
    return name == "*" || is_float(name);
  const bool begins = name.size() > by.size() && name.starts_with(by);
  return name == by || (begins && std::string_view("[.(%").find(name[by.size()]) != std::string_view::npos);
}

// Throws if two settings for the same thing contradict each other.
void check_oracle(const Said& said, const Settings& settings) {
  if (said.has("reference") && said.has("oracle") && said.value("oracle") != "reference")
    throw UserError(status_usage, fmt::format("--reference does not go with --oracle {}", said.value("oracle")),
                    "leave out one of the two");
  if (settings.oracle == OracleName::reference && settings.reference_file.empty())
    throw UserError(status_usage, "--oracle reference: there is no reference", "add --reference FILE:FUNCTION");
}

} // namespace

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> rows = function_settings();
    std::ranges::copy(command_settings(), std::back_inserter(rows));
    return rows;
  }();
  return all;
}

const Setting* find_setting(const std::string& key) {
  const auto found = std::ranges::find_if(all_settings(), [&](const Setting& setting) { return setting.key == key; });
  return found == all_settings().end() ? nullptr : &*found;
}

bool is_option(const Setting& setting, std::string_view word) {
  for (std::string_view options = setting.option; !options.empty();) {
    const std::string_view option = options.substr(0, options.find(','));
    options.remove_prefix(std::min(option.size() + 1, options.size()));
    const bool is_long = option.starts_with("--");
    if (word == option || (word.starts_with(option) && (is_long ? word[option.size()] == '=' : word[1] != '-')))
      return true;
  }
  return false;
}

Settings read_settings(const Said& said, Settings settings) {
  for (const Setting& setting : all_settings())
    if (setting.of_function() && said.has(setting.key))
      setting.read(said.values(setting.key), settings);
  check_oracle(said, settings);
  return settings;
}

Said said_by(const Settings& settings) {
  Said said;
  for (const Setting& setting : all_settings())
    if (setting.of_function())
      said.set(setting.key, setting.write(settings));
  return said;
}

std::vector<std::string> words_of(const Said& said) {
  std::vector<std::string> words;
  for (const Setting& setting : all_settings()) {
    if (!setting.of_function() || setting.recorded == Recorded::never || !said.has(setting.key))
      continue;
    if (setting.form == Form::flag) {
      if (said.is_on(setting.key))
        words.push_back(fmt::format("--{}", setting.key));
      continue;
    }
    for (const std::string& value : said.values(setting.key)) {
      words.push_back(fmt::format("--{}", setting.key));
      words.push_back(value);
    }
  }
  return words;
}

Said said_in(const std::vector<std::string>& words) {
  Said said;
  for (size_t i = 0; i < words.size(); ++i) {
    const Setting* setting = words[i].starts_with("--") ? find_setting(words[i].substr(2)) : nullptr;
    const bool flag = setting && setting->form == Form::flag;
    if (!setting || !setting->of_function() || setting->recorded == Recorded::never || (!flag && i + 1 == words.size()))
      throw UserError(status_usage, fmt::format("'{}' is not a setting with its value", words[i]),
                      "use a file that faultline hunt -o FILE.json wrote");
    said.add(setting->key, flag ? "true" : words[++i]);
  }
  return said;
}

std::string name_in(const std::string& text, Form form) {
  const size_t equals = text.find('=');
  return equals != std::string::npos ? text.substr(0, equals) : form == Form::list ? text : "*";
}

Said overridden(Said lower, const Said& higher, const std::function<bool(const std::string&)>& is_float) {
  for (const Setting& setting : all_settings())
    if (*setting.alternative && (higher.has(setting.key) || higher.has(setting.alternative))) {
      lower.forget(setting.key);
      lower.forget(setting.alternative);
    }
  for (const Setting& setting : all_settings()) {
    if (!higher.has(setting.key))
      continue;
    const std::vector<std::string>& replacing = higher.values(setting.key);
    std::vector<std::string> values = lower.values(setting.key);
    std::erase_if(values, [&](const std::string& text) {
      return setting.form != Form::by_name ? !setting.adds_up
                                           : std::ranges::any_of(replacing, [&](const std::string& by) {
                                               return (setting.for_every_array && name_in(by) == "*") ||
                                                      covers(name_in(by), name_in(text), is_float);
                                             });
    });
    values.insert(values.end(), replacing.begin(), replacing.end());
    lower.set(setting.key, std::move(values));
  }
  return lower;
}

// Options that belong to a command as a whole.

namespace {

constexpr const char* code = "Code under test";
constexpr const char* inputs = "Inputs";
constexpr const char* search = "Search";
constexpr const char* counts = "What counts";
constexpr const char* output = "Output";
constexpr const char* machines = "Many machines";
constexpr uint32_t runs_code = command::hunt | command::explain | command::cover | command::replay | command::report |
                               command::worker | command::campaign | command::bound | command::check | command::vectors;
constexpr uint32_t with_sources = command::hunt | command::explain | command::list | command::cover | command::harness |
                                  command::bound | command::export_fpcore | command::vectors;

// clang-format off
constexpr Setting settings[] = {
  {.key = "function", .option = "-f,--function", .group = code, .form = Form::list, .value = "NAME",
   .otherwise = "all suitable ones", .help = "this function, or those like 'gsl_sf_*'",
   .more = "A C++ function can be named without its namespace, and the instances of a template without their arguments. "
           "Of the functions like a pattern only the suitable ones are taken.",
   .commands = with_sources},
  {.key = "database", .option = "-p", .group = code, .form = Form::path, .value = "PATH",
   .help = "compile_commands.json, or the folder that has it; without a SOURCE all its files",
   .more = "A file that it does not list is compiled with the flags of one that it does: of the same folder, or else of "
           "the nearest.",
   .commands = with_sources},
  {.key = "config", .option = "--config", .group = code, .form = Form::path, .value = "FILE",
   .otherwise = "the nearest faultline.toml upwards from the source", .help = "settings by function",
   .commands = with_sources},
  {.key = "no-config", .option = "--no-config", .group = code, .form = Form::flag, .help = "read no faultline.toml",
   .commands = with_sources},
  {.key = "trust-flags", .option = "--trust-flags", .group = code, .form = Form::flag,
   .help = "take all compiler flags that files have",
   .more = "Flags in saved findings, jobs, faultline.toml and compile_commands.json are data. Those that select the "
           "language, headers, macros, optimisation, the machine and the model of arithmetic are taken, those that "
           "cannot matter are dropped, and others, which could make the compiler load a plugin or write files, are "
           "refused by name. Flags after -- are yours, and taken as they are.",
   .commands = with_sources | command::replay | command::report | command::worker | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "flags", .group = code, .form = Form::list, .help = "flags for the compiler; those after -- come last",
   .in_file = InFile::at_the_top, .example = "flags = [\"-DN=8\"]"},
  {.key = "allow-read", .option = "--allow-read", .group = code, .form = Form::list, .value = "DIR",
   .otherwise = "none", .help = "the code under test may read the files in this folder",
   .more = "When it is compiled, #include, #embed, INCLUDE and assembler directives read files of the project, of the folders "
           "of compiler flags, and of the system; with this option also those in DIR. Reports show the lines of such files. "
           "When it runs, it opens the files in DIR, the locale and time zone data of the C library, and no others, and "
           "writes none. Running needs a kernel with Landlock.", .commands = runs_code | with_sources,
   .recorded = Recorded::in_reports},
  {.key = "unsafe-no-sandbox", .option = "--unsafe-no-sandbox", .group = code, .form = Form::flag,
   .help = "run the code under test with all your rights",
   .more = "Where the system has no filter of system calls, no code is run without this option. It is not taken from saved "
           "commands.", .commands = runs_code,
   .recorded = Recorded::in_reports},
  {.key = "unsuitable", .option = "--all", .group = output, .form = Form::flag,
   .help = "name the functions that cannot be hunted in too, with the reasons", .commands = command::list},
  {.key = "at", .option = "--at", .group = inputs, .form = Form::list, .value = "x=VALUE",
   .help = "the input; or a comma list; A=1,2,3 for an array", .commands = command::explain},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N",
   .otherwise = "one a processor", .help = "functions at the same time",
   .more = "The findings do not depend on it.", .commands = command::hunt,
   .recorded = Recorded::never},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N",
   .otherwise = "one a processor; with --slurm 1",
   .help = "run: functions at the same time; with --slurm processors of a task, with --launcher commands at a time",
   .more = "With --evals the findings do not depend on it.", .commands = command::campaign},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N", .usual = "1",
   .help = "functions at the same time", .commands = command::worker},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N",
   .otherwise = "one a processor", .help = "threads at the same time", .commands = command::check},
  {.key = "corpus", .option = "--corpus", .group = search, .form = Form::path, .value = "DIR",
   .help = "keep findings there, one a file, and try them first the next time",
   .more = "See FINDINGS THAT ARE KNOWN.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "corpus = \"found\"",
   .recorded = Recorded::in_reports},
  {.key = "seen", .option = "--seen", .group = inputs, .form = Form::path, .value = "FILE",
   .help = "ranges and first inputs from real runs, as faultline record has noted them",
   .more = "Of each function that was called, what was seen of an input is everyday (see --everyday), and some of the "
           "calls are tried first. What --range, --hold and --everyday say has more weight. Functions that were not "
           "called are hunted in as usual.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "seen = \"seen.json\""},
  {.key = "loop-bound", .option = "--loop-bound", .group = search, .form = Form::number, .value = "N", .usual = "8",
   .help = "how often a decision is turned on one path", .commands = command::cover},
  {.key = "paths", .option = "--paths", .group = search, .form = Form::flag, .help = "go on until all paths are known",
   .commands = command::cover},
  {.key = "solver", .option = "--solver", .group = search, .form = Form::word, .value = "NAME",
   .otherwise = "the first of the list below", .help = "who solves it", .commands = command::solve},
  {.key = "time", .option = "--time", .group = search, .form = Form::duration, .value = "TIME", .usual = "10s",
   .help = "time at most: 10s, 500ms, 2m", .commands = command::solve | command::bound},
  {.key = "ratio", .option = "--ratio", .group = search, .form = Form::number, .value = "R", .usual = "1.1",
   .help = "end when no proven bound is more than R times what was found", .commands = command::bound},
  {.key = "rounded-inputs", .option = "--rounded-inputs", .group = inputs, .form = Form::flag,
   .help = "count half a unit in the last place for each input, as others do",
   .more = "The exact inputs are then all reals that round to a float of the range. By itself the inputs are the floats "
           "that they are.", .commands = command::bound},
  {.key = "input-error", .option = "--input-error", .group = inputs, .form = Form::list, .value = "x=ERROR",
   .help = "the exact value of an input may differ from the float by this much", .commands = command::bound},
  {.key = "around", .option = "--around", .group = inputs, .form = Form::list, .value = "x=1,y=2",
   .help = "the largest box around this point in which no error is above the threshold",
   .more = "Inputs that are not named have all of their range.", .commands = command::bound},
  {.key = "run-time", .option = "--time", .group = search, .form = Form::duration, .value = "TIME",
   .otherwise = "1h, unless --evals is given", .help = "run: how long, on the clock: 30m, 8h",
   .more = "Jobs that are under way then may come to their end, for a twentieth of it, 30 s at most.",
   .commands = command::campaign},
  {.key = "run-evals", .option = "--evals", .group = search, .form = Form::number, .value = "N",
   .help = "run: until each function has had so many evaluations, in all runs together",
   .more = "What is found then does not depend on the order of the jobs, on -j, or on how often a run was killed.",
   .commands = command::campaign},
  {.key = "slurm", .option = "--slurm", .group = machines, .form = Form::flag,
   .help = "run: by tasks of a Slurm cluster",
   .more = "One job array with sbatch; within an allocation by srun, unless --partition is given. The campaign's folder and "
           "the program have to be on a file system that the nodes see under the same name.", .commands = command::campaign},
  {.key = "partition", .option = "--partition", .group = machines, .form = Form::word, .value = "NAME",
   .otherwise = "the cluster's own choice", .help = "with --slurm: where the tasks run", .commands = command::campaign},
  {.key = "tasks", .option = "--tasks", .group = machines, .form = Form::number, .value = "N", .usual = "64",
   .help = "with --slurm and --launcher: into so many tasks functions are divided", .commands = command::campaign},
  {.key = "array-limit", .option = "--array-limit", .group = machines, .form = Form::number, .value = "N", .usual = "256",
   .help = "with --slurm: so many tasks run at a time, at most", .commands = command::campaign},
  {.key = "task-time", .option = "--task-time", .group = machines, .form = Form::duration, .value = "TIME", .usual = "2h",
   .help = "with --slurm and --launcher: time of a task; what is not done then is handed out again",
   .commands = command::campaign},
  {.key = "launcher", .option = "--launcher", .group = machines, .form = Form::word, .value = "COMMAND",
   .help = "run: by tasks that this command starts: 'ssh node7 faultline worker --share {job}'",
   .more = "The shell runs it once a job file, with the path in the place of {job}; or, with {share} instead, once, with the "
           "folder of them: 'mpirun -np 64 faultline worker --share {share}'. The paths are quoted for the shell.",
   .commands = command::campaign},
  {.key = "shared-folder", .option = "--shared-folder", .group = machines, .form = Form::path, .value = "PATH",
   .otherwise = "the campaign's folder", .help = "with --slurm and --launcher: where jobs and results are, for all machines to see",
   .more = "The store then stays on a file system of this machine, which is where it belongs.", .commands = command::campaign},
  {.key = "share", .option = "--share", .group = machines, .form = Form::path, .value = "PATH",
   .help = "be a task of a campaign: PATH is a job file, or the folder, of which jobs are taken until none is left",
   .commands = command::worker},
  {.key = "commit", .option = "--commit", .group = code, .form = Form::word, .value = "NAME",
   .otherwise = "what Git has checked out", .help = "run: what this state of the sources is called",
   .commands = command::campaign},
  {.key = "baseline", .option = "--baseline", .group = counts, .form = Form::path, .value = "FILE.json",
   .help = "only findings that are not in this report of an earlier hunt count",
   .more = "See FINDINGS THAT ARE KNOWN.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "baseline = \"known.json\"",
   .recorded = Recorded::in_reports},
  {.key = "factor", .option = "--factor", .group = counts, .form = Form::number, .value = "F", .usual = "2",
   .help = "a vector fails if its error is more than F times that of the file; errors below 2 ulps count as 2",
   .commands = command::vectors},
  {.key = "fail-on", .option = "--fail-on", .group = counts, .form = Form::word, .value = "TIER", .usual = "warning",
   .help = "what makes the exit status 1: error, warning or note",
   .more = "An error is an avoidable failure at everyday inputs; a warning one at other inputs, or one of which it is not "
           "known whether it can be avoided; a note is what the code can do little about. Those of lower tiers are "
           "reported all the same.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "fail-on = \"error\"",
   .recorded = Recorded::in_reports},
  {.key = "fail-on", .option = "--fail-on", .group = counts, .form = Form::word, .value = "TIER", .usual = "warning",
   .help = "report, compare: what makes the exit status 1: error, warning or note; to compare, new ones",
   .commands = command::campaign},
  {.key = "most", .option = "--most", .group = output, .form = Form::number, .value = "N", .usual = "200",
   .unit = "operations", .help = "operations shown", .commands = command::explain},
  {.key = "kind", .option = "--kind", .group = output, .form = Form::word, .value = "NAME",
   .help = "tell about a kind of finding; needs no source", .commands = command::explain},
  {.key = "only", .option = "--only", .group = output, .form = Form::list, .value = "ID", .help = "this finding",
   .commands = command::replay},
  {.key = "strict", .option = "--strict", .group = output, .form = Form::flag,
   .help = "check also that all that the findings say is so",
   .more = "The computed value is that of the code as it is built without instrumentation; the reference stays what it "
           "is in twice the precision; the parts of the error add up; the line at fault lies on the path of the run.",
   .commands = command::replay},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "a report: .json, .sarif, .xml (JUnit), .html, .cpp or .c (regression tests), .csv, .py, .ipp or .hpp (test "
           "vectors), .txt, or - for JSON on standard output",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "the explanation: .json, .txt, or - for JSON on standard output", .commands = command::explain},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "tests: .cpp (GoogleTest) or .c; .json; - for JSON on standard output", .commands = command::cover},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "the bounds: .json, .html, .txt, .proof.json (the proof, for faultline check), or - for JSON on standard output",
   .commands = command::bound},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "what was checked: .json, or - for JSON on standard output", .commands = command::check},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "where to write it: .fpcore, or - for standard output", .commands = command::export_fpcore},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "what was seen: .json, or - for JSON on standard output", .commands = command::vectors},
  {.key = "seen-file", .option = "-o", .group = output, .form = Form::path, .value = "FILE", .usual = "seen.json",
   .help = "where to write what was seen, for hunt --seen", .commands = command::record},
  {.key = "signatures", .option = "--signatures", .group = output, .form = Form::path, .value = "PROGRAM",
   .help = "run nothing: write how its functions take their arguments, for the recorder's own use",
   .commands = command::record},
  {.key = "include", .option = "--include", .group = output, .form = Form::list, .value = "HEADER",
   .otherwise = "the tests declare what they call",
   .help = "regression tests (.cpp, .c) include this header, which declares the functions",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "vectors", .option = "--vectors", .group = output, .form = Form::number, .value = "N", .usual = "50",
   .help = "how many test vectors of each function a .csv, .py, .ipp or .hpp has, at most",
   .more = "Problems come first, then inputs that show every outcome of a branch that was reached, then borders between "
           "decisions, special values and ordinary inputs; no two that show the same, as long as there are others.",
   .commands = command::hunt | command::report | command::campaign},
  {.key = "no-plots", .option = "--no-plots", .group = output, .form = Form::flag,
   .help = "HTML reports without plots: the code is not run again for them",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "watch", .option = "--watch", .group = output, .form = Form::flag,
   .help = "status: again and again, in place, until the run ends", .commands = command::campaign},
  {.key = "limit", .option = "--limit", .group = output, .form = Form::number, .value = "N", .usual = "10",
   .unit = "problems", .help = "how many are shown in full; further ones have a line each",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "verbose", .option = "-v,--verbose", .group = output, .form = Form::flag,
   .help = "every finding with all that is known of it, and the whole table",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no progress on standard error, and one line a problem",
   .commands = command::hunt | command::report,
   .recorded = Recorded::in_reports},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no progress on standard error; status: one line, report, compare: one line a problem",
   .commands = command::campaign},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no progress on standard error", .commands = command::cover | command::bound},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "name only the functions whose vectors fail", .commands = command::vectors},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "name only what is not reproduced, or not so", .commands = command::replay},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no words on standard error about what was seen", .commands = command::record},
};
// clang-format on

} // namespace

std::vector<Setting> command_settings() { return {std::begin(settings), std::end(settings)}; }

} // namespace faultline::finding
