#include "Mesh.h"

#include "Rules.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mind;

static constexpr int64_t mostRanks = int64_t(1) << 24;

std::string mlir::mind::shortText(StringRef text) {
  SmallVector<size_t> starts; // of characters: bytes that do not go on with one
  for (auto [i, c] : llvm::enumerate(text))
    if ((c & 0xC0) != 0x80)
      starts.push_back(i);
  return starts.size() <= 40 ? text.str() : text.take_front(starts[37]).str() + "...";
}

// Text

namespace {

/// Takes text apart, from its front.
struct Reader {
  StringRef left;

  bool take(StringRef word) { return left.consume_front(word); }

  /// An identifier, but for `_` alone; empty if there is none.
  StringRef axis() {
    auto continues = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    StringRef name = left.take_while(continues);
    if (name.empty() || llvm::isDigit(name.front()) || name == "_")
      return {};
    left = left.drop_front(name.size());
    return name;
  }

  /// Up to 18 digits, the first of which is 0 only if it is the only one.
  std::optional<int64_t> size() {
    StringRef digits = left.take_while(llvm::isDigit);
    int64_t number = 0;
    if (digits.size() > 18 || (digits.size() > 1 && digits.front() == '0') || digits.getAsInteger(10, number))
      return std::nullopt;
    left = left.drop_front(digits.size());
    return number;
  }

  /// `dp, tp]`, after the bracket that opens.
  template <typename Names> bool axes(Names &names) {
    do {
      names.push_back(axis());
      if (names.back().empty())
        return false;
    } while (take(", "));
    return take("]");
  }

  /// `[dp, _, [tp, pp]]`.
  bool dims(PartitionSpec &spec) {
    if (!take("["))
      return false;
    if (take("]"))
      return true;
    do {
      auto &dim = spec.dims.emplace_back();
      if (take("[")) {
        if (!axes(dim) || dim.size() < 2)
          return false;
      } else if (StringRef name = axis(); !name.empty()) {
        dim.push_back(name);
      } else if (!take("_")) {
        return false;
      }
    } while (take(", "));
    return take("]");
  }

  bool spec(PartitionSpec &spec) {
    if (!take("partial("))
      return dims(spec) && left.empty();
    return dims(spec) && take(", [") && axes(spec.unreduced) && take(")") && left.empty();
  }

  bool mesh(Mesh &mesh) {
    if (left.empty())
      return true;
    do {
      StringRef name = axis();
      if (name.empty() || !take(" = "))
        return false;
      std::optional<int64_t> ranks = size();
      if (!ranks)
        return false;
      mesh.names.push_back(name);
      mesh.sizes.push_back(*ranks);
    } while (take(", "));
    return left.empty();
  }
};

} // namespace

// Mesh

FailureOr<size_t> Mesh::find(StringRef axis, Refuse refuse) const {
  const auto *found = llvm::find(names, axis);
  if (found == names.end())
    return refuse("E8002", "the mesh has no axis " + shortText(axis));
  return size_t(found - names.begin());
}

void mlir::mind::put(raw_ostream &os, const Mesh &mesh) {
  llvm::interleaveComma(llvm::zip_equal(mesh.names, mesh.sizes), os,
                        [&](auto axis) { os << std::get<0>(axis) << " = " << std::get<1>(axis); });
}

FailureOr<Mesh> mlir::mind::statedMesh(Operation *op) {
  auto refuse = refuseAt(op);
  if (!isa<ModuleOp>(op))
    return refuse("E7016", say(kMeshAttribute, " belongs on builtin.module"));
  Attribute attribute = op->getDiscardableAttr(kMeshAttribute);
  Mesh mesh;
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text || !Reader{text.getValue()}.mesh(mesh))
    return refuse("E7016", say(kMeshAttribute, " is ", attribute, ", not the text of a mesh"));
  Int ranks(1);
  for (auto [i, name, size] : llvm::enumerate(mesh.names, mesh.sizes)) {
    if (llvm::is_contained(ArrayRef(mesh.names).take_front(i), name))
      return refuse("E8001", say("mesh axis ", name, " stands twice"));
    if (size < 1)
      return refuse("E8001", say("mesh axis ", name, " has size ", size));
    ranks *= size;
  }
  if (ranks > mostRanks)
    return refuse("E8001", say("a mesh has at most ", mostRanks, " ranks, found ", ranks));
  return mesh;
}

// Shardings

FailureOr<PartitionSpec> mlir::mind::readSpec(StringRef name, Attribute attribute, Refuse refuse) {
  auto wrong = [&] {
    return refuse("E4013", say("attribute ", name,
                               ": expected a sharding, such as [dp, _] or partial([dp, _], [tp]), found ", attribute));
  };
  auto text = dyn_cast<StringAttr>(attribute);
  PartitionSpec spec;
  if (!text || !Reader{text.getValue()}.spec(spec) || !llvm::is_sorted(spec.unreduced, std::less_equal<>()))
    return wrong();
  spec.text = text.getValue();
  llvm::SmallDenseSet<StringRef> used;
  for (StringRef axis : spec.axes())
    if (!used.insert(axis).second)
      return refuse("E8003", say("mesh axis ", shortText(axis), " is used twice in a sharding"));
  return spec;
}

SmallVector<StringRef> PartitionSpec::axes() const {
  SmallVector<StringRef> all;
  for (ArrayRef<StringRef> dim : dims)
    llvm::append_range(all, dim);
  llvm::append_range(all, unreduced);
  return all;
}

LogicalResult PartitionSpec::checkAxes(const Mesh &mesh, Refuse refuse) const {
  for (StringRef axis : axes())
    if (failed(mesh.find(axis, refuse)))
      return failure();
  return success();
}

LogicalResult mlir::mind::checkRank(const PartitionSpec &spec, RankedTensorType type, Refuse refuse) {
  size_t rank = spec.dims.size();
  if (int64_t(rank) == type.getRank())
    return success();
  return refuse("E8003", say("sharding ", spec.text, " speaks of ", rank, rank == 1 ? " dimension" : " dimensions",
                             ", the value is ", type));
}

// What fits a mesh

static LogicalResult checkCollective(Operation *op, const Mesh *mesh, Refuse refuse) {
  auto axis = op->getAttrOfType<StringAttr>("axis");
  auto size = op->getAttrOfType<IntegerAttr>("size");
  if (!axis || !size || !size.getType().isSignlessInteger(64))
    return success();
  StringRef name = opcodeOf(op);
  int64_t ranks = size.getInt();
  if (!mesh) {
    if (ranks > 1)
      return refuse("E8002", say(name, " along ", axis.getValue(), " without a mesh"));
    return success();
  }
  FailureOr<size_t> found = mesh->find(axis, refuse);
  if (failed(found))
    return failure();
  if (mesh->sizes[*found] == ranks)
    return success();
  return refuse("E8006", say(name, " along ", axis.getValue(), " says ", ranks, ranks == 1 ? " rank" : " ranks",
                             ", the mesh has ", mesh->sizes[*found]));
}

static LogicalResult checkReshard(ReshardOp op, const Mesh *mesh, Refuse refuse) {
  FailureOr<PartitionSpec> to = readSpec("to", op->getAttr("to"), refuseSilently);
  if (failed(to))
    return success();
  return mesh ? to->checkAxes(*mesh, refuse) : success(); // one machine runs the same module
}

LogicalResult mlir::mind::checkMesh(Operation *op, const Mesh *mesh, Refuse refuse) {
  if (op->hasTrait<AcrossRanks>())
    return checkCollective(op, mesh, refuse);
  if (auto reshard = dyn_cast<ReshardOp>(op))
    return checkReshard(reshard, mesh, refuse);
  return success();
}
