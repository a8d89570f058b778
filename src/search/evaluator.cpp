#include "search/evaluator.h"

#include "search/space.h"
#include "tape/intended.h"

namespace faultline::search {
// The number of runs examined for intended rounding. Most sites have been reached by then. The judge handles later
// ones; until then they only mislead the search.
constexpr uint64_t runs_looked_at = 256;
constexpr uint32_t records_looked_at = 1u << 14;

Evaluator::Evaluator(exec::Session& session, const Budget& budget, Watch watch, const Space* space)
    : session_(session), space_(space), budget_(budget), watch_(std::move(watch)) {}

const exec::Input& Evaluator::legal(const exec::Input& input) {
  if (!space_ || space_->allows(input))
    return input;
  return legal_ = space_->legal(input);
}

tape::Tape Evaluator::run(const exec::Input& input) {
  if (pause_)
    pause_();
  const exec::Input& run = legal(input);
  return account(run, session_.run(run), true);
}

tape::Tape Evaluator::peek(const exec::Input& input, uint64_t most_records) {
  if (pause_)
    pause_();
  const exec::Input& brief = legal(input);
  const exec::Run run = session_.run_briefly(brief, most_records);
  return account(brief, run, run.outcome != exec::Outcome::tape_full);
}

tape::Tape Evaluator::account(const exec::Input& input, const exec::Run& run, bool whole) {
  outcome_ = run.outcome;
  refused_ = run.refused_at != nullptr;
  ++evaluations_;
  records_ += run.records.size();
  timeouts_ += run.outcome == exec::Outcome::timed_out || run.outcome == exec::Outcome::out_of_memory;
  outgrown_ += whole && run.outcome == exec::Outcome::tape_full;
  tape::Tape tape(run, session_.sites(), input.size());
  if (evaluations_ <= runs_looked_at)
    tape::note_intended_roundings(session_, tape, records_looked_at);
  if (whole)
    watch_(input, run, tape);
  if (listener_)
    listener_(input, run, tape);
  return tape;
}

std::optional<uint64_t> Evaluator::evaluations_left() const {
  if (budget_.evaluations == Budget().evaluations)
    return std::nullopt;
  return budget_.evaluations - std::min(budget_.evaluations, evaluations_);
}

Evaluator::Allowance::Allowance(Evaluator& evaluator, uint64_t evaluations, uint64_t records, double share)
    : evaluator_(evaluator), whole_(evaluator.budget_), until_(evaluator.until_) {
  Budget& budget = evaluator.budget_;
  budget.evaluations = std::min(budget.evaluations, evaluator.evaluations_ + evaluations);
  budget.records = std::min(budget.records, evaluator.records_ + records);
  if (share < 1) {
    const double now = evaluator.seconds();
    evaluator.until_ = std::min(until_, now + share * std::max(budget.seconds - now, 0.0));
  }
}

bool Evaluator::spent(double share) const {
  if (session_.asked_to_stop() || session_.begun() >= budget_.break_off)
    return true;
  if (out_of_time_ || timeouts_ >= budget_.timeouts || outgrown_ >= budget_.outgrown)
    return out_of_time_ = true;
  if (double(evaluations_) >= double(budget_.evaluations) * share ||
      double(records_) >= double(budget_.records) * share)
    return true;
  // The clock is not read in each of many short runs, since reading it takes as long: guesses.
  constexpr uint64_t evaluations_between = 8, records_between = 4096;
  if (evaluations_ < asked_at_evaluation_ + evaluations_between && records_ < asked_at_record_ + records_between)
    return false;
  asked_at_evaluation_ = evaluations_;
  asked_at_record_ = records_;
  const double now = seconds();
  if (now < std::min(budget_.seconds * share, until_))
    return false;
  if (now < budget_.seconds * share)
    return cut_ = true;
  cut_ = true;
  out_of_time_ = share >= 1;
  return true;
}

} // namespace faultline::search
