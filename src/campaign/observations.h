// What is seen on the way, whatever the strategy is after: the first input for each exception at each site, for each
// way to crash, for runs that outgrow the tape, and for decisions so close that rounding may have made them.
#pragma once

#include "exec/guard.h"
#include "exec/session.h"
#include "ops/table.h"
#include "tape/tape.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace faultline::campaign {

class Observations {
public:
  // Decisions and exceptions take a look at every record: only if they are wanted.
  Observations(bool decisions, bool exceptions) : decisions_(decisions), exceptional_(exceptions) {}

  void watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape);

  const std::map<std::pair<uint32_t, ops::Exception>, exec::Input>& exceptions() const { return exceptions_; }
  const std::map<exec::Outcome, exec::Input>& crashes() const { return crashes_; } // time-outs too
  const std::map<uint32_t, std::vector<exec::Input>>& close_decisions() const { return close_decisions_; } // by site
  const std::vector<exec::Input>& outgrown() const { return outgrown_; }
  uint64_t runs_outgrown() const { return runs_outgrown_; }

private:
  struct PerSite {
    uint32_t tiny_looks = 0;
    bool underflow = false;
  };
  void look_at(const exec::Input& input, const tape::Tape& tape, uint32_t index);
  void look_for_close_decisions(const exec::Input& input, const tape::Tape& tape);

  bool decisions_, exceptional_;
  std::map<std::pair<uint32_t, ops::Exception>, exec::Input> exceptions_;
  // Those whose input makes an output NaN: of the exact result nothing can be said there, so another one is better.
  std::set<std::pair<uint32_t, ops::Exception>> spoiled_;
  std::map<exec::Outcome, exec::Input> crashes_;
  std::map<uint32_t, std::vector<exec::Input>> close_decisions_;
  std::vector<exec::Input> outgrown_;
  uint64_t runs_outgrown_ = 0;
  std::vector<PerSite> per_site_;
};

} // namespace faultline::campaign
