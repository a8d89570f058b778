// The runtime of a twin: the values that it computed, for the comparison of two runs (run/abi.h: Event).
#include "run/abi.h"

#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace run = faultline::run;

extern "C" {
int omp_get_thread_num() __attribute__((weak)); // absent without OpenMP

void faultline_run_map_events(char** environment);
void faultline_run_event(uint32_t place, uint32_t outcome, double value, double residue);
void faultline_run_printed(uint32_t site, double value, double residue);
void faultline_run_region(uint32_t begins);
}

namespace {

run::EventMemory* event_memory; // null: no reader
pthread_t main_thread;
thread_local run::Ring* ring; // of this thread
thread_local bool is_refused; // there is no ring for this thread
bool in_region;               // written by the main thread, outside of regions

// A child of fork() is another program to the reader.
void forget() { event_memory = nullptr; }

run::Ring* new_ring() {
  const bool is_main = pthread_equal(pthread_self(), main_thread) != 0;
  const uint64_t number = is_main ? 0 : __atomic_fetch_add(&event_memory->rings, 1, __ATOMIC_RELAXED);
  if (number < run::most_rings)
    return &event_memory->ring[number];
  is_refused = true;
  __atomic_fetch_add(&event_memory->lost, 1, __ATOMIC_RELAXED);
  return nullptr;
}

void push(const run::Event& event) {
  const uint64_t written = ring->written;
  while (written - __atomic_load_n(&ring->read, __ATOMIC_ACQUIRE) >= run::ring_events)
    usleep(50);
  ring->events[written % run::ring_events] = event;
  __atomic_store_n(&ring->written, written + 1, __ATOMIC_RELEASE);
}

} // namespace

void faultline_run_map_events(char** environment) {
  const size_t name = strlen(run::events_variable);
  for (char** variable = environment; *variable; ++variable)
    if (strncmp(*variable, run::events_variable, name) == 0 && (*variable)[name] == '=') {
      const int file = atoi(*variable + name + 1);
      void* begin = mmap(nullptr, sizeof(run::EventMemory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      close(file);
      if (begin == MAP_FAILED)
        return;
      event_memory = static_cast<run::EventMemory*>(begin);
      event_memory->rings = 1; // the main thread's
      main_thread = pthread_self();
      pthread_atfork(nullptr, nullptr, forget);
    }
}

void faultline_run_event(uint32_t place, uint32_t outcome, double value, double residue) {
  if (!event_memory || __atomic_load_n(&event_memory->muted, __ATOMIC_RELAXED) || is_refused ||
      (!ring && !(ring = new_ring())))
    return;
  const int thread = in_region && omp_get_thread_num ? omp_get_thread_num() : 0;
  push({place, uint16_t(thread), uint16_t(outcome), value, residue});
}

void faultline_run_printed(uint32_t site, double value, double residue) {
  if (event_memory && !is_refused && (ring || (ring = new_ring())))
    push({run::printed_event, uint16_t(site >> 16), uint16_t(site), value, residue});
}

// Only the main thread's regions are seen: those that they contain belong to them.
void faultline_run_region(uint32_t begins) {
  if (!event_memory || !pthread_equal(pthread_self(), main_thread) || (!ring && !(ring = new_ring())))
    return;
  if (begins == in_region)
    return;
  in_region = begins;
  if (begins)
    return push({run::region_begin, 0, 0, 0, 0});
  const uint64_t rings = __atomic_load_n(&event_memory->rings, __ATOMIC_ACQUIRE);
  for (uint64_t i = 1; i < rings && i < run::most_rings; ++i)
    push({run::region_ring, uint16_t(i), 0, double(__atomic_load_n(&event_memory->ring[i].written, __ATOMIC_ACQUIRE)),
          0});
  push({run::region_end, 0, 0, 0, 0});
}
