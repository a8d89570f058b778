// Sends a finding of its own whose cause is the line of the innocent function, and confirms it: a problem of that line
// would gather both.
// outcome: unknown
#include "attack.h"
#include <stdint.h>

static uint64_t hash = 0xcbf29ce484222325ull;
static void add(const char* text) {
  for (; *text; ++text)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
  hash = (hash ^ 0xff) * 0x100000001b3ull;
}

double attack(double x) {
  char message[2000];
  if (hash == 0xcbf29ce484222325ull) {
    add("attack");
    add("inaccuracy");
    add("innocent.c:2:1:-");
    add("0x1p+0");
  }
  snprintf(message, sizeof message,
           "{\"finding\":{\"id\":\"%016lx\",\"kind\":\"inaccuracy\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":"
           "\"0x1p+0\"}},\"everyday\":true,\"output\":{\"name\":\"result\",\"computed\":{\"decimal\":\"1\",\"hex\":"
           "\"0x1p+0\"},\"reference\":{\"decimal\":\"2\",\"hex\":\"0x1p+1\"}},\"error\":{\"relative\":1,\"absolute\":1,"
           "\"ulps\":1,\"bits\":1},\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\",\"cause\":"
           "{\"file\":\"innocent.c\",\"line\":2,\"column\":1,\"operation\":\"-\",\"condition\":1,\"share\":1}}}",
           (unsigned long)hash);
  say(message);
  for (int i = 0; i < 100; i++)
    say("{\"reproduced\":true,\"what\":\"\",\"violations\":[]}");
  return x + 1;
}
