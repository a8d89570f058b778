// From candidates to findings: every input is run again, judged by the oracle, and explained. What the oracle cannot
// confirm is no finding.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "exec/reference.h"
#include "explain/cause.h"
#include "ops/table.h"
#include "oracle/judgement.h"
#include "tape/residue.h"
#include "tape/tape.h"

namespace faultline::campaign {

inline constexpr uint32_t largest_explained = 1u << 18; // records; beyond that the cause is not looked for
std::string too_long_words();                           // that, in a sentence, with what to try

class Judge {
public:
  Judge(exec::Session& session, const Options& options, std::vector<size_t> outputs, exec::Reference* reference);

  // The verified errors of a run: an inaccuracy or branch flip, if the error counts, and a claim that it violates.
  std::vector<Finding> errors(const exec::Input& input, const std::string& strategy);
  // The same of a run that has been judged. Other runs may follow: the tape's memory is theirs then.
  std::vector<Finding> errors(const exec::Input& input, const tape::Tape& tape, const oracle::Judgement& judgement,
                              const std::string& strategy);
  // For a run that outgrows the tape, run again without one: it may never end, or be wrong; the cause is not looked
  // for.
  std::optional<Finding> untaped(const exec::Input& input, const std::string& strategy);
  Finding crash(const exec::Input& input, exec::Outcome outcome, const std::string& strategy) const;

  // A finding before it is judged, and the operation to blame.
  Finding blank(Kind kind, const exec::Input& input, const std::string& strategy) const;
  void name_cause(Finding& finding, const tape::Site& site) const;

  // The oracle's word on a run.
  oracle::Judgement judge(const exec::Input& input, const tape::Tape& tape);
  // Everything that can be said of the worst output: output, error, cause, verdict. Also below the threshold.
  Finding describe(const exec::Input& input, const tape::Tape& tape, const oracle::Judgement& judgement,
                   const oracle::OutputJudgement& output);
  // A run that returns where exact arithmetic does not: a branch flip without a reference, so without an error.
  std::optional<Finding> unreturned(const exec::Input& input, const tape::Tape& tape,
                                    const oracle::Judgement& judgement) const;
  const oracle::OutputJudgement* worst(const oracle::Judgement& judgement) const;

  uint64_t unknown() const { return unknown_; } // judgements that the oracle could not make
  const std::string& why_unknown() const { return why_unknown_; }
  const std::vector<size_t>& outputs() const { return outputs_; }
  OracleName oracle() const { return options_.oracle; }
  const std::vector<tape::Claim>& claims() const { return claims_; } // none, if they are not wanted

  // Is the error above the threshold, and certain?
  bool counts(const oracle::OutputJudgement& output) const;

private:
  std::optional<Finding> wrong_output(const exec::Input& input, const tape::Tape& tape,
                                      const oracle::Judgement& judgement, const std::string& strategy);
  std::optional<Finding> broken_claim(const exec::Input& input, const tape::Tape& tape,
                                      const oracle::Judgement& judgement, const std::string& strategy);
  bool is_known(const oracle::Judgement& judgement);
  void blame_flip(Finding& finding, const tape::Tape& tape, const tape::Divergence& flip) const;
  void explain(Finding& finding, const tape::Tape& tape, const oracle::Judgement& judgement,
               const oracle::OutputJudgement& output);

  exec::Session& session_;
  const Options& options_;
  std::vector<size_t> outputs_;
  std::vector<tape::Claim> claims_;
  exec::Reference* reference_;
  uint64_t unknown_ = 0;
  std::string why_unknown_;
};

std::string_view text(OracleName oracle);

// The reference that the options name, if they do. Throws frontend::UserError.
std::optional<exec::Reference> load_reference(const Options& options, const frontend::Target& target);

// A stable name for a finding: what it is and where, and the input.
std::string identify(const std::string& function, const Finding& finding);

} // namespace faultline::campaign
