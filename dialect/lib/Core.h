// Core IR's words and numbers, as its own rules in Python have them.

#ifndef MIND_LIB_CORE_H
#define MIND_LIB_CORE_H

#include "Rules.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <limits>

namespace mlir::mind {

/// An integer without bounds: counts of elements and windows, which pass 64 bits before a rule refuses them.
using Int = llvm::DynamicAPInt;

using Shape = SmallVector<int64_t>;

// Text

/// `[2, 3]`.
void put(raw_ostream &os, ArrayRef<int64_t> list);
/// `tensor<f32[2, 3]>`.
void put(raw_ostream &os, RankedTensorType type);
inline void put(raw_ostream &os, const Shape &list) { put(os, ArrayRef<int64_t>(list)); }
template <typename T> void put(raw_ostream &os, const T &part) { os << part; }

/// A string as Python shows it: in single quotes unless it has some, and no double ones.
std::string quotedText(StringRef text);

/// The parts one after the other; lists and tensor types as Core writes them.
template <typename... Parts> std::string say(const Parts &...parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (put(os, parts), ...);
  return text;
}

// Numbers

inline constexpr int64_t largestExtent = std::numeric_limits<int64_t>::max();

/// How many elements a tensor of this shape has; 1 for a scalar.
Int elementCount(ArrayRef<int64_t> shape);

/// False for tensors that no memory holds.  MLIR multiplies extents, but for those that are 0, in 64 bits, and ends the
/// process where these do not hold the product.
bool isAddressable(RankedTensorType type);

/// True if a tensor of this shape has no elements.
inline bool isEmpty(ArrayRef<int64_t> shape) { return llvm::is_contained(shape, 0); }

/// E3006 for an extent below 0 in an attribute that names some.
LogicalResult checkExtents(ArrayRef<int64_t> shape, Refuse refuse);

/// The extents as 64-bit numbers.  E3006 for the first that is none.
FailureOr<Shape> extentsOf(StringRef name, ArrayRef<Int> extents, Refuse refuse);

/// The type of an operand, which is known to be a tensor.
inline RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

inline RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

// Rules that several operations share; `name` is Core's opcode.

LogicalResult sameDType(StringRef name, RankedTensorType lhs, RankedTensorType rhs, Refuse refuse);
LogicalResult floatOnly(StringRef name, RankedTensorType input, Refuse refuse);
FailureOr<Shape> broadcastShapes(StringRef name, ArrayRef<int64_t> a, ArrayRef<int64_t> b, Refuse refuse);

/// E4013 for bytes that are no text; `wants` says what the attribute should be.
LogicalResult checkText(StringRef attribute, StringRef wants, StringAttr given, Refuse refuse);

/// E4013 for a word that is none of an attribute's choices.  One that is missing means its default: operations always
/// have it, what is to be one may not.
LogicalResult checkChoice(StringRef attribute, StringAttr given, ArrayRef<StringRef> choices, Refuse refuse);

/// The axes counted from 0, in the order given.
FailureOr<Shape> normalAxes(StringRef name, ArrayRef<int64_t> axes, int64_t rank, Refuse refuse);

/// `new_shape` of a Reshape with its -1 worked out.
FailureOr<Shape> resolvedShape(ArrayRef<int64_t> from, ArrayRef<int64_t> newShape, Refuse refuse);

/// Refuses without a word, where only the answer counts.
inline LogicalResult refuseSilently(StringRef, const Twine &) { return failure(); }

// Convolution

struct Padding {
  enum Kind { Valid, Same, Sides } kind;
  std::array<int64_t, 4> sides; // top, bottom, left, right
};

FailureOr<Padding> readPadding(Attribute attribute, Refuse refuse);

/// Zeros before and after one spatial axis (0 height, 1 width) of a convolution, and the extent of the result.
struct Window {
  Int low, high, out;
};

Window windowOf(int64_t extent, int64_t kernel, int64_t stride, const Padding &padding, unsigned axis);

} // namespace mlir::mind

#endif // MIND_LIB_CORE_H
