#include "report/diagnosis_text.h"

#include "report/excerpt.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::ChainLink;
using finding::Diagnosis;

namespace {

constexpr double small_share = 0.005; // is not mentioned
constexpr size_t most_shares = 4, widest_step = 60;

std::string place_text(const std::string& file, int line, const std::string& own_file) {
  if (line == 0)
    return "?";
  if (file == own_file || file.empty())
    return fmt::format("line {}", line);
  return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

// Of several executions of the guilty operation, the one at which the error grows most.
size_t guilty_step(const finding::Finding& finding, const std::vector<ChainLink>& chain) {
  size_t guilty = chain.size();
  double most = -1;
  for (size_t i = 0; i < chain.size(); ++i) {
    const double growth = i == 0 || !(chain[i - 1].error > 0) ? 0 : chain[i].error / chain[i - 1].error;
    if (is_at(chain[i], finding.cause) && growth > most) {
      most = growth;
      guilty = i;
    }
  }
  return guilty;
}

} // namespace

std::string tried_text(const finding::Remedy& remedy) {
  if (remedy.tried == 0) // a report of an older version
    return "tried";
  const size_t thousands = remedy.tried / 1000, rest = remedy.tried % 1000;
  return thousands > 0 ? fmt::format("tried on {},{:03} inputs", thousands, rest)
                       : fmt::format("tried on {} inputs", rest);
}

std::string hint_text(const Diagnosis& diagnosis) {
  if (!diagnosis.remedy)
    return "";
  return fmt::format("{}: the relative error becomes {} ({})", diagnosis.remedy->advice,
                     measure_text(diagnosis.remedy->relative), tried_text(*diagnosis.remedy));
}

std::string shares_text(const Diagnosis& diagnosis, const std::string& own_file) {
  constexpr double nonsense = 10; // in sum they are 1
  for (const finding::LineShare& line : diagnosis.lines)
    if (std::fabs(line.share) > nonsense)
      return "roundings of several lines that all but make up for each other";
  std::vector<std::string> shares;
  for (const finding::LineShare& line : diagnosis.lines)
    if (std::fabs(line.share) >= small_share && shares.size() < most_shares)
      shares.push_back(fmt::format("{} ({:.0f} %)", place_text(line.file, line.line, own_file), 100 * line.share));
  return fmt::format("{}", fmt::join(shares, ", "));
}

std::string chain_text(const finding::Finding& finding, const Style& style) {
  if (!finding.diagnosis || finding.diagnosis->chain.empty())
    return "";
  const std::vector<ChainLink>& chain = finding.diagnosis->chain;
  const std::string own_file = finding.cause ? finding.cause->file : "";
  size_t places = 0, steps = 0;
  for (const ChainLink& step : chain) {
    places = std::max(places, place_text(step.file, step.line, own_file).size());
    steps = std::max(steps, std::min(width(printable(step.text)), widest_step));
  }
  std::string text;
  const size_t guilty = guilty_step(finding, chain);
  const char* label = "chain";
  for (const ChainLink& step : chain) {
    const std::string shown = shortened(printable(step.text), widest_step);
    if (step.skipped > 0)
      text += fmt::format("  {:9} ... {} more\n", "", step.skipped);
    text += fmt::format("  {} {:{}}  {}{}  error {}{}\n", style.faint(fmt::format("{:9}", label)),
                        printable(place_text(step.file, step.line, own_file)), places, shown,
                        std::string(steps - width(shown), ' '), measure_text(step.error),
                        &step == chain.data() + guilty ? "  <- cause" : "");
    label = "";
  }
  return text;
}

} // namespace faultline::report
