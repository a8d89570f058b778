#include "judge/exceptions/observations.h"

#include "model/finding.h"
#include "oracle/lifted.h"
#include "tape/adjoint.h"
#include "tape/replay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>
#include <utility>

namespace faultline::judge {

Locations::Locations(const runtime::SiteTable& table) : scan_(table), of_site_(table.sites.size()) {
  using Key = std::tuple<std::string_view, std::string_view, int, int, ops::Op>;
  std::map<Key, uint32_t> known;
  for (uint32_t i = 0; i < table.sites.size(); ++i) {
    const tape::Site& site = table.sites[i];
    const Key key{site.file, site.function, site.line, site.column, site.op};
    const auto [entry, added] = known.try_emplace(key, uint32_t(first_site_.size()));
    if (added)
      first_site_.push_back(i);
    of_site_[i] = entry->second;
  }
}

std::vector<SeenException> shown_exceptions(const tape::Tape& tape, const Locations& locations) {
  constexpr uint32_t most_tiny_looks = 64; // per location
  std::map<std::pair<uint32_t, ops::Exception>, SeenException> shown;
  std::map<uint32_t, uint32_t> tiny_looks;
  const std::vector<bool> used = tape::used_records(tape);
  locations.scan().scan(tape, true, [&](uint32_t index) {
    if (!used[index])
      return false;
    const uint32_t location = locations.of(tape.record(index).site);
    const bool tiny = std::fabs(tape.exact(index)) < 1 && !ops::is_to_int(tape.site(index).op);
    if (tiny && (shown.contains({location, ops::Exception::underflow}) || ++tiny_looks[location] > most_tiny_looks))
      return false;
    const ops::Exception kind = tape::exception_of(tape, index);
    if (kind == ops::Exception::none)
      return false;
    const SeenException one{location, kind, index, tape::nonfinite_operand(tape, index) != 0};
    const auto [entry, added] = shown.try_emplace({location, kind}, one);
    if (!added && entry->second.consequence && !one.consequence)
      entry->second = one;
    return false;
  });
  std::vector<SeenException> all;
  for (const auto& [key, one] : shown)
    all.push_back(one);
  return all;
}

bool is_narrow_conversion(const tape::Site& site) {
  return ops::is_to_int(site.op) && (site.integer_bits < 32 || !site.integer_signed);
}

Observations::Observations(Wanted wanted, const runtime::SiteTable& table, const Locations& locations,
                           const CallerNotice& reporting, const search::Space& space)
    : wanted_(wanted), flags_tell_all_(std::ranges::none_of(table.sites, is_narrow_conversion)), locations_(locations),
      reporting_(reporting), space_(space) {
  if (wanted.exceptions)
    seen_.resize(locations.count());
}

void Observations::watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape,
                         std::string_view found_by) {
  constexpr size_t kept_outgrown = 4;
  ++inputs_;
  if (run.refused_at)
    ++refused_[run.refused_at->function];
  if (run.refused_at && (run.outcome == exec::Outcome::tape_full || run.outcome == exec::Outcome::missing))
    return;
  if (run.outcome == exec::Outcome::missing) {
    MissingSymbolCount& missed = missed_[run.ending.words];
    missed.ending = run.ending;
    ++missed.inputs;
    return;
  }
  if (run.outcome == exec::Outcome::tape_full) {
    ++runs_outgrown_;
    if (outgrown_.size() < kept_outgrown)
      outgrown_.push_back(input);
    return;
  }
  if (run.outcome != exec::Outcome::returned)
    note_end(input, run);
  else if (wanted_.decisions && !run.refused_at)
    look_for_close_decisions(input, tape);
  // The hardware's flags are sticky and free: without one, no record of this run can be an exception.
  const bool suspicious = (run.flags & exec::exception_flags) != 0 || !flags_tell_all_;
  if (wanted_.exceptions && suspicious && ended_by_choice(run.outcome))
    look_for_exceptions(input, run, tape, found_by);
}

bool Observations::all_missed() const {
  uint64_t inputs = 0;
  for (const auto& [words, missed] : missed_)
    inputs += missed.inputs;
  return inputs > 0 && inputs == inputs_;
}

void Observations::note_end(const exec::Input& input, const exec::Run& run) {
  constexpr size_t most_endings = 64; // per function: a guess at the number that is still read
  if (run.refused_at)
    return;
  const End end = end_of(run);
  if (!end.by_choice() && !end.at)
    crashes_.try_emplace(run.outcome, input);
  else if (endings_.size() < most_endings &&
           std::ranges::none_of(endings_, [&](const auto& other) { return other.first.is_like(end); }))
    endings_.emplace_back(end, input);
}

// Finds comparisons of computed values that differ by a few units, and conversions of values next to an integer.
void Observations::look_for_close_decisions(const exec::Input& input, const tape::Tape& tape) {
  auto computed = [&](uint32_t operand) {
    return !runtime::is_constant(operand) && !ops::is_leaf(tape.site(operand).op);
  };
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const tape::Site& site = tape.site(index);
    const bool comparison = ops::is_comparison(site.op);
    if (!comparison && !ops::is_to_int(site.op))
      continue;
    const tape::Record& record = tape.record(index);
    if (!computed(record.a) && !(comparison && computed(record.b)))
      continue;
    const double a = tape.value(record.a);
    const double b = comparison ? tape.value(record.b) : std::rint(a);
    const double few_units =
        std::ldexp(std::fmax(std::fabs(a), std::fabs(b)), 3 - numeric::info(site.format).precision);
    if (!(std::fabs(a - b) <= few_units) || few_units == 0)
      continue;
    constexpr uint16_t most_looks = 256; // each needs the roundings of the operands
    close_looks_.resize(tape.table().sites.size());
    if (close_looks_[record.site]++ < most_looks)
      keep_close(record.site, input, doubt_of(tape, index));
    else
      close_looks_[record.site] = most_looks;
  }
}

// `turned`: the roundings of the operands alone decide.
Observations::Doubt Observations::doubt_of(const tape::Tape& tape, uint32_t decision) {
  const tape::Record& record = tape.record(decision);
  auto rounding = [&](uint32_t operand) { return runtime::is_constant(operand) ? 0 : tape::rounding(tape, operand); };
  const ops::Op op = tape.site(decision).op;
  const bool comparison = ops::is_comparison(op);
  const double error = rounding(record.a) - (comparison ? rounding(record.b) : 0);
  if (error == 0)
    return Doubt::none;
  if (!comparison) {
    const numeric::Value recorded = tape.exact(record.a);
    return ops::evaluate80(op, recorded) == ops::evaluate80(op, recorded + error) ? Doubt::rounded : Doubt::turned;
  }
  const double difference = tape.value(record.a) - tape.value(record.b);
  const bool same = ops::evaluate(op, difference, 0) == ops::evaluate(op, difference + error, 0);
  return same ? Doubt::rounded : Doubt::turned;
}

// Keeps a few; more doubtful ones replace others.
void Observations::keep_close(uint32_t site, const exec::Input& input, Doubt doubt) {
  constexpr size_t most = 8;
  std::vector<exec::Input>& inputs = close_decisions_[site];
  std::vector<Doubt>& doubts = doubts_[site];
  if (inputs.size() < most) {
    inputs.push_back(input);
    doubts.push_back(doubt);
    return;
  }
  const auto least = std::ranges::min_element(doubts);
  if (*least < doubt) {
    inputs[size_t(least - doubts.begin())] = input;
    *least = doubt;
  }
}

void Observations::look_for_exceptions(const exec::Input& input, const exec::Run& run, const tape::Tape& tape,
                                       std::string_view found_by) {
  const bool reported = !reporting_.by(run).empty();
  const bool spoiled =
      std::ranges::any_of(tape.outputs(), [](const exec::OutputValue& output) { return std::isnan(output.value); });
  const auto rank = uint8_t(8 * reported + spoiled);
  everyday_run_ = search::is_everyday(space_, input);
  const bool tiny = run.flags & exec::flag_underflow;
  if (locations_.scan().scan(tape, tiny, [&](uint32_t index) { return is_news(tape, index, rank); }))
    keep(input, tape, rank, found_by);
}

namespace {

// An infinite result of these operations is always an overflow.
bool has_no_pole(ops::Op op) {
  return op == ops::Op::fadd || op == ops::Op::fsub || op == ops::Op::fmul || op == ops::Op::fma;
}

uint8_t rank_of(uint8_t of_run, bool consequence, bool exact_pole) {
  return uint8_t(of_run + 4 * consequence + 2 * exact_pole);
}

// True for operands that decide whether it is a pole: all except the numerator.
bool decides(const tape::Tape& tape, uint32_t index, ops::Exception kind, int operand) {
  return !(kind == ops::Exception::divide_by_zero && tape.site(index).op == ops::Op::fdiv && operand == 0);
}

} // namespace

// Distinguishing an underflow from an exact zero needs high precision, and zeros are common, so the checks of tiny
// results are limited for each location.
bool Observations::is_news(const tape::Tape& tape, uint32_t index, uint8_t rank) {
  constexpr uint16_t most_tiny_looks = 256;
  constexpr uint8_t most_in_vain = 4;
  Seen& seen = this->seen(locations_.of(tape.record(index).site));
  const double result = tape.value(index);
  const bool tiny = std::fabs(result) < 1 && !ops::is_to_int(tape.site(index).op);
  if (tiny && (seen.rank[size_t(ops::Exception::underflow)] <= rank || seen.tiny_looks >= most_tiny_looks))
    return false;
  seen.tiny_looks += tiny;
  // Only a NaN is invalid, and there may be thousands.
  if (std::isnan(result) && seen.rank[size_t(ops::Exception::invalid)] <= rank)
    return false;
  if (std::isinf(result) && seen.rank[size_t(ops::Exception::overflow)] <= rank && has_no_pole(tape.site(index).op))
    return false;
  const ops::Exception kind = tape::exception_of(tape, index);
  const auto k = size_t(kind);
  if (kind == ops::Exception::none || seen.rank[k] <= rank || seen.fruitless[k] >= most_in_vain ||
      seen.rank[k] <= rank_of(rank, tape::nonfinite_operand(tape, index) != 0, is_exact_pole(tape, index, kind, seen)))
    return false;
  ++seen.fruitless[k]; // reverted if it is used
  return true;
}

// True if exact arithmetic also divides by zero, or also leaves the domain.
bool Observations::is_exact_pole(const tape::Tape& tape, uint32_t index, ops::Exception kind, Seen& seen) const {
  constexpr uint16_t most_looks = 256; // each needs the roundings on the way to the operands
  if (info(model::kind_of(kind)).family != model::KindFamily::undefined)
    return false;
  if (seen.pole_looks >= most_looks)
    return true;
  ++seen.pole_looks;
  const int arity = ops::arity(tape.site(index).op);
  for (int i = 0; i < arity; ++i)
    if (decides(tape, index, kind, i) && tape::deviates(tape, tape.operand(index, i)))
      return false;
  return true;
}

void Observations::keep(const exec::Input& input, const tape::Tape& tape, uint8_t rank, std::string_view found_by) {
  Kept kept{input, everyday_run_, tape.size(), {}};
  bool better = false;
  for (const SeenException& shown : shown_exceptions(tape, locations_)) {
    SeenAt& location = seen_[shown.location];
    Seen& seen = location.by[everyday_run_];
    const auto k = size_t(shown.kind);
    const uint8_t own = rank_of(rank, shown.consequence, is_exact_pole(tape, shown.record, shown.kind, seen));
    if (!location.ever[k])
      location.found_by[k] = index_of_found_by(found_by);
    location.ever[k] = true;
    if (own < seen.rank[k]) {
      seen.rank[k] = own;
      seen.fruitless[k] = 0;
      better = true;
    }
    kept.sights.push_back({shown.location, shown.kind, own});
  }
  if (better)
    kept_.push_back(std::move(kept));
}

uint8_t Observations::index_of_found_by(std::string_view found_by) {
  const auto known = std::ranges::find(found_by_names_, found_by);
  if (known != found_by_names_.end())
    return uint8_t(known - found_by_names_.begin());
  if (found_by_names_.size() < never)
    found_by_names_.emplace_back(found_by);
  return uint8_t(found_by_names_.size() - 1);
}

// Greedy cover: repeatedly takes the run that shows most of the rest, the earliest among equals. Everyday inputs come
// first and settle everything that others do not show in a better form.
std::vector<Suspect> Observations::suspects() const {
  std::vector<std::array<bool, kinds>> done(seen_.size());
  bool everyday = true;
  const auto best = [&](const Kept::Sight& sight, bool at_everyday) {
    return seen_[sight.location].by[at_everyday].rank[size_t(sight.kind)];
  };
  const auto is_due = [&](const Kept::Sight& sight) {
    return sight.rank == best(sight, everyday) && !done[sight.location][size_t(sight.kind)];
  };
  struct Chosen {
    uint32_t records;
    size_t order;
    Suspect suspect;
  };
  std::vector<Chosen> chosen;
  while (true) {
    const Kept* most_telling = nullptr;
    ptrdiff_t most = 0;
    for (const Kept& kept : kept_)
      if (kept.everyday == everyday)
        if (const auto shows = std::ranges::count_if(kept.sights, is_due); shows > most) {
          most_telling = &kept;
          most = shows;
        }
    if (!most_telling && everyday) {
      everyday = false;
      for (size_t location = 0; location < done.size(); ++location)
        for (size_t k = 0; k < kinds; ++k)
          done[location][k] = seen_[location].by[1].rank[k] <= seen_[location].by[0].rank[k];
      continue;
    }
    if (!most_telling)
      break;
    Suspect suspect{most_telling->input, {}};
    for (const Kept::Sight& sight : most_telling->sights)
      if (is_due(sight)) {
        const auto k = size_t(sight.kind);
        suspect.suspicions.push_back({sight.location, sight.kind, found_by_names_[seen_[sight.location].found_by[k]]});
        done[sight.location][k] = true;
      }
    chosen.push_back({most_telling->records, chosen.size(), std::move(suspect)});
  }
  std::ranges::sort(chosen, {}, [](const Chosen& one) { return std::pair(one.records, one.order); });
  std::vector<Suspect> suspects;
  for (Chosen& one : chosen)
    suspects.push_back(std::move(one.suspect));
  return suspects;
}

using exec::Origin;

namespace {

constexpr size_t most_named = 4;
constexpr size_t kept_inputs = 4;
constexpr const char* cure = "give its source or bitcode too, or write the loop";

// Foreign code moves values too (qsort): an input's value was not computed.
bool is_copy(const numeric::BigFloat& output, const exec::Input& input) {
  return !output.is_zero() && std::ranges::any_of(input, [&](numeric::Value value) {
    return output.is_finite() && mpfr_cmp_ld(output.raw(), value) == 0;
  });
}

// The origins of all outputs of the target; integers count as given.
std::vector<Origin> origins_of(const exec::Session& session, exec::LiftedRun run, const exec::Input& input) {
  for (size_t i = 0; i < run.outputs.size(); ++i)
    if (run.origins[i] == Origin::elsewhere && is_copy(run.outputs[i], input))
      run.origins[i] = Origin::given;
  std::vector<Origin> origins;
  size_t next = 0;
  for (const model::Cell& cell : session.target().outputs)
    origins.push_back(cell.type.floating && run.outcome == exec::Outcome::returned ? run.origins[next++]
                                                                                   : Origin::given);
  return origins;
}

std::string some_of(std::vector<std::string> names) {
  const size_t all = names.size();
  names.resize(std::min(all, most_named));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  return all > most_named ? fmt::format("{} and {} more", text, all - most_named) : text;
}

exec::LiftedRun lifted_at(exec::Session& session, const exec::Input& input) {
  return session.lift(input, oracle::first_precision, exec::LiftedFor::search);
}

std::string sentence(const exec::Session& session, const std::vector<size_t>& elsewhere) {
  std::vector<std::string> outputs;
  for (const size_t output : elsewhere)
    outputs.push_back(session.target().outputs[output].name);
  return fmt::format("{} {} made by code that is not instrumented ({}), whose errors are not seen: {}",
                     some_of(outputs), outputs.size() == 1 ? "is" : "are", some_of(session.foreign()), cure);
}

// True for an output that is also an input and zero: whether a zero was written is unknown.
bool is_zero_in_place(const model::Target& target, const exec::Input& input, size_t output) {
  for (size_t i = 0; i < input.size(); ++i)
    if (input[i] == 0 && target.inputs[i].offset == target.outputs[output].offset)
      return true;
  return false;
}

// Why results are not comparable with exact arithmetic in the usual rounding mode; empty if they are.
std::string changed_environment(const exec::Session& session) {
  const std::vector<runtime::Unsettled>& unsettled = session.sites().unsettled;
  return unsettled.empty() ? ""
                           : fmt::format("{}:{}: {}; its errors are not judged", unsettled.front().place.file,
                                         unsettled.front().place.line, unsettled.front().reason);
}

bool is_computed(const tape::Tape& tape, size_t output) {
  const uint32_t record = tape.outputs()[output].record;
  return record > tape.inputs() && !ops::is_leaf(tape.site(record).op);
}

} // namespace

void Origins::watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
  if (session_.foreign().empty() || run.outcome != exec::Outcome::returned)
    return;
  bool suspect = false;
  for (const size_t output : outputs_) {
    if (!computed_.empty() && computed_[output])
      continue;
    if (is_computed(tape, output)) {
      computed_.resize(tape.outputs().size());
      computed_[output] = true;
    } else {
      suspect = suspect || tape.outputs()[output].value != 0;
    }
  }
  if (suspect && inputs_.size() < kept_inputs)
    inputs_.push_back(input);
  // Samples inputs from the whole search: the first ones are special values, which often cause no rounding.
  if (++runs_ == next_sample_ && samples_.size() < kept_inputs) {
    samples_.push_back(input);
    next_sample_ *= 8;
  }
}

// Outputs computed from results that foreign code made of rounded values.
std::string Origins::rounded_note() {
  for (const exec::Input& input : samples_) {
    const exec::LiftedRun run = lifted_at(session_, input);
    if (run.outcome != exec::Outcome::returned)
      continue;
    for (const size_t output : outputs_)
      if (std::string why = oracle::rounded_elsewhere(session_.target(), {output}, run); !why.empty())
        return fmt::format("{}: {}", why, cure);
  }
  return {};
}

std::string Origins::note() {
  elsewhere_.clear();
  rounded_ = true;
  if (std::string changed = changed_environment(session_); !changed.empty())
    return changed;
  for (const exec::Input& input : inputs_) {
    const std::vector<Origin> origins = origins_of(session_, lifted_at(session_, input), input);
    for (const size_t output : outputs_)
      if (origins[output] == Origin::elsewhere && (computed_.empty() || !computed_[output]))
        elsewhere_.push_back(output);
  }
  std::ranges::sort(elsewhere_);
  const auto [first, last] = std::ranges::unique(elsewhere_);
  elsewhere_.erase(first, last);
  rounded_ = false;
  if (!elsewhere_.empty())
    return sentence(session_, elsewhere_);
  std::string rounded = session_.foreign().empty() ? std::string() : rounded_note();
  rounded_ = !rounded.empty();
  return rounded;
}

std::string made_elsewhere(exec::Session& session, const exec::Input& input, const std::vector<size_t>& outputs) {
  if (std::string changed = changed_environment(session); !changed.empty())
    return changed;
  if (session.foreign().empty())
    return {};
  const std::vector<Origin> origins = origins_of(session, lifted_at(session, input), input);
  std::vector<size_t> elsewhere;
  bool computed = false, doubtful = false;
  for (const size_t output : outputs) {
    computed = computed || origins[output] == Origin::computed;
    doubtful = doubtful || origins[output] == Origin::untouched || origins[output] == Origin::unset ||
               is_zero_in_place(session.target(), input, output);
    if (origins[output] == Origin::elsewhere)
      elsewhere.push_back(output);
  }
  if (!elsewhere.empty())
    return sentence(session, elsewhere);
  if (computed || !doubtful)
    return {};
  return fmt::format("no operation of this code made an output; {} may have, and is not instrumented: {}",
                     some_of(session.foreign()), cure);
}

} // namespace faultline::judge
