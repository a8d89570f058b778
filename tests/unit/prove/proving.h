// A proof about the one function of a small source.
#pragma once

#include "../session_fixture.h"

#include "prove/branch_and_bound.h"
#include "prove/path_reader.h"

#include <memory>

namespace faultline::test {

class Proof {
public:
  // `checkable`: for a certificate (prove::BoxBound).
  Proof(const std::string& text, std::vector<prove::InputDimension> inputs, model::Sizes sizes = {},
        bool checkable = false)
      : session_(open_text(text, ".c", "f", options(std::move(sizes)))), inputs_(std::move(inputs)) {
    for (size_t i = 0; i < session_.target().outputs.size(); ++i) {
      outputs_.push_back(i);
      formats_.push_back(session_.target().outputs[i].type.format);
    }
    paths_ = std::make_unique<prove::PathReader>(session_, inputs_, outputs_, formats_);
    proof = std::make_unique<prove::BranchAndBound>(
        inputs_, outputs_.size(), 0, [this](const std::vector<double>& at) { return paths_->path_at(at); }, checkable);
  }

  void run(uint64_t boxes = 20'000, bool wide_borders = true) {
    for (const auto measure : {prove::Measure::absolute, prove::Measure::ulps, prove::Measure::relative})
      proof->run(measure, {.boxes = proof->evaluated() + boxes, .wide_borders = wide_borders}, [] { return true; });
  }

  double proven(prove::Measure measure = prove::Measure::absolute) const { return proof->proven(0, measure); }
  exec::Session& session() { return session_; }
  size_t paths() const { return paths_->paths(); }
  prove::PathAt path_at(const std::vector<double>& at) { return paths_->path_at(at); }

  // |computed - exact| of the first output, by a run in high precision.
  double true_error(const exec::Input& input) {
    const long double computed = session_.run(input).outputs[0].value;
    numeric::BigFloat difference = session_.lift(input, 300).outputs.at(0);
    mpfr_sub(difference.raw(), difference.raw(), numeric::BigFloat(computed, 64).raw(), MPFR_RNDN);
    return std::fabs(mpfr_get_d(difference.raw(), MPFR_RNDA));
  }

  std::unique_ptr<prove::BranchAndBound> proof;

private:
  static Options options(model::Sizes sizes) {
    Options options;
    options.sizes = std::move(sizes);
    options.recording = {.decisions = true, .integers_held = true};
    return options;
  }

  exec::Session session_;
  std::vector<prove::InputDimension> inputs_;
  std::vector<size_t> outputs_;
  std::vector<numeric::Format> formats_;
  std::unique_ptr<prove::PathReader> paths_;
};

inline prove::InputDimension doubles(double low, double high) { return {numeric::Format::binary64, {low, high}, {}}; }
inline prove::InputDimension integers(double low, double high) {
  return {.format = numeric::Format::binary64, .range = {low, high}, .error = {}, .whole = true};
}
inline prove::InputDimension floats(double low, double high) { return {numeric::Format::binary32, {low, high}, {}}; }

} // namespace faultline::test
