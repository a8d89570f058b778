#include "tape/exception_scan.h"

#include "numeric/ulp.h"
#include "ops/op.h"
#include "tape/exceptions.h"

#include <cmath>
#include <limits>

namespace faultline::tape {

ExceptionScan::ExceptionScan(const runtime::SiteTable& table) {
  for (const Site& site : table.sites) {
    const bool skip = ops::is_leaf(site.op) || ops::is_comparison(site.op) || site.op == ops::Op::decide;
    entries_.push_back({skip                      ? skipped
                        : ops::is_to_int(site.op) ? integer
                                                  : operation,
                        uint8_t(ops::arity(site.op)), site.format});
  }
}

ExceptionScan::Size ExceptionScan::size_of_any(long double value, numeric::Format format) {
  return std::isnan(value)                                     ? Size::nan
         : std::isinf(value)                                   ? Size::infinite
         : std::fabs(value) < numeric::smallest_normal(format) ? Size::tiny
                                                               : Size::ordinary;
}

// One whose integer does not fit counts as infinite, whatever the integer is.
ExceptionScan::Size ExceptionScan::size_of_conversion(const Tape& tape, uint32_t index) {
  return may_be_exceptional(tape, index) ? Size::infinite : Size::ordinary;
}

ExceptionScan::Size ExceptionScan::size_of_operand(const Tape& tape, uint32_t operand) const {
  if (runtime::is_constant(operand))
    return size_of_any(tape.exact(operand), numeric::all_formats.back());
  const Record& record = tape.record(operand);
  return size_of(record.result, entries_[record.site].format);
}

} // namespace faultline::tape
