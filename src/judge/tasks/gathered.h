// What a hunt in one function has found so far, by cause; and, in the end, the findings as they are told: each that
// speaks for its cause at an ordinary input, with a diagnosis, how often it shows and when.
#pragma once

#include "finding/campaign/known_cause.h"
#include "finding/collection.h"
#include "judge/diagnosis/analyses.h"
#include "judge/diagnosis/completion.h"
#include "judge/diagnosis/occurrence.h"
#include "judge/tasks/deadline.h"

namespace faultline::judge {

// How much is done for each finding.
enum class Finish : uint8_t {
  whole,      // the simplest input, the diagnosis with a remedy, how often it shows and when
  briefly,    // an everyday input, if there is one, which decides on the tier; and the diagnosis
  own_inputs, // the diagnosis: some inputs have killed a worker, so only what was run is run again
};

class Gathered {
public:
  // `known`: causes that are not diagnosed again.
  Gathered(std::string function, const std::vector<finding::KnownCause>& known)
      : function_(std::move(function)), known_(known) {}

  void keep(std::vector<Found> all);
  void keep(std::vector<finding::Finding> findings);
  void keep(std::optional<finding::Finding> finding);

  struct Finished {
    std::vector<finding::Finding> findings; // sorted
    std::vector<finding::Finding> again;    // of known causes, as they were found
  };
  // Nothing is left here.
  Finished finished(Completion& completion, Occurrence& occurrence, Deadline& deadline, Finish finish);

private:
  std::string function_;
  const std::vector<finding::KnownCause>& known_;
  finding::Collection findings_;
  Analyses analyses_;
};

} // namespace faultline::judge
