// A program: sources compiled, bitcode read, or what a build has captured (frontend/capture), linked to one module,
// with the targets found in it.
//
// It is linked twice: questions (which targets there are, what they look like) read functions and their debug
// information, in the end all of them, and a worker that inherits these must get rid of them before it can run its one
// target. The module for execution stays unread until then.
#pragma once

#include "frontend/capture/section.h"
#include "frontend/sources.h"
#include "frontend/target.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
template <typename T>
class ArrayRef;
class Function;
class GlobalValue;
class Module;
class LLVMContext;
} // namespace llvm

namespace faultline::frontend {

// What a function can run, as a hash: two programs in which a function has the same one run the same code when it is
// called, whatever else has changed around it.
struct ReachHash {
  std::string code;   // 64 hexadecimal digits
  std::string places; // the same, of files (without their folders) and lines

  bool operator==(const ReachHash&) const = default;
};

struct Linked;
class Unit;
struct HarnessNotes;

class Program {
public:
  // Files that do not compile are left out (frontend/load_files.h). Throws UserError: a file is missing, none
  // compiles, one is malformed or does not link with the others.
  static Program load(const Sources& sources);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // What the user should know: files that are left out and why, flags that were guessed, definitions that were double.
  const std::vector<std::string>& remarks() const { return remarks_; }
  // "1 of 3 files is left out, as it does not compile: b.c"; empty: none.
  std::string left_out_remark() const;

  // Which functions of a build have no harness because nobody named them; empty: none.
  const std::string& without_harness() const { return without_harness_; }

  // From now on targets are laid out as this says of each of them; what the calls below are given serves to check
  // names.
  void shape_by(ShapesOf shapes_of) { shapes_of_ = std::move(shapes_of); }

  // All functions of the program that a user could mean, suitable or not, in the order of the source.
  std::vector<Target> targets(const Sizes& sizes, const Aliases& aliases = {});

  // The targets of this name, suitable or not; all overloads of a C++ name, but only the suitable ones if there are
  // any. Throws UserError with the nearest names if there is none.
  std::vector<Target> named(const std::string& name, const Sizes& sizes, const Aliases& aliases = {});
  // The same of these names. Throws UserError also if one is unsuitable; `callable`: if it cannot even be called.
  std::vector<Target> find(const std::vector<std::string>& names, const Sizes& sizes, bool callable = false,
                           const Aliases& aliases = {});

  // The target, which is no harness's, with the arrays that these say. Throws UserError.
  Target laid_out(const Target& target, const Shapes& shapes);

  // Adds the driver (a function that calls the target with the argument block) and drops all that it does not reach.
  // Throws UserError if the target computes in a format that is not supported. The program is of no use for other
  // targets afterwards.
  void reduce_to(const Target& target);
  static constexpr const char* driver_symbol = "faultline_driver";

  // The part of the program that these symbols reach, as bitcode, for native compilation: exactly what a hunt runs. The
  // rest is gone, main too; the program is of no use afterwards. Throws UserError if the bitcode it was read from is
  // damaged.
  std::string bitcode_of(const std::vector<std::string>& symbols);

  // All of it, with its debug information, as bitcode: to load it elsewhere. Throws UserError as above.
  std::string bitcode();

  // What each of these functions can run: equal hashes, equal code (frontend/program.h).
  std::vector<ReachHash> reach_hashes(const std::vector<Target>& targets);

  // A function by its name in the source or its symbol, to look at. Throws UserError with the nearest names.
  llvm::Function* function(const std::string& name);

  // Of the files that a build made. Sources and bitcode are not counted.
  const CaptureSummary& captured() const { return captured_; }

  // Hands over the module and its context, for execution.
  std::unique_ptr<llvm::LLVMContext> take_context();
  std::unique_ptr<llvm::Module> take_module();

private:
  Program();
  void add_built(const std::string& file, const Sources& sources);
  void keep(llvm::ArrayRef<llvm::GlobalValue*> roots); // and what they reach
  ShapesOf shapes_for(const Sizes& sizes, const Aliases& aliases);
  const HarnessNotes& notes();
  Target target_of(const llvm::Function& function, const ShapesOf& shapes_of);

  // The module that questions about the program are asked of: it reads functions to answer them.
  llvm::Module& asked();

  std::vector<Unit> units_;
  std::unique_ptr<Linked> code_;              // what will run: nothing of it is read before the target is known
  std::unique_ptr<Linked> asked_;             // none until it is asked for the first time
  std::unique_ptr<const HarnessNotes> notes_; // of asked_; none until then
  CaptureSummary captured_;
  bool as_written_ = false; // what can be called as it is needs no output to be covered
  std::vector<std::string> files_;
  std::vector<std::string> left_out_, remarks_;
  std::string without_harness_;
  ShapesOf shapes_of_;
};

} // namespace faultline::frontend
