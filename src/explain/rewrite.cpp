#include "explain/rewrite.h"

#include <iterator>

namespace faultline::explain {

std::vector<Rewritten> rewrites_of(const tape::Tape& tape, uint32_t record, std::span<const long double> values,
                                   const std::vector<std::string>& inputs, Texts texts) {
  std::vector<Rewritten> all;
  for (auto* rules : {rewrites_of_inverses, rewrites_of_variances, rewrites_of_differences, rewrites_of_sums,
                      rewrites_of_functions, rewrites_of_ranges}) {
    Sketch sketch(tape, values, tape.site(record).format, inputs, texts);
    for (Rewritten& rewritten : rules(sketch, record)) {
      if (texts == Texts::written) {
        rewritten.legend = sketch.legend(rewritten.before.text + " " + rewritten.after.text + " " + rewritten.note);
        if (!rewritten.note.empty())
          rewritten.legend = rewritten.note + (rewritten.legend.empty() ? "" : ", ") + rewritten.legend;
      }
      all.push_back(std::move(rewritten));
    }
  }
  return all;
}

} // namespace faultline::explain
