#include "constraint/smtlib/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace faultline::constraint {

using ops::Op;

Term Unspecified::variable(const Sort& sort) {
  return system_.variable("unspecified " + std::to_string(count_++), sort);
}

Term Unspecified::zero_is_negative(bool maximum, BinaryFormat format, bool positive_first) {
  const auto [place, fresh] =
      zeros_.try_emplace({maximum, format.exponent_bits, format.significand_bits, positive_first}, 0);
  if (fresh)
    place->second = variable(boolean_sort);
  return place->second;
}

Term Unspecified::pattern_of_nan(BinaryFormat format) {
  const auto [place, fresh] = patterns_.try_emplace({format.exponent_bits, format.significand_bits}, 0);
  if (fresh) {
    place->second = variable(word_sort(format.width()));
    require(system_.classify(Class::nan, system_.float_of_pattern(place->second, format)));
  }
  return place->second;
}

Term Unspecified::word_of(Term operand, numeric::Rounding rounding, int width, bool is_signed) {
  const BinaryFormat format = system_.sort(operand).format;
  std::vector<Use>& uses = words_[{format.exponent_bits, format.significand_bits, rounding, width, is_signed}];
  const auto known = std::ranges::find(uses, operand, &Use::operand);
  if (known != uses.end())
    return known->word;
  const Term word = variable(word_sort(width));
  pairs_ += uses.size();
  if (pairs_ <= most_pairs)
    for (const Use& use : uses)
      require(system_.either(system_.negate(system_.same(use.operand, operand)), system_.same(use.word, word)));
  uses.push_back({operand, word});
  return word;
}

namespace {

constexpr int last = numeric::rounding_count - 1; // the default mode, which needs no test

struct Name {
  std::string_view text, in_full;
};
// In the order of Rounding.
constexpr Name names[] = {{"RNE", "roundNearestTiesToEven"},
                          {"RNA", "roundNearestTiesToAway"},
                          {"RTP", "roundTowardPositive"},
                          {"RTN", "roundTowardNegative"},
                          {"RTZ", "roundTowardZero"}};

// Returns one Boolean per mode.
std::array<Term, numeric::rounding_count> truths(System& system, const Mode& mode) {
  std::array<Term, numeric::rounding_count> all{};
  Term left = system.truth(true);
  for (size_t i = 0; i < last; ++i) {
    all[i] = system.both(left, mode.tests[i]);
    left = system.both(left, system.negate(mode.tests[i]));
  }
  all[last] = left;
  return all;
}

size_t bit_length(const mpz_class& value) {
  return mpz_sgn(value.get_mpz_t()) == 0 ? 0 : mpz_sizeinbase(value.get_mpz_t(), 2);
}

constexpr BinaryFormat wide{BinaryFormat::most_exponent_bits, BinaryFormat::most_significand_bits};

Rational value_of(Bits bits, BinaryFormat format) {
  numeric::BigFloat number(format.significand_bits);
  numeric::set_bits(number.raw(), bits, format);
  mpq_class fraction;
  mpfr_get_q(fraction.get_mpq_t(), number.raw());
  return fraction;
}

// Maps the position of a literal between two neighbouring floats to an increasing number from 0 to 1.
Bits place_above(const Rational& literal, Bits floor) {
  const Rational largest = value_of(wide.largest(), wide);
  if (wide.is_infinite(floor)) // below all floats: closer to them is larger
    return nearest_bits(-largest / literal, wide);
  if (floor == wide.largest()) // above all floats
    return nearest_bits((literal - largest) / literal, wide);
  const Rational below = value_of(floor, wide), above = value_of(wide.at(wide.order(floor) + 1), wide);
  return nearest_bits((literal - below) / (above - below), wide);
}

constexpr const char* hint_sorts =
    "Bool, RoundingMode, (_ FloatingPoint e s), Float16, Float32, Float64, Float128 and (_ BitVec n) are supported";

struct NamedSort {
  const char* name;
  ScriptSort sort;
};
constexpr ScriptSort float_of(int exponent_bits, int significand_bits) {
  return {ScriptSort::Kind::term, float_sort({exponent_bits, significand_bits})};
}
constexpr NamedSort named_sorts[] = {
    {"Bool", {}},
    {"Float16", float_of(5, 11)},
    {"Float32", float_of(8, 24)},
    {"Float64", float_of(11, 53)},
    {"Float128", float_of(15, 113)},
    {"RoundingMode", {ScriptSort::Kind::rounding}},
    {"Real", {ScriptSort::Kind::real}},
    {"Int", {ScriptSort::Kind::real}},
};

enum : uint8_t { blank = 1, digit = 2, in_symbol = 4, hex_digit = 8, control = 16 };

constexpr std::array<uint8_t, 256> classes_of_bytes() {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 32; ++c)
    classes[c] = control;
  classes[127] = control;
  for (const unsigned char c : {' ', '\t', '\n', '\r'})
    classes[c] = blank;
  for (int c = '0'; c <= '9'; ++c)
    classes[c] = digit | in_symbol | hex_digit;
  for (int c = 'a'; c <= 'z'; ++c)
    classes[c] = classes[c - 'a' + 'A'] = in_symbol | (c <= 'f' ? hex_digit : 0);
  for (const unsigned char c : std::string_view("~!@$%^&*_-+=<>.?/"))
    classes[c] = in_symbol;
  return classes;
}

bool is(char c, int wanted) {
  static constexpr std::array<uint8_t, 256> classes = classes_of_bytes();
  return (classes[static_cast<unsigned char>(c)] & wanted) != 0;
}

constexpr std::string_view reserved_words[] = {"_",   "!",      "as",      "let",         "exists",  "forall", "match",
                                               "par", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"};

constexpr const char* hint_text = "is it an SMT-LIB 2.6 script?";
constexpr const char* hint_balance = "count the parentheses";

int read_width(Lexer& lexer, size_t at) {
  const int width = lexer.expect_number("a number of bits");
  if (width < 1 || width > most_word_bits)
    lexer.fail(at, fmt::format("unsupported sort (_ BitVec {})", width),
               fmt::format("1 to {} bits are supported", most_word_bits));
  return width;
}

ScriptSort read_indexed(Lexer& lexer, size_t at) {
  lexer.next();
  const Token family = lexer.expect_name("the name of a sort");
  ScriptSort sort;
  if (family.text == "FloatingPoint")
    sort.term = float_sort(read_format(lexer, at));
  else if (family.text == "BitVec")
    sort.term = word_sort(read_width(lexer, at));
  else
    lexer.fail(at, fmt::format("unsupported sort (_ {} ...)", shown(family)), hint_sorts);
  lexer.expect_close("a sort");
  return sort;
}

} // namespace

Mode mode_constant(System& system, Rounding rounding) {
  const Term yes = system.truth(true), no = system.truth(false);
  Mode mode;
  for (size_t i = 0; i < last; ++i)
    mode.tests[i] = i == size_t(rounding) ? yes : no;
  return mode;
}

Mode mode_variable(System& system, const std::string& name) {
  Mode mode;
  for (size_t i = 0; i < last; ++i)
    mode.tests[i] = system.variable(name + " " + std::string(names[i].text), boolean_sort);
  return mode;
}

Mode choose(System& system, Term condition, const Mode& then, const Mode& otherwise) {
  Mode mode;
  for (size_t i = 0; i < last; ++i)
    mode.tests[i] = system.choose(condition, then.tests[i], otherwise.tests[i]);
  return mode;
}

Term same(System& system, const Mode& a, const Mode& b) {
  if (a == b)
    return system.truth(true);
  const auto ones = truths(system, a), others = truths(system, b);
  std::vector<Term> both;
  for (size_t i = 0; i < ones.size(); ++i)
    both.push_back(system.both(ones[i], others[i]));
  return system.any(std::move(both));
}

Term by_mode(System& system, const Mode& mode, const std::function<Term(Rounding)>& make) {
  if (const Node& first = system.node(mode.tests[0]); first.form == Form::constant && first.value != 0)
    return make(Rounding::nearest_even); // the most frequent case
  std::vector<int> possible;
  for (int i = 0; i <= last; ++i) {
    const Node* const test = i < last ? &system.node(mode.tests[size_t(i)]) : nullptr;
    const bool known = test && test->form == Form::constant;
    if (known && test->value == 0)
      continue;
    possible.push_back(i);
    if (known)
      break;
  }
  Term result = make(Rounding(possible.back()));
  for (size_t i = possible.size() - 1; i-- > 0;)
    result = system.choose(mode.tests[size_t(possible[i])], make(Rounding(possible[i])), result);
  return result;
}

Rounding mode_in(const Mode& mode, const std::vector<Bits>& values) {
  for (size_t i = 0; i < last; ++i)
    if (values[mode.tests[i]] != 0)
      return Rounding(i);
  return Rounding(last);
}

std::optional<Rounding> find_mode(std::string_view name) {
  for (int i = 0; i <= last; ++i)
    if (name == names[i].text || name == names[i].in_full)
      return Rounding(i);
  return {};
}

std::string_view name(Rounding rounding) { return names[size_t(rounding)].text; }

Rational rational(std::string_view text) {
  std::string digits(text);
  mpz_class denominator = 1;
  if (const size_t point = digits.find('.'); point != std::string::npos) {
    mpz_ui_pow_ui(denominator.get_mpz_t(), 10, digits.size() - point - 1);
    digits.erase(point, 1);
  }
  Rational value(mpz_class(digits, 10), denominator);
  value.canonicalize();
  return value;
}

size_t bits_needed(const Rational& value) { return bit_length(value.get_num()) + bit_length(value.get_den()); }

// Takes more leading bits than any format has. If anything is cut off, rounds up to the next such number, so that
// rounded_bits sees on which side of a midpoint the fraction lies.
Bits rounded_bits(const Rational& value, BinaryFormat format, numeric::Rounding rounding) {
  if (sgn(value) == 0)
    return 0;
  numeric::BigFloat leading(format.significand_bits + 2);
  if (mpfr_set_q(leading.raw(), value.get_mpq_t(), MPFR_RNDZ) != 0) {
    mpfr_prec_round(leading.raw(), format.significand_bits + 4, MPFR_RNDZ); // exact
    if (sgn(value) > 0)
      mpfr_nextabove(leading.raw());
    else
      mpfr_nextbelow(leading.raw());
  }
  return numeric::rounded_bits(leading.raw(), format, rounding);
}

std::optional<BitVector> binary_literal(std::string_view digits) {
  if (digits.size() > BitVector::most_width)
    return {};
  BitVector vector{int(digits.size())};
  for (const char c : digits)
    vector.bits = vector.bits << 1 | Bits(c - '0');
  return vector;
}

std::optional<BitVector> hexadecimal_literal(std::string_view digits) {
  if (digits.size() > BitVector::most_width / 4)
    return {};
  BitVector vector{int(4 * digits.size())};
  for (const char c : digits)
    vector.bits = vector.bits << 4 | Bits(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  return vector;
}

std::optional<BitVector> numbered_literal(std::string_view number, int width) {
  if (width > BitVector::most_width || number.size() > 40) // 2^128 has 39 digits
    return {};
  const mpz_class value(std::string(number), 10);
  if (bit_length(value) > size_t(width))
    return {};
  uint64_t words[2] = {0, 0};
  mpz_export(words, nullptr, -1, sizeof words[0], 0, 0, value.get_mpz_t());
  return BitVector{width, Bits(words[1]) << 64 | words[0]};
}

using Kind = Token::Kind;

Lexer::Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.starts_with("\xef\xbb\xbf")) // the byte order mark of some editors
    at_ = 3;
}

Token Lexer::taken(Kind kind, size_t begin, size_t end, size_t cut_left, size_t cut_right) {
  at_ = end;
  return {kind, text_.substr(begin + cut_left, end - begin - cut_left - cut_right), begin};
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (is(text_[at_], blank))
      ++at_;
    else if (text_[at_] == ';')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      return;
  }
}

Token Lexer::next() {
  skip_blanks();
  if (at_ == text_.size())
    return {Kind::end, {}, at_};
  const char c = text_[at_];
  if (c == '(' || c == ')')
    return taken(c == '(' ? Kind::open : Kind::close, at_, at_ + 1);
  if (is(c, digit))
    return number();
  if (is(c, in_symbol) || c == ':') {
    size_t end = at_ + 1;
    while (end < text_.size() && is(text_[end], in_symbol))
      ++end;
    if (c == ':' && end == at_ + 1)
      fail(at_, "a ':' with no keyword behind it", hint_text);
    return taken(c == ':' ? Kind::keyword : Kind::symbol, at_, end);
  }
  if (c == '|')
    return quoted();
  if (c == '"')
    return string();
  if (c == '#')
    return literal();
  const bool text = static_cast<unsigned char>(c) < 0x80 && !is(c, control);
  fail(at_,
       text ? fmt::format("unexpected character '{}'", c)
            : fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)),
       hint_text);
}

Token Lexer::quoted() {
  const size_t end = text_.find('|', at_ + 1);
  if (end == std::string_view::npos)
    fail(at_, "a |symbol| that is never closed", "close it with |");
  for (size_t i = at_ + 1; i < end; ++i)
    if (text_[i] == '\\' || is(text_[i], control))
      fail(i, fmt::format("byte 0x{:02x} inside a |symbol|", text_[i]),
           "SMT-LIB allows neither \\ nor control characters");
  return taken(Kind::quoted, at_, end + 1, 1, 1);
}

Token Lexer::string() {
  size_t end = at_;
  do { // "" inside is one quote: the string continues
    end = text_.find('"', end + 1);
    if (end == std::string_view::npos)
      fail(at_, "a string that is never closed", "close it with \"");
    ++end;
  } while (end < text_.size() && text_[end] == '"');
  for (size_t i = at_; i < end; ++i)
    if (is(text_[i], control))
      fail(i, fmt::format("byte 0x{:02x} inside a string", text_[i]), hint_text);
  return taken(Kind::string, at_, end);
}

Token Lexer::number() {
  const auto after_digits = [&](size_t i) {
    while (i < text_.size() && is(text_[i], digit))
      ++i;
    return i;
  };
  size_t end = after_digits(at_);
  Kind kind = Kind::numeral;
  if (end + 1 < text_.size() && text_[end] == '.' && is(text_[end + 1], digit)) {
    end = after_digits(end + 1);
    kind = Kind::decimal;
  }
  if (end < text_.size() && is(text_[end], in_symbol))
    fail(at_, "a malformed number", "numbers are written 12 or 1.5, with no exponent");
  return taken(kind, at_, end);
}

Token Lexer::literal() {
  const char base = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  size_t end = at_ + 2;
  if (base == 'b')
    while (end < text_.size() && (text_[end] == '0' || text_[end] == '1'))
      ++end;
  else if (base == 'x')
    while (end < text_.size() && is(text_[end], hex_digit))
      ++end;
  if (end == at_ + 2 || (end < text_.size() && is(text_[end], in_symbol)))
    fail(at_, "a malformed bit-vector literal", "#b0101 or #x7f");
  return taken(base == 'b' ? Kind::binary : Kind::hexadecimal, at_, end, 2);
}

Token Lexer::peek() {
  const size_t at = at_;
  const Token token = next();
  at_ = at;
  return token;
}

void Lexer::expect_open(const char* what) {
  if (const Token token = next(); token.kind != Kind::open)
    fail(token.at, fmt::format("expected '(' before {}, found {}", what, shown(token)), hint_balance);
}

void Lexer::expect_close(const char* what) {
  if (const Token token = next(); token.kind != Kind::close)
    fail(token.at, fmt::format("expected ')' after {}, found {}", what, shown(token)), hint_balance);
}

Token Lexer::expect_name(const char* what) {
  const Token token = next();
  if (!token.is_name())
    fail(token.at, fmt::format("expected {}, found {}", what, shown(token)), hint_text);
  return token;
}

int Lexer::expect_number(const char* what) {
  const Token token = next();
  int number = 0;
  if (token.kind != Kind::numeral)
    fail(token.at, fmt::format("expected {}, found {}", what, shown(token)), hint_text);
  if (token.text.size() > 9)
    fail(token.at, fmt::format("{} is too large: {}", what, shown(token)), "less than a thousand million");
  std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
  return number;
}

void Lexer::skip_to_close(size_t opened_at) {
  for (size_t depth = 1; depth > 0;) {
    const Token token = next();
    if (token.kind == Kind::end)
      fail(opened_at, "a '(' that is never closed", hint_balance);
    depth += token.kind == Kind::open ? 1 : token.kind == Kind::close ? -1 : 0;
  }
}

void Lexer::skip_expression() {
  const Token token = next();
  if (token.kind == Kind::open)
    skip_to_close(token.at);
  else if (token.kind == Kind::close || token.kind == Kind::end)
    fail(token.at, fmt::format("expected an expression, found {}", shown(token)), hint_balance);
}

void Lexer::fail(size_t at, const std::string& what, const std::string& hint) const {
  const std::string_view before = text_.substr(0, at);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t column = at - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
  throw base::UserError(base::status_usage, fmt::format("{}:{}:{}: {}", file_, line, column, what), hint);
}

bool is_reserved_word(std::string_view word) {
  return std::ranges::find(reserved_words, word) != std::end(reserved_words);
}

bool is_simple_symbol(std::string_view name) {
  return !name.empty() && !is(name[0], digit) && !is_reserved_word(name) &&
         std::ranges::all_of(name, [](char c) { return is(c, in_symbol); });
}

std::string shown(const Token& token) { return token.kind == Kind::end ? "the end of the file" : shown(token.text); }

Term Reals::is_number(const Real& a) {
  const RealOf* real = std::get_if<RealOf>(&a);
  if (!real)
    return system_.truth(true);
  return system_.negate(
      system_.either(system_.classify(Class::nan, real->number), system_.classify(Class::infinite, real->number)));
}

Reals::Pair Reals::unspecified(BinaryFormat format, int which) {
  const auto [place, fresh] = specials_.try_emplace({format.exponent_bits, format.significand_bits, which}, Pair{});
  if (!fresh)
    return place->second;
  const Pair pair{unspecified_.variable(float_sort(wide)), unspecified_.variable(float_sort(wide))};
  const Term zero = system_.constant(0, wide), one = system_.constant(numeric::bits_of(1.0, wide), wide);
  const Term lowest = system_.constant(wide.sign() | wide.infinity(), wide);
  unspecified_.require(system_.compare(Op::cmp_ole, pair.floor, system_.constant(wide.largest(), wide)));
  unspecified_.require(system_.compare(Op::cmp_ole, zero, pair.above));
  unspecified_.require(system_.compare(Op::cmp_olt, pair.above, one));
  unspecified_.require(
      system_.either(system_.negate(system_.same(pair.floor, lowest)), system_.compare(Op::cmp_olt, zero, pair.above)));
  return place->second = pair;
}

Reals::Pair Reals::unspecified(Term number) {
  const BinaryFormat format = system_.sort(number).format;
  const Pair nan = unspecified(format, 0), above = unspecified(format, 1), below = unspecified(format, -1);
  const Term is_nan = system_.classify(Class::nan, number), is_above = system_.classify(Class::positive, number);
  const auto pick = [&](Term of_nan, Term of_above, Term of_below) {
    return system_.choose(is_nan, of_nan, system_.choose(is_above, of_above, of_below));
  };
  return {pick(nan.floor, above.floor, below.floor), pick(nan.above, above.above, below.above)};
}

Reals::Pair Reals::pair_of_literal(const Literal& a) {
  const auto [place, first_time] = pairs_.try_emplace(a, Pair{});
  if (!first_time)
    return place->second;
  const Bits floor = rounded_bits(*a, wide, Rounding::down);
  Bits above = 0;
  if (wide.is_infinite(floor) || *a != value_of(floor, wide)) {
    above = place_above(*a, floor);
    const auto [known, fresh] = literals_.try_emplace({floor, above}, *a);
    confused_ |= above == 0 || above >= numeric::bits_of(1.0, wide) || (!fresh && known->second != *a);
  }
  return place->second = {system_.constant(floor, wide), system_.constant(above, wide)};
}

Reals::Pair Reals::pair_of_number(const Real& a) {
  if (const RealOf* real = std::get_if<RealOf>(&a))
    return {system_.convert(real->number, wide), system_.constant(0, wide)};
  return pair_of_literal(std::get<Literal>(a));
}

Term Reals::compare_pairs(Relation relation, const Pair& a, const Pair& b) {
  const Term level = system_.compare(Op::cmp_oeq, a.floor, b.floor);
  const Op op = relation == Relation::less ? Op::cmp_olt : Op::cmp_oeq;
  const Term second = system_.both(level, system_.compare(op, a.above, b.above));
  return relation == Relation::equal ? second : system_.either(system_.compare(Op::cmp_olt, a.floor, b.floor), second);
}

Term Reals::compare_floats(Relation relation, Term a, Term b) {
  const BinaryFormat x = system_.sort(a).format, y = system_.sort(b).format;
  const BinaryFormat both{std::max(x.exponent_bits, y.exponent_bits), std::max(x.significand_bits, y.significand_bits)};
  return system_.compare(relation == Relation::less ? Op::cmp_olt : Op::cmp_oeq, system_.convert(a, both),
                         system_.convert(b, both));
}

// Neither operand is NaN or infinite.
Term Reals::compare_numbers(Relation relation, const Real& a, const Real& b) {
  const RealOf *x = std::get_if<RealOf>(&a), *y = std::get_if<RealOf>(&b);
  if (x && y)
    return compare_floats(relation, x->number, y->number);
  if (!x && !y) {
    const int order = cmp(*std::get<Literal>(a), *std::get<Literal>(b));
    return system_.truth(relation == Relation::less ? order < 0 : order == 0);
  }
  const Term number = x ? x->number : y->number;
  const Rational& literal = *std::get<Literal>(x ? b : a);
  const BinaryFormat format = system_.sort(number).format;
  const Bits bits = rounded_bits(literal, format, Rounding::down);
  const Term floor = system_.constant(bits, format);
  const bool exact = !format.is_infinite(bits) && literal == value_of(bits, format);
  if (relation == Relation::equal)
    return exact ? system_.compare(Op::cmp_oeq, number, floor) : system_.truth(false);
  if (y) // literal < number
    return system_.compare(Op::cmp_olt, floor, number);
  return system_.compare(exact ? Op::cmp_olt : Op::cmp_ole, number, floor);
}

Term Reals::compare(Relation relation, const Real& a, const Real& b) {
  const Term first = is_number(a), second = is_number(b);
  const auto known = [&](Term term) { return system_.node(term).form == Form::constant; };
  Term result = compare_numbers(relation, a, b);
  if (known(first) && known(second) && system_.node(first).value != 0 && system_.node(second).value != 0)
    return result;
  const auto other = [&](const Real& real, Term number) {
    const RealOf* of = std::get_if<RealOf>(&real);
    if (!of)
      return pair_of_number(real);
    const Pair some = pair_of_number(real), open = unspecified(of->number);
    return Pair{system_.choose(number, some.floor, open.floor), system_.choose(number, some.above, open.above)};
  };
  return system_.choose(system_.both(first, second), result,
                        compare_pairs(relation, other(a, first), other(b, second)));
}

Term Reals::less(const Real& a, const Real& b) { return compare(Relation::less, a, b); }
Term Reals::equal(const Real& a, const Real& b) { return compare(Relation::equal, a, b); }

Term Reals::rounded(const Real& a, BinaryFormat format, const Mode& mode) {
  if (const Literal* literal = std::get_if<Literal>(&a))
    return by_mode(system_, mode, [&](Rounding rounding) {
      return system_.constant(rounded_bits(**literal, format, rounding), format);
    });
  const Term number = std::get<RealOf>(a).number;
  const Term converted =
      by_mode(system_, mode, [&](Rounding rounding) { return system_.convert(number, format, rounding); });
  const Term defined = is_number(a);
  if (system_.node(defined).form == Form::constant && system_.node(defined).value != 0)
    return converted;
  // The rounded value of an unspecified real: any float except NaN.
  const Term open = unspecified_.variable(float_sort(format));
  unspecified_.require(system_.negate(system_.classify(Class::nan, open)));
  return system_.choose(defined, converted, open);
}

ScriptSort sort_of(const System& system, const Value& value) {
  if (const Term* term = std::get_if<Term>(&value))
    return {ScriptSort::Kind::term, system.sort(*term)};
  return {std::holds_alternative<Mode>(value) ? ScriptSort::Kind::rounding : ScriptSort::Kind::real};
}

std::string text(const ScriptSort& sort) {
  if (sort.kind == ScriptSort::Kind::rounding)
    return "RoundingMode";
  if (sort.kind == ScriptSort::Kind::real)
    return "Real";
  if (sort.term.is_word())
    return fmt::format("(_ BitVec {})", sort.term.width);
  return sort.term.boolean ? "Bool"
                           : fmt::format("(_ FloatingPoint {} {})", sort.term.format.exponent_bits,
                                         sort.term.format.significand_bits);
}

void check_format(const Lexer& lexer, size_t at, int exponent_bits, int significand_bits) {
  using numeric::BinaryFormat;
  if (!BinaryFormat{exponent_bits, significand_bits}.valid())
    lexer.fail(at, fmt::format("unsupported sort (_ FloatingPoint {} {})", exponent_bits, significand_bits),
               fmt::format("exponents of {} to {} bits and significands of {} to {} bits are supported",
                           BinaryFormat::least_exponent_bits, BinaryFormat::most_exponent_bits,
                           BinaryFormat::least_significand_bits, BinaryFormat::most_significand_bits));
}

BinaryFormat read_format(Lexer& lexer, size_t at) {
  const int exponent_bits = lexer.expect_number("a number of exponent bits");
  const int significand_bits = lexer.expect_number("a number of significand bits");
  check_format(lexer, at, exponent_bits, significand_bits);
  return {exponent_bits, significand_bits};
}

ScriptSort Sorts::read(Lexer& lexer) const {
  const Token token = lexer.next();
  if (token.kind == Token::Kind::open && lexer.peek().is_word("_"))
    return read_indexed(lexer, token.at);
  if (token.kind == Token::Kind::open)
    lexer.fail(token.at, fmt::format("unsupported sort ({} ...)", shown(lexer.next())), hint_sorts);
  if (!token.is_name())
    lexer.fail(token.at, fmt::format("expected a sort, found {}", shown(token)), hint_sorts);
  for (const NamedSort& known : named_sorts)
    if (token.text == known.name)
      return known.sort;
  if (const auto found = defined_.find(std::string(token.text)); found != defined_.end())
    return found->second;
  lexer.fail(token.at, fmt::format("unsupported sort {}", shown(token)), hint_sorts);
}

void Sorts::define(const Lexer& lexer, const Token& name, ScriptSort sort) {
  bool known = defined_.contains(std::string(name.text));
  for (const NamedSort& other : named_sorts)
    known |= name.text == other.name;
  if (known)
    lexer.fail(name.at, fmt::format("the sort {} is defined twice", shown(name)), "choose another name");
  defined_.emplace(name.text, sort);
  order_.emplace_back(name.text);
}

void Sorts::forget_to(size_t count) {
  for (; order_.size() > count; order_.pop_back())
    defined_.erase(order_.back());
}

void check_variable_sort(const Lexer& lexer, size_t at, const ScriptSort& sort) {
  if (sort.kind == ScriptSort::Kind::real)
    lexer.fail(at, "unsupported sort Real of a variable", hint_sorts);
}

} // namespace faultline::constraint
