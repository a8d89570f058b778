#include "runtime/lift.h"

#include "numeric/bigfloat.h"
#include "ops/op.h"
#include "ops/table.h"
#include "runtime/entry_points.h"
#include "runtime/tape_memory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <csetjmp>

namespace faultline::runtime {

using numeric::Format;

namespace {
constexpr uint64_t usual_bytes = 4096;
constexpr size_t most_ranges = 64; // of written memory; then the oldest are dropped

// Returns the extent from the first to the last element of a flang descriptor (program/descriptor.h). If this is no
// such descriptor, or its elements are not contiguous in this order, returns a part that most arrays fill.
uint64_t described_bytes(const uint64_t* words, uint64_t bytes_of_descriptor) {
  constexpr uint64_t version = 20180515, most_dimensions = 15, head = 24, dimension = 24;
  if (bytes_of_descriptor < head)
    return usual_bytes;
  const uint64_t rank = words[2] >> 32 & 0xff;
  if (uint32_t(words[2]) != version || rank > most_dimensions || bytes_of_descriptor < head + rank * dimension)
    return usual_bytes;
  uint64_t bytes = words[1];
  for (uint64_t i = 0; i < rank; ++i) {
    const auto extent = int64_t(words[4 + 3 * i]), stride = int64_t(words[5 + 3 * i]);
    uint64_t reach = 0;
    if (extent < 0 || stride < 0 || __builtin_mul_overflow(uint64_t(stride), uint64_t(extent), &reach))
      return usual_bytes;
    if (extent == 0)
      return 0;
    bytes += reach - uint64_t(stride);
  }
  return bytes;
}

MemoryRange common(const MemoryRange& a, const MemoryRange& b) {
  const uint64_t begin = std::max(a.address, b.address), end = std::min(a.address + a.bytes, b.address + b.bytes);
  return {begin, begin < end ? end - begin : 0};
}

// The neighbour of the number that is not the nearest one; the nearest one if it is exact, infinite or zero. With an
// error, a number that is a float at this precision lies on one of its two sides.
long double other_neighbour(const ops::Operand& number, long double nearest, Format format) {
  if (mpfr_regular_p(number.value) == 0 || !std::isfinite(nearest) || nearest == 0)
    return nearest;
  const int side = mpfr_cmp_ld(number.value, nearest);
  const bool above = side > 0 || (side == 0 && number.error != ops::no_error);
  const long double other = above      ? numeric::next_up(nearest, format)
                            : side < 0 ? numeric::next_down(nearest, format)
                                       : nearest;
  return std::isfinite(other) ? other : nearest;
}

// |value| is significand * 2^(exponent - 64); the highest bit of the significand is set.
struct Digits {
  uint64_t significand;
  int exponent;
};

Digits digits_of(long double value) {
  Digits digits{};
  digits.significand = uint64_t(std::ldexp(std::frexp(std::fabs(value), &digits.exponent), 64));
  return digits;
}

// True if the number is the other, scaled by a power of two, with the last digits cut off, or rounded in some
// direction.
bool is_shortened(const Digits& number, const Digits& from, Format format) {
  constexpr int fewest_cut = 4;      // fewer may be zero by chance
  constexpr uint64_t most_units = 2; // of the last digit kept: code may round up twice to be sure of the direction
  const int cut = std::countr_zero(number.significand);
  const uint64_t kept = number.significand >> cut, of_other = from.significand >> cut;
  return cut >= 64 - numeric::info(format).precision + fewest_cut && kept - of_other <= most_units;
}

// Returns the memory that a call can reach through a pointer to `bytes` bytes; 0 means an unknown size.
MemoryRange passed_range(uint64_t pointer, uint64_t bytes, PointerKind kind) {
  if (kind != PointerKind::data && pointer != 0) {
    auto* words = reinterpret_cast<const uint64_t*>(pointer);
    return {words[0], described_bytes(words, bytes == 0 ? UINT64_MAX : bytes)};
  }
  return {pointer, pointer == 0 ? 0 : bytes == 0 ? usual_bytes : bytes};
}

} // namespace

void ForeignCalls::clear() {
  begin(0);
  written_.clear();
}

void ForeignCalls::begin(uint32_t function, bool rounds) {
  current_ = function;
  rounded_ = rounds;
  passed_.clear();
}

void ForeignCalls::pass(const MemoryRange& range) {
  passed_.push_back(range);
  note_written();
}

void ForeignCalls::note_rounded() {
  rounded_ = true;
  note_written();
}

// Values may be passed before or after pointers.
void ForeignCalls::note_written() {
  if (!rounded_)
    return;
  for (const MemoryRange& range : passed_)
    add({range, current_});
  passed_.clear();
}

void ForeignCalls::add(const WrittenRange& written) {
  std::erase_if(written_, [&](const WrittenRange& other) { return other.range.address == written.range.address; });
  if (written_.size() == most_ranges)
    written_.erase(written_.begin());
  written_.push_back(written);
}

void ForeignCalls::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  std::vector<WrittenRange> copies;
  for (const WrittenRange& written : written_)
    if (const MemoryRange part = common({from, bytes}, written.range); part.bytes != 0)
      copies.push_back({{to + (part.address - from), part.bytes}, written.function});
  for (const WrittenRange& written : copies)
    add(written);
}

bool ForeignCalls::wrote_into(const MemoryRange& range) const {
  return std::ranges::any_of(written_,
                             [&](const WrittenRange& written) { return common(range, written.range).bytes != 0; });
}

uint32_t ForeignCalls::writer_of(uint64_t address) const {
  for (auto written = written_.rbegin(); written != written_.rend(); ++written)
    if (address - written->range.address < written->range.bytes)
      return written->function;
  return 0;
}

void ShadowMap::clear() {
  constexpr size_t kept = 1u << 16;
  if (entries_.size() > kept)
    entries_ = std::vector<Entry>(kept);
  else
    entries_.assign(entries_.size(), {});
  used_ = 0;
}

size_t ShadowMap::slot(uint64_t address) const {
  const size_t mask = entries_.size() - 1;
  size_t at = (address / shadow_granule * 0x9e3779b97f4a7c15u >> 20) & mask;
  while (entries_[at].address != 0 && entries_[at].address != address)
    at = (at + 1) & mask;
  return at;
}

void ShadowMap::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  used_ = 0;
  for (const Entry& entry : old)
    if (entry.index != 0) {
      set(entry.address, entry.index);
      entries_[slot(entry.address)].changed = entry.changed;
    }
}

void ShadowMap::set(uint64_t address, uint32_t index) {
  if (index == 0) {
    entries_[slot(address)].index = 0;
    return;
  }
  if (used_ * 2 >= entries_.size())
    grow();
  Entry& entry = entries_[slot(address)];
  used_ += entry.address == 0;
  entry = {address, index, false};
}

uint32_t ShadowMap::get(uint64_t address) const { return entries_[slot(address)].index; }

void ShadowMap::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  const uint64_t granule = copied_granule();
  const auto copy_one = [&](uint64_t offset) {
    const Entry entry = entries_[slot(from + offset)];
    set(to + offset, entry.index);
    entries_[slot(to + offset)].changed = entry.changed;
  };
  if (to <= from)
    for (uint64_t offset = 0; offset < bytes; offset += granule)
      copy_one(offset);
  else
    for (uint64_t offset = (bytes + granule - 1) / granule * granule; offset > 0;)
      copy_one(offset -= granule);
}

void ShadowMap::erase(uint64_t from, uint64_t bytes) {
  if (bytes / shadow_granule < entries_.size()) {
    for (uint64_t offset = 0; offset < bytes; offset += copied_granule())
      set(from + offset, 0);
    return;
  }
  for (Entry& entry : entries_)
    if (entry.address - from < bytes)
      entry.index = 0;
}

ShadowMap::Found ShadowMap::get_containing(uint64_t address) const {
  if (const uint32_t index = get(address); index != 0)
    return {index, 0};
  const uint64_t first = address / shadow_granule * shadow_granule;
  for (uint64_t before = 0; before <= 2 * shadow_granule; before += shadow_granule) // the exponent of an x87 number
    if (const uint32_t index = get(first - before); index != 0)
      return {index, before};
  return {};
}

void ShadowMap::change(uint64_t address, uint64_t bytes, uint32_t bits) {
  const uint64_t begin = address / shadow_granule * shadow_granule;
  if (bits != 0 && (get(begin) != 0 || get_containing(begin).index == 0))
    set(begin, bits);
  constexpr uint64_t largest_float = 16;
  const uint64_t first = begin - largest_float + shadow_granule;
  for (uint64_t at = first; at < address + bytes; at += shadow_granule)
    entries_[slot(at)].changed = true;
}

uint32_t ShadowMap::changed(uint64_t address) const {
  for (const uint64_t at : {address, address + shadow_granule})
    if (const Entry& entry = entries_[slot(at)]; entry.index != 0 && entry.changed)
      return entry.index;
  return 0;
}

constexpr uint32_t chunk_slots = 4096;
constexpr uint32_t first_collection = 1u << 19;
constexpr size_t stored_decisions = 1u << 16;

struct Lifter::Slot {
  mpfr_t shadow;
  long double native;
  ops::ErrorExponent error = ops::no_error;
  Format format = Format::binary64;
  Origin origin = Origin::leaf;
  uint32_t made_with = 0; // a foreign function (ForeignCalls)
};

// Slots and their limbs in two blocks, so that a fresh slot needs no allocation. Memory is touched as slots are
// created: most runs need few, and each precision has its own lifter.
struct Lifter::Chunk {
  explicit Chunk(long precision)
      : precision(precision), bytes(mpfr_custom_get_size(precision)),
        limbs(std::make_unique_for_overwrite<char[]>(chunk_slots * bytes)) {
    slots.reserve(chunk_slots);
  }
  Slot& add() {
    Slot& slot = slots.emplace_back();
    mpfr_custom_init_set(slot.shadow, MPFR_NAN_KIND, 0, precision, limbs.get() + (slots.size() - 1) * bytes);
    return slot;
  }
  long precision;
  size_t bytes; // of one slot's limbs
  std::vector<Slot> slots;
  std::unique_ptr<char[]> limbs;
};

Lifter::Lifter(const SiteTable& table, long precision) : table_(table), precision_(precision) {
  numeric::use_full_exponent_range();
  for (mpfr_t& value : tightened_)
    mpfr_init2(value, precision);
  auto count = uint32_t(table.constants.size());
  for (uint32_t first = 0; first < count; first += chunk_slots) {
    auto& chunk = constants_.emplace_back(std::make_unique<Chunk>(precision));
    for (uint32_t i = 0; i < chunk_slots && first + i < count; ++i) {
      Slot& constant = chunk->add();
      constant.native = table.constants[first + i].value;
      numeric::set(constant.shadow, constant.native);
    }
  }
}

Lifter::~Lifter() {
  for (mpfr_t& value : tightened_)
    mpfr_clear(value);
}

// A moved constant keeps its native value, by which memory that contains it is recognised.
void Lifter::set_constants(std::span<const long double> values) {
  if (values.empty() && own_constants_)
    return;
  own_constants_ = values.empty();
  for (uint32_t i = 0; i < table_.constants.size(); ++i) {
    Slot& constant = constants_[i / chunk_slots]->slots[i % chunk_slots];
    numeric::set(constant.shadow, values.empty() ? constant.native : values[i]);
  }
}

void Lifter::begin(const void* stack_base, uint64_t operation_limit, const LiftVariation& variation) {
  set_constants(variation.constants);
  tightening_ = variation.tightening;
  other_neighbours_ = variation.other_neighbours;
  stack_base_ = stack_base;
  operation_limit_ = operation_limit;
  free_.clear();
  memory_.clear();
  foreign_.clear();
  next_ = 1;
  collect_at_ = first_collection;
  operations_ = 0;
  path_ = 0;
  decisions_.clear();
  works_on_bits_ = false;
  bits_read_ = {};
}

Lifter::Slot& Lifter::slot(uint32_t index) const {
  if (is_constant(index)) {
    index &= ~constant_flag;
    return constants_[index / chunk_slots]->slots[index % chunk_slots];
  }
  return chunks_[index / chunk_slots]->slots[index % chunk_slots];
}

mpfr_srcptr Lifter::shadow(uint32_t index) const { return slot(index).shadow; }
long double Lifter::native(uint32_t index) const { return slot(index).native; }
ops::ErrorExponent Lifter::error(uint32_t index) const { return slot(index).error; }
Origin Lifter::origin(uint32_t index) const { return slot(index).origin; }
uint32_t Lifter::made_with(uint32_t index) const { return slot(index).made_with; }

uint32_t Lifter::allocate() {
  if (free_.empty() && next_ >= collect_at_)
    collect();
  if (!free_.empty()) {
    uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  if (next_ / chunk_slots >= chunks_.size())
    chunks_.push_back(std::make_unique<Chunk>(precision_));
  Chunk& chunk = *chunks_[next_ / chunk_slots];
  while (chunk.slots.size() <= next_ % chunk_slots) // index 0 takes a slot too
    chunk.add();
  return next_++;
}

// Marks from the roots and puts the rest on the free list. If it frees little, the next collection is delayed, so that
// a program that really holds many values does not collect endlessly. It reads the whole stack, including the gaps
// between variables, which AddressSanitizer must not report.
__attribute__((noinline, no_sanitize("address"))) void Lifter::collect() {
  std::vector<bool> marked(next_);
  auto mark = [&](uint64_t word) {
    if (word < next_)
      marked[word] = true;
  };
  memory_.for_each_index(mark);
  const State& state = *tape_memory().state;
  for (uint64_t index : state.arguments)
    mark(index);
  for (uint64_t index : state.results)
    mark(index);
  std::jmp_buf registers; // callee-saved registers may hold indices
  setjmp(registers);
  auto* low = reinterpret_cast<const volatile uint32_t*>(reinterpret_cast<uintptr_t>(&registers) & ~uintptr_t(3));
  for (auto* word = low; word < static_cast<const volatile uint32_t*>(stack_base_); ++word)
    mark(*word);
  for (uint32_t index = 1; index < next_; ++index)
    if (!marked[index])
      free_.push_back(index);
  std::reverse(free_.begin(), free_.end());
  if (free_.size() < next_ / 2)
    collect_at_ = next_ * 2;
}

void Lifter::finish(Slot& slot, const Site& site) {
  slot.native = numeric::rounded(slot.shadow, site.format);
  if (other_neighbours_)
    slot.native = other_neighbour({slot.shadow, slot.error}, slot.native, site.format);
}

// True for a finite product or quotient with a huge constant that its format rounds to infinity.
bool Lifter::overflows_by_constant(const Site& site, const Slot& result, const uint32_t (&operands)[3]) const {
  if ((site.op != ops::Op::fmul && site.op != ops::Op::fdiv) || !std::isinf(result.native) ||
      mpfr_number_p(result.shadow) == 0)
    return false;
  return std::any_of(operands, operands + 2, [&](uint32_t operand) {
    return (is_constant(operand) || slot(operand).origin == Origin::found) &&
           is_huge(slot(operand).native, site.format);
  });
}

uint32_t Lifter::operation(uint32_t site, uint32_t a, uint32_t b, uint32_t c) {
  ++operations_;
  const Site& where = table_.sites[site];
  uint32_t index = allocate();
  Slot& result = slot(index);
  const auto arity = size_t(ops::arity(where.op));
  ops::Operand operands[3];
  const uint32_t indices[3] = {a, b, c};
  uint32_t made_with = 0;
  for (size_t i = 0; i < arity; ++i) {
    const Slot& operand = slot(indices[i]);
    operands[i] = {tightened(where, int(i), operand.shadow), operand.error};
    made_with = std::max(made_with, operand.made_with);
  }
  mpfr_clear_inexflag();
  ops::evaluate(where.op, result.shadow, operands[0].value, operands[1].value, operands[2].value);
  const bool inexact = mpfr_inexflag_p() != 0;
  result.error = ops::error_exponent(where.op, result.shadow, inexact, std::span(operands, arity));
  if (ops::rounds_on_purpose(where.op))
    numeric::round_to(result.shadow, where.format);
  finish(result, where);
  if (overflows_by_constant(where, result, indices)) {
    if (where.passed_on) {
      mpfr_set_inf(result.shadow, std::signbit(result.native) ? -1 : 1);
      result.error = ops::no_error;
    } else {
      made_with = std::max(made_with, made_of_overflow | uint32_t(where.line));
    }
  }
  result.format = where.format;
  result.origin = Origin::operation;
  result.made_with = made_with;
  return index;
}

mpfr_srcptr Lifter::tightened(const Site& site, int operand, mpfr_srcptr value) {
  if (tightening_ == 0 || (site.tolerances >> operand & 1) == 0)
    return value;
  mpfr_div_2ui(tightened_[operand], value, unsigned(tightening_), MPFR_RNDN);
  return tightened_[operand];
}

bool Lifter::is_rounded(uint32_t index) const {
  const Slot& value = slot(index);
  return value.made_with != 0 || (!mpfr_nan_p(value.shadow) && mpfr_cmp_ld(value.shadow, value.native) != 0);
}

void Lifter::pass(uint32_t index) {
  if (index != 0 && foreign_.current() != 0 && is_rounded(index))
    foreign_.note_rounded();
}

void Lifter::pass_memory(uint64_t address, uint64_t bytes, PointerKind kind) {
  constexpr uint64_t most_looked_at = 4096;
  if (foreign_.current() == 0)
    return;
  const MemoryRange range = passed_range(address, bytes, kind);
  for (uint64_t offset = 0; offset < std::min(range.bytes, most_looked_at); offset += shadow_granule)
    if (const uint32_t index = memory_.get(range.address + offset); index != 0 && is_rounded(index)) {
      foreign_.note_rounded();
      break;
    }
  if (kind != PointerKind::data && foreign_.wrote_into(range)) // sizes of other pointers are guesses
    foreign_.note_rounded();
  if (kind != PointerKind::only_read)
    foreign_.pass(range);
}

void Lifter::mark_foreign(uint32_t index) {
  if (foreign_.current() == 0)
    return;
  Slot& leaf = slot(index);
  leaf.origin = Origin::found;
  leaf.made_with = foreign_.rounded_call();
  if (mpfr_regular_p(leaf.shadow))
    leaf.error = mpfr_get_exp(leaf.shadow) - numeric::info(leaf.format).precision;
}

void Lifter::mark_found(uint32_t index, uint64_t address) {
  slot(index).origin = Origin::found;
  slot(index).made_with = foreign_.writer_of(address);
}

uint32_t Lifter::load(uint64_t address, long double value, FloatPlace place) {
  const auto same = [&](long double native) {
    const numeric::Value rounded = numeric::nearest(native, place.format);
    return rounded == value ? std::signbit(rounded) == std::signbit(value) : std::isnan(rounded) && std::isnan(value);
  };
  if (const uint32_t index = memory_.get(address); index != 0 && same(native(index)))
    return index;
  if (const uint32_t bits = memory_.changed(address); bits != 0)
    return from_bits(value, place, bits);
  const uint32_t index = leaf(value, place.format);
  mark_found(index, address);
  return index;
}

void Lifter::read_bits(uint32_t index, uint32_t line) {
  if (index == 0 || mpfr_number_p(shadow(index)) == 0)
    return;
  const long double own = native(index);
  if (!bits_read_.of_overflown && std::isinf(own)) {
    bits_read_.of_overflown = true;
    bits_read_.line = line;
  }
  bits_read_.of_rounded =
      bits_read_.of_rounded || error(index) != ops::no_error || mpfr_cmp_ld(shadow(index), own) != 0;
}

uint32_t Lifter::bits_at(uint64_t address) const {
  const auto [index, before] = memory_.get_containing(address);
  if (index == 0)
    return 0;
  const numeric::FormatInfo& info = numeric::info(slot(index).format);
  const bool inside = address % shadow_granule + before < uint64_t(info.bytes);
  const bool exponent = before == 2 * shadow_granule; // of an x87 number
  return inside && !exponent ? index : 0;
}

uint32_t Lifter::merged_bits(uint32_t a, uint32_t b) {
  const auto counts = [&](uint32_t bits) { return bits != 0 && is_rounded(bits); };
  if (a == b || !counts(b))
    return a;
  if (!counts(a))
    return b;
  const uint32_t mixed = leaf(0, Format::binary64);
  slot(mixed).made_with = made_of_bits;
  return mixed;
}

uint32_t Lifter::from_bits(long double value, FloatPlace place, uint32_t bits) {
  const uint32_t index = leaf(value, place.format);
  if (bits == 0)
    return index;
  Slot& made = slot(index);
  const Slot& source = slot(bits);
  const bool mixed = source.made_with == made_of_bits;
  made.made_with = mixed ? made_of_bits | place.line : source.made_with;
  works_on_bits_ = works_on_bits_ || mixed;
  const bool numbers = mpfr_regular_p(source.shadow) && std::isfinite(source.native) && source.native != 0 &&
                       std::isfinite(value) && value != 0;
  if (!numbers || mpfr_cmp_ld(source.shadow, source.native) == 0)
    return index;
  works_on_bits_ = true;
  const Digits digits = digits_of(value), from = digits_of(source.native);
  constexpr uint64_t power_of_two = uint64_t(1) << 63;
  const int shift = digits.exponent - from.exponent;
  if (digits.significand == from.significand && (shift == 0 || digits.significand != power_of_two)) {
    mpfr_mul_2si(made.shadow, source.shadow, shift, MPFR_RNDN);
    if (std::signbit(value) != std::signbit(source.native))
      mpfr_neg(made.shadow, made.shadow, MPFR_RNDN);
    made.error = source.error == ops::no_error ? ops::no_error : source.error + shift;
    made.origin = Origin::operation;
  } else if (digits.significand != power_of_two ? !is_shortened(digits, from, place.format)
                                                : from.significand == power_of_two) {
    made.made_with = made_of_bits | place.line;
  }
  return index;
}

uint32_t Lifter::leaf(long double value, Format format) {
  uint32_t index = allocate();
  Slot& result = slot(index);
  result.format = format;
  numeric::set(result.shadow, value);
  result.native = value;
  result.error = ops::no_error;
  result.origin = Origin::leaf;
  result.made_with = 0;
  return index;
}

bool Lifter::compare(uint32_t site, uint32_t a, uint32_t b) {
  ++operations_;
  const Site& where = table_.sites[site];
  mpfr_srcptr left = tightened(where, 0, shadow(a)), right = tightened(where, 1, shadow(b));
  const ops::Traits order =
      mpfr_unordered_p(left, right) ? ops::trait::unordered : ops::order_between(mpfr_cmp(left, right), 0);
  const bool outcome = ops::holds(where.op, order);
  decide({site, outcome});
  return outcome;
}

void Lifter::decide(const Decision& decision) {
  path_ = extend_path(path_, decision);
  if (decisions_.size() < stored_decisions)
    decisions_.push_back(decision);
}

int64_t Lifter::to_int(uint32_t site, uint32_t a, int64_t native) {
  ++operations_;
  mpfr_srcptr value = shadow(a);
  int64_t integer = native; // out of range: keep the machine's result
  if (mpfr_number_p(value) && mpfr_fits_intmax_p(value, MPFR_RNDZ))
    integer = mpfr_get_sj(value, numeric::mpfr_direction(*ops::rounding_of(table_.sites[site].op)));
  decide({site, integer});
  return integer;
}

} // namespace faultline::runtime
