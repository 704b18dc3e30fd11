#include "Mind/MindDialect.h"

#include "Rules.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::mind;

#include "Mind/MindDialect.cpp.inc"

// "Same", or [[top, bottom], [left, right]].
static ParseResult parsePadding(OpAsmParser &parser, Attribute &padding) {
  std::string word;
  if (succeeded(parser.parseOptionalString(&word))) {
    padding = parser.getBuilder().getStringAttr(word);
    return success();
  }
  SmallVector<int64_t> sides;
  auto side = [&] { return parser.parseInteger(sides.emplace_back()); };
  auto axis = [&] { return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, side); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, axis))
    return failure();
  padding = parser.getBuilder().getDenseI64ArrayAttr(sides);
  return success();
}

static void printPadding(OpAsmPrinter &printer, Operation *, Attribute padding) {
  auto sides = dyn_cast<DenseI64ArrayAttr>(padding);
  if (!sides || sides.size() != 4) {
    printer << padding;
    return;
  }
  printer << "[[" << sides[0] << ", " << sides[1] << "], [" << sides[2] << ", " << sides[3] << "]]";
}

#define GET_OP_CLASSES
#include "Mind/MindOps.cpp.inc"

void MindDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Mind/MindOps.cpp.inc"
      >();
}

bool mlir::mind::isCoreTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
    return false;
  Type element = tensor.getElementType();
  return element.isF32() || element.isF64() || element.isSignlessInteger(32) || element.isSignlessInteger(64);
}

Operation *MindDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstTensorOp::create(builder, loc, type, elements);
}

LogicalResult MindDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != "mind.ir_version")
    return success(); // others are notes of passes
  if (!isa<ModuleOp>(op))
    return op->emitOpError("mind.ir_version stands on builtin.module");
  auto version = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!version || !version.getType().isSignlessInteger(64))
    return op->emitOpError("mind.ir_version is an i64, found ") << attribute.getValue();
  if (version.getInt() != kIrVersion)
    return op->emitOpError("mind.ir_version ") << version.getInt() << " is not known, this is " << kIrVersion;
  return success();
}

// Whoever asks for a type may ask about an operation that no verifier has seen: first what the rules take for granted.
template <typename OP> static LogicalResult checkParts(typename OP::Adaptor op, Location loc) {
  constexpr unsigned takes = OP::template hasTrait<OpTrait::ZeroOperands>()                  ? 0
                             : OP::template hasTrait<OpTrait::OneOperand>()                  ? 1
                             : OP::template hasTrait<OpTrait::NOperands<2>::template Impl>() ? 2
                                                                                             : 3;
  static_assert(takes < 3 || OP::template hasTrait<OpTrait::NOperands<3>::template Impl>(), "three operands at most");
  StringRef name = OP::getOperationName();
  if (op.getOperands().size() != takes)
    return emitError(loc) << "'" << name << "' op expected " << takes << (takes == 1 ? " operand" : " operands")
                          << ", but found " << op.getOperands().size();
  if (failed(op.verify(loc)))
    return failure();
  for (Value operand : op.getOperands())
    if (!isCoreTensor(operand.getType()))
      return emitError(loc) << "'" << name << "' op E2002: an operand is " << operand.getType();
  return success();
}

template <typename OP>
static LogicalResult inferInto(MLIRContext *context, std::optional<Location> loc, typename OP::Adaptor op,
                               SmallVectorImpl<Type> &types) {
  if (!op.getAttributes())
    op = typename OP::Adaptor(op.getOperands(), DictionaryAttr::get(context));
  std::optional<ScopedDiagnosticHandler> silence;
  if (!loc) // only the answer counts
    silence.emplace(context, [](Diagnostic &) { return success(); });
  Location at = loc.value_or(UnknownLoc::get(context));
  if (failed(checkParts<OP>(op, at)))
    return failure();
  FailureOr<RankedTensorType> type = inferType(op, [&](StringRef code, const Twine &message) -> LogicalResult {
    return emitError(at) << "'" << OP::getOperationName() << "' op " << code << ": " << message;
  });
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

#define MIND_OP(OP)                                                                                                    \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, OP::Adaptor op,                \
                                     SmallVectorImpl<Type> &types) {                                                   \
    return inferInto<OP>(context, loc, op, types);                                                                     \
  }                                                                                                                    \
  OpFoldResult OP::fold(FoldAdaptor adaptor) { return foldOp(*this, adaptor); }
#include "Mind/MindOps.def"
