// From a proof to its certificate, in the worker: what faultline check needs, and no more of it than the claims need.
#pragma once

#include "bound/branch_and_bound.h"
#include "exec/session.h"
#include "finding/certificate/certificate.h"
#include "finding/job.h"
#include "finding/settings/settings.h"
#include "judge/tasks/tell.h"

#include <string>
#include <vector>

namespace faultline::judge {


// `inputs` and `outputs` are the proof's. The function's name and place are the supervisor's to tell.
finding::Certificate certificate_of(const bound::BranchAndBound& proof, std::vector<finding::CertifiedInput> inputs,
                                    std::vector<finding::CertifiedOutput> outputs, double floor);

// The worker's part of comparing a certificate with a program: the code that each input runs, or why it has none.
void tell_paths(exec::Session& session, const finding::Settings& settings, const finding::PathsTask& task,
                const Tell& tell);

} // namespace faultline::judge
