// How numbers, inputs and verdicts are worded on a terminal.
//
// Values (inputs, outputs) are printed so that they can be pasted back; measures (errors, conditions) to three digits.
#pragma once

#include "finding/finding.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

std::string counted(uint64_t count, std::string_view noun); // 1 error, 2 errors
std::string measure_text(double measure);                   // 7.99e-04
std::string count_text(double count);                       // 3, 4096, 7.2e+12
std::string number_text(const finding::Number& value);      // 1e-07 (0x1.ad7f29abcaf48p-24)

// One line an input; an array is one line, abbreviated if it is long: "A = [1, 2, 3, ... 32 values]".
std::vector<std::string> input_lines(const std::vector<finding::NamedNumber>& input);

// The same for a screen that has to be read at a glance: "a=1, b=1e9"; a value that has more digits than can be typed
// is shortened, an array abbreviated.
std::string brief_input(const std::vector<finding::NamedNumber>& input);
// A decimal with so many significant digits at most, as people write it: 1e9, -7.45e-9, inf.
std::string brief_number(const std::string& decimal, int digits);

std::string error_text(const finding::Error& error);
// Which part of it is the method's, and which rounding's.
std::string parts_text(const finding::ErrorParts& parts);
std::string_view norm_name(const std::string& norm); // "max", of a finding::Error's norm
// "error of A in the max norm: 1.2e-3", where the error is that of a whole array; else empty.
std::string array_error_text(const finding::Finding& finding);
std::string cause_text(finding::Kind kind, const finding::Cause& cause);

// The verdict and what it means for this kind of finding; empty for kinds that are not judged.
std::string verdict_text(finding::Kind kind, finding::Verdict verdict);

// Who tells the caller of an exception.
std::string reported_text(const finding::Aftermath& aftermath);

// How many more inputs show it, with a few of them where they have one number each; empty if there are none.
std::string witnesses_text(const finding::Finding& finding);

std::string oracle_text(const std::string& oracle);

// file:line:column, as far as they are known.
std::string location_text(const std::string& file, int line, int column);

} // namespace faultline::report
