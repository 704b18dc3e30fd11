#include "Mind/MindDialect.h"

#include "Mesh.h"
#include "Rules.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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
  return isCoreElement(tensor.getElementType());
}

bool mlir::mind::isCoreElement(Type element) {
  if (element.isBF16() || element.isF16() || element.isF32() || element.isF64() || element.isSignlessInteger(1))
    return true;
  auto integer = dyn_cast<IntegerType>(element);
  return integer && !integer.isSigned() && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
}

Operation *MindDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstTensorOp::create(builder, loc, type, elements);
}

// Attributes beside those of the operations

static LogicalResult verifyVersion(Operation *op, Attribute attribute) {
  if (!isa<ModuleOp>(op))
    return op->emitOpError("mind.ir_version stands on builtin.module");
  auto version = dyn_cast<IntegerAttr>(attribute);
  if (!version || !version.getType().isSignlessInteger(64))
    return op->emitOpError("mind.ir_version is an i64, found ") << attribute;
  if (version.getInt() != kIrVersion)
    return op->emitOpError("mind.ir_version ") << version.getInt() << " is not known, this is " << kIrVersion;
  return success();
}

static LogicalResult verifySharding(Operation *op, Attribute attribute, Type type) {
  FailureOr<PartitionSpec> spec = readSpec(kShardingAttribute, attribute, refuseAt(op));
  if (failed(spec))
    return failure();
  return type && isCoreTensor(type) ? checkRank(*spec, cast<RankedTensorType>(type), refuseAt(op)) : success();
}

/// E8002 if a sharding names an axis that the mesh does not have; whether it is one at all, its own verifier says.
static LogicalResult checkSharding(Operation *op, Attribute attribute, const Mesh &mesh) {
  if (!attribute)
    return success();
  FailureOr<PartitionSpec> spec = readSpec(kShardingAttribute, attribute, refuseSilently);
  return failed(spec) ? success() : spec->checkAxes(mesh, refuseAt(op));
}

/// E8002 or E8006 unless what is in `module` fits its mesh.
static LogicalResult verifyMesh(Operation *module) {
  FailureOr<Mesh> mesh = statedMesh(module);
  if (failed(mesh))
    return failure();
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && op->hasAttr(kMeshAttribute))
      return WalkResult::skip(); // it has a mesh of its own
    if (failed(checkMesh(op, &*mesh, refuseAt(op))) ||
        failed(checkSharding(op, op->getAttr(kShardingAttribute), *mesh)))
      return WalkResult::interrupt();
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      for (unsigned i = 0, n = function.getNumArguments(); i < n; ++i)
        if (failed(checkSharding(op, function.getArgAttr(i, kShardingAttribute), *mesh)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult MindDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kShardingAttribute)
    return verifySharding(op, attribute.getValue(), op->getNumResults() == 1 ? op->getResult(0).getType() : Type());
  if (name == kMeshAttribute)
    return verifyMesh(op);
  if (name == "mind.ir_version")
    return verifyVersion(op, attribute.getValue());
  return success(); // others are notes of passes
}

LogicalResult MindDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != kShardingAttribute)
    return success();
  auto function = dyn_cast<FunctionOpInterface>(op);
  bool known = function && argument < function.getNumArguments();
  return verifySharding(op, attribute.getValue(), known ? function.getArgumentTypes()[argument] : Type());
}

// Types

// Whoever asks for a type may ask about an operation that no verifier has seen: first what the rules take for granted.
template <typename OP>
static LogicalResult checkParts(const OperationRules &rules, typename OP::Adaptor op, Location loc) {
  StringRef name = OP::getOperationName();
  size_t takes = rules.operands, found = op.getOperands().size();
  if (rules.orMore ? found < takes : found != takes)
    return emitError(loc) << "'" << name << "' op expected " << takes << (rules.orMore ? " or more" : "")
                          << (takes == 1 && !rules.orMore ? " operand" : " operands") << ", but found " << found;
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
  const OperationRules &rules = rulesOf(OP::getOperationName());
  if (failed(checkParts<OP>(rules, op, at)))
    return failure();
  auto refuse = [&](StringRef code, const Twine &message) -> LogicalResult {
    return emitError(at) << "'" << OP::getOperationName() << "' op " << code << ": " << message;
  };
  return inferTypes(rules, op.getOperands(), op.getAttributes(), refuse, types);
}

#define MIND_TYPED_OP(OP)                                                                                              \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, OP::Adaptor op,                \
                                     SmallVectorImpl<Type> &types) {                                                   \
    return inferInto<OP>(context, loc, op, types);                                                                     \
  }
#define MIND_FOLDED_OP(OP)                                                                                             \
  OpFoldResult OP::fold(FoldAdaptor adaptor) {                                                                         \
    OpFoldResult found = foldOp(*this, adaptor);                                                                       \
    return found ? found : foldByRules(*this);                                                                         \
  }
#include "Mind/MindOps.def"
