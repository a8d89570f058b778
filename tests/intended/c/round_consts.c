#include "round_consts.h"

const double round_magic = 6755399441055744.0;
const float round_magic_f = 12582912.0f;

const struct grid grids[3] = {
    { 1.0,      0x1.8p52, 0x1p51 },
    { 0.015625, 0x1.8p46, 0x1p45 },
    { 256.0,    0x1.8p60, 0x1p59 },
};

double coarse_shift = 1152921504606846976.0;
