// A certificate: a proof of the largest error of a function over a range, as data that somebody else can check without
// searching (faultline check; docs/bounds.md has the written form).
//
// It holds the code of each path as operations, and a tree of cuts that divides the ranges into boxes. Each box names
// its path and the bounds that hold in it. That the boxes cover the ranges needs no proof, since they are what the cuts
// leave; that all inputs of a box take its path, and that its bounds follow, is for the checker to see.
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/json/fields.h"
#include "finding/settings/table.h"
#include "numeric/format.h"
#include "ops/op.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

struct CertifiedInput {
  std::string name;
  numeric::Format format = numeric::Format::binary64;
  double low = 0, high = 0;
  double error = 0;     // the exact value may differ from the float by this much
  bool rounded = false; // or by half a unit in the last place, as a real that was rounded

  bool operator==(const CertifiedInput&) const = default;
};

// Bytes: what fits into a message of a worker (exec/worker.h).
inline constexpr size_t largest_certificate = size_t(60) << 20;

inline constexpr double no_claim = std::numeric_limits<double>::infinity();

struct CertifiedOutput {
  std::string name;
  numeric::Format format = numeric::Format::binary64;
  std::array<double, all_measures.size()> claims = {no_claim, no_claim, no_claim}; // in the order of all_measures

  bool operator==(const CertifiedOutput&) const = default;
};

// A number of x87 lies between two doubles; all others are one.
struct CertifiedConstant {
  double low = 0, high = 0;

  bool operator==(const CertifiedConstant&) const = default;
};

struct CertifiedStep {
  ops::Op op = ops::Op::none;
  numeric::Format format = numeric::Format::binary64; // of the result; of a comparison, of what it compares
  std::array<uint32_t, 3> operands = {};              // slots, as many as the operation takes
  std::optional<int64_t> outcome = {};                // of a comparison or a conversion to an integer: on this path

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
    cut,     // of input `which`: floats up to `at` belong to the next node, those above to the one after its tree
    bounded, // a box whose inputs all take path `which`
    open,    // a box of which nothing is proved; `which` is the reason
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
  std::vector<std::string> settings; // by which the function is called: sizes of arrays, integers that are held
  std::vector<CertifiedInput> inputs;
  std::vector<CertifiedOutput> outputs;
  double floor = 0; // relative errors are those of results no smaller than this
  std::vector<CertifiedPath> paths;
  std::vector<std::string> reasons;
  std::vector<ProofNode> tree; // the whole range first, every cut before its parts
  std::vector<double> bounds;  // one for each claim, of each bounded box in turn

  size_t claims() const; // how many there are
  bool complete() const; // no box is open
  bool operator==(const Certificate&) const = default;
};

// What of a function's settings says how it is called, and which of its results count. Whoever checks a certificate
// takes no others from it: it may be anybody's.
Said calling_settings(const Said& said);

// Bounds of a box are written with few digits, rounded up, and never above the claim.
double rounded_up_to(double bound, double claim);

// Certificates as JSON (FILE.proof.json; docs/bounds.md).
template <>
void Fields::list(Certificate& certificate);
void carry_path(const Value& value, CertifiedPath& path, size_t inputs); // of a function with so many

Json to_json(const CertifiedPath& path);
std::string certificate_text(const Certificate& certificate);

// Throws UserError that names the place: something is missing, of the wrong kind, or refers to what is not there. What
// is read is whole, and says nothing yet about whether it is true.
Certificate parse_certificate(std::string_view text, const std::string& name);
// The same of a file, which may be anybody's: its size, and what it takes in memory, are bounded.
Certificate load_certificate(const std::string& file);

} // namespace faultline::finding
