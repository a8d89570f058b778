// Names a phase of 60 MB, which is shown again and again.
// outcome: unknown
// memory: 700
#include "attack.h"

double attack(double x) {
  const unsigned text = 60 << 20;
  const char* begin = "{\"progress\":1,\"reached\":0,\"sites\":1,\"phase\":\"";
  signal(SIGPROF, SIG_IGN);
  char* frame = (char*)mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const unsigned first = (unsigned)strlen(begin), length = first + text + 2;
  memcpy(frame, &length, sizeof length);
  memcpy(frame + 4, begin, first);
  memset(frame + 4 + first, 'a', text);
  memcpy(frame + 4 + first + text, "\"}", 2);
  write_all(frame, length + 4);
  for (;;)
    ;
  return x;
}
