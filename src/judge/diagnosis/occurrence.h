// How often and when a problem shows. Samples of everyday inputs and of all inputs are drawn once for a function and
// run. The search's own estimate, which costs a fraction of the oracle, decides whether the error exceeds the
// threshold. It does not distinguish the problems of a function: the oracle judges and explains some of the samples
// with an error, and those not confirmed or with another problem are subtracted.
//
// Samples are uniform over the floats, so that all magnitudes are equally likely, and uniform in value where a range
// was given. Their number is counted, not timed; if the clock ends the sampling, nothing is reported.
#pragma once

#include "exec/session.h"
#include "judge/diagnosis/comparison.h"
#include "judge/exceptions/exceptions.h"
#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "numeric/random.h"
#include "ops/fault_kind.h"
#include "search/space.h"

#include <array>
#include <map>
#include <vector>

namespace faultline::judge {

// The faults of a run's wrong outputs, by place and class. They separate inputs that show one problem from those that
// show another problem of the same function.
struct ShownFault {
  model::Kind kind = model::Kind::inaccuracy;
  model::Cause cause; // line 0: no operation on the path is at fault
  ops::Fault fault = ops::Fault::unclassified;
  double relative = 0, absolute = 0;
};

// The faults of the few outputs that are most wrong. Empty if the oracle does not confirm one.
std::vector<ShownFault> shown_faults(exec::Session& session, Judge& judge, const exec::Input& input);

// True if both are evidence of one problem (model/problem.h).
bool is_of(const ShownFault& shown, const model::Finding& finding);

class Occurrence {
public:
  // Without a deadline there is no time limit.
  Occurrence(exec::Session& session, const model::Settings& settings, Judge& judge, const Locations& locations,
             const search::Space& space, const search::Space& everyday, Deadline* deadline = nullptr);

  // Adds the share and the condition to the finding, where they can be determined.
  void measure(model::Finding& finding);

private:
  struct Sample {
    exec::Input input;
    double error = -1; // relative, estimated; below 0: no result
    uint64_t records = 0;
    bool ended = false; // in time
    std::vector<std::pair<uint32_t, ops::Exception>> exceptions;
  };

  const std::vector<Sample>& samples(bool everyday);
  Sample run(const exec::Input& input);
  exec::Input draw(const search::Space& space, numeric::Rng& rng) const;
  const model::Cell& output_of(const model::Finding& finding) const; // the finding's output
  bool shows(const Sample& sample, const model::Finding& finding) const;
  bool is_of_range() const;
  // The part of the samples with an error that shows this finding's problem.
  struct Part {
    double low = 1, high = 1;
    bool most = true; // of the examined ones
  };
  Part own_part(const model::Finding& finding, const std::vector<const Sample*>& showing);
  const std::vector<ShownFault>& faults_of(const Sample& sample);
  std::vector<const Sample*> showing(const model::Finding& finding, const std::vector<Sample>& drawn) const;
  void find_condition(model::Finding& finding, const std::vector<Sample>& drawn);
  void find_neighbourhood(model::Finding& finding, size_t input);
  numeric::Value turning_point(const model::Finding& finding, size_t input, numeric::Value shown,
                               numeric::Value not_shown);

  exec::Session& session_;
  const model::Settings& settings_;
  Judge& judge_;
  const Locations& locations_;
  const search::Space& space_;
  const search::Space& everyday_;
  Deadline* deadline_;
  tape::Residues residues_;
  std::array<std::vector<Sample>, 2> samples_;              // of all inputs, of everyday ones
  std::map<const Sample*, std::vector<ShownFault>> faults_; // of the explained samples
};

} // namespace faultline::judge
