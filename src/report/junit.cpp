#include "report/junit.h"

#include "base/text.h"
#include "model/csv_lines.h"
#include "numeric/stable_sort.h"
#include "report/problem_text.h"
#include "report/screen.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <vector>

namespace faultline::report {

using namespace model;

std::string json_text(const RankedReport& report) {
  std::string text;
  write_report(report, [&](std::string_view part) { text += part; });
  return text;
}

namespace {

// Returns the length of the first UTF-8 character if XML 1.0 allows it; else 0.
size_t character(std::string_view text) {
  const base::Character first = base::first_character(text);
  const bool is_utf8 = first.bytes > 1 || first.code < 0x80;
  const bool is_allowed = (first.code >= 0x20 || first.code == '\t' || first.code == '\n') && first.code <= 0x10FFFF &&
                          !(first.code >= 0xD800 && first.code <= 0xDFFF) && first.code != 0xFFFE &&
                          first.code != 0xFFFF;
  return is_utf8 && is_allowed ? first.bytes : 0;
}

struct Tally {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const Tally& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
  }
  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests, failures, errors,
                       skipped, seconds);
  }
};

// The problems of the report that belong to one function.
struct FunctionProblems {
  std::vector<Problem> reported;  // errors and warnings, and others that make a hunt fail
  std::vector<Problem> notes;     // for information
  std::vector<Problem> set_aside; // suppressed, or in the baseline
  bool fails = false;
};

FunctionProblems own_problems(const std::vector<Problem>& problems, const TargetReport& target, Tier fail_on) {
  FunctionProblems own;
  for (const Problem& problem : problems) {
    const auto is_own = [&](const Evidence& evidence) { return evidence.target == &target; };
    if (std::ranges::none_of(problem.findings, is_own))
      continue;
    Problem here = problem_in(problem, target);
    own.fails = own.fails || (!here.set_aside && here.tier <= fail_on);
    auto& list = here.set_aside                                  ? own.set_aside
                 : here.tier <= std::max(fail_on, Tier::warning) ? own.reported
                                                                 : own.notes;
    list.push_back(std::move(here));
  }
  numeric::sort_stably(own.reported, {}, &Problem::tier);
  return own;
}

// One failure for all problems: some servers count failures or show only the first.
std::string failure(const std::vector<Problem>& reported) {
  std::string text;
  for (const Problem& problem : reported)
    text += fmt::format("{}{}:{}: {}: {}\n", text.empty() ? "" : "\n", problem.file, problem.line,
                        model::text(problem.tier), problem_message(problem));
  const std::string more = reported.size() > 1 ? fmt::format(" (and {} more)", reported.size() - 1) : "";
  return fmt::format("      <failure message=\"{}{}\" type=\"{}\">{}</failure>\n",
                     xml_text(problem_headline(reported.front())), more, xml_text(reported.front().fault),
                     xml_text(text));
}

std::string out_text(const FunctionProblems& own) {
  std::string text;
  for (const Problem& problem : own.notes)
    text += fmt::format("note: {}\n", problem_headline(problem));
  for (const Problem& problem : own.set_aside)
    text += fmt::format("{}: {}\n", problem_headline(problem), set_aside_text(problem.representative()));
  return text;
}

std::string case_text(const TargetReport& target, const FunctionProblems& own, Tally& tally) {
  std::string body;
  ++tally.tests;
  tally.seconds += target.seconds;
  if (own.fails) {
    ++tally.failures;
    body += failure(own.reported);
  } else if (target.outcome == TargetOutcome::refused) {
    ++tally.skipped;
    body += fmt::format("      <skipped message=\"refused: {}\"/>\n", xml_text(target.note));
  } else if (target.outcome != TargetOutcome::found && !target.is_silent() && own.reported.empty()) {
    ++tally.errors;
    body += fmt::format("      <error message=\"{}\" type=\"{}\"/>\n",
                        xml_text(target.note.empty() ? "inconclusive" : target.note), text(target.outcome));
  } else if (!own.set_aside.empty()) {
    ++tally.skipped;
    const Problem& first = own.set_aside.front();
    body += fmt::format("      <skipped message=\"{}: {}\"/>\n", xml_text(problem_headline(first)),
                        xml_text(set_aside_text(first.representative())));
  }
  if (const std::string out = out_text(own); !out.empty())
    body += fmt::format("      <system-out>{}</system-out>\n", xml_text(out));
  const std::string open =
      fmt::format("    <testcase name=\"{}\" classname=\"{}\" file=\"{}\" line=\"{}\" time=\"{:.3f}\"",
                  xml_text(target.function), xml_text(target.file), xml_text(target.file), target.line, target.seconds);
  return body.empty() ? open + "/>\n" : open + ">\n" + body + "    </testcase>\n";
}

std::string properties_text(const Report& report) {
  std::vector<std::string> words;
  for (const std::string& word : report.command)
    words.push_back(model::shell_quoted(word));
  std::string text = "    <properties>\n";
  for (const auto& [name, value] :
       {std::pair{"faultline", report.version}, std::pair{"seed", fmt::format("{}", report.seed)},
        std::pair{"command", fmt::format("faultline {}", fmt::join(words, " "))}})
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_text(value));
  return text + "    </properties>\n";
}

} // namespace

std::string xml_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const size_t length = character(text);
    const std::string_view c = text.substr(0, std::max<size_t>(length, 1));
    text.remove_prefix(c.size());
    if (length == 0)
      continue;
    clean += c == "&" ? "&amp;" : c == "<" ? "&lt;" : c == ">" ? "&gt;" : c == "\"" ? "&quot;" : c;
  }
  return clean;
}

std::string junit_text(const RankedReport& ranked) {
  const auto& [report, problems] = ranked;
  std::map<std::string, size_t> suites; // by file, in the order of occurrence
  std::vector<std::string> files, cases;
  std::vector<Tally> tallies;
  for (const TargetReport& target : report.targets) {
    const auto [suite, fresh] = suites.emplace(target.file, suites.size());
    if (fresh) {
      files.push_back(target.file);
      cases.emplace_back();
      tallies.emplace_back();
    }
    cases[suite->second] += case_text(target, own_problems(problems, target, report.fail_on), tallies[suite->second]);
  }
  Tally all;
  for (const Tally& tally : tallies)
    all.add(tally);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"faultline\" {}>\n", all.attributes());
  for (size_t i = 0; i < files.size(); ++i)
    text += fmt::format("  <testsuite name=\"{}\" {}>\n{}{}  </testsuite>\n", xml_text(files[i]),
                        tallies[i].attributes(), properties_text(report), cases[i]);
  return text + "</testsuites>\n";
}

} // namespace faultline::report
