// The signals of a run that are bracketed: a change between two inputs means that something of interest lies between
// them. For every execution of an operation that can be dangerous, the signal is its danger function (ops/table.h),
// which is zero at the centre of the danger. For comparisons it is the difference of the operands, for operations that
// jump the value they jump to.
#pragma once

#include "tape/tape.h"

#include <cstdint>
#include <vector>

namespace faultline::search {

enum class Signal : uint8_t { none, crossing, decision, jump };

// An execution of a site. The first few are distinct; the last spot is the last execution of a run.
struct Spot {
  static constexpr uint32_t executions = 8; // 0 .. 6, and 7 for the last of the others; a guess
  uint32_t index;                           // site * executions + execution

  uint32_t site() const { return index / executions; }
  uint32_t execution() const { return index % executions; }
  bool operator==(const Spot&) const = default;
};

struct Reading {
  Spot spot;
  double value; // never NaN
};

class DangerReader {
public:
  explicit DangerReader(const runtime::SiteTable& table);

  Signal signal(Spot spot) const { return signals_[spot.site()]; }
  size_t spots() const { return signals_.size() * Spot::executions; }

  // Reads all spots of a run, in no particular order.
  void read(const tape::Tape& tape, std::vector<Reading>& readings);
  // The reading of one spot; NaN if the run does not reach it.
  double read(const tape::Tape& tape, Spot spot) const;
  // The record of the spot; 0 if the run does not reach it.
  uint32_t find(const tape::Tape& tape, Spot spot) const;

private:
  double value(const tape::Tape& tape, uint32_t record) const;

  std::vector<Signal> signals_; // by site
  std::vector<uint32_t> counts_, last_;
  std::vector<uint32_t> touched_;
};

// True if two readings of a spot imply that something lies between them.
bool changes(Signal signal, double one, double other);

} // namespace faultline::search
