#include "report/html/bound_page.h"

#include "finding/bound/bounds_json.h"
#include "finding/json/finding_json.h"
#include "report/bound_text.h"
#include "report/html/page.h"
#include "report/map_text.h"

namespace faultline::report {

using finding::Json;

namespace {

// The scripts, in the order in which they build on each other.
constexpr const char* scripts[] = {"element.js",    "map_axis.js", "map_picture.js",
                                   "bound_plot.js", "theme.js",    "bound_page.js"};
constexpr const char* styles[] = {"colours.css", "report.css", "finding.css", "plot.css", "bound.css"};

} // namespace

std::string bound_page(const finding::BoundReport& report) {
  Json data{{"bound", bound_json_of(report)},
            {"words", sides_words(report)},
            {"curve", finding::to_json(report.bounds)["curve"]},
            {"closing", closing_words(report)}};
  if (report.threshold) {
    data["threshold"] = *report.threshold;
    data["measure"] = finding::text(report.measure);
    data["summary"] = map_summary(report);
  }
  return page_of("bound.html", styles, scripts, finding::json_text(data));
}

} // namespace faultline::report
