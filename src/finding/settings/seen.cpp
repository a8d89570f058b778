#include "finding/settings/seen.h"

#include <algorithm>
#include <filesystem>

namespace faultline::finding {
namespace {

void merge(SeenInput& seen, const SeenInput& other) {
  if (other.finite > 0) {
    seen.low = seen.finite > 0 ? std::min(seen.low, other.low) : other.low;
    seen.high = seen.finite > 0 ? std::max(seen.high, other.high) : other.high;
  }
  if (other.least > 0)
    seen.least = seen.least > 0 ? std::min(seen.least, other.least) : other.least;
  seen.most = std::max(seen.most, other.most);
  seen.finite += other.finite;
  seen.negative += other.negative;
  seen.zero += other.zero;
  seen.nan += other.nan;
  seen.infinite += other.infinite;
  for (const auto& [binade, count] : other.positives)
    seen.positives[binade] += count;
  for (const auto& [binade, count] : other.negatives)
    seen.negatives[binade] += count;
}

// From the first to the last in equal steps: whatever the order in which processes ended, the same ones.
void leave_few(std::vector<std::vector<long double>>& tuples) {
  if (tuples.size() <= most_seen_tuples)
    return;
  std::vector<std::vector<long double>> few;
  for (size_t i = 0; i < most_seen_tuples; ++i)
    few.push_back(std::move(tuples[i * (tuples.size() - 1) / (most_seen_tuples - 1)]));
  tuples = std::move(few);
}

bool is_said(const auto& entries, const std::string& cell) {
  return entries.contains(cell) || entries.contains(frontend::parameter_of(cell));
}

} // namespace

void merge(SeenFunction& seen, const SeenFunction& other) {
  seen.calls += other.calls;
  seen.sampled = seen.sampled || other.sampled;
  for (size_t i = 0; i < std::min(seen.inputs.size(), other.inputs.size()); ++i)
    merge(seen.inputs[i], other.inputs[i]);
  seen.tuples.insert(seen.tuples.end(), other.tuples.begin(), other.tuples.end());
  std::ranges::sort(seen.tuples);
  seen.tuples.erase(std::unique(seen.tuples.begin(), seen.tuples.end()), seen.tuples.end());
  leave_few(seen.tuples);
}

const SeenFunction* find_seen(const SeenRuns& runs, const frontend::Target& target) {
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename(); };
  for (const SeenFunction& seen : runs.functions)
    if (seen.symbol == target.symbol && name(seen.file) == name(target.file) &&
        std::ranges::equal(seen.inputs, target.inputs, {}, &SeenInput::name, &frontend::Cell::name))
      return &seen;
  return nullptr;
}

void use_seen(const SeenFunction& seen, const frontend::Target& target, Settings& settings) {
  for (size_t i = 0; i < seen.inputs.size(); ++i) {
    const SeenInput& input = seen.inputs[i];
    const frontend::Cell& cell = target.inputs[i];
    if (input.finite > 0 && !is_said(settings.everyday, cell.name) && !is_said(settings.held, cell.name))
      settings.everyday[cell.name] = {input.low, input.high, input.least};
  }
}

} // namespace faultline::finding
