// The dialect `mind` and its operations: MIND Core IR in MLIR.

#ifndef MIND_DIALECT_H
#define MIND_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::mind {

/// True for what Core IR computes on: a ranked tensor of its element types, all extents known, no encoding.
bool isCoreTensor(Type type);

/// True for the types of elements: floats, `i1`, and integers with a sign, `i8`, or without, `ui8`.
bool isCoreElement(Type element);

/// Of operations between the ranks of a mesh.
template <typename OP> struct AcrossRanks : OpTrait::TraitBase<OP, AcrossRanks> {};

/// Adds the dialect to a registry, unless that has one of this name.
void registerMindDialect(DialectRegistry &registry);

/// Of Core IR, as the attribute `mind.ir_version` of a module states it.
inline constexpr int64_t kIrVersion = 1;

} // namespace mlir::mind

#include "Mind/MindDialect.h.inc"

#define GET_OP_CLASSES
#include "Mind/MindOps.h.inc"

#endif // MIND_DIALECT_H
