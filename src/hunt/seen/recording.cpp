#include "hunt/seen/recording.h"

#include "recorder/seen_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace faultline::campaign {

using finding::SeenFunction;
using finding::SeenInput;
using recorder::ArgumentSeen;
using recorder::FunctionSeen;
using recorder::SeenHeader;

namespace {

// A file that is read where it lies: most pages of what a process leaves are holes.
class Mapped {
public:
  explicit Mapped(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      void* mapped = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) {
        bytes_ = static_cast<char*>(mapped);
        size_ = uint64_t(status.st_size);
      }
    }
    if (file >= 0)
      close(file);
  }
  ~Mapped() {
    if (bytes_)
      munmap(bytes_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  char* bytes() const { return bytes_; }
  uint64_t size() const { return size_; }

private:
  char* bytes_ = nullptr;
  uint64_t size_ = 0;
};

const char* type_name(recorder::ValueType type) {
  constexpr const char* names[] = {"binary32", "binary64", "extended80", "int8",   "int16", "int32",
                                   "int64",    "uint8",    "uint16",     "uint32", "uint64"};
  return names[size_t(type)];
}

SeenInput input_of(const ArgumentSeen& seen, const char* name, recorder::ValueType type) {
  SeenInput input;
  input.name = name;
  input.type = type_name(type);
  input.negative = seen.negative;
  input.zero = seen.zero;
  input.nan = seen.nan;
  input.infinite = seen.infinite;
  input.finite = seen.count - seen.nan - seen.infinite;
  input.low = seen.low;
  input.high = seen.high;
  input.least = seen.least;
  input.most = seen.most;
  for (int i = 0; i < recorder::binades; ++i) {
    if (seen.sketch[0][i] > 0)
      input.positives[i + recorder::least_binade] = seen.sketch[0][i];
    if (seen.sketch[1][i] > 0)
      input.negatives[i + recorder::least_binade] = seen.sketch[1][i];
  }
  return input;
}

class Reader {
public:
  explicit Reader(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Recording read() {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with("seen-"))
        read_process(entry->path());
    }
    for (auto& [key, seen] : functions_)
      recording_.runs.functions.push_back(std::move(seen));
    recording_.files_of_code = signatures_.size();
    return std::move(recording_);
  }

private:
  struct Code {
    explicit Code(const std::filesystem::path& path) : file(path), signatures(in(file)) {}
    static recorder::Signatures in(const Mapped& file) {
      return file.bytes() ? recorder::signatures_in(file.bytes(), file.size()) : recorder::Signatures{};
    }
    Mapped file;
    recorder::Signatures signatures;
  };

  void read_process(const std::filesystem::path& path) {
    const Mapped file(path);
    if (file.size() < sizeof(SeenHeader))
      return;
    const auto& header = *reinterpret_cast<const SeenHeader*>(file.bytes());
    if (std::memcmp(header.magic, recorder::seen_magic, sizeof header.magic) != 0 ||
        std::memchr(header.signatures, 0, sizeof header.signatures) == nullptr ||
        std::strchr(header.signatures, '/') != nullptr)
      return;
    const Code& code = signatures_.try_emplace(header.signatures, folder_ / header.signatures).first->second;
    if (code.signatures.function_count != header.functions || recorder::file_bytes(code.signatures) != file.size())
      return;
    recording_.not_writable += header.stopped == recorder::Stopped::by_protection;
    bool any = false;
    char* block = file.bytes() + sizeof header;
    for (uint32_t i = 0; i < code.signatures.function_count; ++i) {
      auto* seen = reinterpret_cast<FunctionSeen*>(block);
      any = any || seen->noted > 0;
      if (seen->noted > 0)
        add(code.signatures, i, seen);
      block += recorder::block_bytes(code.signatures.functions[i].arguments);
    }
    recording_.runs.processes += any;
  }

  void add(const recorder::Signatures& signatures, uint32_t index, FunctionSeen* block) {
    const recorder::FunctionPlace& place = signatures.functions[index];
    const recorder::ArgumentPlace* arguments = signatures.arguments_of(index);
    SeenFunction seen;
    seen.function = signatures.names + place.function;
    seen.symbol = signatures.names + place.symbol;
    seen.file = signatures.names + place.file;
    seen.line = int(place.line);
    seen.calls = block->noted;
    seen.sampled = block->sampled != 0;
    for (uint32_t i = 0; i < place.arguments; ++i)
      seen.inputs.push_back(
          input_of(recorder::arguments_of(block)[i], signatures.names + arguments[i].name, arguments[i].type));
    const long double* tuples = recorder::tuples_of(block, place.arguments);
    for (uint64_t i = 0; i < std::min<uint64_t>(block->noted, recorder::most_tuples); ++i) {
      std::vector<long double> tuple(tuples + i * place.arguments, tuples + (i + 1) * place.arguments);
      if (std::ranges::all_of(tuple,
                              [](long double value) { return std::isfinite(value); })) // others are not hunted with
        seen.tuples.push_back(std::move(tuple));
    }
    const auto [found, is_new] = functions_.try_emplace({seen.file, seen.line, seen.symbol}, SeenFunction());
    if (is_new) {
      found->second = seen;
      found->second.calls = 0;
      found->second.tuples.clear();
      for (SeenInput& input : found->second.inputs)
        input = SeenInput{.name = input.name, .type = input.type, .positives = {}, .negatives = {}};
    }
    if (found->second.inputs.size() == seen.inputs.size()) // two versions of one program may differ
      merge(found->second, seen);
  }

  std::filesystem::path folder_;
  std::map<std::string, Code> signatures_; // by the names of their files
  std::map<std::tuple<std::string, int, std::string>, SeenFunction> functions_;
  Recording recording_;
};

} // namespace

Recording recording_in(const std::string& folder) { return Reader(folder).read(); }

} // namespace faultline::campaign
