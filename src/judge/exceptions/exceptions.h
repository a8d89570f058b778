// Turns an observed exception into a finding (docs/exceptions.md). The input runs twice more, without and with
// instrumentation. An exception that the tape shows and the hardware's flags of both runs confirm is a finding. All
// exceptions of an input are judged together, so that the oracle runs once.
//
// The verdict is Ariadne's (POPL 2013, section 4.4): the code runs again in high precision. If all outputs have exact
// results that the format can hold, another algorithm could compute them: avoidable. If one does not, or exact
// arithmetic ends in an infinity, NaN or the same refusal: inherent.
//
// The flags belong to a whole run, so they confirm the kind, and the tape the place. A conversion to a narrow integer
// raises no flag if the machine converts to a wider one first. Then only the tape shows it, and the finding says so.
#pragma once

#include "judge/exceptions/observations.h"
#include "judge/judge.h"
#include "tape/exceptions.h"

#include <optional>

namespace faultline::judge {

// An exception that a run shows and the hardware confirms.
struct ConfirmedException {
  SeenException shown;
  bool flags = true;
};

class ExceptionJudge {
public:
  ExceptionJudge(exec::Session& session, const model::Settings& settings, Judge& judge, const Locations& locations,
                 const CallerNotice& reporting);

  // Includes harmless ones.
  std::vector<model::Finding> findings(const Suspect& suspect, const std::string& strategy);

  // The findings of the same kind and operation at another input.
  std::vector<model::Finding> findings_at(const exec::Input& input, const model::Finding& like);

  // The exceptions that repeat without an oracle. Uses the session's sites, one for each location.
  std::vector<ConfirmedException> confirmed(const exec::Input& input);

  uint64_t unconfirmed() const { return unconfirmed_; } // suspicions that a second run did not confirm

private:
  struct Exact { // the exact results at an input
    model::Verdict verdict = model::Verdict::unknown;
    model::Result result = model::Result::unknown; // of the run, compared with them
    oracle::Judgement judgement;
    bool by_limit = false; // undefined, but with a limit: the verdict is about that
  };
  struct Trial;

  uint32_t native_flags(const exec::Input& input, exec::Outcome& outcome);
  std::optional<bool> raised(const SeenException& shown, const exec::Run& run, uint32_t native) const;
  Exact exact(const exec::Input& input, const exec::Run& run, const tape::Tape& tape);
  void consider_limit(Exact& exact, const exec::Input& input, const tape::Tape& tape);
  std::optional<bool> ends_alike(const exec::Input& input, const exec::Run& run, model::Result& result);
  model::Result result_of(const exec::LiftedRun& lifted, const exec::Run& run) const;
  model::Result result_of(const oracle::Judgement& judgement) const;
  bool is_undefined(const exec::LiftedRun& lifted) const;
  model::Verdict verdict_of(const oracle::Judgement& judgement) const;
  // `behind_pole`: an underflow that causes a division by zero or another pole.
  model::Finding finding(const Trial& trial, const ConfirmedException& confirmed, bool behind_pole);
  bool is_wrong_otherwise(const Trial& trial, uint32_t exception, const tape::Fate& fate) const;
  // `own_error`: if false, the error belongs to another finding and is not reported here.
  void name_output(model::Finding& finding, const Trial& trial, const tape::Fate& fate, bool own_error) const;
  std::optional<model::Origin> origin_of(const Trial& trial, const model::Aftermath& aftermath, uint32_t event) const;

  exec::Session& session_;
  const model::Settings& settings_;
  Judge& judge_;
  const Locations& locations_;
  const CallerNotice& reporting_;
  uint64_t unconfirmed_ = 0;
  int timeouts_ = 0;   // of lifted runs
  uint64_t allowance_; // for the oracle, in records
};

uint32_t flag_of(ops::Exception kind); // hardware flag (exec/guard.h)

// True for an infinity or NaN where a result exists.
bool is_spoiled(const oracle::OutputJudgement& output);

} // namespace faultline::judge
