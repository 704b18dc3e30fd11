// What moves between ranks, as operations of MLIR's dialect shard, and the grid they name.

#include "Emitter.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::mind;

/// The symbol of the grid of ranks, and on it the names of its axes.
static constexpr StringLiteral kGrid = "mind_mesh", kAxes = "mind.axes";

LogicalResult mlir::mind::ensureGrid(Operation *table, const Mesh &mesh, Refuse refuse) {
  Builder attributes(table->getContext());
  ArrayAttr names = attributes.getStrArrayAttr(mesh.names);
  Operation *found = SymbolTable::lookupSymbolIn(table, kGrid);
  if (!found) {
    OpBuilder front = OpBuilder::atBlockBegin(&table->getRegion(0).front());
    auto grid = shard::GridOp::create(front, front.getUnknownLoc(), kGrid, mesh.sizes);
    grid->setDiscardableAttr(kAxes, names);
    return success();
  }
  auto grid = dyn_cast<shard::GridOp>(found);
  if (grid && grid.getShape() == ArrayRef(mesh.sizes) && grid->getDiscardableAttr(kAxes) == names)
    return success();
  return refuse("E8004", say("@", kGrid, " is there already, and is not the grid of the mesh ", mesh));
}

/// The operation of dialect shard along one axis; along an axis of one rank nothing moves.  `attributes` are those that
/// the operation has beyond grid and axis.
template <typename OP, typename... Attributes>
Value Emitter::across(Value x, StringRef axis, int64_t size, RankedTensorType result, Attributes... attributes) {
  if (size == 1)
    return x;
  assert(mesh && "the conversion wants a mesh for more than one rank");
  auto number = static_cast<int16_t>(llvm::find(mesh->names, axis) - mesh->names.begin());
  auto grid = FlatSymbolRefAttr::get(builder.getContext(), kGrid);
  return OP::create(builder, Type(withoutSign(result)), grid, builder.getDenseI16ArrayAttr(number), x, attributes...);
}

static shard::ReductionKindAttr reduction(MLIRContext *context, StringRef kind) {
  return shard::ReductionKindAttr::get(context, *shard::symbolizeReductionKind(kind));
}

Value Emitter::allReduce(Value x, StringRef axis, int64_t size, StringRef kind) {
  return across<shard::AllReduceOp>(x, axis, size, typeOf(x), reduction(builder.getContext(), kind));
}

Value Emitter::allGather(Value x, StringRef axis, int64_t size, int64_t dim, RankedTensorType result) {
  return across<shard::AllGatherOp>(x, axis, size, result, builder.getIndexAttr(dim));
}

Value Emitter::reduceScatter(Value x, StringRef axis, int64_t size, int64_t dim, RankedTensorType result) {
  shard::ReductionKindAttr sum = reduction(builder.getContext(), "sum");
  return across<shard::ReduceScatterOp>(x, axis, size, result, sum, builder.getIndexAttr(dim));
}

Value Emitter::allToAll(Value x, StringRef axis, int64_t size, int64_t split, int64_t concat,
                        RankedTensorType result) {
  return across<shard::AllToAllOp>(x, axis, size, result, builder.getIndexAttr(split), builder.getIndexAttr(concat));
}

Value Emitter::shardSlice(Value x, StringRef axis, int64_t size, int64_t dim, RankedTensorType result) {
  return across<shard::AllSliceOp>(x, axis, size, result, builder.getIndexAttr(dim));
}
