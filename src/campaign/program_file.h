// The program of jobs, as a file that another process can load.
#pragma once

#include "finding/job.h"
#include "frontend/program.h"

#include <string>
#include <vector>

namespace faultline::campaign {

// A program that is one file of bitcode is named as it is. Otherwise what these jobs reach is written to
// FOLDER/program.bc; the program is of no use afterwards. Throws frontend::UserError.
finding::ProgramFile program_file(frontend::Program& program, const frontend::Sources& sources,
                                  const std::vector<finding::Job>& jobs, const std::string& folder);

} // namespace faultline::campaign
