// A question to the solvers: is there an input that goes along a path of the tree and leaves it at one of its nodes?
#pragma once

#include "constraint/path_condition.h"
#include "search/evaluator.h"
#include "search/paths/path_tree.h"
#include "search/paths/paths.h"
#include "solve/solver.h"

#include <optional>
#include <vector>

namespace faultline::search {

struct PathQuestion {
  const PathTree::Node& node;
  std::vector<int64_t> not_these; // outcomes that the decision there must not have
  std::optional<int64_t> to = {}; // the one that it must have
  constraint::Leaves leaves = constraint::Leaves::as_they_were;
  uint64_t effort = 0;
};

struct PathAnswer {
  solve::Result result;
  bool asked = false;               // there is a path condition
  bool leaves = false;              // values of unknown origin matter
  std::optional<exec::Input> input; // of sat, unless leaves may be anything: then nobody knows how to have them
};

// `inputs` may be narrower than the space that the node's own input is from. The solvers' seed is drawn from `rng`.
PathAnswer ask(Evaluator& evaluator, const PathQuestion& question, const std::vector<constraint::InputRange>& inputs,
               const PathsLimits& limits, numeric::Rng& rng);

} // namespace faultline::search
