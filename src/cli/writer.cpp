#include "cli/writer.h"

#include "base/clock.h"
#include "cli/regression_file.h"
#include "finding/settings/values.h"
#include "finding/vectors/csv.h"
#include "frontend/error.h"
#include "frontend/temporary_folder.h"
#include "report/excerpt.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/sarif/sarif.h"
#include "report/screen/screen.h"
#include "report/vectors/vector_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <set>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

using finding::Sink;
using Means = WriterMeans;
using Render = void (*)(const finding::RankedReport&, const Means&, const Sink&);

// A pure function of the report.
template <std::string (*text)(const finding::RankedReport&)>
void pure(const finding::RankedReport& report, const Means&, const Sink& sink) {
  sink(text(report));
}

void json(const finding::RankedReport& report, const Means&, const Sink& sink) { write_report(report, sink); }

std::string plain_text(const finding::RankedReport& report) {
  report::Screen screen;
  screen.detail = report::Detail::full;
  screen.has_page = writes_page(report.report.command);
  return report::screen_text(report, report::source_files(), screen);
}

std::optional<std::string> bytes_of(const std::string& file) {
  if (std::error_code error; !std::filesystem::is_regular_file(file, error))
    return {};
  std::ifstream stream(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string sarif(const finding::RankedReport& report) {
  return report::sarif_text(report, report::source_files(), bytes_of, std::filesystem::current_path().string());
}

std::string page(const finding::RankedReport& report) { return report::html_text(report); }

// Tests end like sources: a slip of the pen must not cost the user a file.
void refuse_foreign_source(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error) || std::filesystem::file_size(file, error) == 0)
    return;
  std::string head(256, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), std::streamsize(head.size()));
  if (head.find("ritten by faultline") == std::string::npos)
    throw UserError(status_usage, fmt::format("-o {}: the file exists, and is no test that faultline wrote", file),
                    "name another file for the tests");
}

// They are compiled and run before they are written: where that cannot be, it is told before the long run.
void check_tests_can_be_written(const std::string& file) {
  refuse_foreign_source(file);
  const frontend::TemporaryFolder needed;
}

template <report::TestForm form>
void tests(const finding::RankedReport& report, const Means& means, const Sink& sink) {
  const RegressionFile file = regression_file(report, means.options(), form);
  if (!file.warning.empty())
    fmt::print(stderr, "faultline: warning: {}\n", report::printable(file.warning));
  sink(file.text);
}

template <std::string (*text)(const std::vector<finding::VectorSet>&)>
void vectors(const finding::RankedReport&, const Means& means, const Sink& sink) {
  sink(text(means.vectors));
}

struct FileFormat {
  const char* ending;
  Render render;
};
constexpr FileFormat formats[] = {
    {".json", json},
    {".txt", pure<plain_text>},
    {".sarif", pure<sarif>},
    {".xml", pure<report::junit_text>},
    {".html", pure<page>},
    {".cpp", tests<report::TestForm::google_test>},
    {".c", tests<report::TestForm::c>},
    {".csv", vectors<finding::vectors_csv>},
    {".py", vectors<report::vectors_python>},
    {".ipp", vectors<report::vectors_boost>},
    {".hpp", vectors<report::vectors_header>},
};
constexpr Render vector_formats[] = {vectors<finding::vectors_csv>, vectors<report::vectors_python>,
                                     vectors<report::vectors_boost>, vectors<report::vectors_header>};

// The code runs again for them: the hunt has kept what is wrong, and vectors are of all that it does.
std::vector<finding::VectorSet> vectors_for(const finding::RankedReport& report, const WritingAll& how) {
  ProgressDisplay display(how.mode, stderr);
  const base::Stopwatch watch;
  const auto progress = [&](size_t done, size_t all, const std::string& function) {
    display.update(report::printable(fmt::format("{:.1f} s, test vectors of {} of {} functions, now of {}",
                                                 watch.seconds(), done, all, function)),
                   watch.seconds());
  };
  std::vector<finding::VectorSet> sets = campaign::test_vectors(report, how.options(), how.vectors, how.stop, progress);
  display.clear();
  for (const finding::VectorSet& set : sets)
    if (set.vectors.empty())
      fmt::print(stderr, "faultline: warning: {}\n",
                 report::printable(fmt::format("there are no test vectors of {}: {}", set.function, set.note)));
  return sets;
}

} // namespace

Writer::Render Writer::render_for(const std::string& file) {
  if (file == "-")
    return json;
  const std::string ending = std::filesystem::path(file).extension().string();
  std::vector<std::string> endings;
  for (const FileFormat& format : formats) {
    if (ending == format.ending)
      return format.render;
    endings.emplace_back(format.ending);
  }
  throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", file),
                  fmt::format("one of {}, or -o - for JSON on standard output", fmt::join(endings, ", ")));
}

Writer::Writer(const std::string& file) : render_(render_for(file)), file_(file) {
  if (render_ == Render(tests<report::TestForm::google_test>) || render_ == Render(tests<report::TestForm::c>))
    check_tests_can_be_written(file);
  if (file.ends_with(".py") || file.ends_with(".hpp") || file.ends_with(".ipp"))
    refuse_foreign_source(file);
}

bool Writer::draws() const { return render_ == Render(pure<page>); }

bool Writer::wants_vectors() const { return std::ranges::find(vector_formats, render_) != std::end(vector_formats); }

void Writer::write(const finding::RankedReport& report, const WriterMeans& means) const {
  file_.write([&](const Sink& sink) { render_(report, means, sink); });
}

size_t vectors_from(const finding::Said& said) {
  constexpr uint64_t most = 10'000; // a file of some megabytes
  return said.has("vectors") ? std::min(finding::positive_whole("--vectors", said.value("vectors")), most)
                             : campaign::usual_vectors;
}

bool writes_page(const std::vector<std::string>& command) {
  const auto end = std::ranges::find(command, "--");
  for (auto word = command.begin(); word != end; ++word)
    if (word->starts_with("-o") && (word->size() > 2 || word + 1 != end)) {
      const std::string& file = word->size() > 2 ? *word : *++word;
      if (file.ends_with(".html"))
        return true;
    }
  return false;
}

std::vector<Writer> writers(const std::vector<std::string>& files) {
  std::vector<Writer> all;
  std::set<std::string> seen;
  for (const std::string& file : files) {
    all.emplace_back(file);
    if (!seen.insert(all.back().file().destination()).second)
      throw UserError(status_usage, fmt::format("-o {}: given twice", file), "name each report once");
  }
  return all;
}

void write_all(const std::vector<Writer>& writers, const finding::RankedReport& report, const WritingAll& how) {
  WriterMeans means{how.options, {}};
  for (const Writer& writer : writers)
    if (!writer.wants_vectors()) // first: what is there need not wait for what has to be made
      writer.write(report, means);
  if (std::ranges::none_of(writers, &Writer::wants_vectors))
    return;
  means.vectors = vectors_for(report, how);
  for (const Writer& writer : writers)
    if (writer.wants_vectors())
      writer.write(report, means);
}

} // namespace faultline::cli
