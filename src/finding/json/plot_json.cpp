#include "finding/json/plot_json.h"

#include "finding/json/diagnosis_json.h"
#include "finding/json/json.h"

namespace faultline::finding {
namespace {

Json points_to_json(const std::vector<PlotPoint>& points) {
  Json list = Json::array();
  for (const PlotPoint& point : points)
    list.push_back({point.value, measure(point.offset), measure(point.error), measure(point.ulps),
                    measure(point.remedy), point.computed, point.exact});
  return list;
}

std::vector<PlotPoint> points_at(const Place& place) {
  std::vector<PlotPoint> points;
  for (const Place& point : place.elements()) {
    const std::vector<Place> parts = point.elements();
    if (parts.size() != 7)
      point.refuse("is not a list of seven");
    points.push_back({parts[0].string(), parts[1].measure(), parts[2].measure(), parts[3].measure(), parts[4].measure(),
                      parts[5].string(), parts[6].string()});
  }
  return points;
}

} // namespace

Json to_json(const Plots& plots) {
  Json json{{"note", plots.note}, {"output", plots.output}, {"inputs", Json::array()}};
  for (const Plot& plot : plots.inputs)
    json["inputs"].push_back(
        {{"input", plot.input}, {"around", points_to_json(plot.around)}, {"range", points_to_json(plot.range)}});
  return json;
}

Plots plots_at(const Place& place) {
  Plots plots;
  plots.note = place["note"].string();
  plots.output = place["output"].string();
  for (const Place& plot : place["inputs"].elements())
    plots.inputs.push_back({plot["input"].string(), points_at(plot["around"]), points_at(plot["range"])});
  return plots;
}

} // namespace faultline::finding
