#include "fix/algebra.h"

#include "numeric/stable_sort.h"

#include <algorithm>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <map>

namespace faultline::fix {

namespace {

constexpr slong most_atoms = 8;     // a guess: more are slow, and their forms unreadable
constexpr slong most_monomials = 40; // of a numerator or denominator; a guess
constexpr long highest_power = 12;   // of an integer exponent that is multiplied out; a guess

struct TooLarge {};

class Ring {
public:
  Ring() { fmpz_mpoly_ctx_init(context_, most_atoms, ORD_LEX); }
  ~Ring() { fmpz_mpoly_ctx_clear(context_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  operator const fmpz_mpoly_ctx_struct*() const { return context_; }

  slong atom(const Term& term) {
    const auto at = std::find(atoms_.begin(), atoms_.end(), term);
    if (at != atoms_.end())
      return at - atoms_.begin();
    if (slong(atoms_.size()) == most_atoms)
      throw TooLarge{};
    atoms_.push_back(term);
    return slong(atoms_.size()) - 1;
  }
  const std::vector<Term>& atoms() const { return atoms_; }

private:
  fmpz_mpoly_ctx_t context_;
  std::vector<Term> atoms_;
};

class Polynomial {
public:
  explicit Polynomial(const Ring& ring) : ring_(&ring) { fmpz_mpoly_init(value_, ring); }
  Polynomial(const Ring& ring, long number) : Polynomial(ring) { fmpz_mpoly_set_si(value_, number, ring); }
  Polynomial(const Polynomial& other) : Polynomial(*other.ring_) { fmpz_mpoly_set(value_, other.value_, *ring_); }
  Polynomial& operator=(const Polynomial& other) {
    fmpz_mpoly_set(value_, other.value_, *ring_);
    return *this;
  }
  ~Polynomial() { fmpz_mpoly_clear(value_, *ring_); }

  static Polynomial of_atom(const Ring& ring, slong atom) {
    Polynomial p(ring);
    fmpz_mpoly_gen(p.value_, atom, ring);
    return p;
  }
  const Ring& ring() const { return *ring_; }
  fmpz_mpoly_struct* raw() { return value_; }
  const fmpz_mpoly_struct* raw() const { return value_; }
  slong length() const { return fmpz_mpoly_length(value_, *ring_); }
  bool is_zero() const { return fmpz_mpoly_is_zero(value_, *ring_); }
  bool is_one() const { return fmpz_mpoly_is_one(value_, *ring_); }
  bool is_constant() const { return fmpz_mpoly_is_fmpz(value_, *ring_); }
  slong degree(slong atom) const { return fmpz_mpoly_degree_si(value_, atom, *ring_); }

  Polynomial operator+(const Polynomial& other) const {
    Polynomial r(*ring_);
    fmpz_mpoly_add(r.value_, value_, other.value_, *ring_);
    return r.checked();
  }
  Polynomial operator*(const Polynomial& other) const {
    if (length() * other.length() > most_monomials * most_monomials)
      throw TooLarge{};
    Polynomial r(*ring_);
    fmpz_mpoly_mul(r.value_, value_, other.value_, *ring_);
    return r.checked();
  }
  Polynomial operator-() const {
    Polynomial r(*ring_);
    fmpz_mpoly_neg(r.value_, value_, *ring_);
    return r;
  }
  // Coefficient of atom^power, as polynomial in the others.
  Polynomial coefficient(slong atom, slong power) const {
    Polynomial r(*ring_);
    const slong vars[] = {atom};
    const ulong exps[] = {ulong(power)};
    fmpz_mpoly_get_coeff_vars_ui(r.value_, value_, vars, exps, 1, *ring_);
    return r;
  }
  bool operator==(const Polynomial& other) const { return fmpz_mpoly_equal(value_, other.value_, *ring_); }

private:
  Polynomial checked() {
    if (length() > most_monomials)
      throw TooLarge{};
    return *this;
  }
  const Ring* ring_;
  fmpz_mpoly_t value_;
};

struct Fraction {
  Polynomial numerator, denominator;

  Fraction(Polynomial n, Polynomial d) : numerator(std::move(n)), denominator(std::move(d)) { cancel(); }
  Fraction(const Ring& ring, const mpq_class& value) : numerator(ring), denominator(ring) {
    fmpz_t number;
    fmpz_init(number);
    fmpz_set_mpz(number, value.get_num_mpz_t());
    fmpz_mpoly_set_fmpz(numerator.raw(), number, ring);
    fmpz_set_mpz(number, value.get_den_mpz_t());
    fmpz_mpoly_set_fmpz(denominator.raw(), number, ring);
    fmpz_clear(number);
  }
  Fraction operator+(const Fraction& o) const {
    if (denominator == o.denominator)
      return {numerator + o.numerator, denominator};
    return {numerator * o.denominator + o.numerator * denominator, denominator * o.denominator};
  }
  Fraction operator*(const Fraction& o) const { return {numerator * o.numerator, denominator * o.denominator}; }
  Fraction inverse() const {
    if (numerator.is_zero())
      throw TooLarge{};
    return {denominator, numerator};
  }
  Fraction operator-() const { return {-numerator, denominator}; }
  Fraction power(long exponent) const {
    Fraction base = exponent < 0 ? inverse() : *this, result(numerator.ring(), 1);
    for (long i = 0; i < std::abs(exponent); ++i)
      result = result * base;
    return result;
  }

private:
  void cancel() {
    const Ring& ring = numerator.ring();
    if (denominator.is_zero())
      throw TooLarge{};
    Polynomial common(ring), quotient(ring);
    if (!fmpz_mpoly_gcd(common.raw(), numerator.raw(), denominator.raw(), ring))
      throw TooLarge{};
    if (!common.is_one() && !common.is_zero()) {
      fmpz_mpoly_divides(quotient.raw(), numerator.raw(), common.raw(), ring);
      numerator = quotient;
      fmpz_mpoly_divides(quotient.raw(), denominator.raw(), common.raw(), ring);
      denominator = quotient;
    }
    fmpz_t leading;
    fmpz_init(leading);
    fmpz_mpoly_get_term_coeff_fmpz(leading, denominator.raw(), 0, ring);
    if (fmpz_sgn(leading) < 0) {
      numerator = -numerator;
      denominator = -denominator;
    }
    fmpz_clear(leading);
  }
};

class Reader {
public:
  explicit Reader(Ring& ring) : ring_(ring) {}

  Fraction read(const Term& term) {
    if (term.is_number())
      return Fraction(ring_, term.value());
    if (term.kind() != Term::Kind::operation)
      return of_atom(term);
    const auto part = [&](size_t which) { return read(term.operand(which)); };
    switch (term.op()) {
    case Op::fadd:
      return part(0) + part(1);
    case Op::fsub:
      return part(0) + -part(1);
    case Op::fmul:
      return part(0) * part(1);
    case Op::fdiv:
      return part(0) * part(1).inverse();
    case Op::fneg:
      return -part(0);
    case Op::fma:
      return part(0) * part(1) + part(2);
    case Op::pow:
      if (const Term& exponent = term.operand(1); exponent.is_number() && exponent.value().get_den() == 1 &&
                                                  abs(exponent.value()) <= highest_power)
        return part(0).power(exponent.value().get_num().get_si());
      return of_atom(term);
    case Op::exp:
      return of_exponential(part(0));
    default:
      return of_atom(term);
    }
  }

  // Reduces the powers of roots, one atom after the other. A radicand may hold other roots, which come later.
  Fraction reduced(Fraction value) {
    for (slong atom = 0; atom < slong(ring_.atoms().size()); ++atom) {
      const Term term = ring_.atoms()[size_t(atom)];
      const long modulus = term.is(Op::sqrt) || term.is(Op::fabs) ? 2 : term.is(Op::cbrt) ? 3 : 0;
      if (modulus == 0)
        continue;
      if (value.numerator.degree(atom) < modulus && value.denominator.degree(atom) < modulus)
        continue;
      Fraction power = read(term.operand(0));
      if (term.is(Op::fabs))
        power = power * power;
      value = folded(value.numerator, atom, modulus, power) * folded(value.denominator, atom, modulus, power).inverse();
    }
    return value;
  }

private:
  Fraction of_atom(const Term& term) {
    return {Polynomial::of_atom(ring_, ring_.atom(term)), Polynomial(ring_, 1)};
  }
  Fraction folded(const Polynomial& p, slong atom, long modulus, const Fraction& power) {
    const Fraction root{Polynomial::of_atom(ring_, atom), Polynomial(ring_, 1)};
    Fraction sum(ring_, 0);
    for (slong k = 0; k <= p.degree(atom); ++k)
      if (const Polynomial c = p.coefficient(atom, k); !c.is_zero())
        sum = sum + Fraction{c, Polynomial(ring_, 1)} * power.power(k / modulus) * root.power(k % modulus);
    return sum;
  }
  // exp of a sum of monomials is the product of their exponentials, and a whole coefficient is a power.
  Fraction of_exponential(const Fraction& argument);

  Ring& ring_;
};

// Terms of polynomials.
class Writer {
public:
  explicit Writer(const Ring& ring) : ring_(ring) {}

  Term expanded(const Polynomial& p) const {
    std::vector<std::pair<bool, Term>> parts; // negative?
    for (slong i = 0; i < p.length(); ++i)
      parts.push_back(monomial(p, i));
    return sum(parts);
  }

  Term factored(const Polynomial& p) const {
    if (p.is_constant() || p.length() == 1)
      return expanded(p);
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, ring_);
    std::optional<Term> product;
    if (fmpz_mpoly_factor(factors, p.raw(), ring_)) {
      const mpq_class content = number_of(factors->constant);
      bool negative = content < 0;
      if (abs(content) != 1)
        product = Term::number(mpq_class(abs(content)));
      for (slong i = 0; i < factors->num; ++i) {
        Polynomial base(ring_);
        fmpz_mpoly_set(base.raw(), factors->poly + i, ring_);
        const slong exponent = fmpz_get_si(factors->exp + i);
        if (is_negative_first(base)) {
          base = -base;
          negative ^= exponent % 2 != 0;
        }
        const Term term = power(expanded(base), exponent);
        product = product ? *product * term : term;
      }
      if (negative)
        product = -*product;
    }
    fmpz_mpoly_factor_clear(factors, ring_);
    return product ? *product : expanded(p);
  }

  // Horner's form in one atom, with factored coefficients.
  Term collected(const Polynomial& p, slong atom) const {
    const Term x = ring_.atoms()[size_t(atom)];
    std::optional<Term> sum;
    slong last = 0;
    for (slong k = p.degree(atom); k >= 0; --k) {
      const Polynomial c = p.coefficient(atom, k);
      if (c.is_zero())
        continue;
      const Term term = factored(c);
      sum = sum ? *sum * power(x, last - k) + term : term;
      last = k;
    }
    return last == 0 ? *sum : is_one(*sum) ? power(x, last) : *sum * power(x, last);
  }

  const Ring& ring() const { return ring_; }

private:
  static bool is_one(const Term& term) { return term.is_number(1); }
  static mpq_class number_of(const fmpz_t value) {
    mpz_class number;
    fmpz_get_mpz(number.get_mpz_t(), value);
    return number;
  }
  // A sum that begins with a positive term reads better.
  bool is_negative_first(const Polynomial& p) const {
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p.raw(), 0, ring_);
    const bool negative = fmpz_sgn(c) < 0;
    fmpz_clear(c);
    return negative;
  }
  static Term power(const Term& base, slong exponent) {
    if (exponent == 1)
      return base;
    if (exponent == 0)
      return Term::number(1);
    const Term half = power(base, exponent / 2);
    return exponent % 2 == 0 ? half * half : base * (half * half);
  }
  std::pair<bool, Term> monomial(const Polynomial& p, slong index) const {
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p.raw(), index, ring_);
    const mpq_class coefficient = number_of(c);
    fmpz_clear(c);
    std::vector<ulong> exponents(most_atoms);
    fmpz_mpoly_get_term_exp_ui(exponents.data(), p.raw(), index, ring_);
    std::optional<Term> product;
    if (abs(coefficient) != 1)
      product = Term::number(mpq_class(abs(coefficient)));
    for (size_t atom = 0; atom < exponents.size(); ++atom)
      if (exponents[atom] > 0) {
        const Term factor = power(ring_.atoms()[atom], slong(exponents[atom]));
        product = product ? *product * factor : factor;
      }
    return {coefficient < 0, product ? *product : Term::number(1)};
  }
  static Term sum(std::vector<std::pair<bool, Term>> parts) {
    if (parts.empty())
      return Term::number(0);
    numeric::sort_stably(parts, {}, &std::pair<bool, Term>::first); // positive terms first
    Term total = parts.front().first ? -parts.front().second : parts.front().second;
    for (size_t i = 1; i < parts.size(); ++i)
      total = parts[i].first ? total - parts[i].second : total + parts[i].second;
    return total;
  }

  const Ring& ring_;
};

Term quotient(const Term& a, const Term& b) { return b.is_number(1) ? a : a / b; }

Fraction Reader::of_exponential(const Fraction& argument) {
  const Writer writer(ring_);
  Fraction product(ring_, 1);
  const Polynomial& p = argument.numerator;
  if (p.is_zero())
    return product;
  const Term divisor = writer.expanded(argument.denominator);
  for (slong i = 0; i < p.length(); ++i) {
    Polynomial monomial(ring_);
    fmpz_mpoly_get_term(monomial.raw(), p.raw(), i, ring_);
    fmpz_t content;
    fmpz_init(content);
    fmpz_mpoly_get_term_coeff_fmpz(content, monomial.raw(), 0, ring_);
    long power = fmpz_fits_si(content) ? fmpz_get_si(content) : 0;
    if (power == 0 || std::abs(power) > highest_power)
      power = 1;
    fmpz_set_si(content, power);
    fmpz_mpoly_scalar_divexact_fmpz(monomial.raw(), monomial.raw(), content, ring_);
    fmpz_clear(content);
    const Term argument_term = quotient(writer.expanded(monomial), divisor);
    product = product * of_atom(Term::apply(Op::exp, argument_term)).power(power);
  }
  return product;
}

} // namespace

std::vector<Term> rational_forms(const Term& term) {
  try {
    Ring ring;
    Reader reader(ring);
    const Fraction value = reader.reduced(reader.read(term));
    if (value.numerator.is_zero())
      return {Term::number(0)};
    const Writer writer(ring);
    const Polynomial &n = value.numerator, &d = value.denominator;
    std::vector<Term> forms;
    const auto offer = [&](const Term& form) {
      if (!(form == term) && std::find(forms.begin(), forms.end(), form) == forms.end())
        forms.push_back(form);
    };
    const Term divisor = writer.factored(d);
    offer(quotient(writer.factored(n), divisor));
    offer(quotient(writer.expanded(n), writer.expanded(d)));
    offer(quotient(writer.expanded(n), divisor));
    for (slong atom = 0; atom < slong(ring.atoms().size()); ++atom)
      if (n.degree(atom) > 0 && n.length() > 1)
        offer(quotient(writer.collected(n, atom), divisor));
    return forms;
  } catch (const TooLarge&) {
    return {};
  }
}

bool same_rational(const Term& a, const Term& b) {
  try {
    Ring ring;
    Reader reader(ring);
    return reader.reduced(reader.read(a) + -reader.read(b)).numerator.is_zero();
  } catch (const TooLarge&) {
    return false;
  }
}

} // namespace faultline::fix
