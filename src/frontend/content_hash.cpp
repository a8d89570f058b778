#include "frontend/content_hash.h"

#include "frontend/error.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>

namespace faultline::frontend {

std::string content_hash(const std::string& file) {
  const auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    throw UserError(status_usage, fmt::format("{}: {}", file, buffer.getError().message()), "check the path");
  const llvm::StringRef bytes = (*buffer)->getBuffer();
  const auto hash = llvm::SHA256::hash({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return llvm::toHex(hash, /*LowerCase=*/true);
}

} // namespace faultline::frontend
