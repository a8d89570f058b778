#include "suite/fpgen/fpgen_benchmarks.h"

#include "frontend/error.h"
#include "frontend/names/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

namespace {

std::vector<FpgenBenchmark> summations() {
  std::vector<FpgenBenchmark> all;
  for (const char* name : {"recursive_sum_32", "pairwise_sum_32", "compensated_sum_32"})
    all.push_back({name, "", name, FpgenLibrary::none, {{"L", {32}}}});
  return all;
}

std::vector<FpgenBenchmark> of_meschach() {
  const FpgenArray x{"x", {4}}, y{"y", {4}}, A{"A", {4, 4}}, B{"B", {4, 4}};
  const FpgenArray z{"z", {7}, false}, b{"b", {4}, false}, C{"C", {4, 4}, false};
  constexpr FpgenLibrary library = FpgenLibrary::meschach;
  return {{"sum", "", "sum", library, {x}},
          {"1-norm", "", "one_norm", library, {x}},
          {"2-norm", "", "two_norm", library, {x}},
          {"dot", "", "dot", library, {x, y}},
          {"convolution", "", "convolution", library, {x, y, z}},
          {"MV", "", "matrix_vector", library, {x, A, b}},
          {"MM", "", "matrix_matrix", library, {A, B, C}},
          {"LU", "", "lu", library, {A}},
          {"QR", "", "qr", library, {A}}};
}

std::vector<FpgenBenchmark> of_gsl() {
  const FpgenArray w{"w", {4}}, x{"x", {4}};
  std::vector<FpgenBenchmark> all;
  const auto add = [&](const std::string& name, bool with_twin, const std::vector<FpgenArray>& arrays) {
    std::string function = name;
    std::ranges::replace(function, '-', '_');
    all.push_back({name, "", function, FpgenLibrary::gsl, arrays});
    if (with_twin)
      all.push_back({name + "-m", name, function + "_m", FpgenLibrary::gsl, arrays});
  };
  add("wmean", false, {w, x});
  add("wvariance", true, {w, x});
  add("wsd", true, {w, x});
  add("wvariance-w", false, {w, x});
  add("wsd-w", false, {w, x});
  add("wtss", true, {w, x});
  add("wabsdev", true, {w, x});
  add("wskew", true, {w, x});
  add("wkurtosis", true, {w, x});
  return all;
}

void add_sources(campaign::Options& hunt, FpgenLibrary library, const FpgenFolders& folders) {
  std::vector<std::string>& files = hunt.sources.files;
  std::vector<std::string>& flags = hunt.sources.flags;
  switch (library) {
  case FpgenLibrary::none:
    files = {folders.harnesses + "/summation.c"};
    break;
  case FpgenLibrary::meschach:
    files = {folders.harnesses + "/meschach.c", folders.meschach + "/meschach.bc"};
    flags = {"-I" + folders.meschach + "/include/meschach"};
    break;
  case FpgenLibrary::gsl:
    files = {folders.harnesses + "/gsl_statistics.c"};
    for (const char* part : {"wmean", "wvariance", "wabsdev", "wskew", "wkurtosis"})
      files.push_back(fmt::format("{}/src/statistics/{}.c", folders.gsl, part));
    flags = {"-mlong-double-64", "-DHAVE_CONFIG_H", "-I" + folders.gsl + "/src", "-I" + folders.gsl + "/include"};
    break;
  }
}

} // namespace

const std::vector<FpgenBenchmark>& fpgen_benchmarks() {
  static const std::vector<FpgenBenchmark> all = [] {
    std::vector<FpgenBenchmark> all = summations();
    std::ranges::copy(of_meschach(), std::back_inserter(all));
    std::ranges::copy(of_gsl(), std::back_inserter(all));
    return all;
  }();
  return all;
}

std::vector<FpgenBenchmark> fpgen_benchmarks(const std::vector<std::string>& names) {
  const std::vector<FpgenBenchmark>& all = fpgen_benchmarks();
  std::vector<std::string> known;
  for (const FpgenBenchmark& benchmark : all)
    known.push_back(benchmark.name);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end()) {
      const std::vector<std::string> close = frontend::nearest(name, known);
      throw UserError(status_usage, fmt::format("-f {}: there is no such benchmark in the suite", name),
                      fmt::format("{}: {}", close.empty() ? "the benchmarks" : "the nearest names",
                                  fmt::join(close.empty() ? known : close, ", ")));
    }
  std::vector<FpgenBenchmark> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const FpgenBenchmark& benchmark) {
    return names.empty() ? benchmark.twin.empty() : std::ranges::find(names, benchmark.name) != names.end();
  });
  return chosen;
}

campaign::Options fpgen_hunt(const std::vector<FpgenBenchmark>& benchmarks, const FpgenFolders& folders) {
  campaign::Options hunt;
  add_sources(hunt, benchmarks.front().library, folders);
  for (const FpgenBenchmark& benchmark : benchmarks) {
    hunt.functions.push_back(benchmark.function);
    for (const FpgenArray& array : benchmark.arrays) {
      hunt.settings.sizes[array.name] = array.extents;
      if (!array.is_input)
        continue;
      hunt.settings.formats[array.name] = numeric::Format::binary32;
      hunt.settings.ranges[array.name] = {-100, 100};
    }
  }
  return hunt;
}

} // namespace faultline::suite
