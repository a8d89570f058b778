#include "hunt/recording.h"

#include "judge/space_of_target.h"
#include "recorder/signatures.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace faultline::hunt {

using model::SeenFunction;
using model::SeenInput;
using namespace model;
using namespace program;
using numeric::Value;
using namespace recorder;

namespace {

std::optional<ValueType> value_type(const Type& type) {
  if (type.floating)
    switch (type.format) {
    case numeric::Format::binary32:
      return ValueType::binary32;
    case numeric::Format::binary64:
      return ValueType::binary64;
    case numeric::Format::extended80:
      return ValueType::binary80;
    default: // the recorder does not read other types
      return {};
    }
  switch (type.bytes()) {
  case 1:
    return type.is_signed && type.bits > 1 ? ValueType::int8 : ValueType::uint8;
  case 2:
    return type.is_signed ? ValueType::int16 : ValueType::uint16;
  case 4:
    return type.is_signed ? ValueType::int32 : ValueType::uint32;
  case 8:
    return type.is_signed ? ValueType::int64 : ValueType::uint64;
  default:
    return {};
  }
}

// Assigns arguments to registers and stack slots in order (System V ABI for x86-64, section 3.2.3).
class Places {
public:
  explicit Places(bool returned_by_pointer) : general_(returned_by_pointer ? 1 : 0) {}

  ArgumentPlace next(const Parameter& parameter) {
    const bool by_value = parameter.passing == Passing::value;
    if (by_value && parameter.type.floating && parameter.type.format == numeric::Format::extended80) {
      stack_ += stack_ % 2;
      stack_ += 2;
      return at(Where::stack, stack_ - 2);
    }
    if (by_value && parameter.type.floating)
      return vector_ < 8 ? at(Where::vector_register, vector_++) : at(Where::stack, stack_++);
    ArgumentPlace place = general_ < 6 ? at(Where::general_register, general_++) : at(Where::stack, stack_++);
    place.behind = !by_value;
    return place;
  }

private:
  static ArgumentPlace at(Where where, uint32_t index) {
    ArgumentPlace place;
    place.where = where;
    place.index = uint8_t(index);
    return place;
  }

  uint32_t general_, vector_ = 0, stack_ = 0;
};

class Writer {
public:
  void add(const Target& target) {
    const std::optional<std::vector<ArgumentPlace>> places = places_of(target);
    if (!places || places->empty() || places->size() > recorder::most_arguments)
      return;
    FunctionPlace function;
    function.symbol = name(target.symbol);
    function.function = name(target.function);
    function.file = name(target.file);
    function.line = uint32_t(target.line);
    function.first_argument = uint32_t(arguments_.size());
    function.arguments = uint32_t(places->size());
    functions_.push_back(function);
    arguments_.insert(arguments_.end(), places->begin(), places->end());
  }

  std::string bytes() const {
    SignatureHeader header{};
    std::memcpy(header.magic, recorder::signature_magic, sizeof header.magic);
    header.functions = uint32_t(functions_.size());
    header.arguments = uint32_t(arguments_.size());
    header.name_bytes = names_.size();
    std::string all(reinterpret_cast<const char*>(&header), sizeof header);
    all.append(reinterpret_cast<const char*>(arguments_.data()), arguments_.size() * sizeof(ArgumentPlace));
    all.append(reinterpret_cast<const char*>(functions_.data()), functions_.size() * sizeof(FunctionPlace));
    return all + names_;
  }

private:
  // Returns the places in the order of the target's inputs; none if the recorder cannot read one of them.
  std::optional<std::vector<ArgumentPlace>> places_of(const Target& target) {
    Places places(target.returned_by_pointer);
    std::vector<std::pair<const Parameter*, ArgumentPlace>> parameters;
    for (const Parameter& parameter : target.parameters) {
      if (parameter.passing == Passing::descriptor || parameter.passing == Passing::slice || parameter.stored_at)
        return {};
      parameters.emplace_back(&parameter, places.next(parameter));
    }
    std::vector<ArgumentPlace> inputs;
    for (const Cell& cell : target.inputs) {
      const auto found = std::ranges::find_if(parameters, [&](const auto& entry) {
        return entry.first->name == model::parameter_of(cell.name) && cell.offset >= entry.first->offset;
      });
      const std::optional<ValueType> type = value_type(cell.type);
      if (found == parameters.end() || !type)
        return {};
      ArgumentPlace place = found->second;
      place.name = name(cell.name);
      place.type = *type;
      place.displacement = cell.offset - found->first->offset;
      inputs.push_back(place);
    }
    return inputs;
  }

  uint32_t name(const std::string& text) {
    const auto begin = uint32_t(names_.size());
    names_.append(text.c_str(), text.size() + 1);
    return begin;
  }

  std::vector<FunctionPlace> functions_;
  std::vector<ArgumentPlace> arguments_;
  std::string names_ = std::string(1, '\0');
};

// A memory-mapped file. Most pages of a recorded file are holes.
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

const char* type_name(ValueType type) {
  constexpr const char* names[] = {"binary32", "binary64", "extended80", "int8",   "int16", "int32",
                                   "int64",    "uint8",    "uint16",     "uint32", "uint64"};
  return names[size_t(type)];
}

SeenInput input_seen(const ArgumentSeen& seen, const char* name, ValueType type) {
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
    static Signatures in(const Mapped& file) {
      return file.bytes() ? recorder::signatures_in(file.bytes(), file.size()) : Signatures{};
    }
    Mapped file;
    Signatures signatures;
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
    recording_.not_writable += header.stopped == Stopped::by_protection;
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

  void add(const Signatures& signatures, uint32_t index, FunctionSeen* block) {
    const FunctionPlace& place = signatures.functions[index];
    const ArgumentPlace* arguments = signatures.arguments_of(index);
    SeenFunction seen;
    seen.function = signatures.names + place.function;
    seen.symbol = signatures.names + place.symbol;
    seen.file = signatures.names + place.file;
    seen.line = int(place.line);
    seen.calls = block->noted;
    seen.sampled = block->sampled != 0;
    for (uint32_t i = 0; i < place.arguments; ++i)
      seen.inputs.push_back(
          input_seen(recorder::arguments_of(block)[i], signatures.names + arguments[i].name, arguments[i].type));
    const Value* tuples = recorder::tuples_of(block, place.arguments);
    for (uint64_t i = 0; i < std::min<uint64_t>(block->noted, recorder::most_tuples); ++i) {
      std::vector<Value> tuple(tuples + i * place.arguments, tuples + (i + 1) * place.arguments);
      if (std::ranges::all_of(tuple, [](Value value) { return std::isfinite(value); })) // a search cannot use others
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
    if (found->second.inputs.size() == seen.inputs.size()) // versions of one program may differ
      merge(found->second, seen);
  }

  std::filesystem::path folder_;
  std::map<std::string, Code> signatures_; // by file name
  std::map<std::tuple<std::string, int, std::string>, SeenFunction> functions_;
  Recording recording_;
};

} // namespace

std::string signatures_of(const std::vector<Target>& targets) {
  Writer writer;
  for (const Target& target : targets)
    if ((target.suitable() || target.can_be_called) && target.harness.empty())
      writer.add(target);
  return writer.bytes();
}

void add_seen(std::vector<model::Retry>& retries, const model::SeenRuns& runs, const Target& target,
              const model::Settings& settings) {
  const model::SeenFunction* seen = find_seen(runs, target);
  if (!seen)
    return;
  const search::Space space = judge::space_of(target, settings);
  for (const std::vector<Value>& tuple : seen->tuples)
    if (std::ranges::equal(space.dimensions, tuple, [](const search::Dimension& dimension, Value value) {
          return dimension.nearest(value) == value;
        }))
      retries.push_back({tuple, settings.strategy, "seen"});
}

Recording recording_in(const std::string& folder) { return Reader(folder).read(); }

} // namespace faultline::hunt
