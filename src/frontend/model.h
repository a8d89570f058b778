// Plain data that searches, proofs and findings share. It is here because all of them see this layer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

// In what an error is measured.
enum class ErrorMeasure : uint8_t { absolute, ulps, relative };
inline constexpr std::array all_measures = {ErrorMeasure::absolute, ErrorMeasure::ulps, ErrorMeasure::relative};
std::string_view text(ErrorMeasure measure);
std::optional<ErrorMeasure> error_measure_of(std::string_view text);

// What is known of one way that a decision of the code can go.
enum class Standing : uint8_t { covered, infeasible, open };
std::string_view text(Standing standing);
std::optional<Standing> standing_of(std::string_view text);

// Which executions of an addition are checked for precision loss and cancellation (search/checks.h).
enum class CheckSampling : uint8_t { uniform, logarithmic };

// A line whose additions are checked.
struct CheckedLine {
  std::string file; // a path, or its last parts
  int line = 0;

  bool operator==(const CheckedLine&) const = default;
};

// What calls of the code under test may cost.
struct CallLimits {
  double call_seconds = 1;   // CPU time, as all of these
  double native_seconds = 5; // without a tape
  double lifted_seconds = 10;
  uint64_t lifted_operations = 50'000'000; // of one lifted run
  uint64_t oracle_operations = 40'000'000; // of all lifted runs of a session, high precisions counting more
  uint64_t heap_bytes = 512u << 20;

  bool operator==(const CallLimits&) const = default;
};

// A worker died or hung.
struct WorkerDeath {
  bool hung = false; // else it died of `signal`, or ended with `status`
  int signal = 0;
  int status = 0;
  bool in_call = false;           // of the target
  bool in_reference = false;      // in the user's reference
  std::vector<long double> input; // of the call under way, as far as the shared memory tells
  bool in_constructors = false;   // of the program
  bool out_of_time = false;       // it hung until the time of the whole job was over
};

} // namespace faultline::frontend
