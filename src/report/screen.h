// A hunt's report on one screen: the problems in order of tier and size, the first ones in full, further ones and notes
// with one line each; then the table of functions; then the next commands.
#pragma once

#include "finding/problem.h"
#include "finding/report.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

enum class Detail : uint8_t {
  brief,  // only a line per problem
  normal, // one screen
  full,   // all data of every finding (-v)
};

struct Screen {
  Style style;
  Detail detail = Detail::normal;
  size_t limit = 10;                              // problems in full
  finding::Tier fail_on = finding::Tier::warning; // if this is note, notes are shown in full, too
  std::string program = "faultline";              // the name it was started with, for commands that can be pasted
  bool has_page = false;                          // the hunt wrote an HTML page, so the next step is another one
};

std::string screen_text(const finding::RankedReport& ranked, const SourceLine& source, const Screen& screen);

// Suppressed and known findings (finding/set_aside.h): counted, and shown only with --all.

// Returns a line per reason for hiding something; empty if there is none.
std::string set_aside_text(const finding::Report& report);

// Returns why this finding is suppressed or known; empty if it is neither.
std::string set_aside_text(const finding::Finding& finding);

} // namespace faultline::report
