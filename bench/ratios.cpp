#include "ratios.h"

#include <cmath>
#include <fmt/format.h>

namespace faultline::bench {
namespace {

struct GeometricMean {
  double logarithms = 0;
  int count = 0;
  void add(double ratio) {
    if (ratio > 0) {
      logarithms += std::log(ratio);
      ++count;
    }
  }
  double value() const { return count ? std::exp(logarithms / count) : 0; }
};

double ratio(double of, double to) { return of > 0 && to > 0 ? of / to : 0; }

std::string cell(double number, int width, const char* unit = "") {
  return number > 0 ? fmt::format("{:{}.{}f}{}", number, width, number < 100 ? 2 : 0, unit)
                    : fmt::format("{:>{}}{}", "-", width, unit);
}

} // namespace

std::string ratio_table(const std::vector<Row>& rows) {
  std::string text = fmt::format("{:24}{:>9}{:>11}{:>11}{:>14}{:>11}{:>13}{:>12}\n", "", "records", "native ns",
                                 "taped ns", "taped/native", "nsan ns", "nsan/native", "nsan/taped");
  GeometricMean taped, nsan, cheaper;
  for (const Row& row : rows) {
    double slowdown = ratio(row.taped, row.native), nsan_slowdown = ratio(row.nsan, row.native),
           gain = ratio(row.nsan, row.taped);
    taped.add(slowdown);
    nsan.add(nsan_slowdown);
    cheaper.add(gain);
    text +=
        fmt::format("{:24}{}{}{}{}{}{}{}\n", row.name, cell(row.records, 9), cell(row.native, 11), cell(row.taped, 11),
                    cell(slowdown, 13, "x"), cell(row.nsan, 11), cell(nsan_slowdown, 12, "x"), cell(gain, 11, "x"));
  }
  text += fmt::format("{:24}{:9}{:11}{:11}{}{:11}{}{}\n", "geometric mean", "", "", "", cell(taped.value(), 13, "x"),
                      "", cell(nsan.value(), 12, "x"), cell(cheaper.value(), 11, "x"));
  text += "\nTimes are of one call, at their best. taped: with the tape, emptied before each call. nsan: under\n"
          "clang's -fsanitize=numerical, its reports off. nsan/taped: how many times cheaper the tape is, run time for "
          "run time.\n";
  return text;
}

} // namespace faultline::bench
