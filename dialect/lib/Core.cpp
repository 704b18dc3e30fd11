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
  os << "tensor<";
  put(os, type.getElementType());
  put(os, type.getShape());
  os << '>';
}

void mlir::mind::put(raw_ostream &os, Type type) {
  if (type.isUnsignedInteger())
    os << 'u' << type.getIntOrFloatBitWidth();
  else
    os << type;
}

Type mlir::mind::withoutSign(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(withoutSign(tensor.getElementType()));
  return type.isUnsignedInteger() ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth()) : type;
}

Int mlir::mind::elementCount(ArrayRef<int64_t> shape) {
  Int count(1);
  for (int64_t n : shape)
    count *= n;
  return count;
}

bool mlir::mind::isAddressable(RankedTensorType type) {
  Int bytes(std::max(type.getElementTypeBitWidth() / 8, 1u)); // an i1 is a byte
  for (int64_t n : type.getShape())
    bytes *= std::max<int64_t>(n, 1);
  return bytes <= int64_t(1) << 62;
}

LogicalResult mlir::mind::checkExtents(ArrayRef<int64_t> shape, Refuse refuse) {
  for (auto [i, n] : llvm::enumerate(shape))
    if (n < 0)
      return refuse("E3006", say("extent ", i, " of ", shape, " is ", n));
  return success();
}

LogicalResult mlir::mind::checkText(StringRef attribute, StringRef wants, StringAttr given, Refuse refuse) {
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(given.getValue().data());
  if (llvm::isLegalUTF8String(&at, at + given.size()))
    return success();
  return refuse("E4013", say("attribute ", attribute, ": expected ", wants, ", found ", Attribute(given)));
}

LogicalResult mlir::mind::checkChoice(StringRef attribute, StringAttr given, ArrayRef<StringRef> choices,
                                      Refuse refuse) {
  if (llvm::is_contained(choices, given.getValue()))
    return success();
  std::string wants;
  llvm::raw_string_ostream os(wants);
  llvm::interleave(choices, os, [&](StringRef choice) { os << '"' << choice << '"'; }, " or ");
  if (failed(checkText(attribute, wants, given, refuse)))
    return failure();
  return refuse("E4013", say("attribute ", attribute, ": expected ", wants, ", found ", quotedText(given.getValue())));
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
