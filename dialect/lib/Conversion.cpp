// `convert-mind-to-linalg`, the pass: what every operation becomes, its rules say.

#include "Emitter.h"
#include "Mind/Passes.h"
#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::mind;

/// True if the lowering runs even where no result has an element: it checks indices, for one.
static bool lowersEmpty(Operation *op) {
#define MIND_LOWERED_EMPTY_OP(Op)                                                                                      \
  if (isa<Op>(op))                                                                                                     \
    return true;
#include "Mind/MindOps.def"
  return false;
}

/// What stands in place of the results of a valid operation.
static FailureOr<SmallVector<Value>> lowered(Operation *op, Emitter &e) {
  auto empty = [](Value result) { return isEmpty(shapeOf(result)); };
  if (!llvm::all_of(op->getResults(), empty) || lowersEmpty(op))
    return lowerByRules(op, e, refuseAt(op));
  SmallVector<Value> results; // no element to compute
  for (Value result : op->getResults())
    results.push_back(e.empty(typeOf(result)));
  return results;
}

/// Gives all values the integers of arithmetic, and takes out the casts, which then cast nothing.
static void dropSigns(Operation *root) {
  SmallVector<UnrealizedConversionCastOp> casts;
  auto change = [](ValueRange values) {
    for (Value v : values)
      v.setType(withoutSign(v.getType()));
  };
  auto changed = [](TypeRange types) {
    return llvm::map_to_vector(types, [](Type t) { return withoutSign(t); });
  };
  root->walk([&](Operation *op) {
    change(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        change(block.getArguments());
    if (auto signature = op->getAttrOfType<TypeAttr>("function_type"))
      if (auto f = dyn_cast<FunctionType>(signature.getValue())) {
        auto type = FunctionType::get(op->getContext(), changed(f.getInputs()), changed(f.getResults()));
        op->setAttr("function_type", TypeAttr::get(type));
      }
    if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
      casts.push_back(cast);
  });
  for (UnrealizedConversionCastOp cast : casts)
    if (cast->getOperandTypes() == cast->getResultTypes()) {
      cast->replaceAllUsesWith(cast->getOperands());
      cast->erase();
    }
}

static LogicalResult checkSize(Operation *op, Value v) {
  if (isAddressable(typeOf(v)))
    return success();
  return op->emitOpError(say("E6004: ", typeOf(v), " is larger than any memory"));
}

namespace {

enum class Numerics { Default, Strict, Fast };

struct ConvertMindToLinalg : PassWrapper<ConvertMindToLinalg, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertMindToLinalg)

  ConvertMindToLinalg() = default;
  ConvertMindToLinalg(const ConvertMindToLinalg &other) : PassWrapper(other) {}

  StringRef getName() const final { return "ConvertMindToLinalg"; }
  StringRef getArgument() const final { return "convert-mind-to-linalg"; }
  StringRef getDescription() const final { return "Turn every operation of the dialect mind into linalg and tensor"; }

  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                    math::MathDialect, scf::SCFDialect, shard::ShardDialect, tensor::TensorDialect>();
  }

  void runOnOperation() final {
    tablesWithGrid.clear();
    hasSigns = false;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (op->getName().getDialectNamespace() != MindDialect::getDialectNamespace())
        return WalkResult::advance();
      if (!isa_and_present<MindDialect>(op->getDialect())) { // unregistered, or IRDL's: no op class takes it
        op->emitOpError("cannot be converted: the dialect mind is not loaded, or not in C++");
        return WalkResult::interrupt();
      }
      return failed(convert(op)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    if (hasSigns)
      dropSigns(getOperation());
  }

private:
  /// Replaces `op`, which is then gone.
  LogicalResult convert(Operation *op);

  /// Those of the nearest operation around `op` that says so, or the option's.
  FailureOr<Numerics> numericsOf(Operation *op);

  /// That of the nearest operation around `op` that states one, within what the pass may change: the grid is to stand
  /// there.  Success without one if none does.
  LogicalResult findMesh(Operation *op, std::optional<Mesh> &mesh);

  /// Puts the grid of the mesh where `op` finds it.
  LogicalResult provideGrid(Operation *op, const Mesh &mesh);

  /// What holds symbols and has the grid.
  SmallPtrSet<Operation *, 4> tablesWithGrid;

  /// True once a value had integers without a sign.
  bool hasSigns = false;

  Option<Numerics> numerics{
      *this, "numerics", llvm::cl::desc("How far results may differ from the interpreter's, unless mind.numerics says"),
      llvm::cl::init(Numerics::Default),
      llvm::cl::values(clEnumValN(Numerics::Default, "default", "within stated bounds"),
                       clEnumValN(Numerics::Strict, "strict", "not at all"),
                       clEnumValN(Numerics::Fast, "fast", "in whatever LLVM may do"))};
};

} // namespace

FailureOr<Numerics> ConvertMindToLinalg::numericsOf(Operation *op) {
  for (Operation *around = op; around; around = around->getParentOp()) {
    Attribute said = around->getDiscardableAttr("mind.numerics");
    if (!said)
      continue;
    auto word = dyn_cast<StringAttr>(said);
    auto known = llvm::StringSwitch<std::optional<Numerics>>(word ? word.getValue() : "")
                     .Case("default", Numerics::Default)
                     .Case("strict", Numerics::Strict)
                     .Case("fast", Numerics::Fast)
                     .Default(std::nullopt);
    if (!known)
      return around->emitOpError("E7008: mind.numerics is one of default, strict, fast, found ") << said;
    return *known;
  }
  return Numerics(numerics);
}

LogicalResult ConvertMindToLinalg::findMesh(Operation *op, std::optional<Mesh> &mesh) {
  for (Operation *around = op; around; around = around == getOperation() ? nullptr : around->getParentOp()) {
    if (!around->hasAttr(kMeshAttribute))
      continue;
    FailureOr<Mesh> found = statedMesh(around);
    if (failed(found))
      return failure();
    mesh = std::move(*found);
    break;
  }
  return success();
}

LogicalResult ConvertMindToLinalg::provideGrid(Operation *op, const Mesh &mesh) {
  Operation *table = op; // the module that states the mesh is one
  while (!table->hasTrait<OpTrait::SymbolTable>())
    table = table->getParentOp();
  if (!tablesWithGrid.insert(table).second)
    return success();
  return ensureGrid(table, mesh, refuseAt(op));
}

LogicalResult ConvertMindToLinalg::convert(Operation *op) {
  FailureOr<Numerics> mode = numericsOf(op);
  if (failed(mode) || failed(verify(op, /*verifyRecursively=*/false))) // the pass manager need not have verified
    return failure();
  std::optional<Mesh> mesh;
  if (op->hasTrait<AcrossRanks>() || isa<ReshardOp>(op)) {
    if (failed(findMesh(op, mesh)) || failed(checkMesh(op, mesh ? &*mesh : nullptr, refuseAt(op))))
      return failure();
  }
  for (Value v : op->getOperands())
    if (failed(checkSize(op, v)))
      return failure();
  for (Value v : op->getResults())
    if (failed(checkSize(op, v)))
      return failure();
  if (mesh && op->hasTrait<AcrossRanks>() && failed(provideGrid(op, *mesh)))
    return failure();
  Emitter emitter(op, *mode == Numerics::Strict, mesh ? &*mesh : nullptr);
  FailureOr<SmallVector<Value>> values = lowered(op, emitter);
  if (failed(values))
    return failure();
  auto has = [](Value v) { return withoutSign(v.getType()) != v.getType(); };
  hasSigns |= llvm::any_of(op->getOperands(), has) || llvm::any_of(op->getResults(), has);
  OpBuilder builder(op);
  for (auto [value, result] : llvm::zip_equal(*values, op->getResults()))
    if (value.getType() != result.getType())
      value = UnrealizedConversionCastOp::create(builder, op->getLoc(), result.getType(), value).getResult(0);
  op->replaceAllUsesWith(*values);
  op->erase();
  return success();
}

std::unique_ptr<Pass> mlir::mind::createConvertMindToLinalg() { return std::make_unique<ConvertMindToLinalg>(); }
