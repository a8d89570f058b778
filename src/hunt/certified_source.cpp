#include "hunt/certified_source.h"

#include "certificate/check.h"
#include "finding/settings/table.h"
#include "hunt/single_run.h"
#include "hunt/targets/targets.h"
#include "judge/space_of_target.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace faultline::campaign {
namespace {

std::string difference_of_inputs(const finding::Certificate& certificate, const frontend::Target& target) {
  if (certificate.inputs.size() != target.inputs.size())
    return fmt::format("{} has {} inputs, and the certificate {}", target.function, target.inputs.size(),
                       certificate.inputs.size());
  for (size_t i = 0; i < target.inputs.size(); ++i)
    if (target.inputs[i].name != certificate.inputs[i].name)
      return fmt::format("{} has an input {}, and the certificate {}", target.function, target.inputs[i].name,
                         certificate.inputs[i].name);
  return "";
}

std::string difference_of_outputs(const finding::Certificate& certificate, const frontend::Target& target,
                                  const std::vector<size_t>& judged) {
  bool same = judged.size() == certificate.outputs.size();
  for (size_t i = 0; same && i < judged.size(); ++i) {
    const frontend::Cell& cell = target.outputs[judged[i]];
    same = cell.name == certificate.outputs[i].name && cell.type.format == certificate.outputs[i].format;
  }
  return same ? "" : fmt::format("the outputs of {} are not those of the certificate", target.function);
}

// Constants bit by bit: a NaN is itself, and 0 is not -0.
bool is_same_code(const finding::CertifiedPath& a, const finding::CertifiedPath& b) {
  const auto is_same = [](double x, double y) { return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y); };
  return a.steps == b.steps && a.outputs == b.outputs &&
         std::ranges::equal(a.constants, b.constants, [&](const auto& x, const auto& y) {
           return is_same(x.low, y.low) && is_same(x.high, y.high);
         });
}

} // namespace

std::string difference_from(const finding::Certificate& certificate, Options options) {
  options.functions = {certificate.function};
  options.settings = read_settings(finding::calling_settings(finding::said_in(certificate.settings)));
  options.without_configuration = true;
  frontend::Program program = load_program(options);
  const frontend::Target target = single_target(program, options);
  if (std::string difference = difference_of_inputs(certificate, target); !difference.empty())
    return difference;
  const std::vector<size_t> judged = judge::judged_outputs(target, options.settings);
  if (std::string difference = difference_of_outputs(certificate, target, judged); !difference.empty())
    return difference;

  std::vector<size_t> paths; // those that some box takes
  finding::PathsTask task;
  const std::vector<finding::Input> inputs = certificate::inputs_of_paths(certificate);
  for (size_t path = 0; path < inputs.size(); ++path)
    if (!inputs[path].empty()) {
      paths.push_back(path);
      task.inputs.push_back(inputs[path]);
    }
  std::string difference;
  size_t seen = 0;
  const auto died = run_once(job_for(target, options.settings, options, task), program, target, options.worker,
                             [&](const finding::Message& message) {
                               const auto* told = std::get_if<finding::PathMessage>(&message);
                               if (!told || told->input != seen || seen == paths.size() || !difference.empty())
                                 return;
                               const size_t path = paths[seen++];
                               if (!told->code)
                                 difference = fmt::format("path {} cannot be followed: {}", path, told->obstacle);
                               else if (!is_same_code(*told->code, certificate.paths[path]))
                                 difference =
                                     fmt::format("{} computes something else on path {}", target.function, path);
                             });
  if (difference.empty() && (died || seen < paths.size()))
    difference = fmt::format("{} did not come to its end on path {}", target.function, paths[seen]);
  return difference;
}

} // namespace faultline::campaign
