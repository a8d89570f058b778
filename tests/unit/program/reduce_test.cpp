// The part of a program that a target reaches, seen in LLVM's terms: what is read, what is kept, what is forgotten.
#include "program/reduce.h"

#include "../temporary_folder.h"
#include "base/error.h"
#include "expect_target.h"
#include "program/program.h"
#include "program/unit.h"

#include <gtest/gtest.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <set>
#include <unistd.h>

namespace faultline::program {
namespace {

void shell(const std::string& command) { ASSERT_EQ(std::system(command.c_str()), 0) << command; }

// A library: f and the function it calls, others, and a table that holds what f calls.
const char* const library = R"(
#define APART __attribute__((noinline))
APART double helper(double x) { return x / 3; }
double f(double x) { return helper(x) - 1; }
APART double unrelated(double x) { return x * 7; }
double other(double x) { return unrelated(x) + helper(x); }
double (*table[2])(double) = {helper, unrelated};
double by_table(double x, int i) { return table[i & 1](x); }
)";

struct Reduced : testing::Test {
  test::TemporaryFolder folder;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;

  std::string bitcode(const std::string& name, const std::string& text) {
    const std::string source = folder.write(name + ".c", text);
    shell("clang-19 -O2 -g -c -emit-llvm " + source + " -o " + folder.path(name + ".bc"));
    return folder.path(name + ".bc");
  }
  void take(Program& program, const std::string& function) {
    program.reduce_to(program.find({function}, {}).at(0));
    context = program.take_context();
    module = program.take_module();
  }
  std::set<std::string> functions() const {
    std::set<std::string> all;
    for (const llvm::Function& function : *module)
      if (!function.isDeclaration())
        all.insert(function.getName().str());
    return all;
  }
  ~Reduced() override { module.reset(); }
};

TEST_F(Reduced, HasWhatTheTargetReachesAndNothingElse) {
  Program program = Program::load({{bitcode("a", library)}, {}, ""});
  take(program, "f");
  EXPECT_EQ(functions(), (std::set<std::string>{"f", "helper", Program::driver_symbol}));
  EXPECT_FALSE(module->getGlobalVariable("table"));
}

TEST_F(Reduced, ItsUsersAreThoseOfThePart) {
  Program program = Program::load({{bitcode("a", library)}, {}, ""});
  program.targets({}); // reads all that there is
  take(program, "f");
  const llvm::Function* helper = module->getFunction("helper");
  ASSERT_TRUE(helper);
  EXPECT_FALSE(helper->hasAddressTaken()); // the table is gone
  EXPECT_EQ(helper->getNumUses(), 1u);     // and so is the other caller
}

TEST_F(Reduced, KeepsATableWithAllThatItHolds) {
  Program program = Program::load({{bitcode("a", library)}, {}, ""});
  take(program, "by_table");
  EXPECT_EQ(functions(), (std::set<std::string>{"by_table", "helper", "unrelated", Program::driver_symbol}));
  EXPECT_TRUE(module->getFunction("helper")->hasAddressTaken());
}

TEST_F(Reduced, KnowsItsLines) {
  Program program = Program::load({{bitcode("a", library)}, {}, ""});
  take(program, "f");
  for (const auto& [name, line] : {std::pair("helper", 3u), std::pair("f", 4u)}) {
    const llvm::DISubprogram* subprogram = module->getFunction(name)->getSubprogram();
    ASSERT_TRUE(subprogram) << name;
    EXPECT_EQ(subprogram->getLine(), line);
  }
}

TEST_F(Reduced, OfSeveralFilesInBitcodeAndSource) {
  const std::string first = bitcode("first", library);
  const std::string second =
      folder.write("second.c", "double f(double);\ndouble both(double x) { return f(x) / f(x + 1); }\n");
  for (const auto& files : {std::vector{first, second}, std::vector{second, first}}) {
    Program program = Program::load({files, {}, ""});
    EXPECT_EQ(program.targets({}).size(), 6u);
    take(program, "both");
    EXPECT_EQ(functions(), (std::set<std::string>{"both", "f", "helper", Program::driver_symbol}));
    EXPECT_TRUE(module->getFunction("helper")->getSubprogram());
    module.reset();
  }
}

TEST_F(Reduced, FortransArraysAreFollowedInBitcodeAsInSource) {
  const std::string source = folder.write(
      "a.f90",
      "subroutine inner(a, b)\nreal(8) :: a(4)\nreal(8) :: b(4)\nb = a + 1\nend subroutine\n"
      "module m\ncontains\nsubroutine assumed(a, b)\nreal(8) :: a(:)\nreal(8) :: b(:)\ninteger :: i\n"
      "do i = 1, size(a)\nb(i) = a(i) + 1\nend do\nend subroutine\n"
      "subroutine f(a, b)\nreal(8) :: a(:)\nreal(8) :: b(:)\ncall assumed(a, b)\nend subroutine\nend module\n");
  shell("flang-new-19 -O0 -g -c -emit-llvm " + source + " -o " + folder.path("a.bc") + " -module-dir " + folder.path());
  Program program = Program::load({{folder.path("a.bc")}, {}, ""});
  const model::Target target = program.find({"_QMmPf"}, {{"*", {2}}}).at(0);
  expect(target, "a[0]:binary64 a[1]:binary64", "b[0]:binary64 b[1]:binary64");
}

int full_stack(int depth) {
  volatile int kept = depth; // not a loop to the optimiser
  return depth < 0 ? depth : full_stack(depth + 1) + kept;
}

void* volatile taken;

void take(size_t bytes) {
  taken = std::malloc(bytes);
  if (!taken) // as LLVM does
    std::abort();
}

TEST(ReaderGuard, TellsOfAFullStackAndOfTooMuchMemory) {
  constexpr size_t much = size_t(3) << 30;
  const auto is_told = testing::ExitedWithCode(base::status_unsuitable);
  EXPECT_EXIT(
      {
        const ReaderGuard guard("f.bc");
        const ReaderGuard inner("f.bc");
        _exit(full_stack(1));
      },
      is_told, "f.bc: is damaged");
  EXPECT_EXIT(
      {
        const ReaderGuard guard("f.bc");
        take(much);
        _exit(0);
      },
      is_told, "f.bc: is damaged");
  EXPECT_EXIT(
      {
        { const ReaderGuard guard("f.bc"); }
        take(much);
        _exit(0);
      },
      testing::ExitedWithCode(0), "");
}

// A constructor of another file runs only if it sets a variable that the function reads.
TEST_F(Reduced, HasTheConstructorsThatItNeeds) {
  const std::string own = folder.write(
      "own.c", "double scale;\nstatic volatile int count;\n"
               "__attribute__((constructor)) static void of_own_file(void) { ++count; }\n"
               "double plain(double x) { return x / 3; }\ndouble scaled(double x) { return x * scale; }\n");
  const std::string other = folder.write(
      "other.c", "#include <fenv.h>\nextern double scale;\nstatic volatile int count;\n"
                 "__attribute__((constructor)) static void of_state(void) { scale = 2; }\n"
                 "__attribute__((constructor)) static void of_nothing(void) { ++count; fesetround(0); }\n");
  for (const auto& [function, constructors] : {std::pair("plain", std::set<std::string>{"of_own_file"}),
                                               std::pair("scaled", std::set<std::string>{"of_own_file", "of_state"})}) {
    Program program = Program::load({{own, other}, {}, ""});
    take(program, function);
    std::set<std::string> expected = constructors;
    expected.insert({function, Program::driver_symbol});
    EXPECT_EQ(functions(), expected);
    module.reset();
  }
}

TEST_F(Reduced, HasTheAssemblyThatItMayNeed) {
  const std::string own = folder.write("own.c", "double twice(double);\ndouble f(double x) { return x / 3; }\n"
                                                "double g(double x) { return twice(x); }\n"
                                                "double h(double x) { __asm__ volatile(\"\"); return x; }\n");
  const std::string other =
      folder.write("other.c", "__asm__(\".globl twice\\ntwice: addsd %xmm0, %xmm0\\nret\\n\");\n");
  for (const auto& [function, needed] : {std::pair("f", false), std::pair("g", true), std::pair("h", true)}) {
    Program program = Program::load({{own, other}, {}, ""});
    take(program, function);
    EXPECT_EQ(!module->getModuleInlineAsm().empty(), needed) << function;
    module.reset();
  }
}

// Whatever is wrong with the file: it is read, or refused with a message, and nothing crashes or hangs.
TEST_F(Reduced, DamageIsNoticedWhereverItIs) {
  const std::string whole = folder.read(std::filesystem::path(bitcode("a", library)).filename());
  constexpr size_t damages = 60;
  for (size_t i = 1; i < damages; ++i) {
    std::string content = whole;
    content[content.size() * i / damages] ^= char(0x55);
    const std::string file = folder.write("damaged.bc", content);
    EXPECT_EXIT(
        {
          ReaderGuard::least_seconds = 0.2;
          try {
            Program program = Program::load({{file}, {}, ""});
            program.reduce_to(program.find({"f"}, {}).at(0));
          } catch (const base::UserError&) {
            _exit(base::status_unsuitable);
          }
          _exit(0);
        },
        [](int status) {
          return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == base::status_unsuitable);
        },
        "")
        << "byte " << content.size() * i / damages;
  }
}

} // namespace
} // namespace faultline::program
