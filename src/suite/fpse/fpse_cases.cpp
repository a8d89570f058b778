#include "suite/fpse/fpse_cases.h"

#include "numeric/decimal.h"

#include <array>
#include <cassert>
#include <fmt/format.h>

namespace faultline::suite {

using numeric::BinaryFormat;
using ops::Op;

Path::Term Path::number(std::string_view text) {
  const auto format = format_ == numeric::binary32 ? numeric::Format::binary32 : numeric::Format::binary64;
  const auto value = numeric::parse_number(text, format);
  assert(value && "a literal that the format lacks");
  return system_.constant(numeric::bits_of(value.value_or(0), format_), format_);
}

Path::Term Path::input(const std::string& name) {
  ++variables_;
  return system_.variable(name, constraint::float_sort(format_));
}

Path::Term Path::input(const std::string& name, std::string_view value) {
  const Term term = input(name);
  ++constraints_;
  system_.assert_true(system_.same(term, number(value)));
  return term;
}

Path::Term Path::assign(Op op, Term a, Term b) {
  ++constraints_;
  ++variables_;
  return system_.operation(op, a, b);
}

Path::Term Path::copy(Term a) {
  ++constraints_;
  ++variables_;
  return a;
}

void Path::test(Op op, Term a, Term b, bool outcome) {
  ++constraints_;
  const Term condition = system_.compare(op, a, b);
  system_.assert_true(outcome ? condition : system_.negate(condition));
}

Path dichotomic(int depth, DichotomicPath which) {
  Path path(numeric::binary32);
  const auto number = [&](const char* text) { return path.number(text); };
  Path::Term low = path.input("low"), high = path.input("high"), level = path.input("level");
  Path::Term step = path.subtract(high, low);
  for (int turn = 0; turn < depth; ++turn) {
    path.test(Op::cmp_ogt, step, number("1e-6")); // while
    const Path::Term half = path.divide(step, number("2"));
    const Path::Term middle = path.add(low, half);
    path.test(Op::cmp_ole, middle, low, false);
    const Path::Term cubic = path.multiply(number("0.25"), middle);
    const Path::Term quadratic = path.add(cubic, number("1.5"));
    const Path::Term scaled = path.multiply(quadratic, middle);
    const Path::Term slope = path.add(scaled, number("40"));
    const Path::Term value = path.multiply(slope, middle);
    const Path::Term gap = path.subtract(value, level);
    path.test(Op::cmp_oeq, gap, number("0"), false);
    path.test(Op::cmp_olt, gap, number("0"), false);
    low = path.copy(low);
    step = path.copy(half);
  }
  path.test(Op::cmp_ogt, step, number("1e-6"), false);
  path.test(Op::cmp_ogt, low, number("1e6"), which == DichotomicPath::too_large);
  path.returns(which == DichotomicPath::found ? low : number("-1"));
  return path;
}

using Term = Path::Term;

namespace {

struct Track {
  Term value, rate, alpha, beta;
};

using Replies = std::array<Term, 8>;

// One path, statement by statement.
class Task {
public:
  explicit Task(int number)
      : layer_(number / 9), urgency_(number / 3 % 3), passing_(number % 3), path_(numeric::binary32) {}

  Path run() {
    const Replies range_reply = replies("range"), intruder_reply = replies("intruder"), own_reply = replies("own");
    range_ = track("range");
    intruder_ = track("intruder");
    own_ = track("own");
    const Term pressure_correction = path_.input("pressure_correction");
    const Term air_data_rate = path_.input("air_data_rate");
    update(range_, mean(range_reply), slope(range_reply));
    update(intruder_, path_.add(mean(intruder_reply), pressure_correction), slope(intruder_reply));
    update(own_, path_.add(mean(own_reply), pressure_correction), slope(own_reply));
    own_rate_ = path_.divide(path_.add(own_.rate, air_data_rate), number("2"));
    approach();
    separation();
    decide();
    return std::move(path_);
  }

private:
  Term number(const char* text) { return path_.number(text); }

  Replies replies(const std::string& name) {
    Replies all{};
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = path_.input(fmt::format("{}_reply[{}]", name, i));
    return all;
  }

  Track track(const std::string& name) {
    return {path_.input(name + ".value"), path_.input(name + ".rate"), path_.input(name + ".alpha"),
            path_.input(name + ".beta")};
  }

  Term mean(const Replies& reply) {
    constexpr std::array weights = {"0.02", "0.04", "0.08", "0.11", "0.15", "0.18", "0.20", "0.22"};
    Term sum = path_.multiply(number(weights[0]), reply[0]);
    for (size_t i = 1; i < weights.size(); ++i)
      sum = path_.add(sum, path_.multiply(number(weights[i]), reply[i]));
    return sum;
  }

  Term slope(const Replies& reply) {
    constexpr std::array weights = {"7", "5", "3"};
    Term sum = path_.multiply(path_.subtract(reply[7], reply[0]), number(weights[0]));
    for (size_t i = 1; i < weights.size(); ++i)
      sum = path_.add(sum, path_.multiply(path_.subtract(reply[7 - i], reply[i]), number(weights[i])));
    sum = path_.add(sum, path_.subtract(reply[4], reply[3]));
    return path_.divide(sum, number("84"));
  }

  void update(Track& track, Term measured, Term measured_rate) {
    const Term predicted = path_.add(track.value, track.rate);
    const Term residual = path_.subtract(measured, predicted);
    const Term change = path_.subtract(measured_rate, track.rate);
    track.value = path_.copy(path_.add(predicted, path_.multiply(track.alpha, residual)));
    track.rate = path_.copy(path_.add(track.rate, path_.multiply(track.beta, change)));
  }

  void approach() {
    const Term closing = path_.subtract(number("0"), range_.rate);
    path_.test(Op::cmp_ogt, range_.value, number("0"));
    path_.test(Op::cmp_ogt, closing, number("0"));
    const Term near = path_.divide(number("9229444"), range_.value); // the compiler multiplies constants
    tau_ = path_.divide(path_.subtract(range_.value, near), closing);
    usable_ = path_.subtract(tau_, number("5"));
    path_.test(Op::cmp_ogt, usable_, number("0"));
  }

  void separation() {
    const Term altitude = path_.subtract(intruder_.value, own_.value);
    miss_ = path_.add(altitude, path_.multiply(path_.subtract(intruder_.rate, own_rate_), tau_));
    const Term start = path_.add(own_.value, path_.multiply(own_rate_, number("5")));
    const Term gain = path_.multiply(number("25"), usable_);
    const Term intruder_then = path_.add(intruder_.value, path_.multiply(intruder_.rate, tau_));
    const Term above = path_.subtract(path_.add(start, gain), intruder_then);
    const Term below = path_.subtract(path_.subtract(start, gain), intruder_then);
    advantage_ = path_.add(above, below);
  }

  void decide() {
    path_.test(Op::cmp_olt, own_.value, number("2350"), layer_ == 0);
    if (layer_ != 0)
      path_.test(Op::cmp_olt, own_.value, number("20000"), layer_ == 1);
    constexpr std::array resolution = {"15", "25", "35"}, traffic = {"25", "40", "48"};
    const Term resolution_tau = path_.copy(number(resolution[size_t(layer_)]));
    const Term traffic_tau = path_.copy(number(traffic[size_t(layer_)]));
    path_.test(Op::cmp_ole, tau_, resolution_tau, urgency_ == 0);
    if (urgency_ != 0)
      path_.test(Op::cmp_ole, tau_, traffic_tau, urgency_ == 1);
    constexpr std::array urgencies = {"1", "0.5", "0"};
    const Term urgency = path_.copy(number(urgencies[size_t(urgency_)]));
    path_.test(Op::cmp_ogt, miss_, number("700"), passing_ == 0);
    if (passing_ != 0)
      path_.test(Op::cmp_olt, miss_, number("-700"), passing_ == 1);
    const Term distance = passing_ == 0   ? path_.subtract(number("700"), miss_)
                          : passing_ == 1 ? path_.subtract(number("-700"), miss_)
                                          : path_.subtract(path_.multiply(advantage_, number("0.5")), number("700"));
    const Term drift = path_.divide(distance, usable_);
    path_.returns(path_.add(own_rate_, path_.multiply(urgency, drift)));
  }

  int layer_, urgency_, passing_;
  Path path_;
  Track range_{}, intruder_{}, own_{};
  Term own_rate_ = 0, tau_ = 0, usable_ = 0, miss_ = 0, advantage_ = 0;
};

} // namespace

Path tcas(int number) { return Task(number).run(); }

std::string tcas_name(int number) {
  constexpr std::array layers = {"low", "middle", "high"}, urgencies = {"resolution", "traffic", "clear"},
                       passings = {"above", "below", "level"};
  return fmt::format("{}, {}, {}", layers[size_t(number / 9)], urgencies[size_t(number / 3 % 3)],
                     passings[size_t(number % 3)]);
}

} // namespace faultline::suite
