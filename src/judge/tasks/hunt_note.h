// What a hunt in one function has to tell beside its findings, in a sentence or two.
#pragma once

#include "judge/exceptions/exceptions.h"
#include "judge/exceptions/observations.h"
#include "judge/judge.h"

namespace faultline::judge {

// `elsewhere`: outputs that are not made by the code (judge/origins.h), if there are any.
std::string hunt_note(const frontend::Target& target, const finding::Settings& settings, const std::string& elsewhere,
                      const Observations& observations, const Judge& judge, const ExceptionJudge& exceptions);

} // namespace faultline::judge
