// Handlers: functions by which code says that it refuses its input (--reject). Those of well-known libraries are known
// by their names and parameters, and need not be named.
//
// A handler is known by its symbol, by its name in the source (ns::fail), or, in Fortran, by its name without the
// underscore. The compiler must not inline it: the call is what is looked for. It is told so for handlers whose symbol
// is their name; an inlined body is found by its debug information, where something is left of it.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class DISubprogram;
class Function;
} // namespace llvm

namespace faultline::frontend {

struct Handlers {
  std::vector<std::string> names; // as the user gave them
  bool known = true;              // those of the libraries, too
};

// From the values of --reject: names, `auto` (nothing that is not so anyway) and `none` (not those of the libraries).
Handlers handlers_of(const std::vector<std::string>& rejects);

// The name of the handler that the function is, as people write it; empty: it is none.
std::string handler_name(const llvm::Function& function, const Handlers& handlers);
// The same of a function that was inlined.
std::string handler_name(const llvm::DISubprogram& inlined, const Handlers& handlers);

// Arguments of the compiler by which their calls stay calls.
std::vector<std::string> flags_to_keep(const Handlers& handlers);

} // namespace faultline::frontend
