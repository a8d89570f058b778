#include "solve/interval/propagation.h"

#include "constraint/evaluate.h"
#include "numeric/random.h"

#include <algorithm>
#include <cmath>

namespace faultline::solve {

using ops::Basic;

namespace {

// A positive float as significand * 2^unit.
struct Parts {
  Bits significand;
  int unit;
};

Parts parts(BinaryFormat format, Int128 order) {
  const auto field = int(order >> format.fraction_bits());
  const Bits hidden = field == 0 ? 0 : format.smallest_normal();
  return {(Bits(order) & (format.smallest_normal() - 1)) | hidden,
          format.min_exponent() - format.fraction_bits() + std::max(field - 1, 0)};
}

int trailing_zeros(Bits bits) {
  int count = 0;
  while ((bits & 1) == 0) {
    bits >>= 1;
    ++count;
  }
  return count;
}

// Returns the largest q such that 2^q divides a float from `low` to `high`, both positive.
int coarsest(BinaryFormat format, Int128 low, Int128 high) {
  const Parts a = parts(format, low), b = parts(format, high);
  if (a.unit != b.unit)
    return b.unit + format.fraction_bits(); // the power of two at the start of high's binade
  int zeros = std::max(trailing_zeros(a.significand), trailing_zeros(b.significand));
  if (const Bits difference = a.significand ^ b.significand; difference != 0) {
    // Clearing high below its first bit that differs from low gives a number above low that ends in that bit.
    int first = 0;
    while (difference >> (first + 1) != 0)
      ++first;
    zeros = std::max(zeros, first);
  }
  return a.unit + zeros;
}

// Returns the order of the largest magnitude of a term of a sum; the largest float if there is no bound.
Int128 largest_term(BinaryFormat format, Int128 low, Int128 high) {
  const int q = coarsest(format, low, high);
  const Int128 field = Int128(q) + format.significand_bits - format.min_exponent() + 1; // of 2^(q+p)
  if (field > 2 * format.max_exponent())
    return format.highest() - 1;
  const Parts z = parts(format, high);
  // Beyond 2^(q+p), where floats are 2^(q+1) apart: the successor of high less 2^q. In units of high's last place.
  const Int128 beyond = Int128(z.significand) + 1 - (Int128(1) << (q - z.unit));
  const Int128 steps = beyond >> (q - z.unit + 1);
  return std::min((field << format.fraction_bits()) + steps, format.highest() - 1);
}

// Returns the order of the largest float that is at most value * 2^shift.
Int128 scaled(BinaryFormat format, Int128 order, long shift) {
  numeric::BigFloat value(format.significand_bits);
  numeric::set_bits(value.raw(), format.at(order), format);
  mpfr_mul_2si(value.raw(), value.raw(), shift, MPFR_RNDU);
  return std::min(format.order(numeric::nearest_bits(value.raw(), format)), format.highest() - 1);
}

void bound_magnitude(Domain& domain, Int128 most) { domain.numbers = meet(domain.numbers, {-1 - most, most}); }

constexpr int worthwhile_share = 32; // a narrowing by this part of the domain wakes other nodes
// Projections per node in one propagation. Slow convergence is left to splitting.
constexpr uint64_t projections_a_node = 40;

bool worthwhile(const Domain& before, const Domain& after) {
  if (before.nan != after.nan || after.numbers.low == after.numbers.high)
    return true;
  const Int128 width = before.numbers.high - before.numbers.low;
  const Int128 gone = (after.numbers.low - before.numbers.low) + (before.numbers.high - after.numbers.high);
  // Near zero a few floats are a large share of the magnitudes, so zero and the infinities are considered separately.
  const bool sign_settled =
      (before.numbers.low < 0) != (after.numbers.low < 0) || (before.numbers.high < 0) != (after.numbers.high < 0);
  return sign_settled || gone > width / worthwhile_share;
}

} // namespace

void filter_by_ulp_max(Op op, BinaryFormat format, Scope& scope) {
  if (scope.result.nan || scope.result.numbers.empty())
    return;
  Range z = scope.result.numbers;
  if (z.high < 0)
    z = {-1 - z.high, -1 - z.low};
  if (z.low <= 0 || z.high >= format.highest())
    return;
  const Int128 above = z.high + 1; // a real result that is rounded to z is below
  if (!ops::is_basic(op))
    return;
  switch (Basic(op)) {
  case Basic::fadd:
  case Basic::fsub: {
    const Int128 most = largest_term(format, z.low, z.high);
    bound_magnitude(scope.operands[0], most);
    bound_magnitude(scope.operands[1], most);
    return;
  }
  case Basic::fmul: {
    if (above >= format.highest())
      return;
    const Int128 most = scaled(format, above, format.fraction_bits() - format.min_exponent());
    bound_magnitude(scope.operands[0], most);
    bound_magnitude(scope.operands[1], most);
    return;
  }
  case Basic::fdiv:
    if (above < format.highest())
      bound_magnitude(scope.operands[0], scaled(format, above, format.max_exponent() + 1));
    return;
  case Basic::sqrt:
    return;
  }
}

Propagation::Propagation(const System& system, bool ulp_max, const Deadline* deadline)
    : system_(system), ulp_max_(ulp_max), deadline_(deadline), relevant_(system.size()), queued_(system.size()),
      users_(system.size()) {
  for (const Node& node : system.nodes())
    domains_.push_back(node.form == Form::constant ? only(node.sort, node.value) : whole(node.sort));
  for (const Term assertion : system.assertions())
    relevant_[assertion] = true;
  for (Term term = Term(system.size()); term-- > 0;) {
    if (!relevant_[term])
      continue;
    const Node& node = system.node(term);
    for (int i = 0; i < operand_count(node); ++i) {
      relevant_[node.operands[i]] = true;
      if (i == 0 || node.operands[i] != node.operands[0])
        users_[node.operands[i]].push_back(term);
    }
  }
}

bool Propagation::start() {
  for (Term term = 0; term < system_.size(); ++term)
    if (relevant_[term])
      enqueue(term);
  for (const Term assertion : system_.assertions())
    if (!narrow(assertion, true_domain))
      return false;
  return run();
}

bool Propagation::restrict(Term term, const Domain& domain) { return narrow(term, domain) && run(); }

void Propagation::undo(size_t mark) {
  while (trail_.size() > mark) {
    domains_[trail_.back().term] = trail_.back().before;
    trail_.pop_back();
  }
  for (const Term term : queue_)
    queued_[term] = false;
  queue_.clear();
}

// Intersects the domain with another. False if nothing is left.
bool Propagation::narrow(Term term, const Domain& domain) {
  Domain& current = domains_[term];
  const Domain narrower = meet(current, domain);
  if (narrower == current)
    return !current.empty();
  if (narrower.empty())
    return false;
  const bool telling = worthwhile(current, narrower);
  trail_.push_back({term, current});
  current = narrower;
  if (telling)
    wake(term);
  return true;
}

void Propagation::wake(Term term) {
  enqueue(term);
  for (const Term user : users_[term])
    enqueue(user);
}

void Propagation::enqueue(Term term) {
  if (queued_[term] || operand_count(system_.node(term)) == 0)
    return;
  queued_[term] = true;
  queue_.push_back(term);
}

bool Propagation::revise(Term term) {
  const Node& node = system_.node(term);
  const int count = operand_count(node);
  Scope scope{domains_[term], {}};
  for (int i = 0; i < count; ++i)
    scope.operands[i] = domains_[node.operands[i]];
  ++projections_;
  project(system_, term, scope);
  if (ulp_max_ && node.form == Form::operation && count == 2)
    filter_by_ulp_max(node.op, node.sort.format, scope);
  if (!narrow(term, scope.result))
    return false;
  for (int i = 0; i < count; ++i)
    if (!narrow(node.operands[i], scope.operands[i]))
      return false;
  return true;
}

bool Propagation::run() {
  const uint64_t most = projections_ + projections_a_node * std::max<uint64_t>(system_.size(), 64);
  while (!queue_.empty()) {
    const Term term = queue_.front();
    queue_.pop_front();
    queued_[term] = false;
    if (!revise(term))
      return false;
    const bool late = deadline_ && projections_ % 1024 == 0 && deadline_->passed();
    if (projections_ >= most || late) {
      for (const Term left : queue_)
        queued_[left] = false;
      queue_.clear();
    }
  }
  return true;
}

std::optional<std::vector<Domain>> propagated(const System& system, bool ulp_max, const Deadline* deadline) {
  Propagation propagation(system, ulp_max, deadline);
  if (!propagation.start())
    return std::nullopt;
  return propagation.domains();
}

// FPSE (Botella, Gotlieb, Michel 2006; Bagnara, Carlier, Gori, Gotlieb, ICST 2013): interval propagation over floats,
// then labelling, depth first. The answer is unsat when every part is refuted, sat with the first candidate that
// satisfies the system, and unknown after the deadline.

namespace {

// Labelling: chooses the domain to split, the place, and the part to search first.
//
// Boolean terms come first, because deciding a disjunction narrows more than halving a number; then variables, the
// widest first. A domain is usually split at its real middle, which halves the overestimate of interval arithmetic, and
// every third time at the middle of its floats, which finds small magnitudes. If that misleads a search, the search
// restarts in another manner.
enum class Manner : uint8_t {
  as_a_rule,
  small_first, // numbers of one sign, the smaller magnitudes first
  either_side  // at the middle of the floats, any part first
};

constexpr int manners = 3;

struct Split {
  Term term = 0;
  Domain first, second; // the parts of the term's domain
};

// Returns the end of the lower part of a domain with at least two numbers: a value from low to high - 1.
Int128 cut(BinaryFormat format, const Range& numbers, bool real) {
  const Int128 middle = numbers.low + (numbers.high - numbers.low) / 2;
  if (!real)
    return middle;
  // Infinities have no real middle.
  const Int128 low = std::max(numbers.low, format.lowest() + 1), high = std::min(numbers.high, format.highest() - 1);
  const numeric::Value from = numeric::long_double_of(format.at(low), format);
  const numeric::Value to = numeric::long_double_of(format.at(high), format);
  const Int128 at = format.order(numeric::bits_of(from / 2 + to / 2, format));
  return at < numbers.low || at >= numbers.high ? middle : at;
}

// Returns about how many times a domain can be halved.
double width(const Range& numbers) { return numbers.empty() ? 0 : std::log2(double(numbers.high - numbers.low) + 1); }

bool inside(const Domain& domain, const Sort& sort, Bits value) {
  if (sort.format.is_nan(value))
    return domain.nan;
  return domain.numbers.has(sort.format.order(value));
}

class Labelling {
public:
  Labelling(const Propagation& propagation, const std::vector<Model>& near, uint64_t seed)
      : cuts_(propagation.system().size()), near_(near), rng_(seed) {
    const System& system = propagation.system();
    for (const constraint::Variable& variable : system.variables())
      if (propagation.relevant(variable.term))
        (system.sort(variable.term).boolean ? booleans_ : variables_).push_back(variable.term);
    for (Term term = 0; term < system.size(); ++term) {
      if (!propagation.relevant(term))
        continue;
      const Node& node = system.node(term);
      if (node.form == Form::disjunction || node.form == Form::conjunction || node.form == Form::choice)
        for (int i = 0; i < (node.form == Form::choice ? 1 : 2); ++i)
          booleans_.push_back(node.operands[i]);
    }
  }

  // None if every term that can be split has one value. Usually the part with the favoured model comes first.
  std::optional<Split> next(const Propagation& propagation, const Model& favoured, Manner manner) {
    if (const auto term = undecided(propagation))
      return Split{*term, true_domain, false_domain};
    const auto term = widest(propagation);
    if (!term)
      return std::nullopt;
    const Sort& sort = propagation.system().sort(*term);
    const Domain& domain = propagation.domain(*term);
    if (domain.nan)
      return Split{*term, {domain.numbers, false}, {{}, true}};
    if (manner != Manner::as_a_rule)
      return in_halves(*term, domain.numbers, manner);
    const Int128 at = cut(sort.format, domain.numbers, cuts_[*term]++ % 3 != 2);
    Split split{*term, {{domain.numbers.low, at}, false}, {{at + 1, domain.numbers.high}, false}};
    const Bits value = favoured[size_t(propagation.system().node(*term).value)];
    if (inside(split.second, sort, value))
      std::swap(split.first, split.second);
    return split;
  }

  // Models to try within the domains, in turns: their middles, ends, and the values of neighbouring models.
  Model candidate(const Propagation& propagation, uint64_t turn) const {
    const System& system = propagation.system();
    Model model(system.variables().size());
    for (size_t i = 0; i < model.size(); ++i) {
      const Term term = system.variables()[i].term;
      const Sort& sort = system.sort(term);
      const Domain& domain = propagation.domain(term);
      const Range& numbers = domain.numbers;
      if (numbers.empty() || numbers.single()) {
        model[i] = value_of(sort, domain);
        continue;
      }
      if (sort.boolean) {
        model[i] = turn & 1;
        continue;
      }
      if (!near_.empty() && turn % 4 == 3) {
        const Bits value = near_[turn / 4 % near_.size()][i];
        if (inside(domain, sort, value)) {
          model[i] = value;
          continue;
        }
      }
      // Ends first: many path conditions are tight there.
      const Int128 at = turn % 4 == 0   ? cut(sort.format, numbers, true)
                        : turn % 4 == 1 ? numbers.low
                        : turn % 4 == 2 ? numbers.high
                                        : cut(sort.format, numbers, false);
      model[i] = sort.format.at(at);
    }
    return model;
  }

private:
  std::optional<Term> undecided(const Propagation& propagation) const {
    for (const Term term : booleans_)
      if (!propagation.domain(term).single())
        return term;
    return std::nullopt;
  }

  std::optional<Term> widest(const Propagation& propagation) const {
    std::optional<Term> best;
    double most = 0;
    for (const Term term : variables_) {
      const Domain& domain = propagation.domain(term);
      if (domain.single())
        continue;
      const double size = width(domain.numbers) + (domain.nan ? 64 : 0);
      if (!best || size > most) {
        best = term;
        most = size;
      }
    }
    return best;
  }

  // Splits in order space. A search for small magnitudes decides the sign first.
  Split in_halves(Term term, const Range& numbers, Manner manner) {
    const bool signs = manner == Manner::small_first && numbers.low < 0 && numbers.high >= 0;
    const Int128 at = signs ? -1 : numbers.low + (numbers.high - numbers.low) / 2;
    Split split{term, {{numbers.low, at}, false}, {{at + 1, numbers.high}, false}};
    const bool second = signs || manner == Manner::either_side ? rng_.coin() : numbers.high < 0;
    if (second)
      std::swap(split.first, split.second);
    return split;
  }

  std::vector<Term> variables_, booleans_;
  std::vector<unsigned> cuts_; // of each term
  const std::vector<Model>& near_;
  numeric::Rng rng_;
};

constexpr uint64_t first_splits = 200; // before the first restart

class Search {
public:
  explicit Search(const Question& question)
      : question_(question), deadline_(question.seconds), propagation_(question.system, question.ulp_max, &deadline_),
        labelling_(propagation_, question.near, question.seed) {}

  Result run() {
    Result result = search();
    result.projections = propagation_.projections();
    return result;
  }

private:
  Result search() {
    bool consistent = propagation_.start();
    root_ = propagation_.mark();
    for (;;) {
      if (consistent) {
        if (deadline_.passed() || propagation_.projections() >= question_.effort)
          return {.reason = "out of time"};
        if (try_candidate())
          return {.answer = Answer::sat, .model = model_};
        if (const auto split = labelling_.next(propagation_, model_, manner_)) {
          if (++splits_ > most_splits_) {
            start_again();
            continue;
          }
          open_.push_back({propagation_.mark(), split->term, split->second});
          consistent = propagation_.restrict(split->term, split->first);
          continue;
        }
      }
      // No solution here: continue with the other part of the last split.
      if (open_.empty())
        return {.answer = Answer::unsat};
      const Open last = open_.back();
      open_.pop_back();
      propagation_.undo(last.mark);
      consistent = propagation_.restrict(last.term, last.other);
    }
  }

  // Restarts in another manner; once all had their turn, with twice the limit, so that the search remains complete.
  void start_again() {
    open_.clear();
    propagation_.undo(root_);
    splits_ = 0;
    manner_ = Manner((int(manner_) + 1) % manners);
    if (manner_ == Manner::as_a_rule)
      most_splits_ *= 2;
  }

  bool try_candidate() {
    model_ = labelling_.candidate(propagation_, turn_++);
    return constraint::satisfies(question_.system, model_);
  }

  struct Open {
    size_t mark;
    Term term;
    Domain other;
  };

  const Question& question_;
  Deadline deadline_;
  Propagation propagation_;
  Labelling labelling_;
  std::vector<Open> open_;
  Model model_;
  Manner manner_ = Manner::as_a_rule;
  size_t root_ = 0;
  uint64_t turn_ = 0, splits_ = 0, most_splits_ = first_splits;
};

} // namespace

// Words cannot be split: systems with them can be refuted by propagation, and nothing else.
Result solve_interval(const Question& question) {
  if (!constraint::reaches_words(question.system))
    return Search(question).run();
  const Deadline deadline(question.seconds);
  Propagation propagation(question.system, question.ulp_max, &deadline);
  const bool consistent = propagation.start();
  return {.answer = consistent ? Answer::unknown : Answer::unsat,
          .reason = consistent ? "interval cannot split bit-vectors" : "",
          .projections = propagation.projections()};
}

} // namespace faultline::solve
