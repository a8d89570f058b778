// The program of jobs, as a file that another process can load.
#pragma once

#include "finding/job.h"
#include "frontend/program.h"

#include <string>

namespace faultline::campaign {

// A program that is one file of bitcode, or that a build has captured, is named as it is. Otherwise it is written to
// FOLDER/program.bc. Throws frontend::UserError.
finding::ProgramFile program_file(frontend::Program& program, const frontend::Sources& sources,
                                  const std::string& folder);

} // namespace faultline::campaign
