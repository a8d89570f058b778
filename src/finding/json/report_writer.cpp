#include "finding/json/report_writer.h"

#include "finding/json/finding_json.h"
#include "finding/json/json.h"
#include "finding/json/problem_json.h"
#include "finding/problem.h"

namespace faultline::finding {
namespace {

constexpr int step = 2; // of indentation

// Texts of JSON have no line breaks but those between lines.
std::string indented(const Json& json, size_t depth) {
  const std::string text = json_text(json, step), margin = "\n" + std::string(depth * step, ' ');
  std::string result;
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    result.append(text, from, end - from);
    if (end < text.size())
      result += margin;
    from = end + 1;
  }
  return result;
}

class Writing {
public:
  explicit Writing(const Sink& sink) : sink_(sink) {}

  void run(const RankedReport& ranked) {
    begin(report_head(ranked.report), 0);
    list("targets", ranked.report.targets, 1, [&](const TargetReport& target) {
      begin(target_head(target), 2);
      list("findings", target.findings, 3, [&](const Finding& finding) { sink_(indented(to_json(finding), 4)); });
      sink_(line(2) + "}");
    });
    sink_(",");
    list("problems", shown_problems(ranked), 1, [&](const Problem& problem) { sink_(indented(to_json(problem), 2)); });
    sink_("\n}\n");
  }

private:
  static std::string line(size_t depth) { return "\n" + std::string(depth * step, ' '); }

  // An object that is not empty, up to the comma before its next member.
  void begin(const Json& head, size_t depth) {
    const std::string text = indented(head, depth), end = line(depth) + "}";
    sink_(std::string_view(text).substr(0, text.size() - end.size()));
    sink_(",");
  }

  template <class Elements, class Write>
  void list(const char* key, const Elements& elements, size_t depth, const Write& write) {
    sink_(line(depth) + "\"" + key + "\": [");
    bool first = true;
    for (const auto& element : elements) {
      sink_((first ? "" : ",") + line(depth + 1));
      write(element);
      first = false;
    }
    sink_(first ? "]" : line(depth) + "]");
  }

  const Sink& sink_;
};

} // namespace

void write_report(const RankedReport& report, const Sink& sink) { Writing(sink).run(report); }

} // namespace faultline::finding
