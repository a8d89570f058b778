// The records that faultline cc leaves in objects.
#include "program/capture/section.h"

#include "base/error.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

Record sample(const std::string& source, const std::string& bitcode) {
  Record record;
  record.source = source;
  record.flags = {"-O2", "-DX=\"y\""};
  record.left_out = {"-fgnu-only"};
  record.bitcode = bitcode;
  if (bitcode.empty())
    record.reason = "assembly";
  return record;
}

std::string varied(size_t size) {
  std::string bytes;
  for (size_t i = 0; bytes.size() < size; ++i)
    bytes += std::to_string(i * i % 7919);
  return bytes;
}

TEST(Record, SurvivesThatLinkersPutSectionsTogether) {
  const std::string code = varied(5000);
  const std::string section = bytes_of(sample("a.c", code)) + std::string(5, '\0') + bytes_of(sample("b.s", "")) +
                              bytes_of(sample("c.c", "tiny")) + std::string(3, '\0');
  EXPECT_LT(bytes_of(sample("a.c", code)).size(), code.size()); // it is compressed
  const std::vector<Record> records = records_in(section, "libx.so");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].source, "a.c");
  EXPECT_EQ(records[0].bitcode, code);
  EXPECT_EQ(records[0].flags, (std::vector<std::string>{"-O2", "-DX=\"y\""}));
  EXPECT_EQ(records[1].reason, "assembly");
  EXPECT_EQ(records[2].bitcode, "tiny");
}

TEST(Record, RepeatsEverythingThatCompressesTooWellAsItIs) {
  const std::string zeros(1 << 20, 'x');
  EXPECT_EQ(records_in(bytes_of(sample("a.c", zeros)), "x").front().bitcode, zeros);
}

TEST(Record, RefusesWhatIsDamaged) {
  const std::string whole = bytes_of(sample("a.c", varied(5000)));
  std::string long_header = whole, bomb = whole;
  long_header[12] = 1; // the length of the header becomes 4 GiB and more
  bomb.replace(bomb.find("\"size\":5"), 8, "\"size\":9");
  for (const std::string& damaged : {whole.substr(0, whole.size() - 1), whole.substr(0, 20), whole + "x", long_header,
                                     bomb, "FLTLNBC1" + whole.substr(8, 16) + std::string(whole.size(), '{')})
    try {
      records_in(damaged, "libx.so");
      ADD_FAILURE() << "not refused";
    } catch (const base::UserError& error) {
      EXPECT_EQ(error.status, base::status_unsuitable);
      EXPECT_NE(std::string(error.what()).find("libx.so"), std::string::npos);
    }
}

TEST(CaptureSummary, TellsWhatIsMissingAndWhy) {
  CaptureSummary summary;
  summary.add({"liba.a(a.o)", {sample("a.c", "code")}});
  summary.add({"liba.a(b.o)", {sample("b.s", "")}});
  summary.add({"liba.a(c.o)", {}});
  EXPECT_EQ(capture_text(summary, false),
            "captured 1 of 3 objects; missing: b.s (assembly), liba.a(c.o) (not compiled by faultline cc)");
  for (int i = 0; i < 9; ++i)
    summary.add({"liba.a(d.o)", {sample("d.s", "")}});
  EXPECT_TRUE(capture_text(summary, false).ends_with("d.s (assembly) and 8 more")) << capture_text(summary, false);
  EXPECT_EQ(capture_text(summary, true).find("more"), std::string::npos);
  EXPECT_NE(left_out_text(summary, false).find("-fgnu-only (11)"), std::string::npos);
}

} // namespace
} // namespace faultline::program
