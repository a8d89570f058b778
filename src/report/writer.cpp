#include "report/writer.h"

#include "frontend/error.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/noise_text.h"
#include "report/sarif.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::report {

using frontend::status_usage;
using frontend::UserError;

namespace {

using Render = std::string (*)(const campaign::Report&);

std::string plain_text(const campaign::Report& report) { return reader_text(report, source_files(), Style(false)); }
std::string sarif(const campaign::Report& report) {
  return sarif_text(report, source_files(), std::filesystem::current_path().string());
}

std::string page(const campaign::Report& report) { return html_text(report); }

struct FileFormat {
  const char* ending;
  Render render; // none: known, but not in this version
};
constexpr FileFormat formats[] = {
    {".json", json_text}, {".txt", plain_text}, {".sarif", sarif}, {".xml", junit_text},
    {".html", page},      {".cpp", nullptr},    {".c", nullptr},
};

Render render_for(const std::string& file) {
  if (file == "-")
    return json_text;
  const std::string ending = std::filesystem::path(file).extension().string();
  std::vector<std::string> endings;
  for (const FileFormat& format : formats) {
    if (ending == format.ending && !format.render)
      throw UserError(status_usage, fmt::format("-o {}: {} reports are not in this version", file, ending),
                      "use .json");
    if (ending == format.ending)
      return format.render;
    if (format.render)
      endings.emplace_back(format.ending);
  }
  throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", file),
                  fmt::format("one of {}, or -o - for JSON on standard output", fmt::join(endings, ", ")));
}

} // namespace

Writer::Writer(const std::string& file) : render_(render_for(file)), file_(file) {}

bool Writer::draws() const { return render_ == page; }

void Writer::write(const campaign::Report& report) const { file_.write(render_(report)); }

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

} // namespace faultline::report
