// The exceptions that a run shows, as a person counts them: by source location, operation and kind. Inlined and
// unrolled copies of a line are many sites and one location.
#pragma once

#include "ops/table.h"
#include "tape/exception_scan.h"

#include <vector>

namespace faultline::judge {

class Locations {
public:
  explicit Locations(const runtime::SiteTable& table);

  uint32_t of(uint32_t site) const { return of_site_[site]; }
  uint32_t site(uint32_t location) const { return first_site_[location]; } // one of those that stand there
  size_t count() const { return first_site_.size(); }
  const tape::ExceptionScan& scan() const { return scan_; }

private:
  tape::ExceptionScan scan_;
  std::vector<uint32_t> of_site_, first_site_;
};

struct Shown {
  uint32_t location = 0;
  ops::Exception kind = ops::Exception::none;
  uint32_t record = 0;
  bool consequence = false; // an operand was an infinity or NaN already
};

// One for each location and kind, in their order: the first with finite operands, else the first. What nobody uses
// (tape::used_records) is left out. To tell an underflow from an exact zero takes high precision: a location of nothing
// but zeros gets a limited number of looks.
std::vector<Shown> shown_exceptions(const tape::Tape& tape, const Locations& locations);

// The conversions whose integer does not fit, and where the machine need not say so: it converts to a wider integer
// first and cuts off the rest. C leaves the result undefined all the same.
bool is_narrow_conversion(const tape::Site& site);

} // namespace faultline::judge
