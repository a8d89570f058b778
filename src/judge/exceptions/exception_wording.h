// Sentences on what became of an exception, with the places.
#pragma once

#include "exec/session.h"
#include "tape/fate.h"

#include <string>

namespace faultline::judge {

// "the infinity is divided into zero at bessel.c:243 and the result is finite". `judged`: outputs.
std::string fate_words(const tape::Tape& tape, const frontend::Target& target, const std::vector<size_t>& judged,
                       uint32_t event, const tape::Fate& fate);

// "follows from the overflow of fmul at f.c:3"; empty if all operands of the event were finite.
std::string consequence_words(const tape::Tape& tape, const frontend::Target& target, uint32_t event);

// "the 0 is what the underflow of fmul at f.c:8 left"; empty if it is a zero in its own right.
std::string vanished_words(const tape::Tape& tape, uint32_t event);

} // namespace faultline::judge
