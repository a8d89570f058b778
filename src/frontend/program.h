// A program: sources compiled (or bitcode read) and linked to one module, with the targets found in it.
#pragma once

#include "frontend/target.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
class LLVMContext;
} // namespace llvm

namespace faultline::frontend {

struct Sources {
  std::vector<std::string> files;
  std::vector<std::string> flags;   // the user's, after --
  std::string compilation_database; // -p
  // Not optimised: every condition of the source is a branch of its own. The optimiser evaluates conditions that the
  // source guards, and merges others. Bitcode is taken as it is.
  bool as_written = false;
};

class Program {
public:
  // Throws UserError: a file is missing, does not compile, is malformed, or does not link with the others.
  static Program load(const Sources& sources);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // From now on targets are laid out as this says of each of them; what the calls below are given serves to check
  // names.
  void shape_by(ShapesOf shapes_of) { shapes_of_ = std::move(shapes_of); }

  // All functions of the program that a user could mean, suitable or not, in the order of the source.
  std::vector<Target> targets(const Sizes& sizes, const Aliases& aliases = {});

  // The targets of these names; all overloads of a C++ name. Throws UserError with the nearest names if there is none,
  // or the reason if it is unsuitable; `callable`: if it cannot even be called.
  std::vector<Target> find(const std::vector<std::string>& names, const Sizes& sizes, bool callable = false,
                           const Aliases& aliases = {});

  // Adds the driver (a function that calls the target with the argument block) and drops all that it does not reach.
  // Throws UserError if the target computes in a format that is not supported. The program is of no use for other
  // targets afterwards.
  void reduce_to(const Target& target);
  static constexpr const char* driver_symbol = "faultline_driver";

  // The part of the program that these symbols reach, as bitcode, for native compilation: exactly what a hunt runs. The
  // rest is gone, main too; the program is of no use afterwards. Throws UserError if the bitcode it was read from is
  // damaged.
  std::string bitcode_of(const std::vector<std::string>& symbols);

  // A function by its name in the source or its symbol. Throws UserError with the nearest names.
  llvm::Function* function(const std::string& name);

  // Hands over the module and its context, for execution.
  std::unique_ptr<llvm::LLVMContext> take_context();
  std::unique_ptr<llvm::Module> take_module();

private:
  Program();
  ShapesOf shapes_for(const Sizes& sizes, const Aliases& aliases) const;

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<std::string> files_;
  ShapesOf shapes_of_;
};

} // namespace faultline::frontend
