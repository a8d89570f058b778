#include "report/junit.h"

#include "finding/shell.h"
#include "report/finding_message.h"
#include "report/set_aside_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <vector>

namespace faultline::report {

using finding::Finding;
using finding::TargetOutcome;
using finding::TargetReport;

namespace {

// The length of the UTF-8 character at the beginning, if it is one that XML 1.0 has; else 0.
size_t character(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80)
    return first >= 0x20 || first == '\t' || first == '\n';
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  unsigned code = first & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  const unsigned least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool exists = code >= least && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
  return exists && code != 0xFFFE && code != 0xFFFF && first < 0xF8 && first >= 0xC0 ? length : 0;
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

// Some servers show only the first failure of a case: it names the others.
std::string failures(const TargetReport& target) {
  std::vector<const Finding*> counted;
  for (const Finding& finding : target.findings)
    if (finding.counts())
      counted.push_back(&finding);
  std::string others;
  for (size_t i = 1; i < counted.size(); ++i)
    others += "\nAlso: " + finding_headline(target, *counted[i]);
  std::string text;
  for (const Finding* finding : counted)
    text += fmt::format("      <failure message=\"{}\" type=\"{}\">{}{}</failure>\n",
                        xml_text(finding_headline(target, *finding)), xml_text(finding::rule(*finding)),
                        xml_text(finding_message(target, *finding)), xml_text(text.empty() ? others : ""));
  return text;
}

std::string set_aside(const TargetReport& target) {
  std::string text;
  for (const Finding& finding : target.findings)
    if (finding.set_aside())
      text += fmt::format("{}: {}\n", finding_headline(target, finding), set_aside_text(finding));
  return text;
}

std::string case_text(const TargetReport& target, Tally& tally) {
  const std::string aside = set_aside(target);
  std::string body;
  ++tally.tests;
  tally.seconds += target.seconds;
  if (target.counted() > 0) {
    ++tally.failures;
    body += failures(target);
  } else if (target.outcome != TargetOutcome::found && target.outcome != TargetOutcome::none) {
    ++tally.errors;
    body += fmt::format("      <error message=\"{}\" type=\"{}\"/>\n",
                        xml_text(target.note.empty() ? "inconclusive" : target.note), text(target.outcome));
  } else if (!aside.empty()) {
    ++tally.skipped;
    body += fmt::format("      <skipped message=\"{}\"/>\n", xml_text(aside.substr(0, aside.find('\n'))));
  }
  if (!aside.empty())
    body += fmt::format("      <system-out>{}</system-out>\n", xml_text(aside));
  const std::string open = fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"",
                                       xml_text(target.function), xml_text(target.file), target.seconds);
  return body.empty() ? open + "/>\n" : open + ">\n" + body + "    </testcase>\n";
}

std::string properties_text(const finding::Report& report) {
  std::vector<std::string> words;
  for (const std::string& word : report.command)
    words.push_back(finding::shell_quoted(word));
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

std::string junit_text(const finding::Report& report) {
  std::map<std::string, size_t> suites; // by file, in the order they come
  std::vector<std::string> files, cases;
  std::vector<Tally> tallies;
  for (const TargetReport& target : report.targets) {
    const auto [suite, fresh] = suites.emplace(target.file, suites.size());
    if (fresh) {
      files.push_back(target.file);
      cases.emplace_back();
      tallies.emplace_back();
    }
    cases[suite->second] += case_text(target, tallies[suite->second]);
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
