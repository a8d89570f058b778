// What a procedure does with its arguments, where their declarations do not say: Fortran 77 has no intents and no
// interfaces, and which texts an option can have stands in the comparisons.
//
// Read from the source as flang writes it anew (-fdebug-unparse): in free form, names in lower and keywords in upper
// case, constants folded.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace faultline::frontend {

using FortranWords = std::vector<std::string>; // of a statement, or of an actual argument

class FortranBody {
public:
  void add(FortranWords statement) { statements_.push_back(std::move(statement)); }

  struct Use {
    bool read = false, written = false;
  };
  // Of a dummy argument without an intent. A scalar that is assigned to before anything else is done with it is only
  // written, an array if nothing else is done with it.
  Use use_of(const std::string& name, bool is_array) const;

  // The texts that it is compared with, each once: U and L of lsame(uplo,'U'), uplo == 'L' and select case (uplo).
  std::vector<std::string> texts_compared_with(const std::string& name) const;

  // The actual arguments of the first call of a dummy procedure; empty: it is not called.
  std::vector<FortranWords> arguments_of_call(const std::string& procedure) const;

  // Where a dummy procedure goes: an argument of another procedure.
  struct PassedOn {
    std::string procedure;
    size_t argument = 0;
  };
  std::vector<PassedOn> passed_on(const std::string& procedure) const;

private:
  std::vector<FortranWords> statements_; // with those of internal procedures
};

// By module and name: "m:seglen", ":dtest".
std::map<std::string, FortranBody> fortran_bodies(const std::string& unparsed);
std::string body_key(const std::string& module, const std::string& name);

} // namespace faultline::frontend
