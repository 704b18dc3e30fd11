#include "Core.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;
using namespace mlir::mind;

void mlir::mind::put(raw_ostream &os, ArrayRef<int64_t> list) {
  os << '[';
  llvm::interleaveComma(list, os);
  os << ']';
}

void mlir::mind::put(raw_ostream &os, RankedTensorType type) {
  os << "tensor<" << type.getElementType();
  put(os, type.getShape());
  os << '>';
}

Int mlir::mind::elementCount(ArrayRef<int64_t> shape) {
  Int count(1);
  for (int64_t n : shape)
    count *= n;
  return count;
}

bool mlir::mind::isAddressable(RankedTensorType type) {
  Int bytes(type.getElementTypeBitWidth() / 8);
  for (int64_t n : type.getShape())
    bytes *= std::max<int64_t>(n, 1);
  return bytes <= int64_t(1) << 62;
}

FailureOr<Shape> mlir::mind::extentsOf(StringRef name, ArrayRef<Int> extents, Refuse refuse) {
  Shape shape;
  for (auto [i, n] : llvm::enumerate(extents)) {
    if (n > largestExtent)
      return refuse("E3006", say("extent ", i, " of the result of ", name, " is larger than ", largestExtent, ": ", n));
    shape.push_back(int64_t(n));
  }
  return shape;
}

LogicalResult mlir::mind::checkExtents(ArrayRef<int64_t> shape, Refuse refuse) {
  for (auto [i, n] : llvm::enumerate(shape))
    if (n < 0)
      return refuse("E3006", say("extent ", i, " of ", shape, " is ", n));
  return success();
}

LogicalResult mlir::mind::sameDType(StringRef name, RankedTensorType lhs, RankedTensorType rhs, Refuse refuse) {
  if (lhs.getElementType() == rhs.getElementType())
    return success();
  return refuse("E2004", say(name, " mixes ", lhs.getElementType(), " and ", rhs.getElementType()));
}

LogicalResult mlir::mind::floatOnly(StringRef name, RankedTensorType input, Refuse refuse) {
  if (input.getElementType().isFloat())
    return success();
  return refuse("E2005", say(name, " takes f32 or f64, input is ", input));
}

FailureOr<Shape> mlir::mind::broadcastShapes(StringRef name, ArrayRef<int64_t> a, ArrayRef<int64_t> b, Refuse refuse) {
  size_t rank = std::max(a.size(), b.size());
  auto extent = [&](ArrayRef<int64_t> shape, size_t i) {
    size_t missing = rank - shape.size();
    return i < missing ? 1 : shape[i - missing];
  };
  Shape shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t m = extent(a, i), n = extent(b, i);
    if (m != n && m != 1 && n != 1)
      return refuse("E3001", say(name, " cannot broadcast ", a, " with ", b));
    shape.push_back(m == 1 ? n : m);
  }
  return shape;
}

LogicalResult mlir::mind::checkText(StringRef attribute, StringRef wants, StringAttr given, Refuse refuse) {
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(given.getValue().data());
  if (llvm::isLegalUTF8String(&at, at + given.size()))
    return success();
  return refuse("E4013", say("attribute ", attribute, ": expected ", wants, ", found ", Attribute(given)));
}

LogicalResult mlir::mind::checkChoice(StringRef attribute, StringAttr given, ArrayRef<StringRef> choices,
                                      Refuse refuse) {
  if (!given || llvm::is_contained(choices, given.getValue()))
    return success();
  std::string wants;
  llvm::raw_string_ostream os(wants);
  llvm::interleave(choices, os, [&](StringRef choice) { os << '"' << choice << '"'; }, " or ");
  if (failed(checkText(attribute, wants, given, refuse)))
    return failure();
  return refuse("E4013", say("attribute ", attribute, ": expected ", wants, ", found ", quotedText(given.getValue())));
}

FailureOr<Shape> mlir::mind::normalAxes(StringRef name, ArrayRef<int64_t> axes, int64_t rank, Refuse refuse) {
  Shape normal;
  SmallVector<bool> seen(rank);
  for (int64_t a : axes) {
    if (a < -rank || a >= rank)
      return refuse("E3004", say(name, " axis ", a, " is out of range for rank ", rank));
    int64_t n = a < 0 ? a + rank : a;
    if (seen[n])
      return refuse("E3005", say(name, " names axis ", n, " twice in ", axes));
    seen[n] = true;
    normal.push_back(n);
  }
  return normal;
}

FailureOr<Shape> mlir::mind::resolvedShape(ArrayRef<int64_t> from, ArrayRef<int64_t> newShape, Refuse refuse) {
  for (auto [i, n] : llvm::enumerate(newShape))
    if (n < -1)
      return refuse("E3006", say("entry ", i, " of Reshape to ", newShape, " is ", n));
  if (llvm::count(newShape, -1) > 1)
    return refuse("E3006", say("Reshape to ", newShape, " has more than one -1"));
  Int size = elementCount(from), known(1);
  bool open = false;
  for (int64_t n : newShape) {
    if (n == -1)
      open = true;
    else
      known *= n;
  }
  auto counts = [&](const std::string &found) {
    return refuse("E3007", say("Reshape of ", from, " with ", size, " elements to ", newShape, " with ", found));
  };
  if (!open) {
    if (known != size)
      return counts(say(known, " elements"));
    return Shape(newShape);
  }
  if (known == 0)
    return counts("a 0 beside a -1, so the -1 is not determined");
  if (size % known != 0)
    return counts(say("a -1 beside ", known, " elements, which do not divide ", size));
  SmallVector<Int> shape;
  for (int64_t n : newShape)
    shape.push_back(n == -1 ? size / known : Int(n));
  return extentsOf("Reshape", shape, refuse);
}

std::string mlir::mind::quotedText(StringRef text) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string out(1, quote);
  for (char c : text) {
    if (c == quote || c == '\\')
      out += {'\\', c};
    else if (c == '\n' || c == '\r' || c == '\t')
      out += {'\\', c == '\n' ? 'n' : c == '\r' ? 'r' : 't'};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += "\\x" + llvm::toHex(StringRef(&c, 1), /*LowerCase=*/true);
    else
      out += c;
  }
  return out + quote;
}
