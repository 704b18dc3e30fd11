// The rules of the operations, as OpRules.cpp has them from the op classes, and what runs them.

#ifndef MIND_LIB_RULES_H
#define MIND_LIB_RULES_H

#include "Mind/MindDialect.h"
#include "Objects.h"

namespace mlir::mind {

/// What a rule runs in.  It refuses once: what a rule says after that does not count.
class Rule {
public:
  Rule(MLIRContext *context, Refuse say) : context(context), say(say) {}

  /// Says why there is no answer: Core's error code and its sentence.  Returns None.
  Object refuse(const Object &code, const Object &message);
  bool refused() const { return hasRefused; }
  Object dtype(StringRef name) const;

private:
  MLIRContext *context;
  Refuse say;
  bool hasRefused = false;
};

/// A translated function.  The rules of an operation take the operation, with its attributes as fields, and the
/// operands: types, or values where they are lowered or folded.
using RuleFunction = Object (*)(Rule &rule, Args args);

/// An attribute of an operation: how it is read, and what it is if it is missing.
struct AttributeRules {
  enum Kind { Ints, Extents, Flag, Choice, Name, Count, Sharding, Padding, Scalar, ElementType, Data };
  StringRef name;
  Kind kind;
  SmallVector<StringRef> choices = {};
  Object unlessGiven = {};
};

/// What C++ has of an op class.  A rule that is null is not translated, or is Op's own.
struct OperationRules {
  StringRef opcode;
  size_t operands;
  bool orMore; // operands
  bool widens; // floats of 16 bits to f32, in which it computes
  SmallVector<AttributeRules> attributes;
  RuleFunction inferType, canonical, fold, checkBeforeRun, lower;
};

/// Those of an operation of the dialect, by its name there.
const OperationRules &rulesOf(StringRef name);
inline const OperationRules &rulesOf(Operation *op) { return rulesOf(op->getName().getStringRef()); }

/// Core's name of an operation; empty if it is none of the dialect.
StringRef opcodeOf(Operation *op);

/// The operation with its attributes as fields.  None after a refusal.
Object readOperation(const OperationRules &rules, DictionaryAttr attributes, Rule &rule);

/// The types of the results by Core's rule, or failure after `refuse` has said why there are none.
LogicalResult inferTypes(const OperationRules &rules, ValueRange operands, DictionaryAttr attributes, Refuse refuse,
                         SmallVectorImpl<Type> &types);

/// A value with the same bits that the only result of `op` can be replaced by; that result itself if only attributes
/// were put in normal form; nothing if there is neither.
OpFoldResult foldByRules(Operation *op);

/// What stands in place of the results of `op`, which is valid, emitted before it.
FailureOr<SmallVector<Value>> lowerByRules(Operation *op, Emitter &emitter, Refuse refuse);

// Folds that are written by hand, because they look at constants or change operands: they come before the others.

template <typename OP> OpFoldResult foldOp(OP, typename OP::FoldAdaptor) { return {}; }

#define MIND_FOLD(OP) OpFoldResult foldOp(OP op, OP::FoldAdaptor adaptor);
MIND_FOLD(BroadcastOp)
MIND_FOLD(ConcatenateOp)
MIND_FOLD(ConstF32Op)
MIND_FOLD(ConstF64Op)
MIND_FOLD(ConstI64Op)
MIND_FOLD(ConstTensorOp)
MIND_FOLD(ExpandDimsOp)
MIND_FOLD(MulOp)
MIND_FOLD(ReshapeOp)
MIND_FOLD(ReshardOp)
MIND_FOLD(SelectOp)
MIND_FOLD(SqueezeOp)
MIND_FOLD(TransposeOp)
#undef MIND_FOLD

} // namespace mlir::mind

#endif // MIND_LIB_RULES_H
