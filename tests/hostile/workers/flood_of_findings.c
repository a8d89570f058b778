// Sends findings with their right names, which the supervisor keeps, and each of them is long.
// outcome: unknown
// memory: 700
#include "attack.h"
#include <stdint.h>

static uint64_t hash;
static void mix(unsigned char c) { hash = (hash ^ c) * 0x100000001b3ull; }
static void add(const char* text) {
  for (; *text; ++text)
    mix((unsigned char)*text);
  mix(0xff);
}

double attack(double x) {
  const unsigned size = 1000000;
  char* message = (char*)mmap(0, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(message, 'a', size);
  for (int i = 1; i < 9000; ++i) {
    char hex[40];
    snprintf(hex, sizeof hex, "0x1.%xp+0", 0x1000 + i);
    hash = 0xcbf29ce484222325ull;
    add("attack");
    add("crash");
    add(hex);
    const int begin = snprintf(
        message + 4, 4000,
        "{\"finding\":{\"id\":\"%016lx\",\"kind\":\"crash\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"%s\"}},"
        "\"everyday\":true,\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\",\"detail\":\"",
        (unsigned long)hash, hex);
    message[4 + begin] = 'a';
    memcpy(message + 4 + size - 4096, "\"}}", 3);
    const unsigned length = size - 4096 + 3;
    memcpy(message, &length, sizeof length);
    write_all(message, 4 + length);
  }
  return x + 1;
}
