#include "fix/graph.h"

#include <algorithm>

namespace faultline::fix {

using numeric::Ball;

ClassId Graph::find(ClassId id) const {
  while (up_[id] != id)
    id = up_[id] = up_[up_[id]];
  return id;
}

std::vector<ClassId> Graph::classes() const {
  std::vector<ClassId> all;
  for (ClassId id = 0; id < classes_.size(); ++id)
    if (find(id) == id)
      all.push_back(id);
  return all;
}

const mpq_class* Graph::number(ClassId id) const {
  const auto& number = classes_[find(id)].number;
  return number ? &*number : nullptr;
}

Node Graph::canonical(Node node) const {
  const int arity = node.arity();
  for (int i = 0; i < arity; ++i)
    node.operands[i] = find(node.operands[i]);
  if (arity == 2 && commutes(node.op) && node.operands[0] > node.operands[1])
    std::swap(node.operands[0], node.operands[1]);
  return node;
}

uint64_t Graph::hash_of(const Node& node) const {
  uint64_t hash = uint64_t(node.kind) * 0x9e3779b97f4a7c15 + uint64_t(node.op);
  for (const uint64_t part : {uint64_t(node.operands[0]), uint64_t(node.operands[1]), uint64_t(node.operands[2]),
                              uint64_t(node.leaf)})
    hash = (hash ^ part) * 0xff51afd7ed558ccd + (hash >> 29);
  return hash;
}

std::optional<NodeId> Graph::lookup(const Node& node) const {
  const auto [first, last] = by_hash_.equal_range(hash_of(node));
  for (auto at = first; at != last; ++at)
    if (nodes_[at->second].same(node))
      return at->second;
  return std::nullopt;
}

std::vector<Ball> Graph::values_of(const Node& node) const {
  std::vector<Ball> values;
  values.reserve(points_.size());
  for (size_t i = 0; i < points_.size(); ++i) {
    if (node.kind != Term::Kind::operation) {
      values.push_back(enclosure(leaves_[node.leaf], points_[i].point, points_[i].precision));
      continue;
    }
    const Ball* operands[3] = {};
    for (int k = 0; k < node.arity(); ++k)
      operands[k] = &classes_[find(node.operands[k])].values[i];
    values.push_back(enclosure(node.op, std::span(operands, size_t(node.arity())), points_[i].precision));
  }
  return values;
}

// Exact arithmetic on numbers.
std::optional<mpq_class> Graph::folded(const Node& node) const {
  if (node.kind == Term::Kind::number)
    return leaves_[node.leaf].value();
  if (node.kind != Term::Kind::operation)
    return std::nullopt;
  const mpq_class* operands[3] = {};
  for (int i = 0; i < node.arity(); ++i)
    if ((operands[i] = number(node.operands[i])) == nullptr)
      return std::nullopt;
  const auto small = [](const mpq_class& value) { // powers of huge numbers are not worth their digits
    return mpz_sizeinbase(value.get_num_mpz_t(), 2) < 4096 && mpz_sizeinbase(value.get_den_mpz_t(), 2) < 4096;
  };
  std::optional<mpq_class> result;
  switch (node.op) {
  case Op::fadd:
    result = *operands[0] + *operands[1];
    break;
  case Op::fmul:
    result = *operands[0] * *operands[1];
    break;
  case Op::fdiv:
    if (*operands[1] != 0)
      result = *operands[0] / *operands[1];
    break;
  case Op::fneg:
    result = -*operands[0];
    break;
  case Op::fabs:
    result = abs(*operands[0]);
    break;
  case Op::sqrt:
    if (sgn(*operands[0]) >= 0 && mpz_perfect_square_p(operands[0]->get_num_mpz_t()) &&
        mpz_perfect_square_p(operands[0]->get_den_mpz_t()))
      result = mpq_class(sqrt(operands[0]->get_num()), sqrt(operands[0]->get_den()));
    break;
  default:
    break;
  }
  return result && small(*result) ? result : std::nullopt;
}

ClassId Graph::add_node(Node node, const Term* leaf) {
  node = canonical(node);
  if (const auto known = lookup(node))
    return find(class_of_node_[*known]);
  (void)leaf;
  const NodeId id = NodeId(nodes_.size());
  const ClassId fresh = ClassId(classes_.size());
  nodes_.push_back(node);
  class_of_node_.push_back(fresh);
  by_hash_.emplace(hash_of(node), id);
  up_.push_back(fresh);
  Class made;
  made.nodes.push_back(id);
  classes_.push_back(std::move(made));
  classes_[fresh].values = values_of(node);
  classes_[fresh].number = folded(node);
  for (int i = 0; i < node.arity(); ++i)
    classes_[node.operands[i]].parents.push_back(id);
  if (classes_[fresh].number && node.kind == Term::Kind::operation) {
    merge(fresh, add_number(*classes_[fresh].number));
    return find(fresh);
  }
  return fresh;
}

ClassId Graph::add_number(const mpq_class& value) { return add(Term::number(value)); }

ClassId Graph::add(Op op, const std::vector<ClassId>& operands, int generation) {
  Node node{.op = op, .generation = generation};
  std::copy(operands.begin(), operands.end(), node.operands.begin());
  if (op == Op::fsub) { // a - b is a + -b, also in floats
    node.op = Op::fadd;
    node.operands[1] = add(Op::fneg, {operands[1]}, generation);
  }
  return add_node(node, nullptr);
}

ClassId Graph::add(const Term& term, int generation) {
  if (term.kind() == Term::Kind::operation) {
    std::vector<ClassId> operands;
    for (const Term& operand : term.operands())
      operands.push_back(add(operand, generation));
    return add(term.op(), operands, generation);
  }
  if (term.kind() == Term::Kind::doubled)
    return add(term.operand(0), generation);
  const auto at = std::find(leaves_.begin(), leaves_.end(), term);
  const auto leaf = uint32_t(at - leaves_.begin());
  if (at == leaves_.end())
    leaves_.push_back(term);
  return add_node({.kind = term.kind(), .leaf = leaf, .generation = generation}, &term);
}

bool Graph::merge(ClassId a, ClassId b) {
  a = find(a), b = find(b);
  if (a == b)
    return true;
  for (size_t i = 0; i < points_.size(); ++i) {
    const Ball &x = classes_[a].values[i], &y = classes_[b].values[i];
    if (x.is_finite() && y.is_finite() && !arb_overlaps(x.raw(), y.raw()))
      return false;
  }
  if (classes_[a].parents.size() < classes_[b].parents.size())
    std::swap(a, b);
  Class &into = classes_[a], &from = classes_[b];
  up_[b] = a;
  for (size_t i = 0; i < points_.size(); ++i) // keep the more accurate values
    if (!into.values[i].is_finite() ||
        (from.values[i].is_finite() && from.values[i].accurate_bits() > into.values[i].accurate_bits()))
      into.values[i] = from.values[i];
  if (!into.number)
    into.number = from.number;
  into.nodes.insert(into.nodes.end(), from.nodes.begin(), from.nodes.end());
  into.parents.insert(into.parents.end(), from.parents.begin(), from.parents.end());
  from = Class();
  dirty_.push_back(a);
  return true;
}

void Graph::rebuild() {
  while (!dirty_.empty()) {
    const ClassId id = find(dirty_.back());
    dirty_.pop_back();
    std::vector<NodeId> parents = std::move(classes_[id].parents);
    classes_[id].parents.clear();
    std::vector<NodeId> kept;
    std::sort(parents.begin(), parents.end());
    parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
    for (const NodeId parent : parents) {
      if (nodes_[parent].is_duplicate)
        continue;
      const auto [first, last] = by_hash_.equal_range(hash_of(nodes_[parent]));
      for (auto at = first; at != last; ++at)
        if (at->second == parent) {
          by_hash_.erase(at);
          break;
        }
      const int generation = nodes_[parent].generation;
      nodes_[parent] = canonical(nodes_[parent]);
      nodes_[parent].generation = generation;
      if (const auto same = lookup(nodes_[parent])) {
        const ClassId mine = find(class_of_node_[parent]), other = find(class_of_node_[*same]);
        nodes_[*same].generation = std::min(nodes_[*same].generation, generation);
        if (mine != other && !merge(mine, other))
          kept.push_back(parent); // the values disagree: a rule was wrong somewhere; keep both
        else {
          nodes_[parent].is_duplicate = true;
          std::erase(classes_[find(mine)].nodes, parent);
        }
        continue;
      }
      by_hash_.emplace(hash_of(nodes_[parent]), parent);
      kept.push_back(parent);
    }
    Class& merged = classes_[find(id)];
    merged.parents.insert(merged.parents.end(), kept.begin(), kept.end());
  }
}

void Graph::refresh_smallest() {
  smallest_.assign(classes_.size(), std::nullopt);
  const std::vector<ClassId> all = classes();
  for (bool changed = true; changed;) {
    changed = false;
    for (const ClassId id : all)
      for (const NodeId node_id : classes_[id].nodes) {
        const Node& node = nodes_[node_id];
        int size = 1;
        for (int i = 0; i < node.arity() && size >= 0; ++i) {
          const auto& part = smallest_[find(node.operands[i])];
          size = part ? size + part->size() : -1;
        }
        if (size < 0 || (smallest_[id] && smallest_[id]->size() <= size))
          continue;
        smallest_[id] = smallest_known(node_id);
        changed = true;
      }
  }
}

Term Graph::smallest_known(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.kind != Term::Kind::operation)
    return leaves_[node.leaf];
  std::vector<Term> operands;
  for (int i = 0; i < node.arity(); ++i)
    operands.push_back(*smallest_[find(node.operands[i])]);
  return Term::apply(node.op, std::move(operands));
}

Term Graph::smallest_of(NodeId id) {
  const Node& node = nodes_[id];
  bool known = smallest_.size() == classes_.size();
  for (int i = 0; i < node.arity() && known; ++i)
    known = smallest_[find(node.operands[i])].has_value();
  if (!known)
    refresh_smallest();
  return smallest_known(id);
}

} // namespace faultline::fix
