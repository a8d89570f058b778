// The runtime of a twin: what it counts. The twin calls these functions where a check may hold; they look again.
#include "run/abi.h"

#include <cmath>
#include <cstring>

namespace run = faultline::run;

extern "C" {
extern char faultline_run_memory[] __attribute__((weak));
extern const run::Layout faultline_run_layout __attribute__((weak));

void faultline_run_check(uint32_t site, run::Check check, uint32_t detail, double v, double x, double y, double rx,
                         double ry);
void faultline_run_print(uint32_t site, uint32_t standard, const char* format, uint32_t index, double value,
                         double residue);
uint32_t faultline_run_decide(uint32_t site, uint32_t predicate, uint32_t exits, double a, double b, double ra,
                              double rb, uint32_t outcome);
void faultline_run_text(uint32_t standard, const char* text, uint64_t length);
void faultline_run_character(uint32_t standard, int character);
void faultline_run_statement(int32_t unit);
void faultline_run_statement_end();
void faultline_run_printed(uint32_t site, double value, double residue);
}

namespace {

run::Memory memory() { return {faultline_run_memory, faultline_run_layout}; }

void increase(uint64_t& counter) { __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED); }

// A residue without the place in its low bits.
double plain(double residue) {
  uint64_t bits;
  memcpy(&bits, &residue, sizeof bits);
  bits &= ~run::place_bits;
  memcpy(&residue, &bits, sizeof bits);
  return residue;
}

// Digits that are wrong: 0 is none, 16 or more is all.
double relative(double value, double residue) {
  const double exact = value + residue;
  if (residue == 0)
    return 0;
  return exact == 0 ? INFINITY : std::fabs(residue / exact);
}

// A sum whose operands carry errors that are larger in the result.
void look_at_sum(run::SiteCounters& counters, double v, double x, double y, double rx, double ry) {
  const double s = v - x, error = (x - (v - s)) + (y - s);
  const double residue = rx + ry + error;
  const double before = std::fmax(std::fmax(relative(x, rx), relative(y, ry)), 0x1p-53);
  const double after = std::fmin(relative(v, residue), 1);
  if (!(after >= 1000 * before)) // fewer digits are ordinary
    return;
  increase(counters.losses);
  if (after > counters.worst * before) {
    counters.worst = after / before;
    counters.loss = std::log10(counters.worst);
    counters.value = v;
    counters.residue = residue;
  }
}

// The low bits of the pattern that fills fresh memory, and 1 more; 0 for other values. A widened binary32 counts, too.
uint64_t fresh(double value) {
  constexpr uint64_t low = run::fresh_sites;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits &= ~(uint64_t(1) << 63);
  const uint64_t upper = bits >> 32;
  if ((upper & ~low) == run::fresh_pattern && upper == (bits & 0xffffffff) && (bits & low) != 0)
    return (bits & low) + 1;
  constexpr uint64_t mantissa = 0x7fffff;
  const uint64_t narrow = uint64_t(0x7f800000) | (bits >> 29 & mantissa);
  const bool widened = bits >> 52 == 0x7ff && (bits & 0x1fffffff) == 0 && (narrow & ~low) == run::fresh_pattern;
  return widened && (narrow & low) != 0 ? (narrow & low) + 1 : 0;
}

bool note_fresh(run::SiteCounters& counters, double x, double y) {
  const uint64_t origin = fresh(x) ? fresh(x) : fresh(y);
  if (origin && __atomic_fetch_add(&memory().header().uninitialised, 1, __ATOMIC_RELAXED) == 0)
    counters.uninitialised = origin;
  return origin != 0;
}

void look_at_birth(run::SiteCounters& counters, double v, double x, double y) {
  if (note_fresh(counters, x, y))
    return;
  if (std::isnan(v) && !std::isnan(x) && !std::isnan(y))
    increase(counters.nans);
  else if (std::isinf(v) && std::isfinite(x) && std::isfinite(y))
    increase(counters.infinities);
}

// The sign of (a + ra) - (b + rb), by double-double arithmetic.
int exact_order(double a, double ra, double b, double rb) {
  const double d = a - b, part = d - a, e = (a - (d - part)) - (b + part);
  const double rd = ra - rb, x = d + rd, second = x - d;
  const double y = x + (((d - (x - second)) + (rd - second)) + e);
  return y > 0 ? 1 : y < 0 ? -1 : 0;
}

bool holds(uint32_t predicate, int order) { // LLVM's predicates: 1 equal, 2 greater, 4 less
  return (predicate & (order == 0 ? 1u : order > 0 ? 2u : 4u)) != 0;
}

void note_flip(run::SiteCounters& counters, double value, double residue) {
  if (counters.flips == 0) {
    counters.value = value;
    counters.residue = residue;
  }
  increase(counters.flips);
}

// Residues have 36 bits.
bool equals_as_far_as_known(double a, double b, double ra, double rb) {
  return std::fabs((a - b) + (ra - rb)) <= 0x1p-30 * (std::fabs(ra) + std::fabs(rb));
}

void look_at_comparison(run::SiteCounters& counters, uint32_t predicate, double a, double b, double ra, double rb) {
  const double change = ra - rb;
  if (std::isnan(a) || std::isnan(b))
    return increase(counters.nan_ends);
  if (change == 0 || std::fabs(change) < std::fabs(a - b))
    return;
  if (std::isnan(change))
    return increase(counters.unknown);
  if (equals_as_far_as_known(a, b, ra, rb)) {
    if (a != b)
      increase(counters.unknown);
    return;
  }
  const int order = a > b ? 1 : a < b ? -1 : 0;
  if (holds(predicate, order) != holds(predicate, exact_order(a, ra, b, rb)))
    note_flip(counters, a - b, change);
}

// The exact operand x + r rounds to another integer than x.
void look_at_rounding(run::SiteCounters& counters, run::Check check, double x, double rounded, double r) {
  if (std::isnan(x))
    return increase(counters.nan_ends);
  if (!std::isfinite(x) || std::isnan(r))
    return increase(counters.unknown);
  const double above = (x - rounded) + r; // of the exact operand over the integer
  bool same = true;
  switch (check) {
  case run::Check::round_down:
    same = above >= 0 && above < 1;
    break;
  case run::Check::round_up:
    same = above > -1 && above <= 0;
    break;
  case run::Check::round_to_zero:
    same = rounded > 0 ? above >= 0 && above < 1 : rounded < 0 ? above > -1 && above <= 0 : std::fabs(above) < 1;
    break;
  default:
    same = std::fabs(above) <= 0.5;
  }
  if (!same)
    note_flip(counters, x, r);
}

} // namespace

void faultline_run_check(uint32_t site, run::Check check, uint32_t detail, double v, double x, double y, double rx,
                         double ry) {
  run::SiteCounters& counters = memory().sites()[site];
  rx = plain(rx);
  ry = plain(ry);
  switch (check) {
  case run::Check::difference:
    y = -y;
    ry = -ry;
    [[fallthrough]];
  case run::Check::sum:
    if (std::isfinite(v) && std::fabs(v) * 1024 < std::fabs(x) && (rx != 0 || ry != 0))
      look_at_sum(counters, v, x, y, rx, ry);
    [[fallthrough]];
  case run::Check::born:
    if (!std::isfinite(v))
      look_at_birth(counters, v, x, y);
    return;
  case run::Check::widen:
    return increase(counters.widened);
  case run::Check::choose:
    if (!std::isnan(v) && (std::isnan(x) || std::isnan(y)))
      increase(counters.nan_ends);
    return;
  case run::Check::compare:
    return look_at_comparison(counters, detail, x, y, rx, ry);
  default:
    return look_at_rounding(counters, check, x, y, rx);
  }
}

// The outcome of a comparison that a probe may change. `exits` is 0, or bits: 1 the comparison ends a loop by a
// tolerance, 2 it does so where it holds, 4 the first operand is the tolerance. The other bits are the first site of
// its place, which a probe names.
uint32_t faultline_run_decide(uint32_t site, uint32_t predicate, uint32_t exits, double a, double b, double ra,
                              double rb, uint32_t outcome) {
  run::SiteCounters& counters = memory().sites()[site];
  const run::Probe& probe = memory().header().probe;
  if (note_fresh(counters, a, b) || std::isnan(a) || std::isnan(b))
    return outcome;
  const bool asked = probe.site == run::all_sites || probe.site == exits >> 3;
  ra = plain(ra);
  rb = plain(rb);
  const double change = ra - rb;
  if (asked && probe.decides && change != 0 && std::fabs(change) >= std::fabs(a - b) &&
      !equals_as_far_as_known(a, b, ra, rb))
    outcome = holds(predicate, exact_order(a, ra, b, rb));
  const uint32_t exit = (exits & 2) != 0;
  const double quantity = exits & 4 ? b : a, error = exits & 4 ? rb : ra;
  if ((exits & 1) && outcome != exit && 2 * std::fabs(error) >= std::fabs(quantity) && error != 0)
    increase(counters.noise);
  if ((exits & 1) && outcome == exit) {
    increase(counters.exits);
    if (asked && probe.tightening > 0) {
      (exits & 4 ? a : b) *= probe.tightening;
      outcome = holds(predicate, a > b ? 1 : a < b ? -1 : 0);
    }
  }
  return outcome;
}

namespace {

thread_local bool statement_is_standard; // Fortran's

bool goes_to_standard_output(uint32_t standard) { return standard == 2 ? statement_is_standard : standard != 0; }

uint64_t lines_in(const char* text, uint64_t length) {
  uint64_t lines = 0;
  for (uint64_t i = 0; i < length && (length != ~uint64_t(0) || text[i]); ++i)
    lines += text[i] == '\n';
  return lines;
}

// The lines of a format before its conversion number `index`.
uint64_t lines_before(const char* format, uint32_t index) {
  uint64_t lines = 0;
  for (const char* at = format; *at; ++at)
    if (*at == '\n') {
      ++lines;
    } else if (*at == '%') {
      if (at[1] == '%')
        ++at;
      else if (index-- == 0)
        break;
    }
  return lines;
}

} // namespace

void faultline_run_print(uint32_t site, uint32_t standard, const char* format, uint32_t index, double value,
                         double residue) {
  run::Header& header = memory().header();
  const uint64_t number = __atomic_fetch_add(&header.printed, 1, __ATOMIC_RELAXED);
  note_fresh(memory().sites()[site], value, value);
  if (number >= run::most_outputs)
    return;
  uint32_t line = 0;
  if (goes_to_standard_output(standard))
    line = uint32_t(header.lines + 1 + (format ? lines_before(format, index) : 0));
  memory().printed()[number] = {value, residue, site, line};
  faultline_run_printed(site, value, residue);
}

void faultline_run_text(uint32_t standard, const char* text, uint64_t length) {
  if (text && goes_to_standard_output(standard))
    __atomic_fetch_add(&memory().header().lines, lines_in(text, length), __ATOMIC_RELAXED);
}

void faultline_run_character(uint32_t standard, int character) {
  if (character == '\n' && goes_to_standard_output(standard))
    increase(memory().header().lines);
}

// `print *` and `write (*, ...)` use unit 6; -1 in some versions of flang.
void faultline_run_statement(int32_t unit) { statement_is_standard = unit == 6 || unit == -1; }

void faultline_run_statement_end() {
  if (statement_is_standard)
    increase(memory().header().lines);
  statement_is_standard = false;
}
