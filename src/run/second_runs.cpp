#include "run/second_runs.h"

#include "base/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <tuple>

namespace faultline::run {

namespace {

using model::RunOutput;
using model::RunReport;
using model::RunSite;

constexpr size_t most_single_runs = 4; // for one comparison or loop each: a guess
constexpr double tightening = 0x1p-8;  // as for tolerances in hunts (oracle/truncation.h)

// The text of a run without its numbers with a fraction, which are compared by their digits.
std::string text_without_floats(const std::string& output) {
  std::string text;
  for (size_t i = 0; i < output.size();) {
    size_t end = i;
    while (end < output.size() && (std::isalnum(static_cast<unsigned char>(output[end])) || output[end] == '.' ||
                                   output[end] == '+' || output[end] == '-'))
      ++end;
    const std::string word = output.substr(i, end - i);
    if (word.find('.') == std::string::npos || word.find_first_of("0123456789") == std::string::npos)
      text += word;
    if (end == i)
      text += output[end++];
    i = end;
  }
  return text;
}

bool same_value(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

bool same_numbers(const RunReport& a, const RunReport& b) {
  return a.printed == b.printed && std::ranges::equal(a.outputs, b.outputs, [](const RunOutput& x, const RunOutput& y) {
           return same_value(x.value, y.value);
         });
}

// Decimal digits in which two numbers agree.
double agreement(double a, double b) {
  if (same_value(a, b) || a == b)
    return 17;
  if (!std::isfinite(a) || !std::isfinite(b))
    return 0;
  return std::max(0.0, -std::log10(std::fabs(a - b) / std::max(std::fabs(a), std::fabs(b))));
}

// True if the numbers differ by more than rounding explains. Digits of a result are its own figure, so there is a margin.
bool differs(const RunOutput& first, double other) {
  constexpr double margin = 1.5; // digits: a guess
  const double right = std::isnan(first.digits) ? 16 : first.digits;
  return agreement(first.value, other) < right - margin;
}

class Repetition {
public:
  Repetition(const std::string& program, const std::vector<std::string>& command, off_t input, RunReport& first)
      : command_(command), input_(input), first_(first), twin_(twin_of(program, {.causes = false, .probes = true})) {}

  void run() {
    const Result filled = execute_with({.fills = 1});
    if (!filled.ended)
      return give_up(filled);
    const auto used = std::ranges::find_if(filled.report.sites, [](const RunSite& s) { return s.uninitialised > 0; });
    plain_ = used == filled.report.sites.end() ? filled : execute_with({});
    if (!plain_.ended || !same_numbers(first_, plain_.report) || plain_.report.status != first_.status)
      return give_up(plain_);
    first_.repeat.repeated = true;
    confirm();
    if (used != filled.report.sites.end()) {
      first_.sites.push_back(*used);
      first_.sites.back().confirmed = true;
      first_.sites.back().mattered = !same_numbers(plain_.report, filled.report) || filled.output != plain_.output;
    }
    for (const RunSite& site : plain_.report.sites)
      if (site.widened > 0)
        first_.sites.push_back(site);
    find_what_flips_do();
    find_what_tolerances_do();
  }

private:
  struct Result {
    RunReport report;
    std::string output;
    bool ended = false, interrupted = false;
  };

  Result execute_with(Probe probe) {
    constexpr double slower = 20, least = 5; // than the first run, and seconds: guesses
    QuietRun quiet{.probe = probe, .input = input_, .seconds = slower * first_.seconds + least};
    Result result;
    result.report = execute(twin_, command_, quiet);
    result.output = quiet.output;
    result.ended = !quiet.ended_early && !quiet.interrupted;
    result.interrupted = quiet.interrupted;
    interrupted_ |= quiet.interrupted;
    ++first_.repeat.runs;
    return result;
  }

  void give_up(const Result& result) {
    first_.repeat.reason =
        result.interrupted ? "the second run was interrupted"
        : !result.ended    ? "the second run took too long"
                           : "the second run was another one: threads, the clock, addresses or random numbers decide, "
                             "or it needs files that it may not write, or an input that is no file";
  }

  uint64_t index_of(const RunSite& site) const {
    for (size_t i = 0; i < twin_.sites.sites.size(); ++i) {
      const Site& known = twin_.sites.sites[i];
      if (std::tie(known.file, known.line, known.column, known.operation) ==
          std::tie(site.place.file, site.place.line, site.place.column, site.operation))
        return i;
    }
    return all_sites;
  }

  // The same events at the same places, and digits by residues of more bits.
  void confirm() {
    for (RunSite& site : first_.sites)
      site.confirmed = std::ranges::any_of(plain_.report.sites, [&](const RunSite& other) {
        return std::tie(site.place.file, site.place.line, site.place.column, site.operation) ==
                   std::tie(other.place.file, other.place.line, other.place.column, other.operation) &&
               (site.losses > 0) == (other.losses > 0) && (site.flips > 0) == (other.flips > 0) &&
               (site.nans > 0) == (other.nans > 0);
      });
    for (size_t i = 0; i < first_.outputs.size(); ++i) {
      const double again = plain_.report.outputs[i].digits;
      constexpr double same = 0.5; // a digit
      first_.outputs[i].confirmed = std::fabs(again - first_.outputs[i].digits) < same;
      if (!(again >= first_.outputs[i].digits))
        first_.outputs[i].digits = again;
    }
  }

  // The changed outputs of a run; all if it printed other text.
  std::vector<size_t> changes(const Result& run) const {
    std::vector<size_t> changed;
    const bool same_text = run.ended && run.report.outputs.size() == first_.outputs.size() &&
                           text_without_floats(run.output) == text_without_floats(plain_.output);
    for (size_t i = 0; i < first_.outputs.size(); ++i)
      if (run.report.outputs.size() != first_.outputs.size() ||
          differs(first_.outputs[i], run.report.outputs[i].value))
        changed.push_back(i);
    if (changed.empty() && !same_text)
      changed.push_back(first_.outputs.size()); // an integer, or text
    return changed;
  }

  void find_what_flips_do() {
    std::vector<RunSite*> flipped;
    for (RunSite& site : first_.sites)
      if (site.flips > 0 && site.operation == "comparison")
        flipped.push_back(&site);
    if (flipped.empty() || interrupted_)
      return;
    const Result exact = execute_with({.decides = 1});
    const bool mattered = !exact.ended || !changes(exact).empty();
    for (RunSite* site : flipped)
      if (!mattered || flipped.size() == 1)
        site->mattered = mattered;
    if (!mattered || flipped.size() == 1)
      return;
    for (size_t i = 0; i < std::min(flipped.size(), most_single_runs) && !interrupted_; ++i)
      if (const uint64_t index = index_of(*flipped[i]); index != all_sites) {
        const Result one = execute_with({.decides = 1, .site = index});
        flipped[i]->mattered = !one.ended || !changes(one).empty();
      }
  }

  // Numbers that become smaller with the tolerance measure what is left: they are no results.
  void find_what_tolerances_do() {
    std::vector<const RunSite*> tests;
    for (const RunSite& site : plain_.report.sites)
      if (site.exits > 0)
        tests.push_back(&site);
      else if (site.operation == tolerance_test && site.noise > 0)
        first_.tolerances.push_back({.place = site.place, .numbers = site.noise, .noise = true});
    if (tests.empty() || interrupted_)
      return;
    if (tests.size() == 1)
      return note_tolerance(*tests.front(), execute_with({.tightening = tightening}));
    if (const Result all = execute_with({.tightening = tightening}); all.ended && results_changed(all).empty())
      return;
    for (size_t i = 0; i < std::min(tests.size(), most_single_runs) && !interrupted_; ++i)
      if (const uint64_t index = index_of(*tests[i]); index != all_sites)
        note_tolerance(*tests[i], execute_with({.tightening = tightening, .site = index}));
  }

  std::vector<size_t> results_changed(const Result& run) const {
    std::vector<size_t> changed;
    if (!run.ended || run.report.outputs.size() != first_.outputs.size())
      return changed;
    for (const size_t i : changes(run)) {
      constexpr double shrinks = 0.25; // a guess
      if (i < first_.outputs.size() &&
          !(std::fabs(run.report.outputs[i].value) < shrinks * std::fabs(first_.outputs[i].value)))
        changed.push_back(i);
    }
    return changed;
  }

  void note_tolerance(const RunSite& test, const Result& run) {
    const std::vector<size_t> changed = results_changed(run);
    if (changed.empty())
      return;
    const auto digits = [&](size_t i) { return agreement(first_.outputs[i].value, run.report.outputs[i].value); };
    const size_t worst = *std::ranges::min_element(changed, {}, digits);
    first_.tolerances.push_back(
        {.place = test.place, .numbers = changed.size(), .worst = worst, .digits = digits(worst)});
  }

  const std::vector<std::string>& command_;
  off_t input_;
  RunReport& first_;
  Twin twin_;
  Result plain_;
  bool interrupted_ = false;
};

bool is_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "SLURM_PROCID"})
    if (const char* value = std::getenv(variable); value && *value)
      return true;
  return false;
}

} // namespace

void repeat_run(const std::string& program, const std::vector<std::string>& command, off_t input, RunReport& first) {
  if (first.processes == 0)
    return;
  if (is_rank())
    first.repeat.reason = "a rank of several cannot run again by itself";
  else if (first.signal == SIGINT || first.signal == SIGTERM || first.signal == SIGKILL || first.signal == SIGHUP)
    first.repeat.reason = "the first run was stopped";
  else if (first.processes > 1)
    first.repeat.reason = "the program forks";
  if (!first.repeat.reason.empty())
    return;
  try {
    Repetition(program, command, input, first).run();
  } catch (const base::UserError& problem) {
    first.repeat.reason = problem.what();
  }
}

} // namespace faultline::run
