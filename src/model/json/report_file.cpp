#include "model/json/report_file.h"

#include "base/files.h"
#include "model/json/finding_json.h"

#include <algorithm>

namespace faultline::model {
namespace {

using Event = Json::parse_event_t;

// A million findings of usual size take 4 to 6 GB. One with an array of 131,072 numbers takes about twenty megabytes.
constexpr base::ReadLimits limits{.all = uint64_t(16) << 30, .between = uint64_t(128) << 20};

// A JSON value takes some hundred bytes of memory, and as few as two of text. An array of 131,072 inputs with a dozen
// witnesses has six million.
constexpr uint64_t most_values = 8'000'000;

// The members that are read in addition to the targets. Problems are computed again from the findings.
constexpr std::string_view parts[] = {"faultline",     "schema",   "command", "seed",
                                      "configuration", "baseline", "remarks", "targets"};

// Depths of parts: { "targets": [ { "findings": [ { } ] } ] }
constexpr int of_report = 1, of_target = 2, of_target_members = 3, of_finding = 4;

// A filter between the parser and the document that it builds. It takes targets and findings out.
class Reader {
public:
  explicit Reader(const std::function<void()>& on_progress) : on_progress_(on_progress) {}

  // Returns true to keep the value in the document.
  bool operator()(int depth, Event event, Json& parsed) {
    if (depth == 0 && event == Event::array_start)
      refuse("is a list, not an object");
    if (++values_ > most_values)
      refuse(fmt::format("has more than {} values in one piece, which is the most that is read", most_values));
    if (event == Event::key)
      return enter(depth, parsed.get_ref<const std::string&>());
    if (event == Event::object_start || event == Event::array_start)
      begin(depth, event == Event::array_start);
    else
      return !end(depth, parsed);
    return true;
  }

  std::vector<TargetReport> targets() { return std::move(targets_); }

private:
  bool enter(int depth, const std::string& key) {
    if (depth == of_report)
      part_ = key;
    if (depth == of_target_members)
      member_ = key;
    return depth != of_report || std::ranges::find(parts, key) != std::end(parts);
  }

  void begin(int depth, bool list) {
    if (depth == of_report) {
      in_targets_ = list && part_ == "targets";
      if (in_targets_)
        targets_.clear(); // duplicate key: the later one counts
    }
    if (depth == of_target)
      member_.clear();
    if (depth == of_target || depth == of_target_members) {
      in_findings_ = in_targets_ && list && depth == of_target_members && member_ == "findings";
      if (in_findings_ || depth == of_target)
        findings_.clear();
    }
  }

  // True if the value was taken.
  bool end(int depth, const Json& parsed) {
    if (depth == of_finding && in_findings_) {
      findings_.push_back(from_json<Finding>(
          Place(parsed, fmt::format("targets[{}].findings[{}]", targets_.size(), findings_.size()))));
      values_ = 0;
      if (on_progress_)
        on_progress_();
      return true;
    }
    if (depth == of_target_members)
      in_findings_ = false;
    if (depth == of_target && in_targets_) {
      targets_.push_back(from_json<TargetReport>(Place(parsed, fmt::format("targets[{}]", targets_.size()))));
      targets_.back().findings = std::exchange(findings_, {});
      return true;
    }
    if (depth == of_report)
      in_targets_ = false;
    return false;
  }

  [[noreturn]] static void refuse(const std::string& what) {
    throw base::UserError(base::status_usage, what, "use a file that faultline hunt -o FILE.json wrote");
  }

  const std::function<void()>& on_progress_;
  uint64_t values_ = 0;       // since the last finding
  std::string part_, member_; // the enclosing keys
  bool in_targets_ = false, in_findings_ = false;
  std::vector<TargetReport> targets_;
  std::vector<Finding> findings_; // of the current target
};

} // namespace

void write_report(const RankedReport& report, const Sink& sink, int indentation) {
  Fields fields(sink, indentation);
  fields.list(const_cast<RankedReport&>(report));
  fields.end();
  if (indentation >= 0)
    sink("\n");
}

Report read_report(std::istream& stream, const std::string& name, const std::function<void()>& on_progress) {
  return with_name(name, [&] {
    Reader reader(on_progress);
    const Json json = parse_json(stream, std::ref(reader));
    Report report = from_json<Report>(Place(json, ""));
    report.targets = reader.targets();
    return report;
  });
}

Report load_report(const std::string& file, const std::string& hint) {
  base::BoundedStream bounded(file, limits, hint);
  return read_report(bounded.stream(), file, [&] { bounded.mark_progress(); });
}

} // namespace faultline::model
