#include "Core.h"

using namespace mlir;
using namespace mlir::mind;

// A tuple as Python shows it.
static std::string tuple(ArrayRef<int64_t> list) {
  std::string text = say(list);
  return "(" + text.substr(1, text.size() - 2) + (list.size() == 1 ? ",)" : ")");
}

static constexpr StringLiteral paddingForms =
    "padding: expected \"Valid\", \"Same\" or [[low, high], [low, high]], found ";

FailureOr<Padding> mlir::mind::readPadding(Attribute attribute, Refuse refuse) {
  if (auto word = dyn_cast<StringAttr>(attribute)) {
    if (failed(checkText("padding", "\"Valid\", \"Same\" or [[low, high], [low, high]]", word, refuse)))
      return failure();
    if (word.getValue().equals_insensitive("valid"))
      return Padding{Padding::Valid, {}};
    if (word.getValue().equals_insensitive("same"))
      return Padding{Padding::Same, {}};
    return refuse("E4010", say(paddingForms, quotedText(word.getValue())));
  }
  ArrayRef<int64_t> sides = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
  if (sides.size() != 4)
    return refuse("E4010", say(paddingForms, "(", tuple(sides.take_front(2)), ", ",
                               tuple(sides.drop_front(std::min<size_t>(2, sides.size()))), ")"));
  if (llvm::any_of(sides, [](int64_t n) { return n < 0; }))
    return refuse("E4010", say("padding [", sides.take_front(2), ", ", sides.drop_front(2), "] has a negative entry"));
  return Padding{Padding::Sides, {sides[0], sides[1], sides[2], sides[3]}};
}

Window mlir::mind::windowOf(int64_t extent, int64_t kernel, int64_t stride, const Padding &padding, unsigned axis) {
  Int low(0), high(0);
  if (padding.kind == Padding::Same) { // ceil(extent / stride) outputs, low = floor of what they need, high = the rest
    Int total = (ceilDiv(Int(extent), Int(stride)) - 1) * stride + kernel - extent;
    if (total > 0) {
      low = floorDiv(total, Int(2));
      high = total - low;
    }
  } else if (padding.kind == Padding::Sides) {
    low = Int(padding.sides[2 * axis]); // assigning the number itself would cut it to an int
    high = Int(padding.sides[2 * axis + 1]);
  }
  return {low, high, floorDiv(low + extent + high - kernel, Int(stride)) + 1};
}

static FailureOr<RankedTensorType> inferConvolution(StringRef name, RankedTensorType input, RankedTensorType filter,
                                                    ArrayRef<int64_t> strides, const Padding &padding, Refuse refuse) {
  if (failed(sameDType(name, input, filter, refuse)))
    return failure();
  for (auto [what, type] : {std::pair("input", input), std::pair("filter", filter)})
    if (type.getRank() != 4)
      return refuse("E3002", say(name, " takes rank 4, ", what, " is ", type));
  if (strides.size() != 2 || strides[0] < 1 || strides[1] < 1)
    return refuse("E4010", say(name, " strides are two positive numbers, found ", strides));
  if (input.getDimSize(3) != filter.getDimSize(2))
    return refuse("E4009",
                  say(name, " input has ", input.getDimSize(3), " channels, the filter takes ", filter.getDimSize(2)));
  SmallVector<Int> extents{Int(input.getDimSize(0))};
  for (unsigned axis : {0u, 1u}) {
    int64_t extent = input.getDimSize(axis + 1), kernel = filter.getDimSize(axis);
    Window window = windowOf(extent, kernel, strides[axis], padding, axis);
    Int padded = window.low + extent + window.high;
    if (padded < kernel && !(extent == 0 && padding.kind == Padding::Same))
      return refuse("E4010", say(name, " window of extent ", kernel, " is larger than the padded input of ", padded));
    if (padded > largestExtent)
      return refuse("E4010", say(name, " pads ", extent, " to ", padded, ", larger than ", largestExtent));
    extents.push_back(window.out < 0 ? Int(0) : window.out);
  }
  extents.push_back(Int(filter.getDimSize(3)));
  FailureOr<Shape> shape = extentsOf(name, extents, refuse);
  if (failed(shape))
    return failure();
  return withShape(input, *shape);
}

FailureOr<RankedTensorType> mlir::mind::inferType(Conv2dOp::Adaptor op, Refuse refuse) {
  FailureOr<Padding> padding = readPadding(op.getPadding(), refuse);
  if (failed(padding))
    return failure();
  return inferConvolution("Conv2d", typeOf(op.getInput()), typeOf(op.getFilter()), op.getStrides(), *padding, refuse);
}

// The cotangent has the shape that convolving gives.
static LogicalResult checkCotangent(StringRef name, RankedTensorType cotangent, RankedTensorType input,
                                    RankedTensorType filter, ArrayRef<int64_t> strides, const Padding &padding,
                                    Refuse refuse) {
  FailureOr<RankedTensorType> expected = inferConvolution(name, input, filter, strides, padding, refuse);
  if (failed(expected))
    return failure();
  if (cotangent.getRank() != 4)
    return refuse("E3002", say(name, " takes rank 4, cotangent is ", cotangent));
  for (auto [axis, found, n] : llvm::enumerate(cotangent.getShape(), expected->getShape()))
    if (found != n)
      return refuse("E3003", say(name, " cotangent has extent ", found, " at axis ", axis, ", where Conv2d gives ", n));
  return success();
}

// Four extents, as the attribute `what` names them.
static LogicalResult checkFour(StringRef name, StringRef what, ArrayRef<int64_t> shape, Refuse refuse) {
  if (shape.size() == 4)
    return success();
  return refuse("E3002", say(name, " takes four extents as ", what, ", found ", shape.size()));
}

FailureOr<RankedTensorType> mlir::mind::inferType(Conv2dBackwardFilterOp::Adaptor op, Refuse refuse) {
  constexpr StringLiteral name = "Conv2dBackwardFilter";
  RankedTensorType input = typeOf(op.getInput()), cotangent = typeOf(op.getCotangent());
  ArrayRef<int64_t> shape = op.getFilterShape();
  if (failed(checkExtents(shape, refuse)))
    return failure();
  FailureOr<Padding> padding = readPadding(op.getPadding(), refuse);
  if (failed(padding) || failed(sameDType(name, input, cotangent, refuse)) ||
      failed(checkFour(name, "filter_shape", shape, refuse)))
    return failure();
  RankedTensorType filter = withShape(input, shape);
  if (failed(checkCotangent(name, cotangent, input, filter, op.getStrides(), *padding, refuse)))
    return failure();
  return filter;
}

FailureOr<RankedTensorType> mlir::mind::inferType(Conv2dBackwardInputOp::Adaptor op, Refuse refuse) {
  constexpr StringLiteral name = "Conv2dBackwardInput";
  RankedTensorType cotangent = typeOf(op.getCotangent()), filter = typeOf(op.getFilter());
  ArrayRef<int64_t> shape = op.getInputShape();
  if (failed(checkExtents(shape, refuse)))
    return failure();
  FailureOr<Padding> padding = readPadding(op.getPadding(), refuse);
  if (failed(padding) || failed(sameDType(name, cotangent, filter, refuse)) ||
      failed(checkFour(name, "input_shape", shape, refuse)))
    return failure();
  RankedTensorType input = withShape(cotangent, shape);
  if (failed(checkCotangent(name, cotangent, input, filter, op.getStrides(), *padding, refuse)))
    return failure();
  return input;
}
