#include "frontend/fpcore/precondition.h"

#include "frontend/fpcore/number.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace faultline::frontend::fpcore {
namespace {

using numeric::Format;

// Of a numerator or denominator: what two numbers of the file have together. Fractions of fractions of them could have
// any number of digits.
constexpr size_t most_bits = 100'000;

bool is_short(const mpz_class& integer) { return mpz_sizeinbase(integer.get_mpz_t(), 2) <= most_bits; }

// Also (- 5) and (/ 1 3), which people write where a number is meant.
std::optional<Number> constant(const Form& form) {
  if (form.is_number())
    return number_of(form.text);
  const std::string_view head = form.head();
  if (head == "-" && form.items.size() == 2)
    if (std::optional<Number> number = constant(form.items[1])) {
      number->value = -number->value;
      return number;
    }
  if (head == "/" && form.items.size() == 3) {
    const std::optional<Number> above = constant(form.items[1]);
    const std::optional<Number> below = above ? constant(form.items[2]) : std::nullopt;
    if (!below || below->value <= 0)
      return {};
    const Number quotient{above->value / below->value};
    if (is_short(quotient.value.get_num()) && is_short(quotient.value.get_den()))
      return quotient;
  }
  return {};
}

class Reading {
public:
  explicit Reading(const Core& core) : core_(core) {
    for (const Argument& argument : core.arguments)
      ends_[argument.name] = {-numeric::largest(argument.format), numeric::largest(argument.format)};
  }

  Precondition run() {
    if (core_.precondition)
      take(*core_.precondition);
    for (const Argument& argument : core_.arguments)
      if (const Ends& ends = ends_.at(argument.name); ends.said)
        found_.ranges.push_back({argument.c_name, ends.low, ends.high});
    return std::move(found_);
  }

private:
  struct Ends {
    long double low = 0, high = 0;
    bool said = false;
  };

  void take(const Form& form) {
    if (form.head() == "and") {
      for (size_t i = 1; i < form.items.size(); ++i)
        take(form.items[i]);
      return;
    }
    if (!form.is_symbol("TRUE") && !is_bound(form))
      found_.rest.push_back(&form);
  }

  // (<= 0 x 10), (> x 0): one argument, and constants around it.
  bool is_bound(const Form& form) {
    const std::string_view head = form.head();
    const bool ascending = head == "<" || head == "<=", descending = head == ">" || head == ">=";
    if ((!ascending && !descending) || form.items.size() < 3 || form.items.size() > 4)
      return false;
    const auto argument = std::ranges::find_if(core_.arguments, [&](const Argument& one) {
      return std::ranges::count_if(form.items, [&](const Form& item) { return item.is_symbol(one.name); }) == 1;
    });
    if (argument == core_.arguments.end())
      return false;
    const size_t at =
        size_t(std::ranges::find_if(form.items, [&](const Form& item) { return item.is_symbol(argument->name); }) -
               form.items.begin());
    for (size_t i = 1; i < form.items.size(); ++i)
      if (i != at && !constant(form.items[i]))
        return false;
    const bool strictly = head == "<" || head == ">";
    for (size_t i = 1; i < form.items.size(); ++i)
      if (i != at)
        narrow(*argument, *constant(form.items[i]), (i < at) == ascending, strictly);
    return true;
  }

  void narrow(const Argument& argument, const Number& end, bool from_below, bool strictly) {
    Ends& ends = ends_.at(argument.name);
    ends.said = true;
    if (from_below)
      ends.low = std::max(ends.low, rounded_up(end, argument.format, strictly));
    else
      ends.high = std::min(ends.high, rounded_down(end, argument.format, strictly));
  }

  const Core& core_;
  std::map<std::string, Ends> ends_;
  Precondition found_;
};

} // namespace

Precondition precondition_of(const Core& core) { return Reading(core).run(); }

} // namespace faultline::frontend::fpcore
