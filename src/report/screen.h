// A hunt's report on one screen: the problems in order of tier and size, the first ones in full, further ones and notes
// a line each; then the table of functions; then what to type next.
#pragma once

#include "finding/problem.h"
#include "finding/report.h"
#include "report/style.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

enum class Detail : uint8_t {
  brief,  // a line for each problem, and no more
  normal, // one screen
  full,   // every finding with all that is known of it (-v)
};

struct Screen {
  Style style;
  Detail detail = Detail::normal;
  size_t limit = 10;                              // problems in full
  finding::Tier fail_on = finding::Tier::warning; // notes are shown in full, too, if they are what counts
  std::string program = "faultline";              // as it was started: for commands that can be pasted
  bool has_page = false;                          // the hunt has written an HTML page: the next step is another
};

std::string screen_text(const finding::RankedReport& ranked, const SourceLine& source, const Screen& screen);

// Findings that are set aside (finding/set_aside.h): counted for a person, shown only with --all.

// A line for each reason why something is not shown; empty if there is none.
std::string set_aside_text(const finding::Report& report);

// Why this finding is set aside; empty if it is not.
std::string set_aside_text(const finding::Finding& finding);

} // namespace faultline::report
