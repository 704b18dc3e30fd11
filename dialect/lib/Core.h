// Core IR's words and numbers, as its own rules in Python have them.

#ifndef MIND_LIB_CORE_H
#define MIND_LIB_CORE_H

#include "Mind/MindDialect.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

namespace mlir::mind {

/// Says why a rule refuses: Core's error code and its sentence.  Returns failure.
using Refuse = llvm::function_ref<LogicalResult(llvm::StringRef code, const llvm::Twine &message)>;

/// An integer without bounds: counts of elements and windows, which pass 64 bits before a rule refuses them.
using Int = llvm::DynamicAPInt;

using Shape = SmallVector<int64_t>;

// Text

/// `[2, 3]`.
void put(raw_ostream &os, ArrayRef<int64_t> list);
/// `tensor<f32[2, 3]>`.
void put(raw_ostream &os, RankedTensorType type);
/// `f32`; `u8` for MLIR's `ui8`.
void put(raw_ostream &os, Type type);
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

/// The type of an operand, which is known to be a tensor.
inline RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The integers of arithmetic, `i8` for `ui8`, also as elements of tensors; any other type is itself.
Type withoutSign(Type type);
inline RankedTensorType withoutSign(RankedTensorType type) { return cast<RankedTensorType>(withoutSign(Type(type))); }

/// True for floats of 16 bits, on which operations compute in f32.
inline bool isHalf(Type element) { return element.isBF16() || element.isF16(); }

/// False for `ui8` and the like, and for `i1`.
inline bool isSigned(Type element) { return !element.isUnsignedInteger() && !element.isInteger(1); }

inline RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

// Attributes

/// E4013 for bytes that are no text; `wants` says what the attribute should be.
LogicalResult checkText(StringRef attribute, StringRef wants, StringAttr given, Refuse refuse);

/// E4013 for a word that is none of an attribute's choices.
LogicalResult checkChoice(StringRef attribute, StringAttr given, ArrayRef<StringRef> choices, Refuse refuse);

/// Refuses without a word, where only the answer counts.
inline LogicalResult refuseSilently(StringRef, const Twine &) { return failure(); }

} // namespace mlir::mind

#endif // MIND_LIB_CORE_H
