#include "search/checks.h"

#include "numeric/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace faultline::search {
namespace {

constexpr size_t enough = 64; // checks, if the user gives no number: a guess

// FPGen's thresholds for binary64 (section 3.1.3): the best multiples of 4 on its three summations.
constexpr int loss_of_binary64 = 32, cancellation_of_binary64 = 40;

bool ends_with_path(const std::string& path, const std::string& end) {
  return path == end || (path.size() > end.size() && path.ends_with(end) && path[path.size() - end.size() - 1] == '/');
}

std::vector<tape::Addition> chosen(const Checks& checks, const tape::Tape& tape) {
  if (checks.lines.empty())
    return tape::accumulations(tape);
  std::vector<tape::Addition> all = tape::additions(tape);
  std::erase_if(all, [&](const tape::Addition& addition) {
    return std::ranges::none_of(
        checks.lines, [&](const CheckedLine& line) { return stands_at(tape.table().sites[addition.place], line); });
  });
  return all;
}

// Counts the executions of each place.
std::map<uint32_t, uint64_t> executions(const std::vector<tape::Addition>& additions) {
  std::map<uint32_t, uint64_t> counts;
  for (const tape::Addition& addition : additions)
    ++counts[addition.place];
  return counts;
}

std::vector<tape::Addition> every(const Checks& checks, uint64_t step, const std::vector<tape::Addition>& additions) {
  std::map<uint32_t, std::set<uint64_t>> wanted;
  for (const auto& [place, count] : executions(additions)) {
    const auto numbers = sampled(checks.sampling, checks.start, step, count);
    wanted[place] = {numbers.begin(), numbers.end()};
  }
  std::vector<tape::Addition> left;
  for (const tape::Addition& addition : additions)
    if (wanted[addition.place].contains(addition.execution))
      left.push_back(addition);
  return left;
}

// Thins out too many places evenly. Keeps the last, which is nearest to the result.
std::vector<tape::Addition> thinned(const std::vector<tape::Addition>& additions) {
  std::vector<tape::Addition> left;
  for (size_t i = 0; i < enough; ++i)
    left.push_back(additions[(i + 1) * additions.size() / enough - 1]);
  return left;
}

} // namespace

int Checks::bits(goal::Check check, numeric::Format format) const {
  const bool is_loss = check == goal::Check::precision_loss;
  if (const auto& given = is_loss ? loss_bits : cancellation_bits)
    return *given;
  return (is_loss ? loss_of_binary64 : cancellation_of_binary64) * numeric::info(format).precision /
         numeric::info(numeric::Format::binary64).precision;
}

bool stands_at(const runtime::Site& site, const CheckedLine& line) {
  return site.line == line.line && (ends_with_path(site.file, line.file) || ends_with_path(line.file, site.file));
}

const CheckedLine* without_addition(const Checks& checks, const runtime::SiteTable& table) {
  for (const CheckedLine& line : checks.lines)
    if (std::ranges::none_of(table.sites, [&](const runtime::Site& site) {
          return tape::is_addition(site.op) && stands_at(site, line);
        }))
      return &line;
  return nullptr;
}

std::vector<uint64_t> sampled(CheckSampling sampling, uint64_t start, uint64_t step, uint64_t executions) {
  std::vector<uint64_t> numbers;
  if (start > executions)
    return numbers;
  numeric::Uint128 next_order = numeric::Uint128(start) * 10, k = start, stride = step;
  for (; k <= executions; k += stride) {
    for (; sampling == CheckSampling::logarithmic && k >= next_order; next_order *= 10)
      stride *= 10;
    numbers.push_back(uint64_t(k));
  }
  return numbers;
}

std::vector<tape::Addition> checked_additions(const Checks& checks, const tape::Tape& tape) {
  const std::vector<tape::Addition> all = chosen(checks, tape);
  if (checks.step)
    return every(checks, *checks.step, all);
  uint64_t most = 0;
  for (const auto& [place, count] : executions(all))
    most = std::max(most, count);
  // A quarter more: near the smallest sufficient step
  for (uint64_t step = 1;; step = std::max(step + 1, step * 5 / 4)) {
    const std::vector<tape::Addition> left = every(checks, step, all);
    if (left.size() <= enough)
      return left;
    if (step > most)
      return thinned(left);
  }
}

} // namespace faultline::search
