// What every operation of the dialect has: its type rule and its folds, one overload an operation.

#ifndef MIND_LIB_RULES_H
#define MIND_LIB_RULES_H

#include "Mind/MindDialect.h"

namespace mlir::mind {

/// Says why a rule refuses: Core's error code and its sentence.  Returns failure.
using Refuse = llvm::function_ref<LogicalResult(llvm::StringRef code, const llvm::Twine &message)>;

/// The type of the result, by Core's rule, or failure after `refuse` has said why there is none.
#define MIND_OP(OP) FailureOr<RankedTensorType> inferType(OP::Adaptor op, Refuse refuse);
#include "Mind/MindOps.def"

/// A value with the same bits that the operation can be replaced by; itself if only its attributes were put in normal
/// form; nothing if there is neither.
#define MIND_OP(OP) OpFoldResult foldOp(OP op, OP::FoldAdaptor adaptor);
#include "Mind/MindOps.def"

} // namespace mlir::mind

#endif // MIND_LIB_RULES_H
