// Runs the rules of OpRules.cpp: reads and writes attributes by their kinds, infers, folds and lowers.

#include "Rules.h"

#include "Emitter.h"
#include "Mesh.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace mlir::mind;

// Rule

Object Rule::refuse(const Object &code, const Object &message) {
  if (!hasRefused)
    (void)say(code.str(), message.str());
  hasRefused = true;
  return {};
}

Object Rule::dtype(StringRef name) const {
  bool isUnsigned = name.starts_with("u"); // which MLIR writes ui8
  return parseType(isUnsigned ? "ui" + name.drop_front().str() : name.str(), context);
}

StringRef mlir::mind::opcodeOf(Operation *op) {
  return isa_and_present<MindDialect>(op->getDialect()) ? rulesOf(op).opcode : StringRef();
}

// Attributes

static constexpr StringLiteral paddingForms = "\"Valid\", \"Same\" or [[low, high], [low, high]]";

/// "Valid", "Same" or ((top, bottom), (left, right)).
static Object readPadding(Attribute attribute, Refuse refuse, Rule &rule) {
  auto wrong = [&](const std::string &found) {
    return rule.refuse("E4010", say("padding: expected ", paddingForms, ", found ", found));
  };
  if (auto word = dyn_cast<StringAttr>(attribute)) {
    if (failed(checkText("padding", paddingForms, word, refuse)))
      return {};
    for (StringRef known : {"Valid", "Same"})
      if (word.getValue().equals_insensitive(known))
        return known;
    return wrong(quotedText(word.getValue()));
  }
  ArrayRef<int64_t> sides = cast<DenseI64ArrayAttr>(attribute).asArrayRef();
  size_t half = std::min<size_t>(2, sides.size());
  Object pairs = Object::tuple({Object::ints(sides.take_front(half)), Object::ints(sides.drop_front(half))});
  if (sides.size() != 4)
    return wrong(pairs.str());
  if (llvm::any_of(sides, [](int64_t n) { return n < 0; }))
    return rule.refuse("E4010",
                       say("padding [", sides.take_front(2), ", ", sides.drop_front(2), "] has a negative entry"));
  return pairs;
}

static Object readSharding(StringRef name, Attribute attribute, Refuse refuse) {
  FailureOr<PartitionSpec> spec = readSpec(name, attribute, refuse);
  if (failed(spec))
    return {};
  Object unreduced = Object::tuple(List(spec->unreduced.begin(), spec->unreduced.end()));
  return Object::instance({{"text", spec->text}, {"rank", spec->dims.size()}, {"unreduced", unreduced}});
}

static Object readData(Attribute attribute, Rule &rule) {
  if (!isa<DenseElementsAttr>(attribute)) {
    std::string found = say(attribute);
    return rule.refuse("E4013", "attribute data: expected dense elements, found " + found.substr(0, 60));
  }
  Type type = cast<DenseElementsAttr>(attribute).getType();
  return isCoreTensor(type) ? Object(attribute) : rule.refuse("E2002", say("attribute data is ", type));
}

/// The value of an attribute that is of the kind that ODS asks for.  None after a refusal.
static Object readAttribute(const AttributeRules &a, Attribute given, Rule &rule) {
  auto refuse = [&](StringRef code, const Twine &message) -> LogicalResult {
    rule.refuse(code, message.str());
    return failure();
  };
  switch (a.kind) {
  case AttributeRules::Ints:
    return Object::ints(cast<DenseI64ArrayAttr>(given));
  case AttributeRules::Extents:
    (void)checkExtents(cast<DenseI64ArrayAttr>(given), refuse);
    return Object::ints(cast<DenseI64ArrayAttr>(given));
  case AttributeRules::Flag:
    return cast<BoolAttr>(given).getValue();
  case AttributeRules::Choice:
    (void)checkChoice(a.name, cast<StringAttr>(given), a.choices, refuse);
    return cast<StringAttr>(given).getValue();
  case AttributeRules::Name:
    (void)checkText(a.name, "a string", cast<StringAttr>(given), refuse);
    return cast<StringAttr>(given).getValue();
  case AttributeRules::Count: {
    int64_t n = cast<IntegerAttr>(given).getInt();
    return n < 0 ? rule.refuse("E4013", say("attribute ", a.name, ": expected an integer, 0 or more, found ", n)) : n;
  }
  case AttributeRules::Sharding:
    return readSharding(a.name, given, refuse);
  case AttributeRules::Padding:
    return readPadding(given, refuse, rule);
  case AttributeRules::Scalar:
    return given;
  case AttributeRules::ElementType: {
    Type type = cast<TypeAttr>(given).getValue();
    if (isCoreElement(type))
      return type;
    return rule.refuse("E4013", say("attribute ", a.name, ": expected ", a.choices[0], ", found ", given));
  }
  case AttributeRules::Data:
    return readData(given, rule);
  }
  llvm_unreachable("a kind of attribute");
}

/// An attribute in normal form: as `given` where a kind has one form only.
static Attribute written(const AttributeRules &a, const Object &value, Attribute given, Builder &b) {
  bool isText = value.as<std::string>();
  switch (a.kind) {
  case AttributeRules::Ints:
  case AttributeRules::Extents:
    return b.getDenseI64ArrayAttr(value.shape());
  case AttributeRules::Flag:
    return b.getBoolAttr(bool(value));
  case AttributeRules::Padding:
    return isText ? b.getStringAttr(value.str()) : given;
  case AttributeRules::ElementType:
    return value.isNone() ? Attribute() : given;
  default:
    return given;
  }
}

Object mlir::mind::readOperation(const OperationRules &rules, DictionaryAttr attributes, Rule &rule) {
  std::vector<Field> fields{{"opcode", rules.opcode}};
  for (const AttributeRules &a : rules.attributes) {
    Attribute given = attributes.get(a.name);
    fields.push_back({a.name, given ? readAttribute(a, given, rule) : a.unlessGiven});
    if (rule.refused())
      return {};
    if (a.kind == AttributeRules::Data) { // the type of the elements says the other attributes
      auto type = cast<RankedTensorType>(cast<DenseElementsAttr>(given).getType());
      fields.push_back({"dtype", type.getElementType()});
      fields.push_back({"shape", Object::ints(type.getShape())});
    }
  }
  return Object::instance(std::move(fields));
}

// Types

static List withSelf(const Object &self, ValueRange operands, bool asTypes) {
  List args{self};
  for (Value v : operands)
    args.push_back(asTypes ? Object(typeOf(v)) : Object(v));
  return args;
}

LogicalResult mlir::mind::inferTypes(const OperationRules &rules, ValueRange operands, DictionaryAttr attributes,
                                     Refuse refuse, SmallVectorImpl<Type> &types) {
  Rule rule(attributes.getContext(), refuse);
  Object self = readOperation(rules, attributes, rule);
  Object found = rule.refused() ? Object() : rules.inferType(rule, withSelf(self, operands, /*asTypes=*/true));
  if (rule.refused())
    return failure();
  for (const Object &type : found.isSequence() ? found.items() : List{found})
    types.push_back(type.type());
  return success(llvm::all_of(types, [](Type t) { return bool(t); }));
}

// Folds

/// The operation of the rules for `op`, if that is valid; None otherwise: folds may meet what no verifier has seen.
static Object validOperation(const OperationRules &rules, Operation *op, Rule &rule) {
  SmallVector<Type> types;
  if (!rules.inferType || !llvm::all_of(op->getOperandTypes(), isCoreTensor) ||
      failed(inferTypes(rules, op->getOperands(), op->getAttrDictionary(), refuseSilently, types)) ||
      TypeRange(types) != TypeRange(op->getResultTypes()))
    return {};
  return readOperation(rules, op->getAttrDictionary(), rule);
}

static bool putInNormalForm(const OperationRules &rules, Operation *op, const Object &normal) {
  Builder b(op->getContext());
  bool changed = false;
  for (const AttributeRules &a : rules.attributes) {
    Attribute given = op->getAttr(a.name);
    Attribute normalForm = given ? written(a, normal.get(a.name), given, b) : given;
    if (normalForm == given)
      continue;
    if (normalForm)
      op->setAttr(a.name, normalForm);
    else
      op->removeAttr(a.name);
    changed = true;
  }
  return changed;
}

OpFoldResult mlir::mind::foldByRules(Operation *op) {
  const OperationRules &rules = rulesOf(op);
  Rule rule(op->getContext(), refuseSilently);
  Object self = validOperation(rules, op, rule);
  if (!self.isInstance())
    return {};
  Value result = op->getResult(0);
  if (rules.fold) {
    List args = withSelf(self, op->getOperands(), /*asTypes=*/false);
    args.insert(args.begin() + 1, Object()); // no builder: such rules give operands only
    Value found = rules.fold(rule, args).value();
    if (found && !rule.refused() && found != result && found.getType() == result.getType())
      return found;
  }
  if (rules.canonical) // an instance, unless it is another operation
    if (Object normal = rules.canonical(rule, withSelf(self, op->getOperands(), /*asTypes=*/true)); normal.isInstance())
      self = normal;
  return !rule.refused() && putInNormalForm(rules, op, self) ? OpFoldResult(result) : OpFoldResult();
}

// Lowering

FailureOr<SmallVector<Value>> mlir::mind::lowerByRules(Operation *op, Emitter &emitter, Refuse refuse) {
  const OperationRules &rules = rulesOf(op);
  if (!rules.lower)
    return op->emitOpError("has no lowering in C++: mind-opt --convert-mind-to-linalg, in Python, has it");
  Rule rule(op->getContext(), refuse);
  Object self = readOperation(rules, op->getAttrDictionary(), rule);
  if (rules.checkBeforeRun && !rule.refused())
    rules.checkBeforeRun(rule, withSelf(self, op->getOperands(), /*asTypes=*/true));
  if (rule.refused())
    return failure();
  auto isNarrow = [](Value v) { return isHalf(typeOf(v).getElementType()); };
  bool inF32 = rules.widens && llvm::any_of(op->getOperands(), isNarrow);
  auto computed = [&](Value v) {
    RankedTensorType t = typeOf(v);
    return inF32 && isNarrow(v) ? RankedTensorType::get(t.getShape(), Float32Type::get(op->getContext())) : t;
  };
  List results;
  for (Value v : op->getResults())
    results.emplace_back(computed(v));
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value v) {
    return inF32 && isNarrow(v) ? emitter.converted(v, computed(v)) : emitter.taken(v);
  });
  List args = withSelf(self, operands, /*asTypes=*/false);
  args.insert(args.begin() + 1, {Object(emitter), results.size() == 1 ? results[0] : Object::tuple(results)});
  Object lowered = rules.lower(rule, args);
  if (rule.refused())
    return failure();
  auto values = lowered.isSequence() ? lowered.values() : SmallVector<Value>{lowered.value()};
  if (values.size() != op->getNumResults() || llvm::is_contained(values, Value()))
    return op->emitOpError("has a lowering that gives no value in C++");
  for (auto [value, result] : llvm::zip_equal(values, op->getResults()))
    if (inF32 && isNarrow(result))
      value = emitter.converted(value, typeOf(result));
  return values;
}
