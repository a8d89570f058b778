// Options by function, from what a file and the command line say, or from what a report has recorded.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/configuration_file.h"

namespace faultline::cli {

// The frame with the settings that hold for all functions, and a Configuration that knows those of single ones. Throws
// UserError.
campaign::Options configured(const Arguments& typed, campaign::Options frame, ConfigurationFile file);

// The options of the hunt that made the report: without reading a file, which may have changed since. A report that
// says nothing of a configuration was made without one.
campaign::Options as_recorded(const Arguments& typed, const Line& line, const campaign::Report& report);

// Which file was read, in one line on standard error.
void tell_configuration(const campaign::Options& options);

} // namespace faultline::cli
