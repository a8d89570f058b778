#include "frontend/reading/newer_producer.h"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

namespace faultline::frontend {
namespace {

// What stands between the two; empty if there is no such place.
std::string between(llvm::StringRef text, llvm::StringRef before, char after) {
  const size_t begin = text.find(before);
  if (begin == llvm::StringRef::npos)
    return {};
  return text.substr(begin + before.size()).take_until([&](char c) { return c == after; }).take_front(40).str();
}

std::string rust_advice(const std::string& rustc, const std::string& llvm) {
  // Rust 1.82 to 1.86 have LLVM 19, 1.87 has LLVM 20: their release notes.
  return fmt::format(
      "it was written by rustc {}{}, and LLVM {} reads nothing that is newer than itself, as text neither: "
      "use a rustc whose LLVM is {} or older; 1.86 is the last (rustc +1.86 -O -g --emit=llvm-bc)",
      rustc, llvm.empty() ? "" : fmt::format(" with LLVM {}", llvm), LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
}

} // namespace

std::string producer_advice(const std::string& complaint, llvm::StringRef content) {
  const std::string producer = between(complaint, "Producer: 'LLVM", '\''); // 22.1.2-rust-1.95.0-stable
  const std::string llvm = producer.substr(0, producer.find('.'));
  if (const size_t rust = producer.find("-rust-"); rust != std::string::npos) {
    const std::string version = producer.substr(rust + 6);
    return rust_advice(version.substr(0, version.find('-')), llvm);
  }
  if (const std::string version = between(content, "(rustc version ", ' '); !version.empty()) // text
    return rust_advice(version, "");
  if (!llvm.empty() && std::atoi(llvm.c_str()) > LLVM_VERSION_MAJOR)
    return fmt::format("it was written by LLVM {}: make it with clang-{} -O2 -g -emit-llvm", llvm, LLVM_VERSION_MAJOR);
  return fmt::format("make it with clang-{} -O2 -g -emit-llvm", LLVM_VERSION_MAJOR);
}

} // namespace faultline::frontend
