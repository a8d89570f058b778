// Why a large error is no finding (Judge::counts, judge/pole.h): what explain says of it.
#pragma once

#include "judge/judge.h"

#include <string>

namespace faultline::judge {

std::string why_uncounted(const oracle::OutputJudgement& output, const Judge& judge, const finding::Settings& settings,
                          const frontend::Target& target);

} // namespace faultline::judge
