#include "frontend/harness/failed_harnesses.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace faultline::frontend {
namespace {

// An error with the notes behind it.
struct Complaint {
  std::string message;
  HarnessNote* about = nullptr; // the first harness that is named
};

// "harness_mean:3:4: error: ..." names one, and so does "In file included from harness_mean:3:".
HarnessNote* named_in(const std::string& line, HarnessNotes& notes) {
  for (HarnessNote& note : notes.harnesses)
    if (const size_t at = line.find(note.name + ":"); at == 0 || (at != std::string::npos && line[at - 1] == ' '))
      return &note;
  return nullptr;
}

// Flang's first line says which file; the others say what is wrong with it.
bool is_headline(const std::string& line) {
  return line.starts_with("error: Semantic errors in ") || line.starts_with("error: Could not parse ");
}

std::vector<Complaint> complaints_in(const std::string& text, HarnessNotes& notes) {
  std::vector<Complaint> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (is_headline(line))
      continue;
    if (const size_t error = line.find("error: "); error != std::string::npos)
      all.push_back({line.substr(error + std::string_view("error: ").size())});
    if (!all.empty() && !all.back().about)
      all.back().about = named_in(line, notes);
  }
  return all;
}

} // namespace

bool leave_out_failed(const std::string& text, HarnessNotes& notes) {
  const std::vector<Complaint> complaints = complaints_in(text, notes);
  for (const Complaint& complaint : complaints) {
    if (!complaint.about)
      return false;
    if (complaint.about->exists())
      complaint.about->obstacle = fmt::format("it cannot be called by a harness: {}", complaint.message);
  }
  return !complaints.empty();
}

} // namespace faultline::frontend
