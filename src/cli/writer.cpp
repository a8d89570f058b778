#include "cli/writer.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "exec/native_program.h"
#include "hunt/reruns.h"
#include "model/settings/settings.h"
#include "model/vectors/vector.h"
#include "program/compiling/compiler_process.h"
#include "program/project_files.h"
#include "report/html.h"
#include "report/junit.h"
#include "report/sarif.h"
#include "report/screen.h"
#include "report/tests/regression_test.h"
#include "report/text.h"
#include "report/vector_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <set>
#include <sys/stat.h>
#include <system_error>

namespace faultline::cli {

using namespace model;
using base::status_usage;
using base::UserError;

namespace {

[[noreturn]] void cannot_write(const std::string& file, int error) {
  throw UserError(status_usage, fmt::format("-o {}: cannot be written: {}", file, std::strerror(error)),
                  "name a file in a folder that exists and that you may write to");
}

// Reports the failure of a step of writing a file.
void attempt(const std::string& file, const std::function<void()>& step) {
  try {
    step();
  } catch (const std::system_error& failure) {
    cannot_write(file, failure.code().value());
  }
}

// True for files that cannot be replaced by a rename, such as /dev/null and pipes.
bool is_special(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

} // namespace

OutputFile::OutputFile(const std::string& file) : file_(file) {
  if (is_standard_output())
    return;
  std::error_code error;
  if (std::filesystem::is_directory(file_, error))
    cannot_write(file_, EISDIR);
  if (std::filesystem::exists(file_, error) && access(file_.c_str(), W_OK) != 0)
    cannot_write(file_, errno);
  if (is_special(file_))
    return;
  attempt(file_, [&] { const base::NewFile made{destination()}; }); // made and removed, as a test
}

std::string OutputFile::destination() const {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(file_, error);
  return error ? file_ : real.string();
}

void OutputFile::write(const std::string& text) const {
  write([&](const Sink& sink) { sink(text); });
}

void OutputFile::write(const std::function<void(const Sink&)>& produce) const {
  if (is_standard_output())
    return produce(print);
  if (is_special(file_)) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file_.c_str(), "w"), std::fclose);
    if (!stream)
      cannot_write(file_, errno);
    produce([&](std::string_view text) {
      if (std::fwrite(text.data(), 1, text.size(), stream.get()) != text.size())
        cannot_write(file_, errno);
    });
    if (std::fflush(stream.get()) != 0)
      cannot_write(file_, errno);
    return;
  }
  const std::string target = destination();
  std::optional<base::NewFile> file;
  attempt(file_, [&] { file.emplace(target); });
  produce([&](std::string_view text) { attempt(file_, [&] { file->write(text); }); });
  attempt(file_, [&] { file->rename_to(target); });
}

std::vector<OutputFile> json_files(const std::vector<std::string>& names) {
  std::vector<OutputFile> files;
  for (const std::string& name : names) {
    if (name != "-" && !name.ends_with(".json"))
      throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", name),
                      ".json, or -o - for JSON on standard output");
    files.emplace_back(name);
  }
  return files;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw UserError(status_usage, fmt::format("standard output cannot be written: {}", std::strerror(errno)),
                    "is the disk full?");
}

void draw(Report& report, const std::vector<Problem>& problems, const std::vector<Writer>& writers,
          const std::function<hunt::Options()>& options, const std::atomic<bool>& stop, ProgressMode mode) {
  if (std::ranges::none_of(writers, &Writer::draws))
    return;
  try {
    if (!report::can_plot())
      report.without_plots = "this faultline was built without uPlot, which draws them";
    else if (stop)
      report.without_plots = "the hunt was interrupted";
    else {
      // The search is over, and ten seconds without output look like a hang.
      ProgressDisplay display(mode, stderr);
      const base::Stopwatch watch;
      hunt::add_plots(report, problems, options(), stop, {}, [&](size_t done, size_t all) {
        display.update(fmt::format("drawing plots: {} of {} findings", done, all), watch.seconds());
      });
    }
  } catch (const base::UserError& problem) {
    report.without_plots = base::first_line(problem.what());
  }
  if (!report.without_plots.empty())
    fmt::print(stderr, "faultline: without plots: {}\n", report.without_plots);
}

namespace {

// The test file of a report. It is compiled with the code of the findings and run before it is written. Tests that do
// not fail there test nothing and are left out. Without a compiler or GoogleTest, the file is written, too, with a
// comment that it was not tried.
struct RegressionFile {
  std::string text;
  std::string warning; // for the user; usually empty
};

constexpr double seconds_of_a_test = 10;

void leave_out_what_cannot_be_called(std::vector<RegressionTarget>& targets, report::TestForm form) {
  for (RegressionTarget& target : targets)
    if (const std::string reason = report::no_call_reason(target.target, form); !reason.empty())
      for (RegressionCase& made : target.cases)
        if (made.left_out.empty())
          made.left_out = reason;
}

// Finds the headers for trying the tests: in the folder of the hunt, next to a source, or in a folder of -I. Others
// stay as they are.
std::vector<std::string> found_headers(const std::vector<std::string>& headers, const program::Sources& sources) {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders = {fs::current_path()};
  for (const std::string& file : sources.files)
    folders.push_back(fs::absolute(file).parent_path());
  for (size_t i = 0; i < sources.flags.size(); ++i)
    if (const std::string& flag = sources.flags[i]; flag == "-I" && i + 1 < sources.flags.size())
      folders.push_back(fs::absolute(sources.flags[i + 1]));
    else if (flag.starts_with("-I"))
      folders.push_back(fs::absolute(flag.substr(2)));
  std::vector<std::string> found = headers;
  for (std::string& header : found)
    for (const fs::path& folder : folders)
      if (std::error_code error; !header.starts_with('<') && fs::is_regular_file(folder / header, error)) {
        header = (folder / header).string();
        break;
      }
  return found;
}

// True if the test fails as the finding predicts, and not in another way.
bool fails(const RegressionCase& made, const base::ProgramEnd& end) {
  if (!made.expected)
    return end.started && !end.succeeded();
  return end.started && !end.succeeded() && end.output.find(report::failure_words(made)) != std::string::npos;
}

base::ProgramEnd run(const exec::NativeProgram& program, report::TestForm form, const report::TestName& name,
                     const exec::Confinement& confinement) {
  const std::string argument =
      form == report::TestForm::c ? name.in_c : fmt::format("--gtest_filter={}.{}", name.suite, name.name);
  return program.run({argument}, seconds_of_a_test, confinement);
}

// GoogleTest makes a call that may crash in a new process, which the sandbox does not allow.
report::TestForm form_in_sandbox(const RegressionCase& made, report::TestForm form) {
  return made.expected ? form : report::TestForm::c;
}

// Throws if the tests themselves are wrong. With headers of the user, it can be their flags that are missing.
void check_tests_compile(const std::string& text, const report::TestFile& file,
                         const std::vector<std::string>& project) {
  const auto kind = file.form == report::TestForm::c ? exec::MainProgram::c : exec::MainProgram::google_test;
  if (const std::string error = file.headers.empty() ? exec::error_in(text, kind, project) : ""; !error.empty())
    throw UserError(status_usage, fmt::format("the tests do not compile, and are not written: {}", error),
                    "write the findings to another file, such as -o FILE.json");
}

// Runs every test in its own process, so that a crash does not affect the others. Returns why they could not be run, or
// an empty text.
std::string try_out(std::vector<RegressionTarget>& targets, const hunt::Options& options, report::TestFile file) {
  const std::vector<report::TestName> names = report::test_names(targets);
  const report::TestForm wanted = file.form;
  const std::string bitcode = hunt::bitcode_for(targets, options);
  const std::vector<std::string> project = project_folders(options.sources);
  file.headers = found_headers(file.headers, options.sources);
  for (const report::TestForm form : {report::TestForm::c, report::TestForm::google_test}) {
    std::vector<std::pair<const report::TestName*, RegressionCase*>> own;
    for (const report::TestName& name : names)
      if (RegressionCase& made = targets[name.target].cases[name.in_target]; form_in_sandbox(made, wanted) == form)
        own.emplace_back(&name, &made);
    if (own.empty())
      continue;
    file.form = form;
    const exec::NativeProgram program(
        bitcode, report::regression_text(targets, file),
        form == report::TestForm::c ? exec::MainProgram::c : exec::MainProgram::google_test, project);
    if (!program.problem().empty()) {
      check_tests_compile(report::regression_text(targets, file), file, project);
      return program.problem();
    }
    for (const auto& [name, made] : own)
      if (!fails(*made, run(program, form, *name, options.worker.confinement)))
        made->left_out = "compiled natively, the code passes this test";
  }
  return "";
}

// Returns a sentence on the state of the tests.
std::string state_text(size_t tests, const std::string& problem) {
  const std::string count = report::counted(tests, "test");
  if (!problem.empty())
    return fmt::format("{}, not compiled here: {}", count, problem);
  return fmt::format("{}; {} failed on the code that {} made from.", count,
                     tests == 1 ? "it" : fmt::format("all {}", tests), tests == 1 ? "it was" : "they were");
}

// `options`: those of the hunt that made the report. Throws base::UserError.
RegressionFile regression_file(const RankedReport& ranked, const hunt::Options& options, report::TestForm form) {
  std::vector<RegressionTarget> targets = hunt::regression_targets(ranked, options);
  leave_out_what_cannot_be_called(targets, form);
  report::TestFile file{form, ranked.report.version, options.headers, ""};
  std::string problem;
  if (!report::test_names(targets).empty()) {
    try {
      problem = try_out(targets, options, file);
    } catch (const base::UserError& error) {
      if (error.status == base::status_usage) // not a fault of the tests: there is no folder to compile them in
        throw;
      problem = error.what();
    }
  }
  const size_t tests = report::test_names(targets).size();
  file.state = tests > 0 ? state_text(tests, problem) : "No problem can be written as a test.";
  return {report::regression_text(targets, file),
          problem.empty() ? ""
                          : fmt::format("the tests were not compiled and run before they were written: {}", problem)};
}

using Means = WriterMeans;
using Render = void (*)(const RankedReport&, const Means&, const Sink&);

// Renders a report by a pure function.
template <std::string (*text)(const RankedReport&)>
void pure(const RankedReport& report, const Means&, const Sink& sink) {
  sink(text(report));
}

void json(const RankedReport& report, const Means&, const Sink& sink) { write_report(report, sink); }

std::string plain_text(const RankedReport& report) {
  report::Screen screen;
  screen.detail = report::Detail::full;
  screen.has_page = writes_page(report.report.command);
  return report::screen_text(report, report::source_files(report.report.folders), screen);
}

// Returns files of the project, until the hashes of their lines would take too much memory: a report can name many.
report::SourceFile whole_files(const std::vector<std::string>& folders) {
  constexpr uint64_t most = 256u << 20, of_line = 128; // bytes; a hash takes about a hundred
  return [project = base::ProjectFiles(folders), used = uint64_t(0)](const std::string& name) mutable {
    const std::optional<base::RegularFile> file = project.open(name);
    if (!file || file->bytes > most - used)
      return std::optional<std::string>();
    std::string text = base::content_of(*file, most);
    const uint64_t cost = text.size() + of_line * uint64_t(std::ranges::count(text, '\n'));
    if (cost > most - used)
      return std::optional<std::string>();
    used += cost;
    return std::optional(std::move(text));
  };
}

std::string sarif(const RankedReport& report) {
  const std::vector<std::string>& folders = report.report.folders;
  return report::sarif_text(report, report::source_files(folders), whole_files(folders),
                            std::filesystem::current_path().string());
}

std::string page(const RankedReport& report) { return report::html_text(report); }

// Refuses to overwrite a file that is not such a test file: tests have the same endings as sources.
void refuse_foreign_source(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error) || std::filesystem::file_size(file, error) == 0)
    return;
  std::string head(256, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), std::streamsize(head.size()));
  if (head.find("ritten by faultline") == std::string::npos)
    throw UserError(status_usage, fmt::format("-o {}: the file exists and was not written by faultline", file),
                    "name another file for the tests");
}

// Checks before the long run that tests can be written. They are compiled and run before they are written.
void check_tests_can_be_written(const std::string& file) {
  refuse_foreign_source(file);
  const program::TemporaryFolder needed;
}

template <report::TestForm form> void tests(const RankedReport& report, const Means& means, const Sink& sink) {
  const RegressionFile file = regression_file(report, means.options(), form);
  if (!file.warning.empty())
    fmt::print(stderr, "faultline: warning: {}\n", report::printable(file.warning));
  sink(file.text);
}

template <std::string (*text)(const std::vector<VectorSet>&)>
void vectors(const RankedReport&, const Means& means, const Sink& sink) {
  sink(text(means.vectors));
}

struct FileFormat {
  const char* ending;
  Render render;
};
constexpr FileFormat report_formats[] = {
    {".json", json},
    {".txt", pure<plain_text>},
    {".sarif", pure<sarif>},
    {".xml", pure<report::junit_text>},
    {".html", pure<page>},
    {".cpp", tests<report::TestForm::google_test>},
    {".c", tests<report::TestForm::c>},
    {".csv", vectors<model::vectors_csv>},
    {".py", vectors<report::vectors_python>},
    {".ipp", vectors<report::vectors_boost>},
    {".hpp", vectors<report::vectors_header>},
};
constexpr Render vector_formats[] = {vectors<model::vectors_csv>, vectors<report::vectors_python>,
                                     vectors<report::vectors_boost>, vectors<report::vectors_header>};

// Makes the test vectors. The code must run again, because the hunt keeps only findings, and vectors cover all
// behaviour.
std::vector<VectorSet> vectors_for(const RankedReport& report, const WritingAll& how) {
  ProgressDisplay display(how.mode, stderr);
  const base::Stopwatch watch;
  const auto progress = [&](size_t done, size_t all, const std::string& function) {
    display.update(report::printable(fmt::format("{:.1f} s, test vectors of {} of {} functions, now of {}",
                                                 watch.seconds(), done, all, function)),
                   watch.seconds());
  };
  std::vector<VectorSet> sets = hunt::test_vectors(report, how.options(), how.vectors, how.stop, progress);
  display.clear();
  for (const VectorSet& set : sets)
    if (set.vectors.empty())
      fmt::print(stderr, "faultline: warning: {}\n",
                 report::printable(fmt::format("there are no test vectors of {}: {}", set.function, set.note)));
  return sets;
}

} // namespace

Writer::Render Writer::render_for(const std::string& file) {
  std::vector<std::string> endings;
  for (const FileFormat& format : report_formats)
    endings.emplace_back(format.ending);
  return format_for(file, report_formats,
                    fmt::format("one of {}, or -o - for JSON on standard output", fmt::join(endings, ", ")))
      .render;
}

Writer::Writer(const std::string& file) : render_(render_for(file)), file_(file) {
  if (render_ == Render(tests<report::TestForm::google_test>) || render_ == Render(tests<report::TestForm::c>))
    check_tests_can_be_written(file);
  if (file.ends_with(".py") || file.ends_with(".hpp") || file.ends_with(".ipp"))
    refuse_foreign_source(file);
}

bool Writer::draws() const { return render_ == Render(pure<page>); }

bool Writer::wants_vectors() const { return std::ranges::find(vector_formats, render_) != std::end(vector_formats); }

void Writer::write(const RankedReport& report, const WriterMeans& means) const {
  file_.write([&](const Sink& sink) { render_(report, means, sink); });
}

size_t vectors_from(const RawSettings& raw) {
  constexpr uint64_t most = 10'000; // the file has some megabytes
  return raw.has("vectors") ? std::min(model::positive_whole("--vectors", raw.value("vectors")), most)
                            : hunt::usual_vectors;
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

void write_all(const std::vector<Writer>& writers, const RankedReport& report, const WritingAll& how) {
  WriterMeans means{how.options, {}};
  for (const Writer& writer : writers)
    if (!writer.wants_vectors()) // first, because the others wait for the vectors
      writer.write(report, means);
  if (std::ranges::none_of(writers, &Writer::wants_vectors))
    return;
  means.vectors = vectors_for(report, how);
  for (const Writer& writer : writers)
    if (writer.wants_vectors())
      writer.write(report, means);
}

} // namespace faultline::cli
