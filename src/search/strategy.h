// A strategy looks for inputs that are likely to make a large error. It returns candidates; the oracle confirms
// findings among them.
#pragma once

#include "exec/session.h"
#include "numeric/random.h"
#include "search/checks.h"
#include "search/evaluator.h"
#include "search/space.h"
#include "tape/residue.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::search {

// Scores between these are relative errors. The smaller one is for candidates that go to the oracle without a visible
// error. The larger keeps quotients by tiny results finite. Both are near the ends of binary64.
inline constexpr double least_score = 1e-300, largest_score = 1e300;

struct Candidate {
  exec::Input input;
  uint32_t site = 0; // the suspect, or 0
  double score = 0;  // the strategy's own measure
  std::string strategy;
};

// The part of the inputs that a quest covers: everyday ones, the rest after them (in the whole space, with the everyday
// part already searched), or all at once.
enum class Part : uint8_t { everyday, rest, whole };

using model::ErrorMeasure;

// The terms of a quest, in any space.
struct QuestTerms {
  double threshold = 1e-3; // relative error that counts: ATOMU, section 5.2.3
  ErrorMeasure counted_in =
      ErrorMeasure::relative;    // as the user chose; so is the threshold, except that one in ulps becomes relative
  bool use_all = false;          // use the whole number of evaluations, which the user gave
  bool oracle_sees_more = false; // than rounding error: the user has a reference
  std::vector<tape::Claim> claims = {}; // bounds that a large error would violate
  double floor = 0;                     // the errors of smaller exact results are relative to it
  bool nonzero = false;                 // only exact results of at least the floor count
  Checks checks = {};                   // for precision loss and cancellation
  bool errors_wanted = true;            // otherwise there are no candidates: runs only find exceptions and crashes
  bool exceptions_wanted = false;       // by a separate search, in addition to those of other runs
  bool past_exceptions = false;         // paths continue after an infinity or a NaN
  // Called for an input with the largest error so far, if that is above the threshold.
  std::function<void(const exec::Input&, double error)> on_promising = {};
  Part part = Part::whole;
  const Space* everyday = nullptr; // the everyday part of the space, if it is searched first
  bool goes_on = false;            // continues while no error above the threshold is in sight and the count allows it
  bool climbs = false;             // small errors count: the rest goes to the climb to the largest
};

// Everything a strategy works with.
struct Quest : QuestTerms {
  Evaluator& evaluator;
  const Space& space;
  const std::vector<size_t>& outputs; // to be judged
  numeric::Rng rng;

  Quest(Evaluator& evaluator, const Space& space, const std::vector<size_t>& outputs, numeric::Rng rng,
        QuestTerms terms = {})
      : QuestTerms(std::move(terms)), evaluator(evaluator), space(space), outputs(outputs), rng(rng) {}

  // Random numbers for a part of a search, so that its draws do not affect later parts. Different in each round.
  numeric::Rng own_rng(const std::string& name) const {
    return rng.fork(name + std::to_string(evaluator.evaluations()));
  }

  // The same quest in another space, which is not divided further.
  Quest within(const Space& other, Part which) const;
};

// Returns the most promising candidates first.
using Strategy = std::vector<Candidate> (*)(Quest& quest);

struct NamedStrategy {
  const char* name;
  Strategy run;
  const char* description;
};

// The one list of strategies; `auto` comes first.
const std::vector<NamedStrategy>& strategies();
const NamedStrategy* find_strategy(const std::string& name);
std::vector<std::string> strategy_names();
void check_strategy(const std::string& name); // throws base::UserError if there is none of this name

// Runs the strategy, or tries all inputs of a space that has few.
std::vector<Candidate> search(const NamedStrategy& strategy, Quest& quest);

// One file each.
std::vector<Candidate> search_auto(Quest& quest);
std::vector<Candidate> search_bracket(Quest& quest);
std::vector<Candidate> search_random(Quest& quest);
std::vector<Candidate> search_ga(Quest& quest);
std::vector<Candidate> search_lsga(Quest& quest);
std::vector<Candidate> search_s3fp(Quest& quest);
std::vector<Candidate> search_demc(Quest& quest);
std::vector<Candidate> search_atomu(Quest& quest);
std::vector<Candidate> search_paths(Quest& quest);
std::vector<Candidate> search_fpgen(Quest& quest);
std::vector<Candidate> search_ariadne(Quest& quest);

// A space of few inputs (a small integer or two, the rest held) is tried completely, whatever the strategy. Samples
// would repeat some inputs and miss others, and there is nothing to bracket between two integers.

// A guess: as many runs as the search of one float takes (docs/gsl.md).
inline constexpr uint64_t few_inputs = 4096;

// The number of inputs, if they are few.
std::optional<uint64_t> number_of_inputs(const Space& space);

// The n-th input.
exec::Input input_of_number(const Space& space, uint64_t n);

// Tries each input once, in random order: if the budget ends early, for example because all negative numbers loop
// forever, every part was sampled. Some go to the oracle whatever their error.
std::vector<Candidate> try_all_inputs(Quest& quest);

// A few runs before a search, which find the sites that round on purpose: readers that prepare tables need to know
// them.

// Uses everyday inputs and any others. Ends at the first run that does not return.
void look_for_intended_roundings(exec::Session& session, const Space& space, const Space& everyday, numeric::Rng rng);

} // namespace faultline::search
