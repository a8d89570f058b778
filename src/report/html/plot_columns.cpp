#include "report/html/plot_columns.h"

#include "finding/json/json.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace faultline::report {
namespace {

using Json = finding::Json;

// Three digits: it is drawn, and a thousand plots must not make a file that is slow to open.
Json rounded(double measure) {
  if (std::isnan(measure))
    return nullptr;
  if (std::fabs(measure) > 1e300)
    return std::copysign(1e300, measure);
  return std::strtod(fmt::format("{:.2e}", measure).c_str(), nullptr);
}

Json offset_json(double offset) {
  const bool whole = std::fabs(offset) < 1e6; // 12, not 12.0
  return whole ? Json(int64_t(offset)) : rounded(offset);
}

Json output_json(const std::string& decimal) {
  if (decimal.empty())
    return nullptr;
  const double value = std::strtod(decimal.c_str(), nullptr);
  const bool lost = value == 0 && decimal.find_first_of("123456789") < decimal.find('e');
  return std::isfinite(value) && !lost ? Json(value) : Json(decimal);
}

Json points_json(const std::vector<finding::PlotPoint>& points) {
  Json json = Json::object();
  auto column = [&](const char* name, auto&& entry) {
    Json& list = json[name] = Json::array();
    for (const finding::PlotPoint& point : points)
      list.push_back(entry(point));
  };
  using Point = finding::PlotPoint;
  column("values", [](const Point& point) { return point.value; });
  column("offsets", [](const Point& point) { return offset_json(point.offset); });
  column("errors", [](const Point& point) { return rounded(point.error); });
  column("ulps", [](const Point& point) { return rounded(point.ulps); });
  column("computed", [](const Point& point) { return output_json(point.computed); });
  column("exact", [](const Point& point) { return output_json(point.exact); });
  if (std::ranges::any_of(points, [](const Point& point) { return !std::isnan(point.remedy); }))
    column("remedies", [](const Point& point) { return rounded(point.remedy); });
  return json;
}

} // namespace

Json plots_json(const finding::Plots& plots) {
  Json list = Json::array();
  for (const finding::Plot& plot : plots.inputs)
    list.push_back({{"input", plot.input}, {"around", points_json(plot.around)}, {"range", points_json(plot.range)}});
  return list;
}

} // namespace faultline::report
