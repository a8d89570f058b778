#include "frontend/content_hash.h"

#include "base/files.h"
#include "frontend/error.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>

namespace faultline::frontend {

std::string content_hash(const std::string& file) {
  const std::optional<base::RegularFile> regular = base::open_regular(file); // not a device, which may have no end
  if (!regular)
    throw UserError(status_usage,
                    fmt::format("{}: {}", file, errno == EINVAL ? "is not a regular file" : std::strerror(errno)),
                    "check the path");
  const auto buffer = llvm::MemoryBuffer::getOpenFile(regular->descriptor.number(), file, regular->bytes,
                                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    throw UserError(status_usage, fmt::format("{}: {}", file, buffer.getError().message()), "check the path");
  const llvm::StringRef bytes = (*buffer)->getBuffer();
  const auto hash = llvm::SHA256::hash({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return llvm::toHex(hash, /*LowerCase=*/true);
}

} // namespace faultline::frontend
