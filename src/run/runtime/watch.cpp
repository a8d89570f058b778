// The runtime of a twin: time lines of watched variables.
#include "run/abi.h"

#include <cmath>
#include <cstring>

namespace run = faultline::run;

extern "C" {
extern char faultline_run_memory[] __attribute__((weak));
extern const run::Layout faultline_run_layout __attribute__((weak));
extern const run::WatchedGlobal faultline_run_watched[] __attribute__((weak)); // ends with a null address

void faultline_run_watch_globals();
void faultline_run_watch(uint32_t variable, uint32_t slot, char* begin, uint64_t bytes);
void faultline_run_stored(char* address, uint32_t bytes, uint32_t element);
void faultline_run_assigned(uint32_t variable, double value, double residue);
}

namespace {

struct Range {
  uint64_t begin, end;
  uint32_t variable, slot;
};
constexpr uint32_t most_ranges = 64;
Range ranges[most_ranges];
uint32_t used;
char lock;

struct Locked {
  Locked() {
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {
    }
  }
  ~Locked() { __atomic_clear(&lock, __ATOMIC_RELEASE); }
};

run::WatchLine& line_of(uint32_t variable) {
  return run::Memory{faultline_run_memory, faultline_run_layout}.watched()[variable];
}

double relative_error(const run::WatchSample& sample) {
  const double exact = sample.value + sample.residue;
  return sample.residue == 0 ? 0 : exact == 0 ? INFINITY : std::fabs(sample.residue / exact);
}

void add(run::WatchLine& line, double value, double residue) {
  const run::WatchSample sample{line.events++, value, residue};
  line.last = sample;
  if (sample.event == 0 || !(relative_error(sample) <= relative_error(line.worst)))
    line.worst = sample;
  if (line.stride == 0)
    line.stride = 1;
  if (sample.event % line.stride != 0)
    return;
  if (line.used == run::most_samples) {
    for (uint32_t i = 0; i < run::most_samples / 2; ++i)
      line.samples[i] = line.samples[2 * i];
    line.used = run::most_samples / 2;
    line.stride *= 2;
    if (sample.event % line.stride != 0)
      return;
  }
  line.samples[line.used++] = sample;
}

template <class Float> double loaded(uint64_t address) {
  Float value;
  memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// The norms of an array and of its residues.
template <class Float> void add_norm(run::WatchLine& line, const Range& range) {
  double sum = 0, errors = 0;
  for (uint64_t at = range.begin; at + sizeof(Float) <= range.end; at += sizeof(Float)) {
    const double value = loaded<Float>(at);
    sum += value * value;
    if (loaded<Float>(at + run::copy_distance) == value) {
      const double residue = loaded<Float>(at + run::residue_distance);
      errors += residue * residue;
    }
  }
  add(line, std::sqrt(sum), std::sqrt(errors));
}

} // namespace

void faultline_run_watch_globals() {
  if (faultline_run_watched)
    for (const run::WatchedGlobal* one = faultline_run_watched; one->begin; ++one)
      faultline_run_watch(one->variable, one->slot, one->begin, one->bytes);
}

// A declaration has one place at a time: the last one.
void faultline_run_watch(uint32_t variable, uint32_t slot, char* begin, uint64_t bytes) {
  if (!begin)
    return;
  const Locked locked;
  const auto address = reinterpret_cast<uint64_t>(begin);
  for (uint32_t i = 0; i < used; ++i)
    if (ranges[i].slot == slot) {
      ranges[i].begin = address;
      ranges[i].end = address + bytes;
      return;
    }
  if (used < most_ranges)
    ranges[used++] = {address, address + bytes, variable, slot};
}

void faultline_run_stored(char* address, uint32_t bytes, uint32_t element) {
  const auto begin = reinterpret_cast<uint64_t>(address);
  for (uint32_t i = 0; i < used; ++i) {
    if (begin < ranges[i].begin || begin >= ranges[i].end)
      continue;
    const Locked locked;
    const Range range = ranges[i];
    run::WatchLine& line = line_of(range.variable);
    const uint64_t elements = (range.end - range.begin) / element, before = line.stores;
    line.stores += bytes / element;
    line.elements = elements;
    if (elements == 0 || before / elements == line.stores / elements)
      continue;
    if (elements == 1) {
      const double residue = element == sizeof(double) ? loaded<double>(begin + run::residue_distance)
                                                       : double(loaded<float>(begin + run::residue_distance));
      add(line, element == sizeof(double) ? loaded<double>(begin) : double(loaded<float>(begin)), residue);
    } else if (element == sizeof(double)) {
      add_norm<double>(line, range);
    } else {
      add_norm<float>(line, range);
    }
  }
}

void faultline_run_assigned(uint32_t variable, double value, double residue) {
  const Locked locked;
  run::WatchLine& line = line_of(variable);
  ++line.stores;
  line.elements = 1;
  add(line, value, residue);
}
