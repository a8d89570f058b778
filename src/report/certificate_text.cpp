#include "report/certificate_text.h"

#include "finding/json/finding_json.h"
#include "report/bound_words.h"
#include "report/excerpt.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::Certificate;
using finding::ErrorMeasure;
using finding::Json;

namespace {

std::vector<std::string> names_of(const Certificate& certificate) {
  std::vector<std::string> names;
  for (const finding::CertifiedInput& input : certificate.inputs)
    names.push_back(printable(input.name));
  return names;
}

finding::BoxEnds whole_range(const Certificate& certificate) {
  finding::BoxEnds box;
  for (const finding::CertifiedInput& input : certificate.inputs)
    box.emplace_back(input.low, input.high);
  return box;
}

// What the exact inputs are, where they are not the floats.
std::string inputs_text(const Certificate& certificate) {
  std::vector<std::string> rounded, known;
  for (const finding::CertifiedInput& input : certificate.inputs)
    if (input.rounded)
      rounded.push_back(printable(input.name));
    else if (input.error > 0)
      known.push_back(fmt::format("{} to within {}", printable(input.name), three_digits(input.error, false)));
  std::string text;
  if (!rounded.empty())
    text += fmt::format("  {}: reals that were rounded\n", fmt::join(rounded, ", "));
  if (!known.empty())
    text += fmt::format("  known: {}\n", fmt::join(known, ", "));
  return text;
}

std::string claims_text(const finding::CertifiedOutput& output) {
  std::vector<std::string> claims;
  for (const ErrorMeasure measure : finding::all_measures)
    if (const double claim = output.claims[size_t(measure)]; claim != finding::no_claim)
      claims.push_back(measure == ErrorMeasure::ulps
                           ? fmt::format("{} ulps", three_digits(claim, true))
                           : fmt::format("{} {}", finding::text(measure), three_digits(claim, true)));
  return claims.empty() ? fmt::format("  {}: nothing is claimed\n", printable(output.name))
                        : fmt::format("  {}: error at most {}\n", printable(output.name), fmt::join(claims, ", "));
}

} // namespace

std::string check_text(const Certificate& certificate, const CertificateCheck& check, const Style& style) {
  const std::string what = fmt::format("{} ({}:{}), {}", printable(certificate.function),
                                       printable(std::filesystem::path(certificate.file).filename().string()),
                                       certificate.line, box_words(names_of(certificate), whole_range(certificate)));
  if (!check.refusal.empty()) {
    std::string text = fmt::format("{}: {}\n  {}\n", style.bad("refused"), what, printable(check.refusal));
    if (check.box)
      text += fmt::format("  in box {}: {}\n", *check.box, box_words(names_of(certificate), check.ends));
    return text;
  }
  std::string text = fmt::format("{}: {}\n{}", style.mark("verified"), what, inputs_text(certificate));
  for (const finding::CertifiedOutput& output : certificate.outputs)
    text += claims_text(output);
  if (certificate.floor > 0)
    text += fmt::format("  relative to results of at least {}\n", plain_number(certificate.floor));
  if (check.open > 0)
    text += style.warn(fmt::format("  but for {} of the boxes, of which nothing is proved", check.open)) + "\n";
  text += check.source.empty() ? "  of the code in the certificate\n"
                               : fmt::format("  of {}, as it is compiled here\n", printable(check.source));
  return text + fmt::format("{} boxes on {} path{}, {:.2f} s.\n", check.boxes, certificate.paths.size(),
                            certificate.paths.size() == 1 ? "" : "s", check.seconds);
}

std::string check_json(const Certificate& certificate, const CertificateCheck& check) {
  Json outputs = Json::array(), inputs = Json::array();
  for (const finding::CertifiedInput& input : certificate.inputs)
    inputs.push_back({{"name", input.name}, {"low", input.low}, {"high", input.high}});
  for (const finding::CertifiedOutput& output : certificate.outputs) {
    Json json{{"name", output.name}};
    for (const ErrorMeasure measure : finding::all_measures) {
      const double claim = output.claims[size_t(measure)];
      json[std::string(finding::text(measure))] = claim == finding::no_claim ? Json(nullptr) : Json(claim);
    }
    outputs.push_back(std::move(json));
  }
  Json json{{"verified", check.refusal.empty()},
            {"function", certificate.function},
            {"file", certificate.file},
            {"inputs", inputs},
            {"outputs", outputs},
            {"complete", check.open == 0},
            {"boxes", check.boxes},
            {"open", check.open},
            {"source", check.source.empty() ? Json(nullptr) : Json(check.source)},
            {"seconds", check.seconds}};
  if (!check.refusal.empty()) {
    Json box = Json::object();
    for (size_t i = 0; i < check.ends.size(); ++i)
      box[certificate.inputs[i].name] = Json::array({check.ends[i].first, check.ends[i].second});
    json["refusal"] = {
        {"reason", check.refusal}, {"number", check.box ? Json(*check.box) : Json(nullptr)}, {"box", box}};
  }
  return finding::json_text(json, 2) + "\n";
}

} // namespace faultline::report
