// Forms: the ways of a graph to write a class that are worth keeping, with the values that code computes at the
// points, and how wrong these are. The forms of an operation are made of those of its operands, so the error of each
// is measured, not estimated: a form counts by its own value against the exact value of its class.
//
// A class keeps few forms: the best on average, the shortest, and those that are better than all others at some points.
#pragma once

#include "fix/graph.h"

#include <map>

namespace faultline::fix {

struct Form {
  Term term;
  std::vector<Value> values = {}; // by point
  std::vector<float> bits = {};   // of error, by point
  double total = 0;          // of bits
};

// log2(1 + number of floats between), at most that of a NaN.
inline constexpr float most_bits = 64;
float bits_between(Value computed, Value exact, Format format);
// The distance in ulps of the exact value.
double ulps_between(Value computed, Value exact, Format format);

struct FormLimits {
  size_t kept = 5;       // forms of a class; a guess
  size_t kept_last = 40; // of the class that is asked for
  int largest = 80;      // nodes of a term; a guess
  int rounds = 16;
};

class FormSearch {
public:
  FormSearch(const Graph& graph, Format format, FormLimits limits = {});

  // A term that stands for the class near some points only: a series. `covers`: by point.
  void add_approximation(ClassId id, const Term& term, std::vector<char> covers) {
    approximations_[graph_.find(id)].push_back({term, std::move(covers)});
  }
  // Computes forms of all classes, from the leaves up.
  void run(ClassId wanted);
  const std::vector<Form>& forms_of(ClassId id) const { return forms_[graph_.find(id)]; }

private:
  struct Exact {
    std::vector<Value> rounded; // NaN: unknown
  };
  struct Draft {
    std::optional<Term> term = {}; // or an operation on forms
    Op op = Op::none;
    std::array<const Form*, 3> operands = {};
    std::vector<Value> values = {};
    std::vector<float> bits = {};
    double total = 0;
    int size = 1;
    double score() const;
  };
  const Exact& exact_of(ClassId id);
  std::vector<Draft> drafts_of(ClassId id);
  void judge(Draft& draft, const Exact& exact) const;
  bool update(ClassId id, size_t kept);

  const Graph& graph_;
  Format format_;
  FormLimits limits_;
  std::vector<std::vector<Form>> forms_;
  std::vector<std::optional<Exact>> exact_;
  std::map<ClassId, std::vector<std::pair<Term, std::vector<char>>>> approximations_;
  std::vector<Point> points_;
};

} // namespace faultline::fix
