// The plugin that clang loads (-fplugin) to keep the roundings in initialisers of constants:
//
//   static const double radian = M_PI / 180;
//   constexpr Ellipsoid earth = {6378137.0, 1 / 298.257};
//
// The compiler evaluates them while it parses, and the rounded number would count as exact. A use of such a constant is
// written as its initialiser, so its operations are those of the function that uses it (program/keep_rounding.h).
// Elements of arrays are replaced where the index is a constant. Variables whose rounded elements may still be read as
// they are get a note in their debug information: proofs name them.
#include "program/keep_rounding.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Builtins.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace faultline::program {
namespace {

using namespace clang; // NOLINT: as all plugins of clang

using llvm::dyn_cast;
using llvm::isa;

// A use of a constant becomes an expression of at most so many nodes: a guess.
constexpr unsigned most_nodes = 100;

const Expr* without_marks(const Expr* expression) {
  while (const auto* full = dyn_cast<FullExpr>(expression))
    expression = full->getSubExpr();
  return expression;
}

// True if both operands are known and the operation on them is inexact.
bool rounds_here(const BinaryOperator& operation, const ASTContext& context) {
  llvm::APFloat left(0.0), right(0.0);
  if (!operation.getLHS()->EvaluateAsFloat(left, context, Expr::SE_NoSideEffects, true) ||
      !operation.getRHS()->EvaluateAsFloat(right, context, Expr::SE_NoSideEffects, true) ||
      &left.getSemantics() != &right.getSemantics())
    return true;
  constexpr auto nearest = llvm::APFloat::rmNearestTiesToEven;
  llvm::APFloat::opStatus status = llvm::APFloat::opOK;
  switch (operation.getOpcode()) {
  case BO_Add:
    status = left.add(right, nearest);
    break;
  case BO_Sub:
    status = left.subtract(right, nearest);
    break;
  case BO_Mul:
    status = left.multiply(right, nearest);
    break;
  case BO_Div:
    status = left.divide(right, nearest);
    break;
  default:
    break;
  }
  return status & llvm::APFloat::opInexact;
}

// An expression of constants, without effects.
class Initialiser {
public:
  Initialiser(const Expr* expression, const ASTContext& context) : context_(context) { read(expression); }

  bool rounds() const { return rounds_; }
  bool can_replace_uses() const { return pure_ && rounds_ && nodes_ <= most_nodes; }

private:
  const ASTContext& context_;
  bool pure_ = true, rounds_ = false;
  unsigned nodes_ = 0;

  void read_parts(const Stmt* expression) {
    for (const Stmt* part : expression->children())
      if (const auto* operand = llvm::dyn_cast_or_null<Expr>(part))
        read(operand);
  }

  void read(const Expr* expression);
  void read_call(const CallExpr& call);
};

const Expr* initialiser_of(const Expr* place, const ASTContext& context);

void Initialiser::read(const Expr* expression) {
  if (++nodes_ > 10 * most_nodes || (rounds_ && !pure_))
    return;
  if (const Expr* value = isa<CastExpr>(expression) ? nullptr : initialiser_of(expression, context_))
    return read(value); // another constant
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    pure_ &= operation->isAdditiveOp() || operation->isMultiplicativeOp();
    rounds_ = rounds_ || (operation->getType()->isRealFloatingType() && rounds_here(*operation, context_));
    return read_parts(expression);
  }
  if (const auto* call = dyn_cast<CallExpr>(expression))
    return read_call(*call);
  if (const auto* member = dyn_cast<CXXDefaultInitExpr>(expression))
    return read(member->getExpr());
  if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
    pure_ &= isa<EnumConstantDecl>(name->getDecl());
    return;
  }
  if (const auto* change = dyn_cast<UnaryOperator>(expression))
    pure_ &= change->getOpcode() == UO_Minus || change->getOpcode() == UO_Plus;
  else
    pure_ &= isa<FullExpr, ParenExpr, CastExpr, FloatingLiteral, IntegerLiteral, CharacterLiteral,
                 UnaryExprOrTypeTraitExpr, SubstNonTypeTemplateParmExpr, ConditionalOperator>(expression);
  if (!isa<UnaryExprOrTypeTraitExpr>(expression))
    read_parts(expression);
}

void Initialiser::read_call(const CallExpr& call) {
  const FunctionDecl* callee = call.getDirectCallee();
  const unsigned builtin = callee ? callee->getBuiltinID() : 0;
  const bool is_function = builtin && (context_.BuiltinInfo.isConst(builtin) ||
                                       context_.BuiltinInfo.isConstWithoutErrnoAndExceptions(builtin));
  pure_ &= is_function || (callee && callee->isConstexpr() && !callee->isConsteval() && !isa<CXXMethodDecl>(callee));
  rounds_ |= call.getType()->isRealFloatingType();
  for (const Expr* argument : call.arguments())
    read(argument);
}

// Returns the initialiser of a variable that keeps its initial value, or null.
const Expr* initialiser_of(const VarDecl& variable) {
  const QualType type = variable.getType();
  const bool is_constant = variable.isConstexpr() || (type.isConstQualified() && variable.hasGlobalStorage());
  const VarDecl* definition = nullptr;
  const Expr* value = is_constant ? variable.getAnyInitializer(definition) : nullptr;
  if (!value || type.isVolatileQualified() || definition->hasAttr<WeakAttr>() || value->isValueDependent())
    return nullptr;
  return without_marks(value);
}

// Returns what initialises the variable, its field or its element that is named, or null.
const Expr* initialiser_of(const Expr* place, const ASTContext& context) {
  place = place->IgnoreParens();
  if (const auto* cast = dyn_cast<CastExpr>(place)) {
    const bool is_same = cast->getCastKind() == CK_ArrayToPointerDecay || cast->getCastKind() == CK_NoOp;
    return is_same ? initialiser_of(cast->getSubExpr(), context) : nullptr;
  }
  if (const auto* name = dyn_cast<DeclRefExpr>(place)) {
    const auto* variable = dyn_cast<VarDecl>(name->getDecl());
    return variable && !variable->getType()->isReferenceType() ? initialiser_of(*variable) : nullptr;
  }
  auto part = [&](const Expr* whole, uint64_t index) -> const Expr* {
    const auto* list = llvm::dyn_cast_or_null<InitListExpr>(whole ? initialiser_of(whole, context) : nullptr);
    if (!list)
      return nullptr;
    if (list->isSyntacticForm() && list->getSemanticForm())
      list = list->getSemanticForm();
    const Expr* value = index < list->getNumInits() ? list->getInit(unsigned(index)) : nullptr;
    return value && !isa<ImplicitValueInitExpr>(value) ? without_marks(value) : nullptr;
  };
  Expr::EvalResult index;
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(place))
    return !element->getIdx()->isValueDependent() && element->getIdx()->EvaluateAsInt(index, context)
               ? part(element->getBase(), index.Val.getInt().getLimitedValue())
               : nullptr;
  const auto* member = dyn_cast<MemberExpr>(place);
  const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  const auto* record = field ? dyn_cast<CXXRecordDecl>(field->getParent()) : nullptr;
  if (!field || member->isArrow() || field->getParent()->isUnion() || (record && record->getNumBases()))
    return nullptr;
  return part(member->getBase(), field->getFieldIndex());
}

class Uses : public RecursiveASTVisitor<Uses> {
public:
  explicit Uses(ASTContext& context) : context_(context) {}

  bool shouldVisitImplicitCode() const { return true; }
  // Instantiations are declarations of their own.
  bool TraverseFunctionTemplateDecl(FunctionTemplateDecl*) { return true; }
  bool TraverseClassTemplateDecl(ClassTemplateDecl*) { return true; }
  bool TraverseClassTemplatePartialSpecializationDecl(ClassTemplatePartialSpecializationDecl*) { return true; }
  bool TraverseVarTemplateDecl(VarTemplateDecl*) { return true; }

  bool VisitImplicitCastExpr(ImplicitCastExpr* use) {
    if (use->getCastKind() != CK_LValueToRValue || !use->getType()->isRealFloatingType())
      return true;
    const Expr* value = initialiser_of(use->getSubExpr(), context_);
    if (value && value->isPRValue() && context_.hasSameUnqualifiedType(value->getType(), use->getType()) &&
        Initialiser(value, context_).can_replace_uses()) {
      use->setSubExpr(const_cast<Expr*>(value)); // clang's own transformations share expressions in this way
      use->setCastKind(CK_NoOp);
    }
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) {
    const Expr* value = variable->hasGlobalStorage() ? variable->getInit() : nullptr;
    if (value && !value->isValueDependent() && Initialiser(value, context_).rounds())
      variable->addAttr(BTFDeclTagAttr::CreateImplicit(context_, rounded_initialiser));
    return true;
  }

private:
  ASTContext& context_;
};

struct Consumer : ASTConsumer {
  bool HandleTopLevelDecl(DeclGroupRef declarations) override {
    for (Decl* declaration : declarations)
      Uses(declaration->getASTContext()).TraverseDecl(declaration);
    return true;
  }
};

struct Action : PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<Action> added("faultline-named-constants", "writes constants as their initialisers");

} // namespace
} // namespace faultline::program
