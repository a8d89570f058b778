#include "judge/tasks/output_told.h"

#include <sstream>

namespace faultline::judge {

using finding::Sentence;
using finding::SentenceRole;

void tell_output(exec::Session& session, const exec::Input& input, const Tell& tell) {
  constexpr size_t most_lines = 20, longest = 200; // of a report that somebody reads
  std::istringstream output(session.printed(input));
  std::string line;
  for (size_t lines = 0; std::getline(output, line); ++lines) {
    if (lines == most_lines) {
      tell(Sentence{SentenceRole::printed, "..."});
      return;
    }
    tell(Sentence{SentenceRole::printed, line.size() > longest ? line.substr(0, longest) + "..." : line});
  }
}

} // namespace faultline::judge
