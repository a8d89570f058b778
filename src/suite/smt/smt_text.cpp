#include "suite/smt/smt.h"

#include "finding/json/json.h"
#include "finding/version.h"
#include "report/table.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::suite {

using constraint::Status;
using solve::Answer;

namespace {

std::string_view name(Status status) {
  return status == Status::sat ? "sat" : status == Status::unsat ? "unsat" : "unknown";
}

// What one solver made of one group of files.
struct Tally {
  size_t files = 0, sat = 0, unsat = 0, wrong = 0, known_sat = 0, known_unsat = 0, proved_sat = 0, proved_unsat = 0;
  double seconds = 0; // all files; time-outs as long as they took

  void add(const SmtRun& run) {
    ++files;
    seconds += run.seconds;
    sat += run.answer == Answer::sat;
    unsat += run.answer == Answer::unsat;
    wrong += run.wrong;
    known_sat += run.status == Status::sat;
    known_unsat += run.status == Status::unsat;
    proved_sat += run.status == Status::sat && run.answer == Answer::sat;
    proved_unsat += run.status == Status::unsat && run.answer == Answer::unsat;
  }
};

template <typename Key>
std::vector<std::string> distinct(const std::vector<SmtRun>& runs, Key key) {
  std::vector<std::string> names;
  for (const SmtRun& run : runs)
    if (std::find(names.begin(), names.end(), run.*key) == names.end())
      names.push_back(run.*key);
  return names;
}

} // namespace

std::string smt_text(const SmtReport& report) {
  using report::Align;
  std::vector<report::Row> rows;
  for (const std::string& group : distinct(report.runs, &SmtRun::group))
    for (const std::string& solver : distinct(report.runs, &SmtRun::solver)) {
      Tally tally;
      for (const SmtRun& run : report.runs)
        if (run.group == group && run.solver == solver)
          tally.add(run);
      rows.push_back({group.empty() ? "." : group, solver,
                      fmt::format("{} of {}", tally.sat + tally.unsat, tally.files), fmt::format("{}", tally.sat),
                      fmt::format("{}", tally.unsat), fmt::format("{} of {}", tally.proved_sat, tally.known_sat),
                      fmt::format("{} of {}", tally.proved_unsat, tally.known_unsat), fmt::format("{}", tally.wrong),
                      fmt::format("{:.1f}", tally.seconds)});
    }
  std::string text = report::table({{"files"},
                                    {"solver"},
                                    {"solved", Align::right},
                                    {"sat", Align::right},
                                    {"unsat", Align::right},
                                    {"known sat", Align::right},
                                    {"known unsat", Align::right},
                                    {"wrong", Align::right},
                                    {"seconds", Align::right}},
                                   rows, report::Style(false));
  text +=
      fmt::format("\n{:g} s a file. Known: of the files whose :status says so. Wrong: against :status, or unsat where "
                  "another solver has a model.\nSeconds: all files together, unsolved ones with the time they took.\n",
                  report.seconds);
  for (const SmtRun& run : report.runs)
    if (run.wrong)
      text += fmt::format("Wrong: {} on {}: {} (status {})\n", run.solver, run.file, solve::name(run.answer),
                          name(run.status));
  return text;
}

std::string smt_csv(const SmtReport& report) {
  std::string text = "benchmark,strategy,answer,seconds,status,wrong,by\n";
  for (const SmtRun& run : report.runs)
    text += fmt::format("{},{},{},{:.4f},{},{},{}\n", run.file, run.solver, solve::name(run.answer), run.seconds,
                        name(run.status), run.wrong ? 1 : 0, run.by);
  return text;
}

std::string smt_json(const SmtReport& report, const std::vector<std::string>& command) {
  using Json = finding::Json;
  Json runs = Json::array();
  for (const SmtRun& run : report.runs)
    runs.push_back({{"benchmark", run.file},
                    {"solver", run.solver},
                    {"answer", solve::name(run.answer)},
                    {"seconds", run.seconds},
                    {"status", name(run.status)},
                    {"wrong", run.wrong},
                    {"by", run.by},
                    {"reason", run.reason}});
  const Json json{
      {"faultline", finding::version}, {"schema", 1}, {"command", command}, {"limit", report.seconds}, {"runs", runs}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace faultline::suite
