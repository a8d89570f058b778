#include "frontend/capture/wrapper.h"

#include "frontend/capture/probe.h"
#include "frontend/capture/real_compiler.h"
#include "frontend/capture/second_compilation.h"
#include "frontend/error.h"
#include "frontend/temporary_folder.h"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

class Wrapper {
public:
  Wrapper(const std::vector<std::string>& compiler, const std::vector<std::string>& arguments, CompilerCommand command,
          std::string directory)
      : compiler_(fmt::format("{}", fmt::join(compiler, " "))), real_(compiler), command_(std::move(command)),
        directory_(std::move(directory)) {
    real_.insert(real_.end(), arguments.begin(), arguments.end());
  }

  // Both compilers at the same time; then the records go into the objects.
  base::ProcessEnd compile() {
    RealCompiler compiler(real_);
    const std::vector<Record> records = compile_again();
    const base::ProcessEnd end = compiler.wait();
    if (end.succeeded())
      for (size_t i = 0; i < records.size(); ++i)
        attach(records[i], command_.sources[i].object);
    return end;
  }

  // The objects are the real compiler's secret: one more, which has nothing but the section, is linked with them.
  base::ProcessEnd compile_and_link() {
    const TemporaryFolder folder;
    if (const std::string carrier = carrier_in(folder.path()); !carrier.empty())
      real_.push_back(carrier);
    return RealCompiler(real_).wait();
  }

private:
  std::vector<Record> compile_again() const {
    std::vector<Record> records;
    for (const CompiledSource& source : command_.sources) {
      records.push_back(compiled_again(source, command_, directory_));
      records.back().compiler = compiler_;
    }
    return records;
  }

  // Without its record, an object is as good as it was.
  void attach(const Record& record, const std::string& object) const {
    try {
      const TemporaryFolder folder;
      const std::string section = folder.path() + "/section";
      std::ofstream(section, std::ios::binary) << bytes_of(record);
      std::error_code error;
      if (fs::is_regular_file(object, error))
        run_compiler({"objcopy", fmt::format("--add-section={}={}", capture_section, section), object}, "", object);
    } catch (const UserError&) {
    }
  }

  // Empty if there is none.
  std::string carrier_in(const std::string& folder) const {
    const std::vector<Record> records = compile_again();
    const std::string section = folder + "/section", text = folder + "/carrier.s", object = folder + "/carrier.o";
    std::ofstream stream(section, std::ios::binary);
    for (const Record& record : records) {
      if (record.reason.starts_with("for another machine"))
        return {};
      stream << bytes_of(record);
    }
    stream.close();
    // R: --gc-sections has no other reason to keep it. No executable stack is asked for.
    std::ofstream(text) << fmt::format(".section {},\"R\",@progbits\n.incbin \"{}\"\n"
                                       ".section .note.GNU-stack,\"\",@progbits\n",
                                       capture_section, section);
    try {
      return run_compiler({"as", "--64", "-o", object, text}, "", object).succeeded() ? object : "";
    } catch (const UserError&) {
      return {};
    }
  }

  std::string compiler_;
  std::vector<std::string> real_; // with its arguments
  CompilerCommand command_;
  std::string directory_;
};

int status_of(const base::ProcessEnd& end) {
  if (end.signal == 0)
    return end.status;
  std::signal(end.signal, SIG_DFL);
  raise(end.signal);
  return 128 + end.signal; // a signal that does not end us: as shells say it
}

} // namespace

int wrap_compiler(Driver driver, const std::vector<std::string>& arguments) {
  const std::vector<std::string> compiler = real_compiler(driver);
  const std::vector<std::string> given = without_lto(arguments);
  const CompilerCommand command = understood(driver, expanded(given));
  std::error_code error;
  const std::string directory = fs::current_path(error).string();
  if (command.kind == CommandKind::other || is_probe(command, directory)) {
    std::vector<std::string> words = compiler;
    words.insert(words.end(), given.begin(), given.end());
    become_real_compiler(words);
  }
  Wrapper wrapper(compiler, given, command, directory);
  return status_of(command.kind == CommandKind::compile ? wrapper.compile() : wrapper.compile_and_link());
}

} // namespace faultline::frontend
