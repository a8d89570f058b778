#pragma once
#include "finding/settings/table.h"
namespace faultline::finding::command {
inline constexpr uint32_t vectors = 1u << 13;
}
