// The map of a range: where no error can be above a threshold (proved), where one is (a witness was found), and what
// lies between.
#pragma once

#include "bound/branch_and_bound.h"

namespace faultline::bound {

class SafetyMap {
public:
  // `error_at`: at an input. The proof must outlive it.
  SafetyMap(BranchAndBound& proof, Measure measure, double threshold,
            std::function<double(const std::vector<double>&)> error_at);

  // Splits boxes that are not safe, until they are small, or seem to be wrong throughout.
  void refine(uint64_t boxes, const std::function<bool()>& keep_going);
  void mark_unsafe(const std::vector<long double>& input);

  // Neighbours are joined where the function has one input. The largest of more than so many are told.
  std::vector<Box> safe(size_t most) const;
  std::vector<Box> unsafe(size_t most) const;
  std::vector<Box> open(size_t most) const;

private:
  enum class Colour : uint8_t { safe, unsafe, open };
  bool is_safe(const BoundedBox& box) const;
  bool has_witness(const Box& box) const;
  bool wants_split(const BoundedBox& box);
  std::vector<Box> coloured(Colour colour, size_t most) const;

  BranchAndBound& proof_;
  Measure measure_;
  double threshold_;
  std::function<double(const std::vector<double>&)> error_at_;
  std::vector<std::vector<double>> witnesses_;
};

} // namespace faultline::bound
