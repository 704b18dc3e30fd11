// Values as Python has them: with these the rules are written that scripts/gen_dialect.py translates.
//
// An Object is of any kind, and what makes no sense of it gives None: a rule that has refused goes on with None until
// it returns.  Lists are shared, as in Python; everything else is a value.

#ifndef MIND_LIB_OBJECTS_H
#define MIND_LIB_OBJECTS_H

#include "Core.h"
#include "Scalars.h"

#include <functional>
#include <memory>
#include <variant>

namespace mlir::mind {

class Emitter;
class Object;

using List = std::vector<Object>;

/// What is passed to a function, in order.  The elements of a list in braces are evaluated from left to right, so that
/// a lowering emits what it passes in the order in which Python does.
using Args = ArrayRef<Object>;

/// An attribute or a keyword argument.
struct Field;

using Function = std::function<Object(Args)>;

class Object {
  struct Sequence {
    std::shared_ptr<List> items;
    bool isList; // in brackets as text, else in parentheses
  };
  using Fields = std::shared_ptr<std::vector<Field>>;

public:
  Object() = default; // None
  Object(bool b) : is(b) {}
  Object(int n) : is(Int(n)) {}
  Object(long n) : is(Int(n)) {}
  Object(long long n) : is(Int(n)) {}
  Object(size_t n) : is(Int(int64_t(n))) {}
  Object(Int n) : is(std::move(n)) {}
  Object(double x) : is(x) {}
  Object(const char *text) : is(std::string(text)) {}
  Object(StringRef text) : is(text.str()) {}
  Object(std::string text) : is(std::move(text)) {}
  Object(Type dtype) : is(dtype) {}
  Object(RankedTensorType type) : is(type) {}
  Object(Value v) : is(v) {}
  Object(Scalars s) : is(std::move(s)) {}
  Object(Emitter &e) : is(&e) {}
  Object(Operation *op) : is(op) {}
  Object(Attribute literal) : is(literal) {}
  Object(Function f) : is(std::move(f)) {}

  static Object tuple(List items) { return Sequence{std::make_shared<List>(std::move(items)), false}; }
  static Object list(List items) { return Sequence{std::make_shared<List>(std::move(items)), true}; }
  static Object ints(ArrayRef<int64_t> values) { return tuple(List(values.begin(), values.end())); }
  static Object instance(std::vector<Field> fields);

  // What it is

  template <typename T> const T *as() const { return std::get_if<T>(&is); }
  bool isNone() const { return as<std::monostate>(); }
  bool isSequence() const { return as<Sequence>(); }
  bool isInstance() const { return as<Fields>(); }
  bool isNumber() const { return as<bool>() || as<Int>() || as<double>(); }

  Int integer() const;
  /// 0 for what is no number of 64 bits.
  int64_t int64() const;
  double real() const;
  std::string str() const;
  Value value() const { return as<Value>() ? *as<Value>() : Value(); }
  RankedTensorType type() const { return as<RankedTensorType>() ? *as<RankedTensorType>() : RankedTensorType(); }
  List items() const; // of a sequence or a string, copied
  Shape shape() const; // a sequence of integers
  SmallVector<Value> values() const;
  List *list() const { return as<Sequence>() ? as<Sequence>()->items.get() : nullptr; }
  explicit operator bool() const;

  // Attributes, and methods: those of the tables in Members.cpp, and the fields of an instance

  Object get(const Object &name) const;
  Object call(StringRef method, Args args) const;
  Object operator()(Args args) const;
  /// A copy of an instance with other fields.
  Object with(ArrayRef<Field> changed) const;

  // Elements; an index counts from the end if it is negative

  Object operator[](const Object &index) const;
  /// `x[start:stop:step]`.
  Object part(const Object &start, const Object &stop, const Object &step = Object()) const;
  void set(const Object &index, Object value) const;

private:
  Object(Sequence s) : is(std::move(s)) {}
  Object(Fields f) : is(std::move(f)) {}

  std::variant<std::monostate, bool, Int, double, std::string, Type, RankedTensorType, Value, Scalars, Emitter *,
               Operation *, Attribute, Function, Sequence, Fields>
      is;
};

struct Field {
  StringRef name;
  Object value;
};

// Operators

Object operator+(const Object &a, const Object &b); // of sequences and strings too
Object operator-(const Object &a, const Object &b);
Object operator*(const Object &a, const Object &b); // of a sequence and a number too
Object operator-(const Object &a);
Object quotient(const Object &a, const Object &b); // a / b
Object floorDiv(const Object &a, const Object &b); // a // b
Object operator%(const Object &a, const Object &b);
Object power(const Object &a, const Object &b);
bool operator==(const Object &a, const Object &b);
inline bool operator!=(const Object &a, const Object &b) { return !(a == b); }
bool operator<(const Object &a, const Object &b);
inline bool operator>(const Object &a, const Object &b) { return b < a; }
bool operator<=(const Object &a, const Object &b);
inline bool operator>=(const Object &a, const Object &b) { return b <= a; }
bool contains(const Object &all, const Object &x);

// Functions of Python; the translator finds them here by their names

namespace python {
Object text(Args parts); // an f-string
Object len(Args args);
Object range(Args args);
Object zip(Args args);
Object zip_longest(Args args); // the last is what fills
Object enumerate(Args args);
Object tuple(Args args);
Object list(Args args);
Object sorted(Args args);
Object reversed(Args args);
Object min(Args args);
Object max(Args args);
Object sum(Args args);
Object prod(Args args);
Object abs(Args args);
Object all(Args args);
Object any(Args args);
Object str(Args args);
/// A tensor type.  None where an extent is no number of 64 bits, or is negative.
Object TensorType(Args args);
} // namespace python

/// The elements of the sequences, one after the other: arguments with `*` among them.
List spread(std::initializer_list<Object> sequences);

/// What `fill` appends: a comprehension.
template <typename Fill> Object collected(Fill fill) {
  List out;
  fill(out);
  return Object::tuple(std::move(out));
}

} // namespace mlir::mind

#endif // MIND_LIB_OBJECTS_H
