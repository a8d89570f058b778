// Observations of every run, whatever the strategy: exceptions at each location; the first input for each way to crash;
// runs that outgrow the tape; decisions so close that rounding may have made them.
//
// Exceptions are checked in every run of a search, so a run without news must cost almost nothing. A run that shows an
// exception in a better form than all before is kept, with all the exceptions it shows. Better means, in this order:
// the run reports no error (judge/endings.h); the operands were finite; at a pole they were rounded,
// so that exact arithmetic may have a result; no output is NaN. Finally a few of the kept runs are chosen that together
// show every exception in its best form, since each costs oracle time once. Everyday inputs are treated separately, so
// that an exception is also known at one of these, if possible.
#pragma once

#include "exec/guard.h"
#include "judge/endings.h"
#include "ops/table.h"
#include "search/space.h"
#include "tape/exceptions.h"
#include "tape/tape.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace faultline::judge {

// The locations of exceptions, as a person counts them: by source location, operation and kind. Inlined and unrolled
// copies of a line are many sites and one location.
class Locations {
public:
  explicit Locations(const runtime::SiteTable& table);

  uint32_t of(uint32_t site) const { return of_site_[site]; }
  uint32_t site(uint32_t location) const { return first_site_[location]; } // one of the sites at the location
  size_t count() const { return first_site_.size(); }
  const tape::ExceptionScan& scan() const { return scan_; }

private:
  tape::ExceptionScan scan_;
  std::vector<uint32_t> of_site_, first_site_;
};

struct SeenException {
  uint32_t location = 0;
  ops::Exception kind = ops::Exception::none;
  uint32_t record = 0;
  bool consequence = false; // an operand was already an infinity or NaN
};

// One for each location and kind, in their order: the first with finite operands, or else the first. Omits unused
// results (tape::used_records). Distinguishing an underflow from an exact zero needs high precision, so a location that
// yields only zeros gets a limited number of checks.
std::vector<SeenException> shown_exceptions(const tape::Tape& tape, const Locations& locations);

// True for conversions to a narrow integer, for which the machine need not raise a flag: it converts to a wider integer
// first and truncates. In C a result that does not fit is undefined all the same.
bool is_narrow_conversion(const tape::Site& site);

// An exception for which an input is to be judged.
struct ExceptionSite {
  uint32_t location = 0;
  ops::Exception kind = ops::Exception::none;
  std::string found_by = {}; // the means that made the first input that showed it
};
struct Suspect {
  exec::Input input;
  std::vector<ExceptionSite> suspicions;
};

class Observations {
public:
  // Decisions and exceptions need a check of every record, so they are optional.
  struct Wanted {
    bool decisions, exceptions;
  };
  // `space`: of inputs, to identify everyday ones.
  Observations(Wanted wanted, const runtime::SiteTable& table, const Locations& locations,
               const CallerNotice& reporting, const search::Space& space);

  // `found_by`: the means by which the search made the input (search::Evaluator::FoundBy).
  void watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape, std::string_view found_by);

  // Every observed exception in its best form: few inputs, those with the shortest runs first.
  std::vector<Suspect> suspects() const;
  const std::map<exec::Outcome, exec::Input>& crashes() const { return crashes_; } // including time-outs
  // Deliberate ends, an exception or an exit; the first input of each kind.
  const std::vector<std::pair<End, exec::Input>>& endings() const { return endings_; }
  // The number of inputs that the code refused, by handler. The other observations exclude these.
  const std::map<std::string, uint64_t>& refused() const { return refused_; }
  // Undefined symbols that the code needed, by name, with the number of inputs that ended there.
  struct MissingSymbolCount {
    exec::Ending ending;
    uint64_t inputs = 0;
  };
  const std::map<std::string, MissingSymbolCount>& missed() const { return missed_; }
  uint64_t inputs() const { return inputs_; }
  bool all_missed() const;
  const std::map<uint32_t, std::vector<exec::Input>>& close_decisions() const { return close_decisions_; } // by site
  const std::vector<exec::Input>& outgrown() const { return outgrown_; }
  uint64_t runs_outgrown() const { return runs_outgrown_; }

private:
  static constexpr size_t kinds = ops::exception_count + 1; // including none
  static constexpr uint8_t never = 255;
  static constexpr std::array<uint8_t, kinds> filled_with(uint8_t value) {
    std::array<uint8_t, kinds> all{};
    all.fill(value);
    return all;
  }
  struct Seen {                                           // at one location
    std::array<uint8_t, kinds> rank = filled_with(never); // 0 is the best
    std::array<uint8_t, kinds> fruitless{};               // times that it looked new but its value was not used
    uint16_t tiny_looks = 0, pole_looks = 0;
  };
  struct SeenAt {
    std::array<Seen, 2> by{};              // anywhere, and at everyday inputs
    std::array<uint8_t, kinds> found_by{}; // of the first; indices into found_by_names_
    std::array<bool, kinds> ever{};
  };
  struct Kept {
    exec::Input input;
    bool everyday = false;
    uint32_t records = 0;
    struct Sight {
      uint32_t location;
      ops::Exception kind;
      uint8_t rank;
    };
    std::vector<Sight> sights;
  };

  // Exact ties are common (5 * 20 >= 100) and irrelevant: decisions that rounding may have made come first.
  enum class Doubt : uint8_t { none, rounded, turned };
  static Doubt doubt_of(const tape::Tape& tape, uint32_t decision);
  void keep_close(uint32_t site, const exec::Input& input, Doubt doubt);

  void note_end(const exec::Input& input, const exec::Run& run);
  void look_for_exceptions(const exec::Input& input, const exec::Run& run, const tape::Tape& tape,
                           std::string_view found_by);
  bool is_news(const tape::Tape& tape, uint32_t index, uint8_t rank);
  bool is_exact_pole(const tape::Tape& tape, uint32_t index, ops::Exception kind, Seen& seen) const;
  void keep(const exec::Input& input, const tape::Tape& tape, uint8_t rank, std::string_view found_by);
  Seen& seen(uint32_t location) { return seen_[location].by[everyday_run_]; } // for the current run
  void look_for_close_decisions(const exec::Input& input, const tape::Tape& tape);
  uint8_t index_of_found_by(std::string_view found_by);

  Wanted wanted_;
  bool flags_tell_all_; // without a flag of the hardware, a run shows nothing
  const Locations& locations_;
  const CallerNotice& reporting_;
  const search::Space& space_;
  bool everyday_run_ = false; // the current run has an everyday input
  std::vector<SeenAt> seen_;  // by location
  std::vector<Kept> kept_;
  std::vector<std::string> found_by_names_;
  std::map<exec::Outcome, exec::Input> crashes_;
  std::vector<std::pair<End, exec::Input>> endings_;
  std::map<std::string, uint64_t> refused_;
  std::map<std::string, MissingSymbolCount> missed_;
  uint64_t inputs_ = 0;
  std::map<uint32_t, std::vector<exec::Input>> close_decisions_;
  std::map<uint32_t, std::vector<Doubt>> doubts_; // of these inputs
  std::vector<uint16_t> close_looks_;             // checks of close decisions, by site
  std::vector<exec::Input> outgrown_;
  uint64_t runs_outgrown_ = 0;
};

// Outputs of code that is not instrumented: a library's matmul, a BLAS that was not compiled with the target. The tape
// does not contain their operations and the oracle treats them as exact, so a clean result proves nothing.
//
// On the tape such an output looks like a constant (both have record 0). A lifted run distinguishes them, since it
// records stored constants. Only programs that call such functions (Session::foreign) are examined.
class Origins {
public:
  Origins(exec::Session& session, const std::vector<size_t>& outputs) : session_(session), outputs_(outputs) {}

  // Watches a run of the search. Cheap: it looks for outputs that operations on the tape made.
  void watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape);

  // After the search: a sentence that names the outputs made by foreign code, or from rounded values that went through
  // it, with advice. Empty if there are none.
  std::string note();
  // True if no run computed any output here and foreign code made some, or if the errors before a call are not seen: a
  // clean result is then not a judgement. To be called after note().
  bool inconclusive() const { return (!elsewhere_.empty() && computed_.empty()) || rounded_; }

private:
  std::string rounded_note();

  exec::Session& session_;
  const std::vector<size_t>& outputs_;
  std::vector<bool> computed_;      // by target output; empty until one is
  std::vector<exec::Input> inputs_; // a few whose outputs have no operation
  std::vector<size_t> elsewhere_;
  std::vector<exec::Input> samples_;
  uint64_t runs_ = 0, next_sample_ = 8;
  bool rounded_ = false;
};

// The same sentence for one input, for explain; or another one, if no output was computed and foreign code may have
// written zeros.
std::string made_elsewhere(exec::Session& session, const exec::Input& input, const std::vector<size_t>& outputs);

} // namespace faultline::judge
