#include "constraint/smtlib/values.h"

#include "base/error.h"

#include <gtest/gtest.h>
#include <vector>

namespace faultline::constraint {
namespace {

using Kind = Token::Kind;

std::vector<Token> tokens(std::string_view text) {
  Lexer lexer(text, "f.smt2");
  std::vector<Token> all;
  for (Token token = lexer.next(); token.kind != Kind::end; token = lexer.next())
    all.push_back(token);
  return all;
}

std::string error_of(std::string_view text) {
  try {
    tokens(text);
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, 2);
    EXPECT_FALSE(error.hint.empty());
    return error.what();
  }
  return "no error";
}

TEST(SmtlibLexer, EveryKindOfTokenIsToldFromTheOthers) {
  const std::pair<const char*, Kind> samples[] = {{"(", Kind::open},
                                                  {")", Kind::close},
                                                  {"fp.add", Kind::symbol},
                                                  {"+oo", Kind::symbol},
                                                  {"|a b;\n(c|", Kind::quoted},
                                                  {":status", Kind::keyword},
                                                  {"12", Kind::numeral},
                                                  {"1.50", Kind::decimal},
                                                  {"#b010", Kind::binary},
                                                  {"#xfF0", Kind::hexadecimal},
                                                  {"\"a\"\"b\"", Kind::string}};
  for (const auto& [text, kind] : samples) {
    const std::vector<Token> found = tokens(text);
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_EQ(found[0].kind, kind) << text;
  }
  EXPECT_EQ(tokens("|a b;\n(c|")[0].text, "a b;\n(c");
  EXPECT_EQ(tokens("#xfF0")[0].text, "fF0");
  EXPECT_EQ(tokens("\"a\"\"b\"")[0].text, "\"a\"\"b\"");
}

TEST(SmtlibLexer, CommentsAndBlanksSeparateAndAreNoTokens) {
  const std::vector<Token> found = tokens("\xef\xbb\xbf; head \x01\xff\r\n(a;b\n\tc|d|)");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[1].text, "a");
  EXPECT_EQ(found[2].text, "c");
  EXPECT_EQ(found[3].text, "d");
  EXPECT_EQ(tokens("; only a comment").size(), 0u);
}

TEST(SmtlibLexer, AnErrorNamesFileLineAndColumn) {
  EXPECT_EQ(error_of("(a\n  {"), "f.smt2:2:3: unexpected character '{'");
  EXPECT_EQ(error_of("{"), "f.smt2:1:1: unexpected character '{'");
  EXPECT_EQ(error_of("\n\n|open"), "f.smt2:3:1: a |symbol| that is never closed");
  EXPECT_EQ(error_of("a \"open"), "f.smt2:1:3: a string that is never closed");
}

TEST(SmtlibLexer, BytesThatAreNoTextAreRefused) {
  EXPECT_EQ(error_of(std::string_view("a\0b", 3)), "f.smt2:1:2: unexpected byte 0x00");
  EXPECT_EQ(error_of("\x7f"
                     "ELF"),
            "f.smt2:1:1: unexpected byte 0x7f");
  EXPECT_EQ(error_of("x \xc3\xa9"), "f.smt2:1:3: unexpected byte 0xc3");
  EXPECT_EQ(error_of("|a\x1b[31m|"), "f.smt2:1:3: byte 0x1b inside a |symbol|");
  EXPECT_EQ(tokens("|\xc3\xa9|")[0].text, "\xc3\xa9");
}

TEST(SmtlibLexer, MalformedNumbersAndLiteralsAreRefused) {
  for (const char* text : {"1e5", "12ab", "1.", "1.x", "#b", "#b2", "#b012", "#xg", "#", "#q1", ":"})
    EXPECT_NE(error_of(text), "no error") << text;
}

TEST(SmtlibLexer, AMessageShowsNoEscapeCodesAndStaysShort) {
  EXPECT_EQ(shown("a\x1b\nb"), "'a??b'");
  EXPECT_LT(shown(std::string(1000, 'x')).size(), 80u);
}

TEST(SmtlibLexer, NamesThatNeedBarsAreKnown) {
  for (const char* name : {"x", "c_main_~yc~5", "-", "a.b"})
    EXPECT_TRUE(is_simple_symbol(name)) << name;
  for (const char* name : {"", "1x", "a b", "let", "_", "x#1", "\xc3\xa9"})
    EXPECT_FALSE(is_simple_symbol(name)) << name;
}

} // namespace
} // namespace faultline::constraint
