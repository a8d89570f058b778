// One HTML file of parts: a template of web/, styles, scripts and data.
#pragma once

#include <map>
#include <span>
#include <string>

namespace faultline::report {

const std::map<std::string, std::string>& web_files(); // by the build: web/, and uPlot if it is there

std::string web_file(const std::string& name); // nothing, if it is not there
// The template with the styles, the scripts as one, which see nothing of others, and the data as JSON in it.
std::string page_of(const std::string& name, std::span<const char* const> styles, std::span<const char* const> scripts,
                    const std::string& data);

} // namespace faultline::report
