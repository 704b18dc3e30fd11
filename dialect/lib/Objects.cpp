#include "Objects.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mind;

// What it is

Object Object::instance(std::vector<Field> fields) {
  return Fields(std::make_shared<std::vector<Field>>(std::move(fields)));
}

Int Object::integer() const {
  if (const bool *b = as<bool>())
    return Int(int(*b));
  if (const double *x = as<double>())
    return Int(int64_t(*x));
  return as<Int>() ? *as<Int>() : Int(0);
}

int64_t Object::int64() const {
  Int n = integer();
  return n > largestExtent || n < -largestExtent - 1 ? 0 : int64_t(n);
}

double Object::real() const { return as<double>() ? *as<double>() : double(int64()); }

List Object::items() const {
  if (const Sequence *s = as<Sequence>())
    return *s->items;
  List characters;
  if (const std::string *text = as<std::string>())
    for (char c : *text)
      characters.emplace_back(StringRef(&c, 1));
  return characters;
}

Shape Object::shape() const {
  return llvm::map_to_vector<6>(items(), [](const Object &n) { return n.int64(); });
}

SmallVector<Value> Object::values() const {
  return llvm::map_to_vector(items(), [](const Object &v) { return v.value(); });
}

Object::operator bool() const {
  if (const bool *b = as<bool>())
    return *b;
  if (const std::string *text = as<std::string>())
    return !text->empty();
  if (const Sequence *s = as<Sequence>())
    return !s->items->empty();
  return isNumber() ? real() != 0 || integer() != 0 : !isNone();
}

std::string Object::str() const {
  if (const bool *b = as<bool>())
    return *b ? "True" : "False";
  if (const Int *n = as<Int>())
    return say(*n);
  if (const std::string *text = as<std::string>())
    return *text;
  if (const Type *dtype = as<Type>())
    return say(*dtype);
  if (const RankedTensorType *type = as<RankedTensorType>())
    return say(*type);
  if (as<Fields>())
    return get("text").str();
  const Sequence *s = as<Sequence>();
  if (!s)
    return "None";
  auto shown = [](const Object &x) { return x.as<std::string>() ? quotedText(x.str()) : x.str(); };
  std::string inner = llvm::join(llvm::map_range(*s->items, shown), ", ");
  return s->isList ? "[" + inner + "]" : "(" + inner + (s->items->size() == 1 ? ",)" : ")");
}

Object Object::operator()(Args args) const { return as<Function>() ? (*as<Function>())(args) : Object(); }

Object Object::with(ArrayRef<Field> changed) const {
  if (!as<Fields>())
    return {};
  std::vector<Field> fields = **as<Fields>();
  for (const Field &to : changed)
    for (Field &f : fields)
      if (f.name == to.name)
        f.value = to.value;
  return instance(std::move(fields));
}

// Elements

Object Object::operator[](const Object &index) const {
  if (isSequence() && !index.isNumber()) { // a dict: pairs of a key and a value
    for (const Object &pair : items())
      if (pair[0] == index)
        return pair[1];
    return {};
  }
  List all = items();
  int64_t i = index.int64(), n = all.size();
  i += i < 0 ? n : 0;
  return i < 0 || i >= n ? Object() : all[i];
}

Object Object::part(const Object &start, const Object &stop, const Object &step) const {
  List all = items(), out;
  int64_t n = all.size(), by = step.isNone() ? 1 : step.int64();
  auto bound = [&](const Object &at, int64_t missing) {
    int64_t i = at.int64();
    i += i < 0 ? n : 0;
    return at.isNone() ? missing : std::clamp<int64_t>(i, by < 0 ? -1 : 0, by < 0 ? n - 1 : n);
  };
  int64_t from = bound(start, by < 0 ? n - 1 : 0), to = bound(stop, by < 0 ? -1 : n);
  for (int64_t i = from; by != 0 && (by < 0 ? i > to : i < to); i += by)
    out.push_back(all[i]);
  if (as<std::string>())
    return llvm::join(llvm::map_range(out, [](const Object &c) { return c.str(); }), "");
  return as<Sequence>() && as<Sequence>()->isList ? list(out) : tuple(out);
}

void Object::set(const Object &index, Object value) const {
  List *all = list();
  int64_t i = index.int64(), n = all ? all->size() : 0;
  i += i < 0 ? n : 0;
  if (i >= 0 && i < n)
    (*all)[i] = std::move(value);
}

// Operators

template <typename OfInts, typename OfFloats>
static Object arithmetic(const Object &a, const Object &b, OfInts ints, OfFloats floats) {
  if (!a.isNumber() || !b.isNumber())
    return {};
  return a.as<double>() || b.as<double>() ? Object(floats(a.real(), b.real())) : ints(a.integer(), b.integer());
}

Object mlir::mind::operator+(const Object &a, const Object &b) {
  if (a.as<std::string>())
    return a.str() + b.str();
  if (a.isSequence())
    return Object::tuple(spread({a, b}));
  return arithmetic(a, b, std::plus<Int>(), std::plus<double>());
}

Object mlir::mind::operator-(const Object &a, const Object &b) {
  return arithmetic(a, b, std::minus<Int>(), std::minus<double>());
}

Object mlir::mind::operator*(const Object &a, const Object &b) {
  if (b.isSequence() || (b.as<std::string>() && !a.as<std::string>()))
    return b * a;
  if (!a.isSequence() && !a.as<std::string>())
    return arithmetic(a, b, std::multiplies<Int>(), std::multiplies<double>());
  List out;
  for (int64_t i = 0; i < b.int64(); ++i)
    llvm::append_range(out, a.items());
  if (a.isSequence())
    return Object::tuple(out);
  return llvm::join(llvm::map_range(out, [](const Object &c) { return c.str(); }), "");
}

Object mlir::mind::operator-(const Object &a) { return Object(0) - a; }

Object mlir::mind::quotient(const Object &a, const Object &b) {
  return b.isNumber() && b ? Object(a.real() / b.real()) : Object();
}

Object mlir::mind::floorDiv(const Object &a, const Object &b) {
  return b.as<Int>() && b ? Object(llvm::floorDiv(a.integer(), b.integer())) : Object();
}

Object mlir::mind::operator%(const Object &a, const Object &b) {
  return b.as<Int>() && b ? a - floorDiv(a, b) * b : Object();
}

Object mlir::mind::power(const Object &a, const Object &b) {
  return arithmetic(
      a, b,
      [](const Int &x, const Int &n) {
        Int total(1);
        for (Int i(0); i < n; ++i)
          total *= x;
        return Object(total);
      },
      [](double x, double n) { return std::pow(x, n); });
}

bool mlir::mind::operator==(const Object &a, const Object &b) {
  if (a.isNumber() && b.isNumber())
    return a.as<double>() || b.as<double>() ? a.real() == b.real() : a.integer() == b.integer();
  if (a.isSequence() && b.isSequence())
    return *a.list() == *b.list();
  if (a.as<std::string>() || b.as<std::string>())
    return a.as<std::string>() && b.as<std::string>() && a.str() == b.str();
  if (a.as<Type>() && b.as<Type>())
    return *a.as<Type>() == *b.as<Type>();
  if (a.as<RankedTensorType>() && b.as<RankedTensorType>())
    return a.type() == b.type();
  return a.isNone() && b.isNone();
}

bool mlir::mind::operator<(const Object &a, const Object &b) {
  if (a.isNumber() && b.isNumber())
    return a.as<double>() || b.as<double>() ? a.real() < b.real() : a.integer() < b.integer();
  if (a.isSequence() && b.isSequence())
    return *a.list() < *b.list();
  return a.as<std::string>() && b.as<std::string>() && a.str() < b.str();
}

bool mlir::mind::operator<=(const Object &a, const Object &b) { return a < b || a == b; }

bool mlir::mind::contains(const Object &all, const Object &x) {
  return all.as<std::string>() ? all.str().find(x.str()) != std::string::npos : llvm::is_contained(all.items(), x);
}

List mlir::mind::spread(std::initializer_list<Object> sequences) {
  List out;
  for (const Object &s : sequences)
    llvm::append_range(out, s.items());
  return out;
}

// Functions of Python

/// The arguments, or the elements of the only one.
static List elements(Args args) { return args.size() == 1 ? args[0].items() : List(args.begin(), args.end()); }

static Object zipped(ArrayRef<List> all, size_t n, const Object &fill) {
  List out;
  for (size_t i = 0; i < n; ++i) {
    List row;
    for (const List &one : all)
      row.push_back(i < one.size() ? one[i] : fill);
    out.push_back(Object::tuple(row));
  }
  return Object::tuple(out);
}

static SmallVector<List> lists(Args args) {
  return llvm::map_to_vector(args, [](const Object &x) { return x.items(); });
}

Object python::text(Args parts) {
  return llvm::join(llvm::map_range(parts, [](const Object &x) { return x.str(); }), "");
}

Object python::len(Args args) {
  Object own = args[0].get("len"); // of a literal
  return own.isNone() ? Object(args[0].items().size()) : own;
}

Object python::range(Args args) {
  List out;
  Object start = args.size() > 1 ? args[0] : Object(0), stop = args[args.size() > 1];
  Object step = args.size() > 2 ? args[2] : 1;
  for (Object i = start; step && (step > 0 ? i < stop : i > stop); i = i + step)
    out.push_back(i);
  return Object::tuple(out);
}

Object python::zip(Args args) {
  SmallVector<List> all = lists(args);
  size_t n = all.empty() ? 0 : all[0].size();
  for (const List &one : all)
    n = std::min(n, one.size());
  return zipped(all, n, {});
}

Object python::zip_longest(Args args) {
  SmallVector<List> all = lists(args.drop_back());
  size_t n = 0;
  for (const List &one : all)
    n = std::max(n, one.size());
  return zipped(all, n, args.back());
}

Object python::enumerate(Args args) {
  List out;
  Object i = args.size() > 1 ? args[1] : 0;
  for (const Object &x : args[0].items()) {
    out.push_back(Object::tuple({i, x}));
    i = i + 1;
  }
  return Object::tuple(out);
}

Object python::tuple(Args args) { return Object::tuple(args.empty() ? List() : args[0].items()); }
Object python::list(Args args) { return Object::list(args.empty() ? List() : args[0].items()); }

Object python::sorted(Args args) {
  List out = args[0].items();
  llvm::stable_sort(out);
  return Object::list(out);
}

Object python::reversed(Args args) {
  List out = args[0].items();
  std::reverse(out.begin(), out.end());
  return Object::tuple(out);
}

Object python::min(Args args) {
  List all = elements(args);
  return all.empty() ? Object() : *llvm::min_element(all);
}

Object python::max(Args args) {
  List all = elements(args);
  return all.empty() ? Object() : *llvm::max_element(all);
}

Object python::sum(Args args) {
  Object total = args.size() > 1 ? args[1] : 0;
  for (const Object &x : args[0].items())
    total = total + x;
  return total;
}

Object python::prod(Args args) {
  Object total = 1;
  for (const Object &x : args[0].items())
    total = total * x;
  return total;
}

Object python::abs(Args args) { return args[0] < 0 ? -args[0] : args[0]; }
Object python::all(Args args) { return llvm::all_of(args[0].items(), [](const Object &x) { return bool(x); }); }
Object python::any(Args args) { return llvm::any_of(args[0].items(), [](const Object &x) { return bool(x); }); }
Object python::str(Args args) { return args[0].str(); }

Object python::TensorType(Args args) {
  const Type *dtype = args[0].as<Type>();
  List extents = args[1].items();
  auto isExtent = [](const Object &n) { return n.isNumber() && n >= 0 && n <= largestExtent; };
  if (!dtype || !args[1].isSequence() || !llvm::all_of(extents, isExtent))
    return {};
  return RankedTensorType::get(args[1].shape(), *dtype);
}
