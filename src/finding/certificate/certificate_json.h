// Certificates as JSON (FILE.proof.json; docs/bounds.md).
#pragma once

#include "finding/certificate/certificate.h"
#include "finding/json/fields.h"

#include <string>
#include <string_view>

namespace faultline::finding {

template <>
void Fields::list(Certificate& certificate);
void carry_path(const Value& value, CertifiedPath& path, size_t inputs); // of a function with so many

Json to_json(const CertifiedPath& path);
std::string certificate_text(const Certificate& certificate);

// Throws UserError that names the place: something is missing, of the wrong kind, or refers to what is not there. What
// is read is whole, and says nothing yet about whether it is true.
Certificate parse_certificate(std::string_view text, const std::string& name);
// The same of a file, which may be anybody's: its size, and what it takes in memory, are bounded.
Certificate load_certificate(const std::string& file);

} // namespace faultline::finding
