// Functions that make a legal state for the objects of targets (--setup): they get the object and numbers or arrays, or
// return a new object. Which objects a function makes follows from its type, so that a list of functions serves a whole
// library.
#pragma once

#include "program/layout.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <string>
#include <vector>

namespace faultline::program {

class SetupFunctions {
public:
  // Functions of other modules are left out: a source is read alone, before it is linked. Throws UserError if one makes
  // no object, or takes something else than numbers.
  SetupFunctions(const llvm::Module& module, const std::vector<std::string>& names);

  // Lays out a parameter whose object one of the functions makes, and the function's numbers as inputs. The fields of
  // the object are outputs, and no inputs. False if none makes it.
  bool lay_out(model::Target& target, model::Parameter& parameter, const llvm::DIType* type, Layout& layout) const;

private:
  struct Made {
    std::string type; // of the object, by its name
    model::Setup setup;
    std::vector<const llvm::DIType*> types = {}; // of its arguments
  };
  static Made read(const llvm::Function& function, const std::string& name);

  std::vector<Made> made_;
};

} // namespace faultline::program
