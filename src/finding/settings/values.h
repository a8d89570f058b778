// Reads values of options from text: x=LO:HI, A=4x4, 10s. Every function throws UserError that quotes the option and
// the value and describes the expected form.
#pragma once

#include "finding/settings/settings.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace faultline::finding {

// Splits NAME=VALUE at the first '='.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text, const char* form);

std::pair<std::string, Range> range_from(const std::string& text);                // x=LO:HI
std::pair<std::string, Everyday> everyday_from(const std::string& text);          // x=LO:HI, x=LO:HI:LEAST
std::pair<std::string, std::vector<uint64_t>> size_from(const std::string& text); // A=32, A=4x4, 32 (for all)
std::pair<std::string, std::string> alias_from(const std::string& text);          // y=x
std::pair<std::string, numeric::Format> format_from(const std::string& text);     // x=binary32
std::pair<std::string, numeric::Value> held_from(const std::string& text);        // n=4
Status status_from(const std::string& text);                                      // return=0, return
std::pair<std::string, std::string> reference_from(const std::string& text);      // FILE:FUNCTION
Norm norm_from(const std::string& text);                                          // inf, 2, component
Wanted wanted_from(const std::string& text);                                      // error,crashes
OracleName oracle_from(const std::string& text);
CheckedLine checked_line_from(const std::string& text);                // FILE:LINE
Scope scope_from(const std::string& text);                             // everyday, all
CheckSampling sampling_from(const std::string& text);                  // uniform, log
int exponent_bits(const std::string& option, const std::string& text); // a number of bits, from 1

double duration(const std::string& option, const std::string& text);         // 10s, 500ms, 2m, 1h, 10: in seconds
double positive(const std::string& option, const std::string& text);         // a finite number above 0
uint64_t whole(const std::string& option, const std::string& text);          // a whole number
uint64_t positive_whole(const std::string& option, const std::string& text); // and not 0

std::vector<std::string> comma_list(const std::string& text); // a,b,c

// Reads --at x=1e-7, --at x=1e-7,y=2, --at A=1,2,3: a part without a name continues the array before it. The result has
// one entry per input cell: x, y, A[0], A[1], A[2]. A single value keeps the name as written.
std::map<std::string, std::string> input_from(const std::vector<std::string>& texts);

} // namespace faultline::finding
