// Arguments of functions in real runs: the file of `faultline record`, from which a hunt takes ranges, first inputs and
// everyday values (--seen). Plain data.
#pragma once

#include "model/settings/settings.h"
#include "model/target.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

struct SeenInput {
  std::string name; // of the input cell: x, A[3]; of an array whose length the caller decides: A
  std::string type; // binary64, int32
  bool is_array = false;
  bool may_be_output = false;         // perhaps the function only writes it: a hunt ignores it then
  uint64_t shortest = 0, longest = 0; // lengths of the array
  uint64_t negative = 0, zero = 0, nan = 0, infinite = 0;
  uint64_t finite = 0;
  numeric::Value low = 0, high = 0;             // of the finite values, if there are any
  numeric::Value least = 0, most = 0;           // of the magnitudes other than 0; 0 if there are none
  std::map<int, uint64_t> positives, negatives; // number of values per binade: 3 is from 8 to 16

  bool operator==(const SeenInput&) const = default;
};

// The inputs of one call: a number each, or an array's elements.
using SeenCall = std::vector<std::vector<numeric::Value>>;

struct SeenFunction {
  std::string function, symbol, file;
  int line = 0;
  uint64_t calls = 0;   // number of recorded calls
  bool sampled = false; // not all calls were recorded
  std::vector<SeenInput> inputs;
  std::vector<SeenCall> tuples;       // complete calls, sorted, without duplicates
  std::vector<std::string> relations; // that held in all calls, as conditions of --assume (model/settings/relations.h)

  bool operator==(const SeenFunction&) const = default;
};

// A function that was called and could not be recorded.
struct UnseenFunction {
  std::string function, file, reason;

  auto operator<=>(const UnseenFunction&) const = default;
};

struct SeenRuns {
  std::vector<std::string> command; // the recorded command
  uint64_t processes = 0;           // those in which functions were called
  std::vector<SeenFunction> functions;
  std::vector<UnseenFunction> unrecorded = {};
};

inline constexpr size_t most_seen_tuples = 32; // per function: as many as one process keeps

// Adds the data of another process for the same function. Limits tuples to a selection over all of them.
void merge(SeenFunction& seen, const SeenFunction& other);

// Sorts the calls, and leaves a selection of them.
void leave_few(std::vector<SeenCall>& calls);

// Finds a function by its symbol and the name of its file, with the same inputs; null if it was not called.
const SeenFunction* find_seen(const SeenRuns& runs, const Target& target);

// The recorded input for each input of the target; empty if they are not the same.
std::vector<size_t> seen_inputs(const SeenFunction& seen, const Target& target);

// Where an input lies beside the recorded calls: in their ranges and relations; in the ranges where --seen searches,
// up to a factor of two beyond; or elsewhere.
enum class Nearness : uint8_t { inside, near, outside };
std::string_view text(Nearness nearness);
Nearness nearness(const SeenFunction& seen, const Target& target, const std::vector<numeric::Value>& input);

// Makes the recorded values the everyday values of the inputs, except of those that have a setting.
void use_seen(const SeenFunction& seen, const Target& target, Settings& settings);

// The file of `faultline record`, written and read (docs/getting-your-code-in.md).
inline constexpr uint64_t most_seen_bytes = 256u << 20; // of the file: a hundred thousand functions

std::string seen_text(const SeenRuns& runs);
// Throws UserError that names the place. `name` is that of the file.
SeenRuns parse_seen(std::string_view text, const std::string& name);

} // namespace faultline::model
