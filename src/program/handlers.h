// Handlers: functions that code calls to reject its input (--reject). Those of well-known libraries are recognised by
// their names and parameters without --reject.
//
// A handler is identified by its symbol, by its name in the source (ns::fail), or, in Fortran, by its name without the
// underscore. The compiler must not inline it, since its calls are what is detected. Flags prevent this for handlers
// whose symbol is their name; an inlined body is detected by its debug information, where something is left of it.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class DISubprogram;
class Function;
} // namespace llvm

namespace faultline::program {

struct Handlers {
  std::vector<std::string> names; // as the user gave them
  bool known = true;              // includes those of well-known libraries
};

// Parses the values of --reject: names, `auto` (the default) and `none` (excludes those of the libraries).
Handlers handlers_of(const std::vector<std::string>& rejects);

// Returns the source name of the handler that the function is; empty if it is not a handler.
std::string handler_name(const llvm::Function& function, const Handlers& handlers);
// Does the same for an inlined function.
std::string handler_name(const llvm::DISubprogram& inlined, const Handlers& handlers);

// Returns compiler arguments that keep their calls from being inlined.
std::vector<std::string> flags_to_keep(const Handlers& handlers);

} // namespace faultline::program
