// What the conversion speaks: formulas over elements, contractions, reductions, shapes and rows.
//
// The words are those of the emitter in Python, mind_mlir/lowering/emit/emitter.py, and emit the same operations in the
// same order.  Every linalg operation names its destination.  A value is a ranked tensor with a static shape.

#ifndef MIND_LIB_EMITTER_H
#define MIND_LIB_EMITTER_H

#include "Mesh.h"
#include "Scalars.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::mind {

/// Extents of a tensor value.
inline ArrayRef<int64_t> shapeOf(Value v) { return typeOf(v).getShape(); }

/// Zeros before and after an axis.
using Pads = std::pair<int64_t, int64_t>;

/// The type of a tensor with `pads[i]` zeros around axis i, and `interior[i]` between neighbours.
RankedTensorType paddedType(RankedTensorType t, ArrayRef<Pads> pads, ArrayRef<int64_t> interior = {});

/// The grid of a mesh in front of `table`, which holds symbols.  E8004 if that has another by its name.
LogicalResult ensureGrid(Operation *table, const Mesh &mesh, Refuse refuse);

/// An element of the result from elements of the operands.
using Formula = function_ref<Value(const Scalars &scalars, ValueRange elements)>;

/// True if the index `k` names none of `extent` rows.
Value outside(const Scalars &i, Value k, int64_t extent);

/// The row nearest to the index `k`, as MLIR's index.
Value nearest(const Scalars &i, Value k, int64_t extent);

class Emitter {
public:
  /// Emits before `op`, with its location.  `strict` sums add in the order in which the interpreter adds; `mesh` may be
  /// null where nothing moves between ranks.
  Emitter(Operation *op, bool strict, const Mesh *mesh) : builder(op->getLoc(), op), strict(strict), mesh(mesh) {}

  // Types

  /// An operand of the operation as the emitter takes it: with integers that have no sign, by a cast.
  Value taken(Value operand);

  /// The type of an operand in the dialect; of another value, its own.
  RankedTensorType type(Value v) const {
    auto found = signs.find(v);
    return found == signs.end() ? typeOf(v) : found->second;
  }

  /// `x` with elements of the result's type, computed from those of its own.
  Value converted(Value x, RankedTensorType result);

  // Sources

  /// `arith.constant`, of elements or of one number.
  Value literal(Attribute data, RankedTensorType t);

  /// A destination without a value.
  Value empty(RankedTensorType t);

  /// A tensor with one value everywhere, as a destination to accumulate into.
  Value filled(RankedTensorType t, int64_t value);

  /// `linalg.copy`.  No formula is fused across it, so none is computed again in every turn of a loop.
  Value copied(Value x);

  // Element by element

  /// The formula at every position, operands broadcast as NumPy does.
  Value map(Formula formula, ValueRange inputs, RankedTensorType result);

  /// The named linalg operation onto an empty tensor, or onto one filled with `init`.
  Value named(StringRef name, ValueRange inputs, RankedTensorType result, std::optional<int64_t> init = std::nullopt,
              ArrayRef<NamedAttribute> attributes = {});

  /// The named linalg operation where no operand is stretched, else `map` with the formula.
  Value elementwise(StringRef name, Formula formula, ValueRange inputs, RankedTensorType result);

  // Contractions and reductions

  /// `linalg.contract`: multiplies, and adds over the dimensions that only inputs have.  `dims` as in `Op.dims`; `...`
  /// are batch axes.  Axes of extent 1 that broadcasting stretches are dropped.  `sums` names dimensions that are added
  /// up, outermost first.
  Value contract(StringRef dims, ValueRange inputs, RankedTensorType result, StringRef sums);

  /// `linalg.conv_2d_nhwc_hwcf` without padding.
  Value convolved(Value input, Value filter, ArrayRef<int64_t> strides, RankedTensorType result);

  /// Products of two tensors, from zeros on added over the loops `sums`.  `dims` says for each axis where loops are on
  /// it: `n 2*y+i c, i c f -> n y f`.
  Value overWindows(StringRef dims, StringRef sums, ValueRange inputs, RankedTensorType result);

  /// The adjoint of `convolved` in its input: every element of `cotangent` goes back to the window it came from.  Terms
  /// of one element come in ascending (i, j, f).
  Value convolvedBack(Value cotangent, Value filter, ArrayRef<int64_t> strides, RankedTensorType result);

  /// The adjoint of `convolved` in its filter: products of padded input and cotangent, in ascending (n, oy, ox).
  Value correlated(Value input, ArrayRef<Pads> pads, Value cotangent, ArrayRef<int64_t> strides,
                   RankedTensorType result);

  /// Sum over `axes`, ascending; in any order unless strict.
  Value sum(Value x, ArrayRef<int64_t> axes, RankedTensorType result);

  /// Elements along `axes`, ascending, joined by a kind: max, min, prod.  The neutral number over nothing.
  Value reduced(StringRef kind, Value x, ArrayRef<int64_t> axes, RankedTensorType result);

  /// The position along an axis of the first element that is the extreme, max or min, or NaN.
  Value argExtreme(StringRef kind, Value x, int64_t axis, RankedTensorType result);

  /// Elements joined with all before them along an axis, or all after them, by a kind: sum, prod, max, min.
  Value cumulative(StringRef kind, Value x, int64_t axis, int64_t reverse, RankedTensorType result);

  // Shape

  /// `linalg.transpose`.
  Value transposed(Value x, ArrayRef<int64_t> permutation, RankedTensorType result);

  /// The elements in the opposite order along `axes`.
  Value reversed(Value x, ArrayRef<int64_t> axes, RankedTensorType result);

  /// The position along `axis` of every element, as a number of its type.
  Value counted(int64_t axis, RankedTensorType result);

  /// The same elements in row-major order: collapse to one axis, then expand.
  Value reshaped(Value x, RankedTensorType result);

  /// `tensor.extract_slice` with constant bounds.
  Value slice(Value x, ArrayRef<int64_t> starts, ArrayRef<int64_t> steps, RankedTensorType result);

  /// `into` with `x` at `starts`, its elements `steps` apart.
  Value inserted(Value x, Value into, ArrayRef<int64_t> starts, RankedTensorType result, ArrayRef<int64_t> steps = {});

  /// Zeros around `x`, and `interior[i]` between neighbours along axis i.
  Value padded(Value x, ArrayRef<Pads> pads, ArrayRef<int64_t> interior = {});

  /// One element, as a rank-0 tensor.
  Value element(Value x, ArrayRef<int64_t> position, RankedTensorType result);

  /// `x` without some axes of extent 1: a slice, because MLIR moves other operations across reshapes.
  Value dropped(Value x, RankedTensorType result);

  // Windows: `window`, `strides`, `low`, `high` and `dilation` have an entry for each axis

  /// The elements of each window joined by a kind of reduction, in the order of docs/semantics.md, Windows.
  Value windowsJoined(StringRef kind, Value x, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                      ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> dilation,
                      RankedTensorType result);

  /// The position in each window of its first largest element, in row-major order.
  Value argMaxOfWindows(Value x, ArrayRef<int64_t> window, ArrayRef<int64_t> strides, ArrayRef<int64_t> low,
                        ArrayRef<int64_t> high, ArrayRef<int64_t> dilation, RankedTensorType result);

  /// The element of each window at its position; the nearest position where there is none.
  Value windowsGathered(Value x, Value indices, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                        ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> dilation,
                        RankedTensorType result);

  /// Zeros, with updates added to the element of each window at its position, in row-major order of windows.
  Value windowsScattered(Value updates, Value indices, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                         ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> dilation,
                         RankedTensorType result);

  // Rows

  /// Rows of `x`; with oob = error, an index out of bounds fails an assertion.
  Value gather(Value x, Value indices, RankedTensorType result, StringRef oob);

  /// `x` with rows added, one after the other in row-major order of `indices`: loops that carry the tensor.
  Value scatterAdd(Value x, Value indices, Value updates, StringRef oob);

  // Slices

  /// The slice of `x` whose begin along each axis is a scalar, moved to where it fits.
  Value read(Value x, ValueRange starts, RankedTensorType result);

  /// `x` with `update` instead of the slice whose begin along each axis is a scalar, moved to where it fits.
  Value written(Value x, Value update, ValueRange starts);

  /// For each index vector the slice of `x` that begins there: of `sizes` along `axes`, or without them.
  Value gathered(Value x, Value indices, ArrayRef<int64_t> axes, ArrayRef<int64_t> batchAxes, ArrayRef<int64_t> sizes,
                 StringRef oob, RankedTensorType result);

  /// `x` with updates for the slices that `gathered` reads, one after the other: loops that carry the tensor.
  Value scattered(Value x, Value indices, Value updates, ArrayRef<int64_t> axes, ArrayRef<int64_t> batchAxes,
                  ArrayRef<int64_t> sizes, StringRef oob, StringRef kind, StringRef opcode);

  // Ranks

  /// `shard.all_reduce`.
  Value allReduce(Value x, StringRef axis, int64_t size, StringRef kind);

  /// `shard.all_gather`.
  Value allGather(Value x, StringRef axis, int64_t size, int64_t dim, RankedTensorType result);

  /// `shard.reduce_scatter` with addition.
  Value reduceScatter(Value x, StringRef axis, int64_t size, int64_t dim, RankedTensorType result);

  /// `shard.all_to_all`.
  Value allToAll(Value x, StringRef axis, int64_t size, int64_t split, int64_t concat, RankedTensorType result);

  /// `shard.all_slice`.
  Value shardSlice(Value x, StringRef axis, int64_t size, int64_t dim, RankedTensorType result);

private:
  using Body = function_ref<Value(ValueRange elements)>;
  using Initial = function_ref<Value()>;
  using Join = function_ref<Value(Value total, Value element)>;
  using JoinSpans = function_ref<SmallVector<Value>(ArrayRef<Value> a, ArrayRef<Value> b, int64_t distance)>;
  using LoopBody = function_ref<Value(ArrayRef<Value> position, Value carried)>;

  Scalars scalars(RankedTensorType t) { return {builder, t.getElementType()}; }
  Value located(Operation *made);
  Value structured(StringRef name, ValueRange inputs, Value out, ArrayRef<NamedAttribute> attributes = {});
  void fillBody(Operation *made, Body body);
  Value generic(ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> kinds, ValueRange inputs, Value init,
                Body body);
  Value multipliedAndAdded(ArrayRef<SmallVector<AffineExpr>> indices, ArrayRef<unsigned> parallel, ValueRange inputs,
                           RankedTensorType result);
  Value blockSums(Value x, int64_t axis);
  Value cut(Value x, int64_t axis, int64_t start, int64_t extent);
  Value summed(Value x, ArrayRef<int64_t> axes, bool inOrder);
  Value reduceWith(Value x, ArrayRef<int64_t> axes, Initial initial, Join join);
  Value scannedRows(Value x, Value out, int64_t n, int64_t count, int64_t first, int64_t size, bool reverse, Join join,
                    ArrayRef<Value> before);
  Value scannedAcross(Value x, Value out, bool reverse, Join join);
  Value scannedInParts(Value x, bool reverse, Join join);
  Value firstAt(Value x, Value extreme, int64_t axis, ArrayRef<int64_t> blocks, int64_t start, Type number);
  Value positions(Type number, int64_t start, int64_t count, int64_t step, ArrayRef<int64_t> shape);
  Value filledWith(Value number, RankedTensorType t);
  Value extracted(Value x, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps,
                  RankedTensorType result);
  Value aroundWith(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high, bool isZero, StringRef kind = "sum");
  SmallVector<Value> slicesOf(Value x, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                              ArrayRef<int64_t> dilation, RankedTensorType result);
  Value cutAlong(Value x, int64_t axis, int64_t start, int64_t extent, int64_t step);
  SmallVector<Value> along(int64_t axis, SmallVector<Value> parts, ArrayRef<int64_t> window,
                           ArrayRef<int64_t> strides, ArrayRef<int64_t> dilation, JoinSpans join, int64_t apart);
  Value numbersOf(Type element, ArrayRef<int64_t> window);
  void report(StringRef opcode, Value indices, int64_t extent, StringRef oob);
  void reportSlices(StringRef opcode, Value indices, ArrayRef<int64_t> spans, StringRef oob);
  template <typename OP, typename... Attributes>
  Value across(Value x, StringRef axis, int64_t size, RankedTensorType result, Attributes... attributes);
  Value loops(ArrayRef<int64_t> extents, Value carried, LoopBody body);

  ImplicitLocOpBuilder builder;
  /// Operands that have been cast, with the types that they had.
  llvm::DenseMap<Value, RankedTensorType> signs;
  const bool strict;
  const Mesh *const mesh;
};

} // namespace mlir::mind

#endif // MIND_LIB_EMITTER_H
