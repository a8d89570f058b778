// primaryLocationLineHash: the partial fingerprint by which GitHub's code scanning knows a result again.
//
// Its upload action computes it where a file has none, and warns where a file has another value: so it is the same
// here. The definition, after the action's documentation and behaviour: blanks and tabs do not count, every line ending
// is one line feed, and the end of the file is the character 65535. The hash of a line is the polynomial c[0] 37^99 +
// c[1] 37^98 + ... + c[99] modulo 2^64 over the hundred UTF-16 units that begin in it (zeros after the end), in hex;
// behind a colon stands which of the lines with this hash it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

// Of each line of a file, in order; the text is UTF-8.
std::vector<std::string> line_hashes(std::string_view text);

} // namespace faultline::report
