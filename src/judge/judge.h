// Turns candidates into findings: every input is run again, judged by the oracle, and explained. A candidate that the
// oracle cannot confirm is not a finding.
#pragma once

#include "exec/reference.h"
#include "judge/array_errors.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/meaning/meaning_judge.h"
#include "model/report.h"
#include "model/settings/settings.h"
#include "ops/table.h"
#include "oracle/judgement.h"
#include "search/space.h"
#include "tape/residue.h"
#include "tape/tape.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

inline constexpr uint32_t largest_explained = 1u << 18; // records; the cause is not searched in longer runs
std::string too_long_words();                           // that, in a sentence, with advice

// A finding, and the analysis of the run that shows it.
struct JudgedFinding {
  model::Finding finding;
  std::shared_ptr<Analysis> analysis;
};

class Judge {
public:
  Judge(exec::Session& session, const model::Settings& settings, std::vector<size_t> outputs,
        exec::Reference* reference);

  // The verified errors of a run: an inaccuracy or branch flip, if the error counts, and a claim that it violates.
  std::vector<JudgedFinding> errors(const exec::Input& input, const std::string& strategy);
  // The same for a run that returned, or that has been judged. May run the code on other inputs, which ends the lease
  // of the tape.
  std::vector<JudgedFinding> errors(const exec::Input& input, const tape::Tape& tape, const std::string& strategy) {
    return errors(input, tape, std::make_shared<Analysis>(judge(input, tape)), strategy);
  }
  std::vector<JudgedFinding> errors(const exec::Input& input, const tape::Tape& tape,
                                    std::shared_ptr<Analysis> analysis, const std::string& strategy);
  // For a run that outgrows the tape: runs it again without one. It may not end, or be wrong. The cause is not
  // searched.
  std::optional<model::Finding> untaped(const exec::Input& input, const std::string& strategy);
  // Doubtful if it may have exceeded the memory limit, or the bounds of a pointer that was taken to point to a single
  // number.
  model::Finding crash(const exec::Input& input, exec::Outcome outcome, const std::string& strategy) const;

  // A finding before it is judged, without cause.
  model::Finding blank(model::Kind kind, const exec::Input& input, const std::string& strategy) const;
  void name_cause(model::Finding& finding, const tape::Site& site) const;
  void name_roots(model::Finding& finding, const tape::Tape& tape, uint32_t cause) const;

  // The oracle's judgement of a run, with the errors of arrays as the settings define them.
  oracle::Judgement judge(const exec::Input& input, const tape::Tape& tape);
  // Sets the oracle's initial precision, to check a judgement made at a lower one.
  void begin_at(long precision) { first_precision_ = precision; }
  // The full description of the worst output: output, error, cause, verdict. Also below the threshold.
  model::Finding describe(const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                          const oracle::OutputJudgement& output);
  // A run that returns where exact arithmetic does not: a branch flip without a reference and so without an error.
  std::optional<model::Finding> unreturned(const exec::Input& input, const tape::Tape& tape,
                                           const oracle::Judgement& judgement) const;
  const oracle::OutputJudgement* worst(const oracle::Judgement& judgement) const;

  uint64_t unknown() const { return unknown_; } // judgements that the oracle could not make
  const std::string& why_unknown() const { return why_unknown_; }
  const std::vector<size_t>& outputs() const { return outputs_; }
  model::OracleName oracle() const { return settings_.oracle; }
  const MeaningJudge& meaning() const { return meaning_; }
  // True if it sees more than rounding in every output, by a reference function or by meanings.
  bool sees_everything() const { return settings_.oracle == model::OracleName::reference || meaning_.covers(outputs_); }
  uint64_t undefined() const { return undefined_; }                  // inputs for which the meaning has no value
  const std::vector<tape::Claim>& claims() const { return claims_; } // empty if not requested
  const ArrayErrors& arrays() const { return arrays_; }
  bool is_everyday(const exec::Input& input) const;
  const search::Space& space() const { return space_; } // of inputs
  // True if results that seem right are checked for loops that stop too early.
  bool looks_for_truncation() const { return truncation_looks_ > 0; }
  uint64_t judged() const { return judged_; } // everyday inputs with a certain reference
  // The largest judged error, at everyday inputs and anywhere.
  const std::optional<model::Largest>& largest_everyday() const { return largest_everyday_; }
  const std::optional<model::Largest>& largest() const { return largest_; }

  model::Error error_of(const oracle::OutputJudgement& output) const;
  // True if it is certainly wrong.
  bool is_measurable(const oracle::OutputJudgement& output) const;
  // Says why the reference of this output is not believed: the operations on the tape, repeated exactly, give something
  // else, and no decision explains it. Empty if they agree, or if the tape does not tell.
  std::string contradiction(const tape::Tape& tape, Analysis& analysis, const oracle::OutputJudgement& output) const;
  // True if the error is above the threshold and certain.
  bool counts(const oracle::OutputJudgement& output) const;
  // True if half of its digits are lost at an everyday input, and the user gave no threshold.
  bool is_half_lost(const exec::Input& input, const oracle::OutputJudgement& output) const;

private:
  oracle::Judgement judge_by_code(const exec::Input& input, const tape::Tape& tape);
  std::optional<model::Finding> wrong_output(const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                                             const std::string& strategy);
  std::optional<model::Finding> broken_claim(const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                                             const std::string& strategy);
  bool is_known(const oracle::Judgement& judgement);
  void look_for_truncation(const exec::Input& input, const tape::Tape& tape, oracle::Judgement& judgement);
  void note_largest(const exec::Input& input, const oracle::Judgement& judgement);
  void blame_flip(model::Finding& finding, const tape::Tape& tape, const tape::Divergence& flip) const;
  // By moving the inputs and the inexact constants (judge/diagnosis/spread.h). `cause`: the record that the error comes
  // from, or 0. Nothing for long runs.
  std::optional<model::Verdict> verdict_by_moving(const exec::Input& input, const tape::Tape& tape,
                                                  const Analysis& analysis, const oracle::OutputJudgement& output,
                                                  uint32_t cause) const;
  void explain(model::Finding& finding, const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
               const oracle::OutputJudgement& output) const;

  exec::Session& session_;
  const model::Settings& settings_;
  std::vector<size_t> outputs_;
  std::vector<tape::Claim> claims_;
  ArrayErrors arrays_;
  exec::Reference* reference_;
  MeaningJudge meaning_;
  Units units_;         // inputs of one unit, for the verdict
  search::Space space_; // of inputs
  bool claims_extremes_;
  long first_precision_ = oracle::first_precision;
  uint64_t unknown_ = 0, undefined_ = 0, judged_ = 0;
  std::string why_unknown_;
  int truncation_looks_; // for results that seem right
  bool sees_loops_ = false;
  std::optional<model::Largest> largest_everyday_, largest_;
};

// The reference of the settings, if any, compiled with these flags. Throws base::UserError.
std::optional<exec::Reference> load_reference(const model::Settings& settings, const std::vector<std::string>& flags,
                                              const model::Target& target);

// Inputs that are the float nearest to a pole of the exact function. There the exact result is unbounded within the
// input's own rounding, so no code could do better, and an error is not worth reporting.

// `reference` is the exact value of the output at this input. Checks the neighbours of each float input, with two
// judgements each: for ill-conditioned inputs. Does nothing for more than a few inputs.
bool is_at_a_pole(Judge& judge, exec::Session& session, const exec::Input& input, size_t output,
                  const numeric::BigFloat& reference);

} // namespace faultline::judge
