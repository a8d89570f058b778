// The operations of a twin, as a table that is cached beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::run {

struct TwinOptions {
  bool causes = true;  // residues carry the place that contributed most to them
  bool values = false; // the twin writes all values that it computes (run/abi.h: Event)
  bool probes = false; // comparisons and fresh memory obey run::Probe
  bool plain = false;  // no instrumentation: the program itself, compiled by LLVM
  std::vector<std::string> watched = {}; // variables whose values are kept
};

// A declaration of a watched variable.
struct WatchedVariable {
  uint32_t variable = 0; // of TwinOptions::watched
  std::string file;
  int line = 0;
};

// A call of a function that is not instrumented.
struct ForeignCall {
  std::string function;
  uint32_t counter = 0;
  bool floats = false; // it takes or returns floats
};

struct Site {
  std::string file, function, operation;
  int line = 0, column = 0;
  uint32_t place = 0;   // the number that residues carry; 0: none
  uint32_t counter = 0; // of executions
  uint32_t lanes = 1;   // of a vector: operations per execution
  double constant = 0;  // of single_constant

  bool is_arithmetic() const; // an operation that has a residue
};

// An operation whose values are written. Builds differ in how often an operation stands in the code (inlining,
// unrolling, vectors): operations at one place of the source are one.
struct ValueSite {
  std::string file, function;
  int line = 0, column = 0;
  std::string operation; // of the source: "sum" also if it is fused with a product
  std::string form;      // of the build: "addition", "fused addition"
  bool is_binary32 = false;
  bool is_decision = false;  // a comparison, or a rounding to an integer
  bool reassociates = false; // the build may change the order of operations
  bool accumulates = false;  // adds to a variable again and again
};

// The operation of a site that uses a constant of single precision among doubles.
inline constexpr const char* single_constant = "constant in single precision";

// The operation of a site that gets memory from the system or the stack (TwinOptions::probes).
inline constexpr const char* fresh_memory = "fresh memory";

// The operation of a conversion of single precision to double (TwinOptions::probes).
inline constexpr const char* widening = "conversion";

// The operation of a comparison that ends a loop by a tolerance.
inline constexpr const char* tolerance_test = "test of a tolerance";

struct SiteTable {
  std::vector<Site> sites;
  std::vector<WatchedVariable> watched;
  std::vector<ValueSite> values; // with TwinOptions::values
  uint64_t counters = 0;
  std::vector<uint32_t> long_doubles; // the counters of operations in formats that are not followed
  std::vector<ForeignCall> calls;
  std::vector<std::string> foreign;   // called functions that are not instrumented and take or return floats
  std::vector<std::string> functions; // symbols of the instrumented functions
};

std::string text_of(const SiteTable& table);
SiteTable sites_from(const std::string& text); // throws UserError if it is damaged

} // namespace faultline::run
