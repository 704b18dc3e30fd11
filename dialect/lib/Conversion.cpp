// `convert-mind-to-linalg`: what every operation becomes, and the pass.

#include "Emitter.h"
#include "Mind/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::mind;

// `lower(emitter, op, result)` has one overload an operation, as `lower` of the op classes in mind_mlir/ops: the value of
// `op`, which is valid, of type `result`, which has elements unless the operation is a gather or a scatter_add.

// Constants

static Value scalar(Emitter &e, Attribute value, RankedTensorType result) {
  return e.literal(DenseElementsAttr::get(result, value));
}

static Value lower(Emitter &e, ConstF32Op op, RankedTensorType result) { return scalar(e, op.getValueAttr(), result); }
static Value lower(Emitter &e, ConstF64Op op, RankedTensorType result) { return scalar(e, op.getValueAttr(), result); }
static Value lower(Emitter &e, ConstI64Op op, RankedTensorType result) { return scalar(e, op.getValueAttr(), result); }
static Value lower(Emitter &e, ConstTensorOp op, RankedTensorType) { return e.literal(op.getData()); }

// Element by element

static Value lower(Emitter &e, AddOp op, RankedTensorType result) {
  auto add = [](const Scalars &s, ValueRange x) { return s.add(x[0], x[1]); };
  return e.elementwise<linalg::AddOp>(add, op->getOperands(), result);
}

static Value lower(Emitter &e, SubOp op, RankedTensorType result) {
  auto sub = [](const Scalars &s, ValueRange x) { return s.sub(x[0], x[1]); };
  return e.elementwise<linalg::SubOp>(sub, op->getOperands(), result);
}

static Value lower(Emitter &e, MulOp op, RankedTensorType result) {
  auto mul = [](const Scalars &s, ValueRange x) { return s.mul(x[0], x[1]); };
  return e.elementwise<linalg::MulOp>(mul, op->getOperands(), result);
}

static Value divide(const Scalars &s, Value x, Value y) {
  if (s.isFloat)
    return s.div(x, y);
  Value zero = s.number(0), minusOne = s.number(-1);
  Value byZero = s.equal(y, zero);
  Value atSmallest = s.equal(x, s.number(s.smallest()));
  Value overflow = s.both(atSmallest, s.equal(y, minusOne));
  // arith.divsi has no defined result for these two; dividing by 1 gives x itself, right for the overflow
  Value unsafe = s.either(byZero, overflow);
  Value safe = s.select(unsafe, s.number(1), y);
  return s.select(byZero, minusOne, s.div(x, safe));
}

static Value lower(Emitter &e, DivOp op, RankedTensorType result) {
  return e.map([](const Scalars &s, ValueRange x) { return divide(s, x[0], x[1]); }, op->getOperands(), result);
}

static Value lower(Emitter &e, GreaterOp op, RankedTensorType result) {
  Type operands = op.getLhs().getType().getElementType();
  auto greater = [&](const Scalars &s, ValueRange x) { return s.fromCondition(s.of(operands).greater(x[0], x[1])); };
  return e.map(greater, op->getOperands(), result);
}

static Value lower(Emitter &e, SelectOp op, RankedTensorType result) {
  Type condition = op.getCondition().getType().getElementType();
  auto choose = [&](const Scalars &s, ValueRange x) {
    Scalars c = s.of(condition);
    return s.select(c.equal(x[0], c.number(0)), x[2], x[1]);
  };
  return e.map(choose, op->getOperands(), result);
}

static Value lower(Emitter &e, NegOp op, RankedTensorType result) {
  if (isa<FloatType>(result.getElementType()))
    return e.named<linalg::NegFOp>(op.getInput(), result);
  return e.map([](const Scalars &s, ValueRange x) { return s.sub(s.number(0), x[0]); }, op.getInput(), result);
}

static Value lower(Emitter &e, ReciprocalOp op, RankedTensorType result) {
  return e.map([](const Scalars &s, ValueRange x) { return s.div(s.number(1), x[0]); }, op.getInput(), result);
}

static Value lower(Emitter &e, ReluOp op, RankedTensorType result) {
  auto relu = [](const Scalars &s, ValueRange x) {
    Value positive = s.greater(x[0], s.number(0));
    return s.select(positive, x[0], s.number(0));
  };
  return e.map(relu, op.getInput(), result);
}

static Value lower(Emitter &e, ExpOp op, RankedTensorType result) {
  return e.named<linalg::ExpOp>(op.getInput(), result);
}

static Value lower(Emitter &e, LogOp op, RankedTensorType result) {
  return e.named<linalg::LogOp>(op.getInput(), result);
}

static Value lower(Emitter &e, BroadcastOp op, RankedTensorType result) {
  return e.map([](const Scalars &, ValueRange x) { return x[0]; }, op.getInput(), result);
}

// Contractions

static Value lower(Emitter &e, DotOp op, RankedTensorType result) {
  bool left = op.getLhs().getType().getRank() == 2, right = op.getRhs().getType().getRank() == 2;
  if (left && right)
    return e.named<linalg::MatmulOp>(op->getOperands(), result, 0);
  if (left)
    return e.named<linalg::MatvecOp>(op->getOperands(), result, 0);
  if (right)
    return e.named<linalg::VecmatOp>(op->getOperands(), result, 0);
  return e.named<linalg::DotOp>(op->getOperands(), result, 0);
}

static Value lower(Emitter &e, MatMulOp op, RankedTensorType result) {
  int64_t rank = result.getRank();
  if (rank == 2)
    return e.named<linalg::MatmulOp>(op->getOperands(), result, 0);
  auto batch = [](RankedTensorType t) { return t.getShape().drop_back(2); };
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  if (rank == 3 && batch(lhs) == batch(result) && batch(rhs) == batch(result))
    return e.named<linalg::BatchMatmulOp>(op->getOperands(), result, 0);
  // … i k, … k j -> … i j, where the batch axes are named from 0
  int64_t batches = rank - 2, i = batches, k = batches + 1, j = batches + 2;
  auto term = [&](RankedTensorType t, int64_t row, int64_t column) {
    Shape dims = llvm::to_vector(llvm::seq(batches - (t.getRank() - 2), batches));
    dims.append({row, column});
    return dims;
  };
  return e.contract({term(lhs, i, k), term(rhs, k, j), term(result, i, j)}, op->getOperands(), result);
}

/// The zeros around an input of a convolution.
static SmallVector<Pads> padsOf(ArrayRef<int64_t> input, ArrayRef<int64_t> filter, ArrayRef<int64_t> strides,
                                Attribute padding) {
  SmallVector<Pads> pads(4, {0, 0});
  Padding form = *readPadding(padding, refuseSilently);
  for (unsigned axis : {0, 1}) {
    Window window = windowOf(input[axis + 1], filter[axis], strides[axis], form, axis);
    pads[axis + 1] = {int64_t(window.low), int64_t(window.high)};
  }
  return pads;
}

static Value lower(Emitter &e, Conv2dOp op, RankedTensorType result) {
  SmallVector<Pads> pads =
      padsOf(shapeOf(op.getInput()), shapeOf(op.getFilter()), op.getStrides(), op.getPadding());
  return e.convolved(e.padded(op.getInput(), pads), op.getFilter(), op.getStrides(), result);
}

static Value lower(Emitter &e, Conv2dBackwardFilterOp op, RankedTensorType result) {
  SmallVector<Pads> pads = padsOf(shapeOf(op.getInput()), result.getShape(), op.getStrides(), op.getPadding());
  return e.correlated(op.getInput(), pads, op.getCotangent(), op.getStrides(), result);
}

static Value lower(Emitter &e, Conv2dBackwardInputOp op, RankedTensorType result) {
  SmallVector<Pads> pads = padsOf(result.getShape(), shapeOf(op.getFilter()), op.getStrides(), op.getPadding());
  Value total = e.convolvedBack(op.getCotangent(), op.getFilter(), op.getStrides(), paddedType(result, pads));
  return e.slice(total, {0, pads[1].first, pads[2].first, 0}, {1, 1, 1, 1}, result);
}

// Reductions

/// The axes that go, ascending; none are named where all go.
template <typename OP> static Shape reducedAxes(OP op) {
  int64_t rank = op.getInput().getType().getRank();
  if (op.getAxes().empty())
    return llvm::to_vector(llvm::seq(rank));
  Shape axes = *normalAxes("", op.getAxes(), rank, refuseSilently);
  llvm::sort(axes);
  return axes;
}

static Value lower(Emitter &e, SumOp op, RankedTensorType result) {
  return e.sum(op.getInput(), reducedAxes(op), result);
}

static Value lower(Emitter &e, MeanOp op, RankedTensorType result) {
  Shape axes = reducedAxes(op);
  Value total = e.sum(op.getInput(), axes, result);
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= shapeOf(op.getInput())[axis];
  return e.map([&](const Scalars &s, ValueRange x) { return s.div(x[0], s.number(count)); }, total, result);
}

// Shape

static Value lower(Emitter &e, ReshapeOp op, RankedTensorType result) { return e.reshaped(op.getInput(), result); }
static Value lower(Emitter &e, SqueezeOp op, RankedTensorType result) { return e.reshaped(op.getInput(), result); }
static Value lower(Emitter &e, ExpandDimsOp op, RankedTensorType result) { return e.reshaped(op.getInput(), result); }

static Value lower(Emitter &e, TransposeOp op, RankedTensorType result) {
  return e.transposed(op.getInput(), op.getPermutation(), result);
}

/// Positions counted from 0, of which some may be counted from the end.
static Shape fromZero(ArrayRef<int64_t> positions, ArrayRef<int64_t> extents) {
  Shape out;
  for (auto [i, n] : llvm::zip_equal(positions, extents))
    out.push_back(i < 0 ? i + n : i);
  return out;
}

static Value lower(Emitter &e, SliceOp op, RankedTensorType result) {
  return e.slice(op.getInput(), fromZero(op.getStarts(), shapeOf(op.getInput())), op.getSteps(), result);
}

static Value lower(Emitter &e, PadOp op, RankedTensorType) {
  SmallVector<Pads> pads = llvm::map_to_vector(llvm::zip_equal(op.getLow(), op.getHigh()), [](auto pair) {
    return Pads(std::get<0>(pair), std::get<1>(pair));
  });
  return e.padded(op.getInput(), pads, op.getInterior());
}

static FailureOr<Value> lower(Emitter &e, IndexOp op, RankedTensorType result) {
  ArrayRef<int64_t> shape = shapeOf(op.getInput());
  for (auto [i, n] : llvm::zip_equal(op.getIndices(), shape))
    if (i < -n || i >= n)
      return op.emitOpError(say("E6001: Index ", op.getIndices(), " is out of bounds for ", shape));
  return e.element(op.getInput(), fromZero(op.getIndices(), shape), result);
}

// Rows

static Value lower(Emitter &e, GatherOp op, RankedTensorType result) {
  return e.gather(op.getInput(), op.getIndices(), result, op.getOob(), "Gather index out of bounds");
}

static Value lower(Emitter &e, ScatterAddOp op, RankedTensorType) {
  return e.scatterAdd(op.getInput(), op.getIndices(), op.getUpdates(), op.getOob(), "ScatterAdd index out of bounds");
}

// Ranks

static Value lower(Emitter &e, AllReduceOp op, RankedTensorType) {
  return e.allReduce(op.getInput(), op.getAxis(), op.getSize(), op.getKind());
}

static Value lower(Emitter &e, AllGatherOp op, RankedTensorType result) {
  return e.allGather(op.getInput(), op.getAxis(), op.getSize(), op.getDim(), result);
}

static Value lower(Emitter &e, ReduceScatterOp op, RankedTensorType result) {
  return e.reduceScatter(op.getInput(), op.getAxis(), op.getSize(), op.getDim(), result);
}

static Value lower(Emitter &e, AllToAllOp op, RankedTensorType result) {
  return e.allToAll(op.getInput(), op.getAxis(), op.getSize(), op.getSplit(), op.getConcat(), result);
}

static Value lower(Emitter &e, ShardSliceOp op, RankedTensorType result) {
  return e.shardSlice(op.getInput(), op.getAxis(), op.getSize(), op.getDim(), result);
}

static Value lower(Emitter &, PVaryOp op, RankedTensorType) { return op.getInput(); }
static Value lower(Emitter &, ReshardOp op, RankedTensorType) { return op.getInput(); }

// The pass

static FailureOr<Value> lowerAny(Emitter &e, Operation *op, RankedTensorType result) {
  if (isEmpty(result.getShape()) && !isa<GatherOp, ScatterAddOp>(op))
    return e.empty(result); // no element to compute
#define MIND_OP(OP)                                                                                                    \
  if (auto found = dyn_cast<OP>(op))                                                                                   \
    return lower(e, found, result);
#include "Mind/MindOps.def"
  return op->emitOpError("cannot be converted");
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
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, linalg::LinalgDialect, math::MathDialect,
                    scf::SCFDialect, shard::ShardDialect, tensor::TensorDialect>();
  }

  void runOnOperation() final {
    tablesWithGrid.clear();
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
      signalPassFailure();
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
  if (failed(checkSize(op, op->getResult(0))))
    return failure();
  if (mesh && op->hasTrait<AcrossRanks>() && failed(provideGrid(op, *mesh)))
    return failure();
  Emitter emitter(op, *mode == Numerics::Strict, mesh ? &*mesh : nullptr);
  FailureOr<Value> value = lowerAny(emitter, op, typeOf(op->getResult(0)));
  if (failed(value))
    return failure();
  op->getResult(0).replaceAllUsesWith(*value);
  op->erase();
  return success();
}

std::unique_ptr<Pass> mlir::mind::createConvertMindToLinalg() { return std::make_unique<ConvertMindToLinalg>(); }
