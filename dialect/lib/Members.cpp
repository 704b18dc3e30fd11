// What rules translated from the op classes may ask of an object: attributes and methods by kind, under their names in
// Python.  scripts/gen_dialect.py reads the names from here; a rule that asks for another one is not translated.

#include "Emitter.h"
#include "Rules.h"

using namespace mlir;
using namespace mlir::mind;

// Methods of C++ as members: each argument, while the method has it

static Object at(Args args, size_t i) { return i < args.size() ? args[i] : Object(); }

namespace {

template <typename T> struct Held;

#define MIND_HELD(PARAMETER, STORED, FROM_OBJECT)                                                                      \
  template <> struct Held<PARAMETER> {                                                                                 \
    Held(const Object &x) : stored(FROM_OBJECT) {}                                                                     \
    operator PARAMETER() const { return stored; }                                                                      \
    STORED stored;                                                                                                     \
  };
MIND_HELD(Value, Value, x.value())
MIND_HELD(ValueRange, SmallVector<Value>, x.values())
MIND_HELD(RankedTensorType, RankedTensorType, x.type())
MIND_HELD(Type, Type, x.as<Type>() ? *x.as<Type>() : Type())
MIND_HELD(Attribute, Attribute, x.as<Attribute>() ? *x.as<Attribute>() : Attribute())
MIND_HELD(StringRef, std::string, x.isNone() ? std::string() : x.str())
MIND_HELD(int64_t, int64_t, x.int64())
MIND_HELD(std::optional<int64_t>, std::optional<int64_t>, x.isNone() ? std::nullopt : std::optional(x.int64()))
MIND_HELD(ArrayRef<int64_t>, Shape, x.shape())
MIND_HELD(ArrayRef<double>, SmallVector<double>,
          llvm::map_to_vector(x.items(), [](const Object &n) { return n.real(); }))
MIND_HELD(ArrayRef<Pads>, SmallVector<Pads>,
          llvm::map_to_vector(x.items(), [](const Object &p) { return Pads(p[0].int64(), p[1].int64()); }))
MIND_HELD(ArrayRef<NamedAttribute>, SmallVector<NamedAttribute>, SmallVector<NamedAttribute>())
#undef MIND_HELD

/// A formula over elements is a function of the scalars and the elements.
template <> struct Held<Formula> {
  Held(const Object &x) : formula([x](const Scalars &s, ValueRange elements) {
    List args{s};
    llvm::append_range(args, elements);
    return x(args).value();
  }) {}
  operator Formula() const { return formula; }
  std::function<Value(const Scalars &, ValueRange)> formula;
};

template <typename...> struct Types {};

template <typename T> using Member = std::function<Object(const T &, Args)>;

template <typename On, typename M, typename... P, size_t... I>
Object passed(On &on, M method, [[maybe_unused]] Args args, Types<P...>, std::index_sequence<I...>) {
  return (on.*method)(Held<std::decay_t<P>>(at(args, I))...);
}

template <typename R, typename... P> Member<Emitter *> method(R (Emitter::*m)(P...)) {
  return [m](Emitter *e, Args args) {
    return passed(*e, m, args, Types<P...>(), std::index_sequence_for<P...>());
  };
}

template <typename R, typename... P> Member<Scalars> method(R (Scalars::*m)(P...) const) {
  return [m](const Scalars &s, Args args) {
    return passed(s, m, args, Types<P...>(), std::index_sequence_for<P...>());
  };
}

/// Members by name.  In the tables, methods stand with their parameters, attributes without.  Methods of one name, in
/// several groups of the emitter, are told apart by the number of parameters, all of which are given.
template <typename T> class Members {
public:
  Members(std::initializer_list<std::pair<StringRef, Member<T>>> all) {
    for (const auto &[signature, member] : all) {
      size_t parameters = signature.contains('(') ? signature.count(',') + 1 : 0;
      byName[signature.take_until([](char c) { return c == '('; })].emplace_back(parameters, member);
    }
  }

  Object operator()(StringRef name, const T &of, Args args) const {
    auto found = byName.find(name);
    if (found == byName.end())
      return {};
    for (const auto &[parameters, member] : found->second)
      if (parameters == args.size())
        return member(of, args);
    return found->second.front().second(of, args); // the rest of its parameters has what C++ assumes
  }

private:
  llvm::StringMap<SmallVector<std::pair<size_t, Member<T>>>> byName;
};

} // namespace

// The tables

static const Members<Type> &ofDType() {
  using T = const Type &;
  static const Members<Type> all{
      {"is_float", [](T t, Args) -> Object { return isa<FloatType>(t); }},
      {"is_bool", [](T t, Args) -> Object { return t.isInteger(1); }},
      {"is_integer", [](T t, Args) -> Object { return isa<IntegerType>(t) && !t.isInteger(1); }},
      {"is_signed", [](T t, Args) -> Object { return isSigned(t); }},
      {"bits", [](T t, Args) -> Object { return int(t.getIntOrFloatBitWidth()); }},
      {"width", [](T t, Args) -> Object { return int(std::max(t.getIntOrFloatBitWidth() / 8, 1u)); }},
      {"smallest", [](T t, Args) -> Object { return smallestOf(t); }},
      {"largest", [](T t, Args) -> Object { return largestOf(t); }},
  };
  return all;
}

static const Members<RankedTensorType> &ofTensorType() {
  using T = const RankedTensorType &;
  static const Members<RankedTensorType> all{
      {"dtype", [](T t, Args) -> Object { return t.getElementType(); }},
      {"shape", [](T t, Args) -> Object { return Object::ints(t.getShape()); }},
      {"rank", [](T t, Args) -> Object { return t.getRank(); }},
      {"size", [](T t, Args) -> Object { return elementCount(t.getShape()); }},
      {"with_shape(shape)", [](T t, Args a) { return python::TensorType({t.getElementType(), at(a, 0)}); }},
  };
  return all;
}

/// Of values where they are folded; elsewhere rules know values by their types.
static const Members<Value> &ofValue() {
  using V = const Value &;
  static const Members<Value> all{
      {"type", [](V v, Args) { return isCoreTensor(v.getType()) ? Object(typeOf(v)) : Object(); }},
      {"shape", [](V v, Args) { return isCoreTensor(v.getType()) ? Object::ints(shapeOf(v)) : Object(); }},
      {"dtype", [](V v, Args) { return isCoreTensor(v.getType()) ? Object(typeOf(v).getElementType()) : Object(); }},
      {"op", [](V v, Args) { return v.getDefiningOp() ? Object(v.getDefiningOp()) : Object(); }},
      {"operands",
       [](V v, Args) {
         Operation *op = v.getDefiningOp();
         return op ? Object::tuple(List(op->operand_begin(), op->operand_end())) : Object();
       }},
  };
  return all;
}

static const Members<Operation *> &ofOperation() {
  static const Members<Operation *> all{
      {"opcode", [](Operation *op, Args) -> Object { return opcodeOf(op); }},
  };
  return all;
}

/// Of lists, tuples and strings.
static const Members<Object> &ofSequence() {
  using S = const Object &;
  static const Members<Object> all{
      {"append(x)",
       [](S s, Args a) {
         s.list()->push_back(at(a, 0));
         return Object();
       }},
      {"insert(position, x)",
       [](S s, Args a) {
         int64_t n = s.list()->size(), i = at(a, 0).int64();
         s.list()->insert(s.list()->begin() + std::clamp<int64_t>(i < 0 ? i + n : i, 0, n), at(a, 1));
         return Object();
       }},
      {"count(x)", [](S s, Args a) -> Object { return size_t(llvm::count(s.items(), at(a, 0))); }},
      {"index(x)",
       [](S s, Args a) -> Object {
         List all = s.items();
         return size_t(llvm::find(all, at(a, 0)) - all.begin());
       }},
      {"join(parts)",
       [](S s, Args a) -> Object {
         return llvm::join(llvm::map_range(at(a, 0).items(), [](S part) { return part.str(); }), s.str());
       }},
  };
  return all;
}

/// Of the elements of a constant.
static const Members<Attribute> &ofLiteral() {
  using A = const Attribute &;
  auto isSplat = [](A a) { return !isa<DenseElementsAttr>(a) || cast<DenseElementsAttr>(a).isSplat(); };
  static const Members<Attribute> all{
      {"dtype", [](A a, Args) -> Object { return getElementTypeOrSelf(cast<TypedAttr>(a).getType()); }},
      {"is_splat", [isSplat](A a, Args) -> Object { return isSplat(a); }},
      {"len", [isSplat](A a, Args) { return isSplat(a) ? Object(1) : cast<DenseElementsAttr>(a).getNumElements(); }},
  };
  return all;
}

static const Members<Scalars> &ofScalars() {
  using S = const Scalars &;
  static const Members<Scalars> all{
      {"dtype", [](S s, Args) -> Object { return s.dtype; }},
      {"bits", method(&Scalars::bits)},
      {"is_float", [](S s, Args) -> Object { return s.isFloat; }},
      {"smallest", method(&Scalars::smallest)},
      {"largest", method(&Scalars::largest)},
      {"f64", method(&Scalars::f64)},
      {"i64", method(&Scalars::i64)},
      {"integers", method(&Scalars::integers)},
      {"of(dtype)", method(&Scalars::of)},
      {"op(name, *operands)",
       [](S s, Args a) -> Object { return s.op(at(a, 0).str(), Object::tuple(a.drop_front()).values()); }},
      {"function(name, *operands)",
       [](S s, Args a) -> Object { return s.function(at(a, 0).str(), Object::tuple(a.drop_front()).values()); }},
      {"number(value)",
       [](S s, Args a) -> Object {
         return at(a, 0).as<double>() ? s.number(at(a, 0).real()) : s.number(at(a, 0).integer());
       }},
      {"add(x, y)", method(&Scalars::add)},
      {"sub(x, y)", method(&Scalars::sub)},
      {"mul(x, y)", method(&Scalars::mul)},
      {"div(x, y)", method(&Scalars::div)},
      {"negative(x)", method(&Scalars::negative)},
      {"absolute(x)", method(&Scalars::absolute)},
      {"copy_sign(x, y)", method(&Scalars::copySign)},
      {"sqrt(x)", method(&Scalars::sqrt)},
      {"floor(x)", method(&Scalars::floor)},
      {"ceil(x)", method(&Scalars::ceil)},
      {"round_even(x)", method(&Scalars::roundEven)},
      {"polynomial(x, coefficients)", method(&Scalars::polynomial)},
      {"equal(x, y)", method(&Scalars::equal)},
      {"not_equal(x, y)", method(&Scalars::notEqual)},
      {"greater(x, y)", method(&Scalars::greater)},
      {"greater_equal(x, y)", method(&Scalars::greaterEqual)},
      {"less(x, y)", method(&Scalars::less)},
      {"less_equal(x, y)", method(&Scalars::lessEqual)},
      {"unordered(x, y)", method(&Scalars::unordered)},
      {"maximum(x, y)", method(&Scalars::maximum)},
      {"minimum(x, y)", method(&Scalars::minimum)},
      {"joined(kind, x, y)", method(&Scalars::joined)},
      {"either(a, b)", method(&Scalars::either)},
      {"both(a, b)", method(&Scalars::both)},
      {"select(condition, x, y)", method(&Scalars::select)},
      {"clamped(x, low, high)",
       [](S s, Args a) -> Object { return s.clamped(at(a, 0).value(), at(a, 1).real(), at(a, 2).real()); }},
      {"from_condition(condition)", method(&Scalars::fromCondition)},
      {"bit_and(x, y)", method(&Scalars::both)},
      {"bit_or(x, y)", method(&Scalars::either)},
      {"bit_xor(x, y)", method(&Scalars::oneOf)},
      {"same_bits(x, source)", method(&Scalars::sameBits)},
      {"converted(x, source)",
       [](S s, Args a) -> Object {
         Object given = at(a, 1); // which holds what `as` points to
         const Scalars *source = given.as<Scalars>();
         return source ? Object(s.converted(at(a, 0).value(), *source)) : Object();
       }},
      {"shift_left(x, bits)", method(&Scalars::shiftLeft)},
      {"shift_right(x, bits)", method(&Scalars::shiftRight)},
      {"to_f64(x)", method(&Scalars::toF64)},
      {"from_f64(x)", method(&Scalars::fromF64)},
      {"to_bits(x)", method(&Scalars::toBits)},
      {"from_bits(x)", method(&Scalars::fromBits)},
      {"from_integer(x)", method(&Scalars::fromInteger)},
      {"from_index(x)", method(&Scalars::fromIndex)},
  };
  return all;
}

static const Members<Emitter *> &ofEmitter() {
  auto itself = [](Emitter *e, Args) -> Object { return *e; }; // of a group of methods
  static const Members<Emitter *> all{
      {"tensor", itself},
      {"linalg", itself},
      {"convolution", itself},
      {"reduction", itself},
      {"window", itself},
      {"scan", itself},
      {"rows", itself},
      {"slices", itself},
      {"shard", itself},
      {"type(v)", [](Emitter *e, Args a) { return at(a, 0).value() ? Object(e->type(at(a, 0).value())) : Object(); }},
      {"literal(data, t)", method(&Emitter::literal)},
      {"empty(t)", method(&Emitter::empty)},
      {"filled(t, value)", method(&Emitter::filled)},
      {"copied(x)", method(&Emitter::copied)},
      {"map(formula, inputs, result)", method(&Emitter::map)},
      {"elementwise(name, formula, inputs, result)", method(&Emitter::elementwise)},
      {"named(name, inputs, result, init)", method(&Emitter::named)},
      {"contract(dims, inputs, result, sums)", method(&Emitter::contract)},
      {"convolved(input, filter, strides, result)", method(&Emitter::convolved)},
      {"convolved_back(cotangent, filter, strides, result)", method(&Emitter::convolvedBack)},
      {"correlated(input, pads, cotangent, strides, result)", method(&Emitter::correlated)},
      {"over_windows(dims, sums, inputs, result)", method(&Emitter::overWindows)},
      {"sum(x, axes, result)", method(&Emitter::sum)},
      {"reduced(kind, x, axes, result)", method(&Emitter::reduced)},
      {"arg_extreme(kind, x, axis, result)", method(&Emitter::argExtreme)},
      {"cumulative(kind, x, axis, reverse, result)", method(&Emitter::cumulative)},
      {"transposed(x, permutation, result)", method(&Emitter::transposed)},
      {"reversed(x, axes, result)", method(&Emitter::reversed)},
      {"counted(axis, result)", method(&Emitter::counted)},
      {"reshaped(x, result)", method(&Emitter::reshaped)},
      {"slice(x, starts, steps, result)", method(&Emitter::slice)},
      {"inserted(x, into, starts, result, steps)", method(&Emitter::inserted)},
      {"padded(x, pads, interior)", method(&Emitter::padded)},
      {"element(x, position, result)", method(&Emitter::element)},
      {"dropped(x, result)", method(&Emitter::dropped)},
      {"pooled(kind, x, window, strides, low, high, dilation, result)", method(&Emitter::windowsJoined)},
      {"arg_max(x, window, strides, low, high, dilation, result)", method(&Emitter::argMaxOfWindows)},
      {"gathered(x, indices, window, strides, low, high, dilation, result)", method(&Emitter::windowsGathered)},
      {"scattered(updates, indices, window, strides, low, high, dilation, result)",
       method(&Emitter::windowsScattered)},
      {"gather(x, indices, result, oob)", method(&Emitter::gather)},
      {"scatter_add(x, indices, updates, oob)", method(&Emitter::scatterAdd)},
      {"read(x, starts, result)", method(&Emitter::read)},
      {"written(x, update, starts)", method(&Emitter::written)},
      {"gathered(x, indices, axes, batch_axes, sizes, oob, result)", method(&Emitter::gathered)},
      {"scattered(x, indices, updates, axes, batch_axes, sizes, oob, kind, opcode)", method(&Emitter::scattered)},
      {"all_reduce(x, axis, size, kind)", method(&Emitter::allReduce)},
      {"all_gather(x, axis, size, dim, result)", method(&Emitter::allGather)},
      {"reduce_scatter(x, axis, size, dim, result)", method(&Emitter::reduceScatter)},
      {"all_to_all(x, axis, size, split, concat, result)", method(&Emitter::allToAll)},
      {"shard_slice(x, axis, size, dim, result)", method(&Emitter::shardSlice)},
  };
  return all;
}

// Look-up

static Object member(const Object &of, StringRef name, Args args) {
  if (const auto *t = of.as<RankedTensorType>())
    return ofTensorType()(name, *t, args);
  if (const auto *t = of.as<Type>())
    return ofDType()(name, *t, args);
  if (const auto *v = of.as<Value>())
    return *v ? ofValue()(name, *v, args) : Object();
  if (const auto *op = of.as<Operation *>())
    return ofOperation()(name, *op, args);
  if (of.list() || of.as<std::string>())
    return ofSequence()(name, of, args);
  if (const auto *a = of.as<Attribute>())
    return ofLiteral()(name, *a, args);
  if (const auto *s = of.as<Scalars>())
    return ofScalars()(name, *s, args);
  if (const auto *e = of.as<Emitter *>())
    return ofEmitter()(name, *e, args);
  return {};
}

Object Object::get(const Object &name) const {
  std::string text = name.str();
  if (const Fields *fields = as<Fields>()) {
    for (const Field &f : **fields)
      if (f.name == text)
        return f.value;
    return {};
  }
  return member(*this, text, {});
}

Object Object::call(StringRef method, Args args) const { return member(*this, method, args); }
