// A certificate: a proof of the largest error of a function over a range, as data that `faultline check` verifies
// without searching (written form: docs/bounds.md).
//
// It holds the code of each path as operations, and a tree of cuts that divides the ranges into boxes. Each box names
// its path and the bounds that hold in it. The boxes cover the ranges by construction. The checker must verify that all
// inputs of a box take its path, and that the bounds follow.
#pragma once

#include "model/bound_report.h"
#include "model/json/fields.h"
#include "model/settings/table.h"
#include "numeric/format.h"
#include "ops/op.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

struct CertifiedInput {
  std::string name;
  numeric::Format format = numeric::Format::binary64;
  double low = 0, high = 0;
  double error = 0;     // bound of the distance between the float and the exact value
  bool rounded = false; // or half a unit in the last place: the float is a rounded real

  bool operator==(const CertifiedInput&) const = default;
};

// In bytes: the largest that fits into a worker's message (exec/worker.h).
inline constexpr size_t largest_certificate = size_t(60) << 20;

inline constexpr double no_claim = std::numeric_limits<double>::infinity();

struct CertifiedOutput {
  std::string name;
  numeric::Format format = numeric::Format::binary64;
  std::array<double, all_measures.size()> claims = {no_claim, no_claim, no_claim}; // in the order of all_measures

  bool operator==(const CertifiedOutput&) const = default;
};

// An x87 number is an interval between two doubles. All other constants are one double.
struct CertifiedConstant {
  double low = 0, high = 0;

  bool operator==(const CertifiedConstant&) const = default;
};

struct CertifiedStep {
  ops::Op op = ops::Op::none;
  numeric::Format format = numeric::Format::binary64; // of the result; of the operands for a comparison
  std::array<uint32_t, 3> operands = {};              // slots, as many as the operation takes
  std::optional<int64_t> outcome = {};                // of a comparison or a conversion to an integer, on this path

  bool operator==(const CertifiedStep&) const = default;
};

// Slots are the inputs, then the constants, then the results of the steps.
struct CertifiedPath {
  std::vector<CertifiedConstant> constants;
  std::vector<CertifiedStep> steps;
  std::vector<uint32_t> outputs; // slots

  bool operator==(const CertifiedPath&) const = default;
};

struct ProofNode {
  enum class Kind : uint8_t {
    cut,     // of input `which`: floats up to `at` belong to the next node, larger ones to the node after its tree
    bounded, // a box whose inputs all take path `which`
    open,    // a box without a proof; `which` is the reason
  };
  Kind kind = Kind::open;
  uint32_t which = 0;
  double at = 0;

  bool operator==(const ProofNode&) const = default;
};

struct Certificate {
  std::string version; // of Faultline
  std::string function, file;
  int line = 0;
  std::vector<std::string> settings; // how the function is called: sizes of arrays, fixed integers
  std::vector<CertifiedInput> inputs;
  std::vector<CertifiedOutput> outputs;
  double floor = 0; // relative errors are those of results no smaller than this
  std::vector<CertifiedPath> paths;
  std::vector<std::string> reasons;
  std::vector<ProofNode> tree; // the whole range first; every cut before its parts
  std::vector<double> bounds;  // one per claim, for each bounded box in turn

  size_t claims() const; // number of claims
  bool complete() const; // true if no box is open
  bool operator==(const Certificate&) const = default;
};

// Returns the settings that define how a function is called and which of its results count. The checker takes no other
// settings from a certificate, because it does not trust its source.
RawSettings calling_settings(const RawSettings& raw);

// Rounds the bound of a box up to a few digits, but not above the claim.
double rounded_up_to(double bound, double claim);

// Certificates as JSON (FILE.proof.json; docs/bounds.md).
template <> void Fields::list(Certificate& certificate);
void carry_path(const Value& value, CertifiedPath& path, size_t inputs); // of a function with this many inputs

Json to_json(const CertifiedPath& path);
std::string certificate_text(const Certificate& certificate);

// Parses a certificate and checks that it is well-formed, not that it is true. Throws UserError naming the place if a
// part is missing, of the wrong type, or refers to a missing part.
Certificate parse_certificate(std::string_view text, const std::string& name);
// Loads a certificate from an untrusted file: limits its size and the memory it takes.
Certificate load_certificate(const std::string& file);

} // namespace faultline::model
