// Work of Fortran's runtime library: what is written out is followed, what sums up is not believed.
#include "../session_fixture.h"

#include <array>

namespace faultline::test {
namespace {

using ops::Op;

struct Product {
  std::string name, left, right, result, expression; // declarations of a, b and c, and what c becomes
  std::vector<std::array<int, 4>> terms = {};        // of c's first element: inputs that are multiplied, in pairs
  std::string kind = "8";
};
void PrintTo(const Product& product, std::ostream* stream) { *stream << product.name; }
class Matmul : public testing::TestWithParam<Product> {};

std::string source_of(const Product& product) {
  const std::string real = "real(" + product.kind + ")";
  return real + " function f(a, b)\n" + real + ", intent(in) :: a(" + product.left + "), b(" + product.right + ")\n" +
         real + " :: c(" + product.result + ")\nc = " + product.expression + "\nf = sum(c)\nend function\n";
}

// The same, one element after the other.
template <typename Float> long double sum_of_products(const exec::Input& input, const Product& product) {
  Float sum = 0;
  for (const std::array<int, 4>& term : product.terms) {
    Float element = 0;
    element += Float(input[size_t(term[0])]) * Float(input[size_t(term[1])]);
    element += Float(input[size_t(term[2])]) * Float(input[size_t(term[3])]);
    sum += element;
  }
  return sum;
}

TEST_P(Matmul, IsFollowedElementByElement) {
  exec::Session session = open_text(source_of(GetParam()), ".f90");
  EXPECT_EQ(session.foreign(), std::vector<std::string>{"_FortranAAssign"});
  exec::Input input;
  for (size_t i = 0; i < session.target().inputs.size(); ++i)
    input.push_back(GetParam().kind == "8" ? (long double)(0.1 + double(i) / 7) : (long double)(0.1f + float(i) / 7));
  const exec::Run run = consistent_run(session, input);
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  const long double expected =
      GetParam().kind == "8" ? sum_of_products<double>(input, GetParam()) : sum_of_products<float>(input, GetParam());
  expect_same(run.outputs[0].value, expected);
  const Tape tape(run, session.sites());
  EXPECT_EQ(tape.count(Op::fmul), int(2 * GetParam().terms.size()));
  const auto& last = GetParam().terms.back();
  for (const int used : last)
    EXPECT_TRUE(tape.reaches_input(run.outputs[0].record, uint32_t(used))) << used;
  const exec::LiftedRun lifted = session.lift(input, 200);
  ASSERT_EQ(lifted.outcome, exec::Outcome::returned);
  EXPECT_EQ(lifted.made_with.at(0), "");
}

using Terms = std::vector<std::array<int, 4>>;
const Terms square{{0, 4, 2, 5}, {1, 4, 3, 5}, {0, 6, 2, 7}, {1, 6, 3, 7}};
const Terms from_left{{0, 2, 1, 3}, {0, 4, 1, 5}};
const Terms from_right{{0, 4, 2, 5}, {1, 4, 3, 5}};

INSTANTIATE_TEST_SUITE_P(
    All, Matmul,
    testing::Values(Product{"matrices", "2,2", "2,2", "2,2", "matmul(a, b)", square},
                    Product{"floats", "2,2", "2,2", "2,2", "matmul(a, b)", square, "4"},
                    Product{"matrix_and_vector", "2,2", "2", "2", "matmul(a, b)", from_right},
                    Product{"vector_and_matrix", "2", "2,2", "2", "matmul(a, b)", from_left},
                    Product{"transposed", "2,2", "2", "2", "matmul(transpose(a), b)", {{0, 4, 1, 5}, {2, 4, 3, 5}}},
                    Product{"section", "3,2", "2", "2", "matmul(a(1:3:2,:), b)", {{0, 6, 3, 7}, {2, 6, 5, 7}}}),
    [](const auto& info) { return info.param.name; });

TEST(Matmul, OfNothingIsNothing) {
  exec::Session session = open_text("real(8) function f(x, n)\nreal(8), intent(in) :: x\ninteger, intent(in) :: n\n"
                                    "real(8) :: a(n,n), b(n,n), c(n,n)\na = x\nb = x\n"
                                    "c = matmul(a, b)\nf = x + sum(c)\nend function\n",
                                    ".f90");
  expect_same(session.run({3, 0}).outputs[0].value, 3);
  expect_same(session.run({3, 2}).outputs[0].value, 75);
}

// The library's sums round, also those of exact numbers: the rest after a cancellation is unknown.
TEST(LibraryOfFortran, SumsAreUnknownAndCopiesAreNot) {
  const std::string head = "real(8) function f(a)\nreal(8), intent(in) :: a(2,2)\n";
  for (const char* body : {"real(8) :: c(2)\nc = norm2(a, 1)\nf = c(1) - c(2)\n", "f = norm2(a) - 1\n"}) {
    exec::Session session = open_text(head + body + "end function\n", ".f90");
    const exec::LiftedRun run = session.lift({0.1, 0.2, 0.3, 0.4}, 200);
    ASSERT_EQ(run.outcome, exec::Outcome::returned);
    EXPECT_NE(run.made_with.at(0).find("Norm2"), std::string::npos) << body << run.made_with.at(0);
  }
  exec::Session session =
      open_text(head + "real(8) :: c(4)\nc = cshift(reshape(a, (/4/)), 1)\nf = c(1) - c(2)\nend function\n", ".f90");
  const exec::LiftedRun run = session.lift({0.1, 0.2, 0.3, 0.4}, 200);
  EXPECT_EQ(run.made_with.at(0), "");
}

} // namespace
} // namespace faultline::test
