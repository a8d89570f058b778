// Runs inputs in a session and keeps the straight code of each path.
#pragma once

#include "exec/session.h"
#include "prove/branch_and_bound.h"

#include <map>
#include <memory>

namespace faultline::prove {

class PathReader {
public:
  // The session must record decisions and hold the integer inputs (exec::Recording): a run's code holds for runs with
  // the same integers. `outputs`: indices into the target's.
  PathReader(exec::Session& session, const std::vector<InputDimension>& inputs, std::vector<size_t> outputs,
             std::vector<numeric::Format> formats);

  PathAt path_at(const std::vector<double>& input);
  size_t paths() const { return codes_.size(); }
  size_t longest() const; // steps of the longest path so far

private:
  struct CodeOrObstacle {
    std::unique_ptr<StraightCode> code;
    std::string obstacle;
    int reads = 1;
  };
  CodeOrObstacle read(const exec::Input& input, const tape::Tape& tape);
  std::vector<double> integers_of(const exec::Input& input) const;
  std::string words_of(const NoCode& obstacle) const;

  exec::Session& session_;
  std::vector<numeric::Format> input_formats_;
  std::vector<size_t> integers_; // the integer inputs
  std::vector<size_t> outputs_;
  std::vector<numeric::Format> formats_;
  std::map<std::pair<uint64_t, std::vector<double>>, CodeOrObstacle> codes_; // by path, and the integers
};

} // namespace faultline::prove
