// Code for candidates, in C, C++ and Fortran: with as few parentheses as the language needs, temporaries for parts that
// occur again, and the texts of the source for parts that stay.
#pragma once

#include "fix/candidates.h"

#include <string>
#include <vector>

namespace faultline::fix {

enum class Language : uint8_t { c, cpp, fortran };

// How tightly the outermost operator of a text binds.
enum class Binding : uint8_t { sum, product, prefix, atom };

// The text of a part in the source: b * b, or the name of a temporary that holds it.
struct SourceText {
  Term term;
  std::string text;
  Binding binding = Binding::atom;
};

struct Style {
  Language language = Language::c;
  Format format = Format::binary64;
  std::vector<SourceText> texts = {};    // of parts of the original; variables without one have their names
  std::vector<std::string> taken = {};   // names that temporaries must not have
  std::string type = {};                 // of the temporaries; empty: by language and format (real(8) in Fortran)
};

struct Temporary {
  std::string name, text;
};

struct WrittenBranch {
  std::string condition; // fabs(x) < 0.1; empty for the last branch
  std::vector<Temporary> temporaries;
  std::string text;
};

// A function that the branches call: its name, and its definition in the language.
struct Helper {
  std::string name, definition;
};

struct Written {
  std::vector<WrittenBranch> branches;
  std::vector<Helper> helpers;
  std::vector<std::string> headers; // math.h, cmath; modules in Fortran
};

Written write(const std::vector<Branch>& branches, const Style& style);
std::string write_term(const Term& term, const Style& style); // without temporaries

} // namespace faultline::fix
