// Texts for numbers, inputs and verdicts on a terminal.
//
// Values (inputs, outputs) are printed so that they can be pasted; measures (errors, conditions) with three digits.
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

// One line per input. An array is one line, abbreviated if it is long: "A = [1, 2, 3, ... 32 values]".
std::vector<std::string> input_lines(const std::vector<finding::NamedNumber>& input);

// A short form: "a=1, b=1e9". Values with many digits are shortened, and arrays abbreviated.
std::string brief_input(const std::vector<finding::NamedNumber>& input);
// A decimal with at most `digits` significant digits, in the usual form: 1e9, -7.45e-9, inf.
std::string brief_number(const std::string& decimal, int digits);

std::string error_text(const finding::Error& error);
// The parts of the error that are due to the method and to rounding.
std::string parts_text(const finding::ErrorParts& parts);
std::string_view norm_name(const std::string& norm); // "max", for the norm of a finding::Error
// "error of A in the max norm: 1.2e-3" if the error is that of a whole array; else empty.
std::string array_error_text(const finding::Finding& finding);
std::string cause_text(finding::Kind kind, const finding::Cause& cause);

// The verdict and its meaning for this kind of finding; empty for kinds without verdicts.
std::string verdict_text(finding::Kind kind, finding::Verdict verdict);

// How the caller is informed of an exception.
std::string reported_text(const finding::Aftermath& aftermath);

// The number of further witnesses, with a few of them if they have one number each; empty if there are none.
std::string witnesses_text(const finding::Finding& finding);

std::string oracle_text(const std::string& oracle);

// file:line:column: the known parts.
std::string location_text(const std::string& file, int line, int column);

} // namespace faultline::report
