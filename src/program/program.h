// A program and the targets found in it. It consists of compiled sources, bitcode and what a build captured
// (program/capture), linked to one module.
//
// It is linked twice. Analysing targets reads functions and their debug information, in the end all of them, and a
// worker that inherits these must free them before it can run its one target. So the module for execution stays unread
// until then.
#pragma once

#include "program/capture/section.h"
#include "program/sources.h"
#include "program/target_names.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
template <typename T> class ArrayRef;
class Function;
class GlobalValue;
class Module;
class LLVMContext;
} // namespace llvm

namespace faultline::program {

// Hashes of the code that a function can reach. Two programs in which they are equal run the same code when the
// function is called, whatever else has changed.
struct ReachHash {
  std::string code;   // 64 hexadecimal digits
  std::string places; // the same for file names (without folders) and lines

  bool operator==(const ReachHash&) const = default;
};

struct Linked;
class Unit;
struct HarnessNotes;

class Program {
public:
  // Leaves out files that do not compile (program/load_files.h). Throws UserError if a file is missing or malformed,
  // if none compiles, or if one does not link with the others.
  static Program load(const Sources& sources);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // Messages for the user: files left out and why, guessed flags, duplicate definitions.
  const std::vector<std::string>& remarks() const { return remarks_; }
  // "1 of 3 files is left out, as it does not compile: b.c"; empty if there is none.
  std::string left_out_remark() const;

  // The functions of a build that have no harness because they were not named; empty if there are none.
  const std::string& without_harness() const { return without_harness_; }

  // Sets the layout of each target. The sizes and aliases given to the calls below then only serve to check names.
  void shape_by(ShapesOf shapes_of) { shapes_of_ = std::move(shapes_of); }

  // Returns all functions of the program that a user could mean, suitable or not, in source order.
  std::vector<model::Target> targets(const model::Sizes& sizes, const model::Aliases& aliases = {});

  // Returns the targets of this name, suitable or not, with all overloads of a C++ name, but only the suitable ones if
  // there are any. Throws UserError with the nearest names if there is none.
  std::vector<model::Target> named(const std::string& name, const model::Sizes& sizes,
                                   const model::Aliases& aliases = {});
  // Does the same for several names. Also throws UserError if a target is unsuitable or, with `callable`, if it cannot
  // be called.
  std::vector<model::Target> find(const std::vector<std::string>& names, const model::Sizes& sizes,
                                  bool callable = false, const model::Aliases& aliases = {});

  // Returns the target, which must not be a harness's, with arrays of these shapes. Throws UserError.
  model::Target laid_out(const model::Target& target, const model::Shapes& shapes);

  // Adds the driver (a function that calls the target with the argument block) and drops everything that it does not
  // reach. Throws UserError if the target uses an unsupported format. The program cannot be used for other targets
  // afterwards.
  void reduce_to(const model::Target& target);
  static constexpr const char* driver_symbol = "faultline_driver";

  // Returns the part of the program that these symbols reach as bitcode for native compilation: exactly what a hunt
  // runs. Everything else is dropped, including main, and the program cannot be used afterwards. Throws UserError if
  // the bitcode is damaged.
  std::string bitcode_of(const std::vector<std::string>& symbols);

  // Returns the whole program with its debug information as bitcode. Throws UserError as above.
  std::string bitcode();

  // Returns the hashes of each target's code. Equal hashes mean equal code.
  std::vector<ReachHash> reach_hashes(const std::vector<model::Target>& targets);

  // Finds a function by its name in the source or its symbol, for inspection. Throws UserError with the nearest names.
  llvm::Function* function(const std::string& name);

  // What was captured of the files that a build made. Sources and bitcode do not count.
  const CaptureSummary& captured() const { return captured_; }
  // The machine code in these files.
  const std::vector<MachineCode>& machine_code() const { return machine_code_; }

  // Transfers ownership of the module and its context, for execution.
  std::unique_ptr<llvm::LLVMContext> take_context();
  std::unique_ptr<llvm::Module> take_module();

private:
  Program();
  void add_built(const std::string& file, const Sources& sources);
  // Keeps the roots, everything that they reach, and the static constructors that the targets need.
  void keep(llvm::ArrayRef<llvm::GlobalValue*> roots, llvm::ArrayRef<const llvm::Function*> targets);
  ShapesOf shapes_for(const model::Sizes& sizes, const model::Aliases& aliases);
  const HarnessNotes& notes();
  model::Target target_of(const llvm::Function& function, const ShapesOf& shapes_of);

  // The module for analysis: functions are read from it on demand.
  llvm::Module& analysis_module();

  std::vector<Unit> units_;
  std::unique_ptr<Linked> execution_;         // for execution: not read before the target is known
  std::unique_ptr<Linked> analysis_;          // linked on first use
  std::unique_ptr<const HarnessNotes> notes_; // of analysis_; null until first use
  CaptureSummary captured_;
  std::vector<MachineCode> machine_code_;
  bool as_written_ = false; // a directly callable function needs no output to be covered
  std::vector<std::string> files_;
  std::vector<std::string> left_out_, remarks_;
  std::string without_harness_;
  ShapesOf shapes_of_;
};

} // namespace faultline::program
