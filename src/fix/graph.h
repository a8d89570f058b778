// Graph: many equal terms at once (an e-graph: Nelson and Oppen 1980; Willsey et al., egg, POPL 2021).
//
// A class is a set of nodes that are equal over the reals; a node is an operation on classes. Rules add nodes and merge
// classes, so a rule is applied at all places together, and its result is seen by all others.
//
// Each class knows its exact values at a few points, as balls. Classes merge only if their balls meet at all points
// where both are finite: a rule that does not hold for these inputs has no effect. Signs in conditions of rules are
// those of the values, however the term is written.
#pragma once

#include "fix/term.h"

#include <functional>
#include <unordered_map>

namespace faultline::fix {

using ClassId = uint32_t;
using NodeId = uint32_t;

struct Node {
  Term::Kind kind = Term::Kind::operation;
  Op op = Op::none;
  std::array<ClassId, 3> operands = {};
  uint32_t leaf = 0; // of the graph's leaves
  int generation = 0;
  bool is_duplicate = false; // of another node of its class, since a merge

  int arity() const { return kind == Term::Kind::operation ? ops::arity(op) : 0; }
  bool same(const Node& other) const {
    return kind == other.kind && op == other.op && operands == other.operands && leaf == other.leaf;
  }
};

inline bool commutes(Op op) {
  return op == Op::fadd || op == Op::fmul || op == Op::hypot || op == Op::fmin || op == Op::fmax;
}

// A point with the precision that its exact values need.
struct ExactPoint {
  Point point;
  long precision = 128;
};

class Graph {
public:
  explicit Graph(std::vector<ExactPoint> points, size_t most_nodes) : points_(std::move(points)), most_nodes_(most_nodes) {}

  // Adds a term, with its parts.
  ClassId add(const Term& term, int generation = 0);
  ClassId add(Op op, const std::vector<ClassId>& operands, int generation);
  ClassId add_number(const mpq_class& value);

  // False if the values differ.
  bool merge(ClassId a, ClassId b);
  // Restores congruence after merges.
  void rebuild();

  ClassId find(ClassId id) const;
  std::vector<ClassId> classes() const; // canonical ones, in order
  const std::vector<NodeId>& nodes_of(ClassId id) const { return classes_[find(id)].nodes; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  size_t nodes() const { return nodes_.size(); }
  bool is_full() const { return nodes_.size() >= most_nodes_; }
  const std::vector<numeric::Ball>& values(ClassId id) const { return classes_[find(id)].values; }
  const mpq_class* number(ClassId id) const;
  const std::vector<ExactPoint>& points() const { return points_; }
  const Term& leaf(const Node& node) const { return leaves_[node.leaf]; }

  // A smallest term of the class, as of the last refresh.
  Term smallest(ClassId id) const { return *smallest_[find(id)]; }
  void refresh_smallest();
  // The term of a node with smallest terms as operands.
  Term smallest_of(NodeId id);

private:
  struct Class {
    std::vector<NodeId> nodes, parents;
    std::vector<numeric::Ball> values;
    std::optional<mpq_class> number;
  };
  ClassId add_node(Node node, const Term* leaf);
  Node canonical(Node node) const;
  uint64_t hash_of(const Node& node) const;
  std::optional<NodeId> lookup(const Node& node) const;
  std::vector<numeric::Ball> values_of(const Node& node) const;
  std::optional<mpq_class> folded(const Node& node) const;
  Term smallest_known(NodeId id) const;

  std::vector<ExactPoint> points_;
  size_t most_nodes_;
  std::vector<Term> leaves_;
  std::vector<Node> nodes_;
  std::vector<ClassId> class_of_node_;
  std::vector<Class> classes_;
  mutable std::vector<ClassId> up_; // union-find over classes
  std::unordered_multimap<uint64_t, NodeId> by_hash_;
  std::vector<ClassId> dirty_;
  std::vector<std::optional<Term>> smallest_;
};

} // namespace faultline::fix
