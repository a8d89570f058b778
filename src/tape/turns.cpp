#include "tape/turns.h"

#include "ops/op.h"
#include "ops/table.h"
#include "tape/intended.h"
#include "tape/replay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace faultline::tape {

using numeric::Value;
using ops::Op;

namespace {

constexpr int longest_chain = 64; // products between two updates; longer chains are not followed

// True for operations that may lie between two updates of a sum: products, conversions and signs.
bool passes_on(Op op) {
  constexpr Op passing[] = {Op::fmul, Op::fdiv, Op::fneg, Op::fabs, Op::fpext, Op::fptrunc};
  return std::ranges::find(passing, op) != std::end(passing);
}

// True if an operand of this record comes from the place.
bool descends(const Tape& tape, const std::vector<uint32_t>& places, uint32_t record) {
  const uint32_t place = places[tape.record(record).site];
  std::vector<uint32_t> open{record};
  for (int steps = 0; !open.empty() && steps < longest_chain; ++steps) {
    const uint32_t at = open.back();
    open.pop_back();
    for (int i = 0; i < ops::arity(tape.site(at).op); ++i) {
      const uint32_t operand = tape.operand(at, i);
      if (operand == 0 || runtime::is_constant(operand))
        continue;
      if (places[tape.record(operand).site] == place)
        return true;
      if (passes_on(tape.site(operand).op))
        open.push_back(operand);
    }
  }
  return false;
}

std::vector<Addition> additions(const Tape& tape, const std::vector<uint32_t>& places) {
  std::vector<Addition> all;
  std::vector<uint32_t> counts(places.size());
  for (uint32_t record = 1; record < tape.size(); ++record)
    if (const uint32_t place = places[tape.record(record).site])
      all.push_back({place, ++counts[place], record});
  return all;
}

} // namespace

std::vector<uint32_t> places(const runtime::SiteTable& table) {
  std::map<std::tuple<std::string, int, int, Op, numeric::Format>, uint32_t> known;
  std::vector<uint32_t> places(table.sites.size());
  for (uint32_t i = runtime::first_program_site; i < table.sites.size(); ++i) {
    const Site& site = table.sites[i];
    if (!is_addition(site.op))
      continue;
    // Without line numbers, copies of a place cannot be matched.
    places[i] = site.line == 0
                    ? i
                    : known.try_emplace({site.file, site.line, site.column, site.op, site.format}, i).first->second;
  }
  return places;
}

std::vector<Addition> additions(const Tape& tape) { return additions(tape, places(tape.table())); }

std::vector<Addition> accumulations(const Tape& tape) {
  const std::vector<uint32_t> places = tape::places(tape.table());
  const std::vector<Addition> all = additions(tape, places);
  std::vector<char> accumulates(places.size());
  for (const Addition& addition : all)
    if (addition.execution > 1 && !accumulates[addition.place])
      accumulates[addition.place] = descends(tape, places, addition.record);
  std::vector<Addition> updates;
  for (const Addition& addition : all)
    if (accumulates[addition.place])
      updates.push_back(addition);
  return updates.empty() ? all : updates;
}

uint32_t find_execution(const Tape& tape, std::span<const uint32_t> places, uint32_t place, uint32_t execution) {
  if (place == 0 || execution == 0)
    return 0;
  for (uint32_t record = 1; record < tape.size(); ++record)
    if (places[tape.record(record).site] == place && --execution == 0)
      return record;
  return 0;
}

uint32_t find_execution(const Tape& tape, uint32_t place, uint32_t execution) {
  return find_execution(tape, places(tape.table()), place, execution);
}

Summands summands(const Tape& tape, uint32_t record) {
  const Record& at = tape.record(record);
  const Site& site = tape.site(record);
  if (site.op != Op::fma)
    return {tape.exact(at.a), tape.exact(at.b), tape.exact(record)};
  const Value product = tape.exact(at.a) * tape.exact(at.b);
  return {numeric::nearest(product, site.format), tape.exact(at.c), tape.exact(record)};
}

namespace {

// Larger constants in a loop's exit have other purposes, such as the end of a range or the border of a formula's
// domain.
constexpr double largest_tolerance = 0.01;

class ToleranceFinder {
public:
  explicit ToleranceFinder(const Tape& tape) : tape_(tape) {}

  void look_at_exit(uint32_t exit) {
    for (int i = 0; i < 2; ++i)
      if (!is_fixed(tape_, tape_.operand(exit, 1 - i)))
        examine(exit, i, exit, 0);
  }

  std::vector<Tolerance> found() const {
    std::vector<Tolerance> all;
    for (const auto& [place, usage] : found_)
      if (usage.same && usage.met && (usage.constant || usage.times > 1))
        all.push_back(usage.tolerance);
    return all;
  }

private:
  struct Usage {
    Tolerance tolerance;
    double value = 0;
    int times = 0;
    bool constant = false, same = true; // written in the code; the same each time
    bool met = true;                    // in the last turn, the value compared with it is not larger
  };

  // Examines one operand of a record that belongs to the exit's condition.
  void examine(uint32_t record, int which, uint32_t exit, int depth) {
    const uint32_t operand = tape_.operand(record, which);
    const double value = std::fabs(tape_.value(operand));
    const bool fixed = is_fixed(tape_, operand);
    if (fixed && value > 0 && value <= largest_tolerance) {
      Usage& usage = found_[{tape_.record(record).site, which}];
      usage.same = usage.same && (usage.times == 0 || value == usage.value);
      usage.value = value;
      ++usage.times;
      usage.constant = runtime::is_constant(operand);
      if (record == exit) // otherwise it is the end of a range: t < 0.01
        usage.met = !(std::fabs(tape_.value(tape_.operand(exit, 1 - which))) > value);
      usage.tolerance = {tape_.record(record).site, which, tape_.record(exit).site, exit};
      return;
    }
    constexpr int deepest = 4;
    if (fixed || operand == 0 || depth == deepest)
      return;
    switch (tape_.site(operand).op) {
    case Op::fmul: // factors of computed values; 2^-32 times a random integer is no tolerance
      for (int i = 0; i < 2; ++i)
        if (!is_fixed(tape_, tape_.operand(operand, 1 - i)))
          examine(operand, i, exit, depth + 1);
      break;
    case Op::fadd:
    case Op::fmax:
    case Op::fabs:
    case Op::fneg:
    case Op::fma:
      for (int i = 0; i < ops::arity(tape_.site(operand).op); ++i)
        examine(operand, i, exit, depth + 1);
      break;
    default:
      break;
    }
  }

  const Tape& tape_;
  std::map<std::pair<uint32_t, int>, Usage> found_;
};

// Search limits: a loop that matters to the result ends near the end of the run, and its body is short.
constexpr uint32_t most_after = 64, longest_turn = 128, most_records = 1u << 16;

// Looks for turns of one length.
class Finder {
public:
  Finder(const Tape& tape, uint32_t length)
      : tape_(tape), length_(length), begin_(length + uint32_t(tape.inputs()) + 1) {
    for (uint32_t record = tape.size(); record-- > begin_;)
      if (!repeats(record)) {
        breaks_.push_back(record);
        if (record + most_after < tape.size())
          break;
      }
  }

  // Returns the turns that end before this record, one of the last `most_after`.
  Turns before(uint32_t end) const {
    Turns turns{end, length_, 0};
    if (end < begin_ + length_)
      return turns;
    const auto last = std::ranges::find_if(breaks_, [&](uint32_t record) { return record < end; });
    const uint32_t alike = end - (last == breaks_.end() ? begin_ : *last + 1);
    turns.count = 1 + alike / length_;
    turns.first = end - length_ * turns.count;
    return turns;
  }

  // True if the turn before these is the first turn: it starts from values computed before the loop.
  bool has_a_first_turn_before(const Turns& turns) const {
    if (turns.first < begin_)
      return false;
    for (uint32_t record = turns.first; record < turns.first + length_; ++record)
      if (!repeats(record, turns.first))
        return false;
    return true;
  }

private:
  // True if the record repeats the one a turn before. `second` is where the second turn begins, if the record is part
  // of it.
  bool repeats(uint32_t record, uint32_t second = 0) const {
    if (!is_copy(tape_.record(record).site, tape_.record(record - length_).site))
      return false;
    for (int i = 0; i < ops::arity(tape_.site(record).op); ++i)
      if (const uint32_t now = tape_.operand(record, i), before = tape_.operand(record - length_, i);
          !corresponds(now, before) && !(second != 0 && is_carried(now, before, second)))
        return false;
    return true;
  }

  // True for the same operation of the source, perhaps in another copy of the loop's body.
  bool is_copy(uint32_t site, uint32_t other) const {
    if (site == other)
      return true;
    const Site &here = tape_.table().sites[site], &there = tape_.table().sites[other];
    return here.op == there.op && here.line == there.line && here.column == there.column && here.file == there.file;
  }

  bool corresponds(uint32_t here, uint32_t before) const {
    if (here == before)
      return true;
    if (runtime::is_constant(here) || runtime::is_constant(before))
      return runtime::is_constant(here) && runtime::is_constant(before); // Numbers checks their steps
    return here - before == length_;
  }

  bool is_carried(uint32_t here, uint32_t before, uint32_t begin) const {
    return !runtime::is_constant(here) && here >= begin - length_ && here < begin &&
           (runtime::is_constant(before) || before < begin - length_);
  }

  const Tape& tape_;
  uint32_t length_;
  uint32_t begin_;               // the first record that can repeat one a turn before
  std::vector<uint32_t> breaks_; // the last records that do not repeat the one a turn before, backwards
};

// Extrapolates the numbers of a turn. Three differences decide: constant, linear or quadratic.
class Numbers {
public:
  Numbers(const Tape& tape, const Turns& turns) : tape_(tape), turns_(turns) {}

  // Returns the value in the k-th turn after the last one, k = 1, 2, ...; nothing if the numbers do not go on in
  // regular steps. `of` returns the number in one of the turns: 0 for the last one, 1 for the one before, ...
  template <typename Of> std::optional<Value> next(uint32_t k, Of of) const {
    const uint32_t known = std::min(turns_.count, 4u);
    Value value[4] = {};
    for (uint32_t i = 0; i < known; ++i)
      value[i] = of(i);
    if (known < 3)
      return value[0] == value[1] ? std::optional(value[0]) : std::nullopt;
    const Value step = value[0] - value[1], second = step - (value[1] - value[2]);
    if (known == 4 && (value[1] - value[2]) - (value[2] - value[3]) != second)
      return std::nullopt;
    if (known == 3 && second != 0)
      return std::nullopt;
    const Value turns = k;
    return value[0] + turns * step + second * turns * (turns + 1) / 2;
  }

  std::optional<Value> next_leaf(uint32_t record, uint32_t k) const {
    return next(k, [&](uint32_t turn) { return tape_.exact(record - turn * turns_.length); });
  }
  std::optional<Value> next_constant(uint32_t record, int operand, uint32_t k) const {
    return next(k, [&](uint32_t turn) { return tape_.exact(tape_.operand(record - turn * turns_.length, operand)); });
  }

private:
  const Tape& tape_;
  const Turns& turns_;
};

// True if a constant of the code equals the number of turns, one more or less, or its reciprocal.
bool is_count_in_code(const Tape& tape, const Turns& turns) {
  auto matches = [&](uint32_t operand) {
    if (!runtime::is_constant(operand))
      return false;
    constexpr double fewest = 5; // smaller numbers occur in formulas for other reasons
    const double value = std::fabs(tape.value(operand)), number = value < 1 ? 1 / value : value;
    for (const double count : {turns.count - 1.0, double(turns.count), turns.count + 1.0, turns.count + 2.0})
      for (const double several : {1, 2, 4}) // alternating weights combine several turns into one
        if (count >= fewest && number == several * count)
          return true;
    return false;
  };
  for (uint32_t record = uint32_t(tape.inputs()) + 1; record < tape.size(); ++record)
    if (record < turns.first || record >= turns.end())
      for (int i = 0; i < ops::arity(tape.site(record).op); ++i)
        if (matches(tape.operand(record, i)))
          return true;
  return false;
}

bool can_be_carried_on(const Tape& tape, const Turns& turns) {
  const Numbers numbers(tape, turns);
  bool carries = false;
  for (uint32_t record = turns.end() - turns.length; record < turns.end(); ++record) {
    const Site& site = tape.site(record);
    if (site.exits_loop || ops::is_to_int(site.op) || site.foreign != 0)
      return false;
    if (site.op == ops::Op::leaf && !numbers.next_leaf(record, 1))
      return false;
    for (int i = 0; i < ops::arity(site.op); ++i) {
      const uint32_t operand = tape.operand(record, i);
      if (runtime::is_constant(operand) && !numbers.next_constant(record, i, 1))
        return false;
      carries =
          carries || (!runtime::is_constant(operand) && operand >= turns.first && operand < turns.end() - turns.length);
    }
  }
  return carries;
}

// Continues from the end of the tape's replay.
class Continuation {
public:
  Continuation(const Tape& tape, const Turns& turns, long precision)
      : tape_(tape), turns_(turns), numbers_(tape, turns), precision_(precision), replay_(replay(tape, precision)),
        last_(turns.end() - turns.length) {}

  bool turn(uint32_t k) {
    std::vector<numeric::BigFloat> next;
    for (uint32_t record = last_; record < turns_.end(); ++record) {
      const Site& site = tape_.site(record);
      std::optional<Value> leaf;
      if (site.op == ops::Op::leaf && !(leaf = numbers_.next_leaf(record, k)))
        return false;
      next.push_back(leaf ? numeric::BigFloat(*leaf, precision_) : evaluated(record, k, &next));
    }
    before_ = std::exchange(newest_, std::move(next));
    return true;
  }

  // Evaluates the records after the loop and returns the values of the outputs.
  std::vector<numeric::BigFloat> finish(const std::vector<uint32_t>& outputs) {
    after_.clear();
    for (uint32_t record = turns_.end(); record < tape_.size(); ++record)
      after_.push_back(ops::arity(tape_.site(record).op) == 0 ? replay_.values[record] : evaluated(record, 0, nullptr));
    std::vector<numeric::BigFloat> values;
    for (const uint32_t output : outputs)
      values.push_back(value(output, nullptr));
    return values;
  }

private:
  // `own` is the current turn, if any.
  const numeric::BigFloat& value(uint32_t record, const std::vector<numeric::BigFloat>* own) const {
    if (record >= turns_.end())
      return after_[record - turns_.end()];
    if (record >= last_)
      return own ? (*own)[record - last_] : newest_[record - last_];
    const bool in_turn_before = record + turns_.length >= last_ && record >= turns_.first;
    if (in_turn_before && own)
      return newest_.empty() ? replay_.values[record + turns_.length] : newest_[record + turns_.length - last_];
    if (in_turn_before && !before_.empty())
      return before_[record + turns_.length - last_];
    return replay_.values[record];
  }

  numeric::BigFloat evaluated(uint32_t record, uint32_t k, const std::vector<numeric::BigFloat>* own) const {
    const Site& site = tape_.site(record);
    std::vector<numeric::BigFloat> operands(3, numeric::BigFloat(0.0L, 64));
    for (int i = 0; i < ops::arity(site.op); ++i) {
      const uint32_t operand = tape_.operand(record, i);
      if (!runtime::is_constant(operand))
        operands[size_t(i)] = value(operand, own);
      else
        operands[size_t(i)] =
            numeric::BigFloat(own ? numbers_.next_constant(record, i, k).value_or(NAN) : tape_.exact(operand), 64);
    }
    numeric::BigFloat result(precision_);
    ops::evaluate(site.op, result.raw(), operands[0].raw(), operands[1].raw(), operands[2].raw());
    return result;
  }

  const Tape& tape_;
  const Turns& turns_;
  Numbers numbers_;
  long precision_;
  Replay replay_;
  uint32_t last_; // where the last turn on the tape begins
  std::vector<numeric::BigFloat> newest_, before_, after_;
};

} // namespace

std::vector<Tolerance> tolerances(const Tape& tape) {
  ToleranceFinder finder(tape);
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.site(index).exits_loop)
      finder.look_at_exit(index);
  return finder.found();
}

std::optional<Turns> last_turns(const Tape& tape) {
  if (tape.size() > most_records)
    return std::nullopt;
  std::vector<Finder> finders;
  for (uint32_t length = 2; length <= longest_turn; ++length)
    finders.emplace_back(tape, length);
  Turns best;
  for (uint32_t after = 0; after < std::min(most_after, tape.size()); ++after)
    for (const Finder& finder : finders) {
      Turns turns = finder.before(tape.size() - after);
      const uint32_t most = turns.length * (turns.count + 1);
      if (turns.count == 0 || most <= best.length * best.count)
        continue;
      if (finder.has_a_first_turn_before(turns)) {
        turns.first -= turns.length;
        ++turns.count;
      }
      if (turns.count >= 2 && turns.length * turns.count > best.length * best.count && can_be_carried_on(tape, turns))
        best = turns;
    }
  if (best.count == 0 || is_count_in_code(tape, best))
    return std::nullopt;
  return best;
}

std::vector<numeric::BigFloat> after_more_turns(const Tape& tape, const Turns& turns, uint32_t more,
                                                const std::vector<uint32_t>& outputs, long precision) {
  Continuation continuation(tape, turns, precision);
  for (uint32_t k = 1; k <= more; ++k)
    if (!continuation.turn(k))
      return {};
  return continuation.finish(outputs);
}

} // namespace faultline::tape
