#include "scan.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

namespace faultline::bench {
namespace {

constexpr uint64_t all_floats = uint64_t(1) << 32, chunk = uint64_t(1) << 22;
constexpr size_t kept = 64;

bool worse(const Worst& a, const Worst& b) {
  return std::tuple(-a.ulps, std::bit_cast<uint32_t>(a.input)) < std::tuple(-b.ulps, std::bit_cast<uint32_t>(b.input));
}

// The worst few so far.
class Few {
public:
  void add(const Worst& worst) {
    if (worst.ulps <= least_ || !(worst.ulps > 0))
      return;
    all_.push_back(worst);
    if (all_.size() < 2 * kept)
      return;
    std::sort(all_.begin(), all_.end(), worse);
    all_.resize(kept);
    least_ = all_.back().ulps;
  }
  const std::vector<Worst>& all() const { return all_; }

private:
  std::vector<Worst> all_;
  double least_ = 0;
};

std::vector<Worst> scan(const Subject& subject) {
  std::atomic<uint64_t> next = 0;
  std::mutex mutex;
  std::vector<Worst> found;
  auto work = [&] {
    Few few;
    for (uint64_t begin = next.fetch_add(chunk); begin < all_floats; begin = next.fetch_add(chunk))
      for (uint64_t bits = begin; bits < begin + chunk; ++bits) {
        const auto x = std::bit_cast<float>(uint32_t(bits));
        few.add({x, quick_ulps_of_error(subject, x)});
      }
    const std::lock_guard lock(mutex);
    found.insert(found.end(), few.all().begin(), few.all().end());
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i)
    others.emplace_back(work);
  work();
  others.clear(); // joins
  std::sort(found.begin(), found.end(), worse);
  found.resize(std::min(found.size(), kept));
  return found;
}

void check_quick_formula(const Subject& subject) {
  constexpr uint64_t stride = 0xf4245; // odd: all exponents, all kinds of last digits
  constexpr double close = 0x1p-28;
  for (uint64_t bits = 0; bits < all_floats; bits += stride) {
    const auto x = std::bit_cast<float>(uint32_t(bits));
    const double quick = subject.quick(x), exact = exact_value(subject, x).to_double();
    const bool agree =
        std::isfinite(exact) ? std::fabs(quick - exact) <= close * std::fabs(exact) : !std::isfinite(quick);
    if (!agree && std::isfinite(subject.native(x)))
      throw std::runtime_error(fmt::format("{} of {:a} is {} in MPFR and {} in double", subject.name, x, exact, quick));
  }
}

} // namespace

Worst worst_of_all_floats(const Subject& subject) {
  check_quick_formula(subject);
  Worst worst;
  for (const Worst& quick : scan(subject)) {
    const Worst exact{quick.input, ulps_of_error(subject, quick.input)};
    if (!(std::fabs(exact.ulps - quick.ulps) <= 1e-3 * exact.ulps))
      throw std::runtime_error(fmt::format("{} at {:a}: {} ulps in MPFR and {} in double", subject.name, quick.input,
                                           exact.ulps, quick.ulps));
    if (worse(exact, worst))
      worst = exact;
  }
  return worst;
}

} // namespace faultline::bench
