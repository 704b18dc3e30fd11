// Meshes and shardings, as attributes have them: the text of Core IR, and one text for each value.
//
// The same in Python: mind_mlir/dialects/placement.py, mind_mlir/ir/mesh.py.

#ifndef MIND_LIB_MESH_H
#define MIND_LIB_MESH_H

#include "Core.h"

namespace mlir::mind {

/// Refuses at an operation, as its error.
inline auto refuseAt(Operation *op) {
  return [op](StringRef code, const Twine &message) -> LogicalResult {
    return op->emitOpError() << code << ": " << message;
  };
}

/// On builtin.module, and on a parameter or an operation.
inline constexpr StringLiteral kMeshAttribute = "mind.mesh", kShardingAttribute = "mind.sharding";

/// A grid of ranks: names and sizes of its axes.
struct Mesh {
  SmallVector<StringRef> names;
  SmallVector<int64_t> sizes;

  /// The number of an axis.  E8002 if the mesh has no such axis.
  FailureOr<size_t> find(StringRef axis, Refuse refuse) const;
};

/// `dp = 2, tp = 4`.
void put(raw_ostream &os, const Mesh &mesh);

/// The mesh that an operation with the attribute states.  E7016 for an attribute that is no mesh, or is not on a module,
/// E8001 for a mesh that cannot be.
FailureOr<Mesh> statedMesh(Operation *op);

/// How a value lies on a mesh: for each dimension the axes that cut it, and those over which it is a sum.
struct PartitionSpec {
  StringRef text;
  SmallVector<SmallVector<StringRef, 1>> dims;
  SmallVector<StringRef> unreduced;

  /// Every mesh axis that it names.
  SmallVector<StringRef> axes() const;

  /// E8002 for an axis that the mesh does not have.
  LogicalResult checkAxes(const Mesh &mesh, Refuse refuse) const;
};

/// The sharding that attribute `name` holds.  E4013 if it holds none, E8003 for a mesh axis that is used twice.
FailureOr<PartitionSpec> readSpec(StringRef name, Attribute attribute, Refuse refuse);

/// E8003 unless the sharding has an entry for each dimension.
LogicalResult checkRank(const PartitionSpec &spec, RankedTensorType type, Refuse refuse);

/// E8002 or E8006 unless the operation fits the mesh around it, which may be none.  Says nothing about attributes that
/// are not what the operation's own verifier wants.
LogicalResult checkMesh(Operation *op, const Mesh *mesh, Refuse refuse);

/// `text`, cut to 40 characters for a message.
std::string shortText(StringRef text);

} // namespace mlir::mind

#endif // MIND_LIB_MESH_H
