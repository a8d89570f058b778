#include "program/content_hash.h"

#include "base/error.h"
#include "base/files.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MD5.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>
#include <optional>
#include <set>
#include <utility>

namespace faultline::program {

std::string content_hash(const std::string& file) {
  const std::optional<base::RegularFile> regular = base::open_regular(file); // not a device, which may have no end
  if (!regular)
    throw base::UserError(base::status_usage,
                          fmt::format("{}: {}", file, errno == EINVAL ? "is not a regular file" : std::strerror(errno)),
                          "check the path");
  const auto buffer = llvm::MemoryBuffer::getOpenFile(regular->descriptor.number(), file, regular->bytes,
                                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    throw base::UserError(base::status_usage, fmt::format("{}: {}", file, buffer.getError().message()),
                          "check the path");
  const llvm::StringRef bytes = (*buffer)->getBuffer();
  const auto hash = llvm::SHA256::hash({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return llvm::toHex(hash, /*LowerCase=*/true);
}

std::string sha256_of(std::string_view content) {
  const auto hash = llvm::SHA256::hash({reinterpret_cast<const uint8_t*>(content.data()), content.size()});
  return llvm::toHex(hash, /*LowerCase=*/true);
}

std::string md5_of(std::string_view content) {
  return std::string(
      llvm::MD5::hash(llvm::ArrayRef(reinterpret_cast<const uint8_t*>(content.data()), content.size())).digest());
}

std::vector<std::string> unchanged_files(const std::vector<model::Target>& targets) {
  constexpr uint64_t largest = 32u << 20; // bytes: larger files are not shown
  std::vector<std::string> files;
  std::set<std::pair<std::string, std::string>> seen;
  for (const model::Target& target : targets) {
    if (target.checksum.empty() || !seen.emplace(target.file, target.checksum).second)
      continue;
    const std::optional<base::RegularFile> file = base::open_regular(target.file);
    if (file && file->bytes <= largest && md5_of(base::content_of(*file, largest)) == target.checksum)
      files.push_back(file->path);
  }
  return files;
}

} // namespace faultline::program
