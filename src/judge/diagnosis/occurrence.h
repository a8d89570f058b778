// How often a problem shows, and when. Samples of the inputs are drawn once for a function, of everyday ones and of
// all, and each is run; whether the error exceeds the threshold there is told by the search's own estimate, which costs
// a fraction of the oracle. The estimate does not know which of a function's problems it sees: some of the samples that
// show one go to the oracle and are explained, and what it does not confirm, or is another problem, is taken off.
//
// Samples are uniform over the floats, so that every magnitude is as likely as any other, and uniform in value where a
// range was given. How many there are is counted, not timed; if the clock ends it, nothing is told.
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

// What a run shows: the faults of its wrong outputs, by their place and class. So the inputs that show one problem are
// told from those that show another problem of the same function.
struct ShownFault {
  finding::Kind kind = finding::Kind::inaccuracy;
  finding::Cause cause; // line 0: nobody on the path is to blame
  ops::Fault fault = ops::Fault::unclassified;
  double relative = 0, absolute = 0;
};

// Of the few outputs that are wrong most. None if the oracle does not confirm that one is.
std::vector<ShownFault> shown_faults(exec::Session& session, Judge& judge, const exec::Input& input);

// Are both evidence of one problem (finding/problem.h)?
bool is_of(const ShownFault& shown, const finding::Finding& finding);

class Occurrence {
public:
  // No deadline: it takes as long as it takes.
  Occurrence(exec::Session& session, const finding::Settings& settings, Judge& judge, const Locations& locations,
             const search::Space& space, const search::Space& everyday, Deadline* deadline = nullptr);

  // Gives the finding its share and its condition, as far as they can be told.
  void measure(finding::Finding& finding);

private:
  struct Sample {
    exec::Input input;
    double error = -1; // relative, estimated; below 0: there is no result
    uint64_t records = 0;
    bool ended = false; // in time
    std::vector<std::pair<uint32_t, ops::Exception>> exceptions;
  };

  const std::vector<Sample>& samples(bool everyday);
  Sample run(const exec::Input& input);
  exec::Input draw(const search::Space& space, numeric::Rng& rng) const;
  const frontend::Cell& output_of(const finding::Finding& finding) const; // the one that it is about
  bool shows(const Sample& sample, const finding::Finding& finding) const;
  bool is_of_range() const;
  // Of the samples that show an error, the part that is this finding's problem.
  struct Part {
    double low = 1, high = 1;
    bool most = true; // of those that were looked at
  };
  Part own_part(const finding::Finding& finding, const std::vector<const Sample*>& showing);
  const std::vector<ShownFault>& faults_of(const Sample& sample);
  std::vector<const Sample*> showing(const finding::Finding& finding, const std::vector<Sample>& drawn) const;
  void find_condition(finding::Finding& finding, const std::vector<Sample>& drawn);
  void find_neighbourhood(finding::Finding& finding, size_t input);
  long double turning_point(const finding::Finding& finding, size_t input, long double shown, long double not_shown);

  exec::Session& session_;
  const finding::Settings& settings_;
  Judge& judge_;
  const Locations& locations_;
  const search::Space& space_;
  const search::Space& everyday_;
  Deadline* deadline_;
  tape::Residues residues_;
  std::array<std::vector<Sample>, 2> samples_;              // of all inputs, of everyday ones
  std::map<const Sample*, std::vector<ShownFault>> faults_; // of those that were explained
};

} // namespace faultline::judge
