#include "certificate/check.h"
#include "base/clock.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "finding/certificate/certificate_json.h"
#include "frontend/error.h"
#include "hunt/certified_source.h"
#include "report/certificate_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline check foo.proof.json             do the bounds follow, for the code in the certificate?
  faultline check foo.proof.json foo.c       and is that what foo.c computes?
  faultline check foo.proof.json -o -        JSON on standard output

faultline bound -o FILE.proof.json writes certificates. They are checked with other arithmetic and without a search; with
a source, each path is run at one input, and its operations are compared.

Exit status: 0 verified, 1 refused: it is false, does not follow, or is about other code; 4 verified, but for boxes of
which it says itself that nothing is proved there.)";

report::CertificateCheck examined(const finding::Certificate& certificate, int threads) {
  const base::Stopwatch watch;
  const certificate::Checked checked = certificate::check(certificate, threads);
  report::CertificateCheck check;
  check.boxes = checked.boxes;
  check.open = checked.open;
  if (checked.refusal) {
    check.refusal = checked.refusal->reason;
    check.box = checked.refusal->box;
    check.ends = checked.refusal->ends;
  }
  check.seconds = watch.seconds();
  return check;
}

int status_of(const report::CertificateCheck& check) {
  if (!check.refusal.empty())
    return frontend::status_found;
  return check.open > 0 ? frontend::status_inconclusive : frontend::status_nothing;
}

} // namespace

int check(const CommandLine& line) {
  finding::Said said =
      parse({.name = "faultline check",
             .description = "Verifies a certificate of faultline bound.",
             .examples = examples,
             .operand = "FILE.proof.json",
             .operand_help = "the certificate, and the source that it is about, if that is to be compared",
             .many_operands = true,
             .options = options_of(finding::command::check)},
            line);
  std::vector<std::string> words = said.values(operands);
  if (words.empty())
    throw UserError(status_usage, "no certificate given", "faultline check FILE.proof.json");
  const std::string file = words.front();
  words.erase(words.begin());
  if (words.empty())
    refuse_flags(line);
  const std::vector<OutputFile> files = json_files(said.values("report"));
  const finding::Certificate certificate = finding::load_certificate(file);
  report::CertificateCheck check =
      examined(certificate, jobs_from(said, int(std::max(1u, std::thread::hardware_concurrency()))));
  if (check.refusal.empty() && !words.empty()) {
    check.source = fmt::format("{}", fmt::join(words, ", "));
    said.set(operands, words);
    campaign::Options options = options_from(said, line);
    options.sources.preconditions = frontend::fpcore::Preconditions::left_out; // as bound does
    options.worker.confinement = confinement_from(said);
    check.refusal = campaign::difference_from(certificate, options);
  }
  if (std::ranges::none_of(files, &OutputFile::is_standard_output))
    print(report::check_text(certificate, check, report::style_of(STDOUT_FILENO)));
  for (const OutputFile& output : files)
    output.write(report::check_json(certificate, check));
  return status_of(check);
}

} // namespace faultline::cli
