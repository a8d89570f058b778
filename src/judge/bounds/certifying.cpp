#include "judge/bounds/certifying.h"

#include "bound/path_reader.h"
#include "judge/space_of_target.h"
#include "oracle/lifted.h"

#include <map>
#include <unordered_map>

namespace faultline::judge {
namespace {

using finding::Certificate;
using finding::ErrorMeasure;
using finding::ProofNode;

// What certificates do not have yet is the difference between the sides of a branch.
constexpr const char* at_border = "rounding may turn a comparison";

double measured(const bound::OutputBound& bound, ErrorMeasure measure) { return value_of(bound, measure); }

class Certifying {
public:
  Certifying(const bound::BranchAndBound& proof, Certificate& certificate) : proof_(proof), certificate_(certificate) {
    for (bound::OpenBox& open : proof.open())
      open_.emplace(open.node, std::move(open.reason));
  }

  void run() {
    for (size_t i = 0; i < certificate_.outputs.size(); ++i)
      for (const ErrorMeasure measure : finding::all_measures)
        if (const double proven = proof_.proven(i, measure); proven < finding::useless_bound)
          certificate_.outputs[i].claims[size_t(measure)] = proven;
    std::vector<uint32_t> todo = {0};
    while (!todo.empty()) {
      const uint32_t index = todo.back();
      const bound::SplitNode& node = proof_.nodes()[index];
      todo.pop_back();
      if (node.leaf && proof_.leaf(*node.leaf).code && (node.parts == 0 || is_enough(proof_.leaf(*node.leaf)))) {
        add_bounded(proof_.leaf(*node.leaf));
      } else if (node.parts == 0) {
        add_open(index);
      } else {
        certificate_.tree.push_back({ProofNode::Kind::cut, node.input, node.cut});
        todo.push_back(node.parts + 1);
        todo.push_back(node.parts);
      }
    }
  }

private:
  // Boxes are split for all measures alike. One whose bounds are within the claims need not have been.
  bool is_enough(const bound::BoundedBox& box) const {
    for (size_t i = 0; i < certificate_.outputs.size(); ++i)
      for (const ErrorMeasure measure : finding::all_measures)
        if (measured(box.outputs[i], measure) > certificate_.outputs[i].claims[size_t(measure)])
          return false;
    return true;
  }

  void add_bounded(const bound::BoundedBox& box) {
    const auto [path, is_new] = paths_.emplace(box.code, uint32_t(certificate_.paths.size()));
    if (is_new)
      certificate_.paths.push_back(*box.code);
    certificate_.tree.push_back({ProofNode::Kind::bounded, path->second, 0});
    for (size_t i = 0; i < certificate_.outputs.size(); ++i)
      for (const ErrorMeasure measure : finding::all_measures)
        if (const double claim = certificate_.outputs[i].claims[size_t(measure)]; claim != finding::no_claim)
          certificate_.bounds.push_back(finding::rounded_up_to(measured(box.outputs[i], measure), claim));
  }

  void add_open(uint32_t node) {
    const auto open = open_.find(node);
    const auto [reason, is_new] =
        reasons_.emplace(open == open_.end() ? at_border : open->second, uint32_t(certificate_.reasons.size()));
    if (is_new)
      certificate_.reasons.push_back(reason->first);
    certificate_.tree.push_back({ProofNode::Kind::open, reason->second, 0});
  }

  const bound::BranchAndBound& proof_;
  Certificate& certificate_;
  std::unordered_map<uint32_t, std::string> open_; // by node
  std::map<const bound::StraightCode*, uint32_t> paths_;
  std::map<std::string, uint32_t> reasons_;
};

} // namespace

Certificate certificate_of(const bound::BranchAndBound& proof, std::vector<finding::CertifiedInput> inputs,
                           std::vector<finding::CertifiedOutput> outputs, double floor) {
  Certificate certificate;
  certificate.inputs = std::move(inputs);
  certificate.outputs = std::move(outputs);
  certificate.floor = floor;
  Certifying(proof, certificate).run();
  return certificate;
}

void tell_paths(exec::Session& session, const finding::Settings& settings, const finding::PathsTask& task,
                const Tell& tell) {
  const std::vector<size_t> outputs = judged_outputs(session.target(), settings);
  std::vector<bound::InputDimension> inputs;
  for (const frontend::Cell& cell : session.target().inputs)
    inputs.push_back({cell.type.format, {}, {}});
  bound::PathReader reader(session, inputs, outputs, oracle::formats_of(session.target(), outputs));
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    const bound::PathAt path = reader.path_at({task.inputs[i].begin(), task.inputs[i].end()});
    finding::PathMessage message{i, inputs.size(), {}, path.obstacle};
    if (path.code)
      message.code = *path.code;
    tell(message);
  }
}

} // namespace faultline::judge
