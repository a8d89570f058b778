#include "report/html/page.h"

#include "report/html.h"

namespace faultline::report {
namespace {

std::string joined(std::span<const char* const> names) {
  std::string text;
  for (const char* name : names)
    text += web_file(name) + "\n";
  return text;
}

// The template with the parts in place of their marks. One pass: a mark in a part stays what it is.
std::string filled(const std::string& page, const std::map<std::string, std::string>& parts) {
  std::string text;
  size_t at = 0;
  while (at < page.size()) {
    size_t next = page.size();
    const std::pair<const std::string, std::string>* part = nullptr;
    for (const auto& candidate : parts)
      if (const size_t found = page.find(candidate.first, at); found < next) {
        next = found;
        part = &candidate;
      }
    text.append(page, at, next - at);
    if (part)
      text += part->second;
    at = next + (part ? part->first.size() : 0);
  }
  return text;
}

} // namespace

std::string web_file(const std::string& name) {
  const auto found = web_files().find(name);
  return found == web_files().end() ? "" : found->second;
}

std::string page_of(const std::string& name, std::span<const char* const> styles, std::span<const char* const> scripts,
                    const std::string& data) {
  return filled(web_file(name), {{"/*uplot-style*/", web_file("uPlot.min.css")},
                                 {"/*style*/", joined(styles)},
                                 {"/*dark-style*/", web_file("dark.css")},
                                 {"/*data*/", script_data(data)},
                                 {"/*uplot*/", web_file("uPlot.iife.min.js")},
                                 {"/*script*/", "(() => {\n\"use strict\";\n" + joined(scripts) + "})();\n"}});
}

} // namespace faultline::report
