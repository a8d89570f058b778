// A strategy looks for inputs that are likely to make a large error. What it returns are candidates; only the oracle
// makes findings of them.
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

// Between these lie scores that are relative errors. The least is for candidates that go to the oracle although no
// error was seen; the largest keeps quotients by tiny results finite. Both are near the ends of binary64.
inline constexpr double least_score = 1e-300, largest_score = 1e300;

struct Candidate {
  exec::Input input;
  uint32_t site = 0; // the suspect, or 0
  double score = 0;  // the strategy's own measure
  std::string strategy;
};

// Which part of the inputs a quest is for: everyday ones, the rest after them (its space is the whole, but what is
// everyday has been searched), or all at once.
enum class Part : uint8_t { everyday, rest, whole };

using frontend::ErrorMeasure;

// What is asked of a quest, in whatever space it goes on.
struct QuestTerms {
  double threshold = 1e-3; // relative error that counts: ATOMU, section 5.2.3
  ErrorMeasure counted_in =
      ErrorMeasure::relative;           // as the user counts; the threshold is too, but that of ulps, which is relative
  bool use_all = false;                 // the number of evaluations is the user's own wish: use it up
  bool oracle_sees_more = false;        // than rounding error: a reference of the user's
  std::vector<tape::Claim> claims = {}; // bounds that a large error would violate
  double floor = 0;                     // errors of smaller exact results are measured against it
  bool nonzero = false;                 // only exact results of at least the floor count
  Checks checks = {};                   // for precision loss and cancellation
  bool errors_wanted = true;            // otherwise no candidates are: exceptions and crashes are found on the way
  bool exceptions_wanted = false;       // with effort, beside what is seen on the way
  bool past_exceptions = false;         // paths go on after an infinity or a NaN
  // Told of an input whose error seems larger than that of all before it, and above the threshold.
  std::function<void(const exec::Input&, double error)> on_promising = {};
  Part part = Part::whole;
  const Space* everyday = nullptr; // the everyday part of the space, if it is to be searched first
  bool goes_on = false;            // while no error above the threshold is in sight and the count allows it
  bool climbs = false;             // small errors count: all that is left goes to the climb to the largest
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

  // For a part of a search: what it draws changes nothing of what comes after it. Another one in each round.
  numeric::Rng own_rng(const std::string& name) const {
    return rng.fork(name + std::to_string(evaluator.evaluations()));
  }

  // The same in another space, which is not divided further.
  Quest within(const Space& other, Part which) const;
};

// Most promising candidates first.
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
void check_strategy(const std::string& name); // throws frontend::UserError if there is none of this name

// What the strategy finds; but a space of few inputs is tried in full (search/strategy.h).
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

// A space of few inputs (a small integer or two, the rest held) is tried in full, whatever the strategy: samples would
// repeat some of them and miss others, and there is nothing between two integers to be bracketed.

// A guess: as many runs as the search of one float takes (docs/gsl.md).
inline constexpr uint64_t few_inputs = 4096;

// How many inputs there are, if they are few.
std::optional<uint64_t> number_of_inputs(const Space& space);

// The n-th of them.
exec::Input input_of_number(const Space& space, uint64_t n);

// Each input once, in random order: when the budget ends early, because all negative numbers loop forever, say,
// something of every part was seen. Some go to the oracle whatever their error.
std::vector<Candidate> try_all_inputs(Quest& quest);

// A few runs before a search: readers that prepare tables for all sites need to know which of them round on purpose.

// Everyday inputs and any. Ends at the first run that does not return.
void look_for_intended_roundings(exec::Session& session, const Space& space, const Space& everyday, numeric::Rng rng);

} // namespace faultline::search
