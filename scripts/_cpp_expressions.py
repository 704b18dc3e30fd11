"""Expressions of Python as expressions of C++, of type Object, with the names that they use."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import re
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, zip_longest
from pathlib import Path
from typing import Any

from _cpp_words import ATTRIBUTES, FUNCTIONS, METHODS, Untranslatable, literal, name_of, quoted

from mind_mlir.ir import Op, Reject, TensorType

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%"}
DIVISIONS = {ast.Div: "quotient", ast.FloorDiv: "floorDiv", ast.Pow: "power"}
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
COMPARISONS |= {ast.Is: "==", ast.IsNot: "!="}
_BUILTINS = (len, range, zip, enumerate, tuple, list, sorted, reversed, min, max, sum, abs, all, any, str)


class Expressions:
    """The expressions of one function, a method of `cls` if given; `call` translates the functions that it calls."""

    def __init__(self, fn: Any, cls: type[Op] | None, call: Callable[[Any, type[Op] | None], str]) -> None:
        self.fn, self.cls, self.call = fn, cls, call
        tree = ast.parse(textwrap.dedent(inspect.getsource(fn))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise Untranslatable(f"{fn.__qualname__} is no function")
        self.tree = tree
        self.names: list[set[str]] = []
        self.fresh = count(1)

    def no(self, node: ast.AST, what: str = "") -> Untranslatable:
        file = Path(inspect.getfile(self.fn)).name
        return Untranslatable(f"{file}: {what or type(node).__name__}")

    @contextmanager
    def scope(self, names: set[str]) -> Iterator[None]:
        self.names.append(names)
        yield
        self.names.pop()

    def assign(self, target: ast.expr, value: str, declare: str = "") -> Iterator[str]:
        match target:
            case ast.Name(name) if name_of(name) == value or (declare and name == "_"):  # which nothing reads
                return
            case ast.Name(name):
                yield f"{declare}{name_of(name)} = {value};"
            case ast.Subscript(of, index):
                yield f"{self.value(of)}.set({self.value(index)}, {value});"
            case ast.Tuple(parts) | ast.List(parts):
                whole = value if re.fullmatch(r"item\d+_", value) else f"item{next(self.fresh)}_"
                if whole != value:
                    yield f"Object {whole} = {value};"
                starred = next((i for i, p in enumerate(parts) if isinstance(p, ast.Starred)), len(parts))
                for i, p in enumerate(parts):
                    after = i - len(parts)
                    if isinstance(p, ast.Starred):
                        stop = "Object()" if after == -1 else after + 1
                        yield from self.assign(p.value, f"{whole}.part({i}, {stop})", declare)
                    else:
                        yield from self.assign(p, f"{whole}[{i if i < starred else after}]", declare)
            case _:
                raise self.no(target)

    # Conditions

    def truth(self, node: ast.expr) -> str:
        """An expression of type bool."""
        match node:
            case ast.BoolOp(op, values):
                word = " && " if isinstance(op, ast.And) else " || "
                return f"({word.join(self.truth(v) for v in values)})"
            case ast.UnaryOp(ast.Not(), operand):
                return f"!{self.truth(operand)}"
            case ast.Compare(left, ops, rights):
                sides = [left, *rights]
                pairs = [self.compared(op, a, b) for op, a, b in zip(ops, sides, sides[1:])]
                return pairs[0] if len(pairs) == 1 else f"({' && '.join(pairs)})"
        return f"bool({self.value(node)})"

    def compared(self, op: ast.cmpop, a: ast.expr, b: ast.expr) -> str:
        if isinstance(op, (ast.In, ast.NotIn)):
            return f"{'!' if isinstance(op, ast.NotIn) else ''}contains({self.value(b)}, {self.value(a)})"
        return f"({self.value(a)} {COMPARISONS[type(op)]} {self.value(b)})"

    # Expressions

    def value(self, node: ast.expr) -> str:
        """An expression of type Object."""
        match node:
            case ast.Constant(value):
                return self.at(node, literal, value)
            case ast.Name():
                return self.name(node)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
                return literal(-number)
            case ast.UnaryOp(ast.USub(), operand):
                return f"-{self.value(operand)}"
            case ast.UnaryOp(ast.Not()) | ast.Compare():
                return f"Object({self.truth(node)})"
            case ast.BoolOp(op, values):
                return self.choice(isinstance(op, ast.And), values)
            case ast.BinOp(left, op, right) if type(op) in OPERATORS:
                return f"({self.value(left)} {OPERATORS[type(op)]} {self.value(right)})"
            case ast.BinOp(left, op, right) if type(op) in DIVISIONS:
                return f"{DIVISIONS[type(op)]}({self.value(left)}, {self.value(right)})"
            case ast.IfExp(test, then, otherwise):
                return f"({self.truth(test)} ? {self.value(then)} : {self.value(otherwise)})"
            case ast.Tuple(parts) | ast.List(parts):
                return f"Object::{type(node).__name__.lower()}({self.arguments(parts)})"
            case ast.Dict(keys, values) if all(keys):
                pairs = [f"Object::tuple({{{self.value(k)}, {self.value(v)}}})" for k, v in zip(keys, values) if k]
                return f"Object::tuple({{{', '.join(pairs)}}})"
            case ast.JoinedStr(parts):
                return f"python::text({{{', '.join(self.piece(p) for p in parts)}}})"
            case ast.Subscript(of, ast.Slice(start, stop, step)):
                bounds = ["Object()" if b is None else self.value(b) for b in (start, stop, step)]
                return f"{self.value(of)}.part({', '.join(bounds)})"
            case ast.Subscript(of, index):
                return f"{self.value(of)}[{self.value(index)}]"
            case ast.GeneratorExp(element, generators) | ast.ListComp(element, generators):
                return self.comprehension(node, element, generators)
            case ast.Lambda():
                return self.function(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call():
                return self.called(node)
        raise self.no(node)

    def at(self, node: ast.AST, make: Callable[..., str], *args: Any) -> str:
        """The text that `make` returns; an error of it is reported at the node."""
        try:
            return make(*args)
        except Untranslatable as why:
            raise self.no(node, str(why)) from None

    def choice(self, is_and: bool, values: Sequence[ast.expr]) -> str:
        """`a and b` or `a or b`, which give one of the two."""
        first, *rest = values
        if not rest:
            return self.value(first)
        other = self.choice(is_and, rest)
        chosen = f"bool(first) == {str(is_and).lower()} ? {other} : first"
        return f"[&](Object first) {{ return {chosen}; }}({self.value(first)})"

    def piece(self, part: ast.expr) -> str:
        match part:
            case ast.Constant(str() as text):
                return quoted(text)
            case ast.FormattedValue(value, -1, None):
                return self.value(value)
        raise self.no(part, "a format")

    def arguments(self, parts: Sequence[ast.expr]) -> str:
        """`{a, b}`, or the elements of those with a star among them."""
        if not any(isinstance(p, ast.Starred) for p in parts):
            return f"{{{', '.join(self.value(p) for p in parts)}}}"
        sequences = [
            self.value(p.value) if isinstance(p, ast.Starred) else f"Object::tuple({{{self.value(p)}}})" for p in parts
        ]
        return f"spread({{{', '.join(sequences)}}})"

    def comprehension(self, node: ast.expr, element: ast.expr, generators: Sequence[ast.comprehension]) -> str:
        names = {n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        head, tail = "", ""
        with self.scope(names):
            for g in generators:
                item = f"item{next(self.fresh)}_"
                head += f"for (const Object &{item} : {self.value(g.iter)}.items()) {{ "
                head += " ".join(self.assign(g.target, item, "Object ")) + " "
                tail += " }"
                for test in g.ifs:
                    head += f"if ({self.truth(test)}) "
            every = f"collected([&](List &made) {{ {head}made.push_back({self.value(element)});{tail} }})"
        return f"python::list({{{every}}})" if isinstance(node, ast.ListComp) else every

    def function(self, node: ast.Lambda) -> str:
        parameters = [a.arg for a in node.args.args]
        with self.scope(set(parameters)):
            body = self.value(node.body)
        taken = [
            f"Object {name_of(p)} = args[{i}]; "
            for i, p in enumerate(parameters)
            if re.search(rf"\b{name_of(p)}\b", body)
        ]
        return f"Object(Function([=, &rule](Args args) -> Object {{ {''.join(taken)}return {body}; }}))"

    # Names

    def is_local(self, name: str) -> bool:
        return any(name in names for names in self.names)

    def global_value(self, node: ast.Name) -> Any:
        for where in (inspect.getclosurevars(self.fn).nonlocals, self.fn.__globals__, vars(builtins)):
            if node.id in where:
                return where[node.id]
        raise self.no(node, f"the name {node.id}")

    def name(self, node: ast.Name) -> str:
        if self.is_local(node.id):
            return name_of(node.id)
        found = self.global_value(node)
        if isinstance(found, types.FunctionType):
            return f"Object(Function([&rule](Args args) {{ return {self.call(found, None)}(rule, args); }}))"
        return self.at(node, literal, found)

    def is_self(self, node: ast.expr) -> bool:
        return self.cls is not None and isinstance(node, ast.Name) and node.id == "self"

    def own(self, node: ast.Attribute) -> Any:
        """The member of a class for `self.name` or `super().name`; None for an attribute of the operation."""
        assert self.cls is not None
        if node.attr in self.cls.kinds or node.attr == "opcode":
            return None
        if self.is_self(node.value):
            return inspect.getattr_static(self.cls, node.attr, None)
        mro = self.cls.__mro__
        defined = next(i for i, c in enumerate(mro) if self.fn in c.__dict__.values())
        return next((c.__dict__[node.attr] for c in mro[defined + 1 :] if node.attr in c.__dict__), None)

    def is_own(self, node: ast.expr) -> bool:
        match node:
            case ast.Attribute(ast.Call(ast.Name("super"), [], []) | ast.Name("self")):
                return self.cls is not None
        return False

    def attribute(self, node: ast.Attribute) -> str:
        if self.is_own(node):
            match self.own(node):
                case None:
                    return f"self.get({quoted(node.attr)})"
                case property(fget=getter):
                    return f"{self.call(getter, self.cls)}(rule, {{self}})"
                case types.FunctionType() as method:
                    f = self.call(method, self.cls)
                    passed = "spread({Object::tuple({self}), Object::tuple(args)})"
                    return f"Object(Function([=, &rule](Args args) {{ return {f}(rule, {passed}); }}))"
                case value:
                    return self.at(node, literal, value)
        if isinstance(node.value, ast.Name) and not self.is_local(node.value.id):
            return self.at(node, literal, getattr(self.global_value(node.value), node.attr, None))
        if node.attr not in ATTRIBUTES:
            raise self.no(node, f".{node.attr}")
        return f"{self.value(node.value)}.get({quoted(node.attr)})"

    # Calls

    def called(self, node: ast.Call) -> str:
        f = node.func
        if isinstance(f, ast.Attribute):
            if self.is_own(f):
                method = self.own(f)
                if not isinstance(method, types.FunctionType):
                    raise self.no(node, f"a call of {f.attr}")
                passed = self.passed(node, method, first=[ast.Name("self", ast.Load())])
                return f"{self.call(method, self.cls)}(rule, {passed})"
            if isinstance(f.value, ast.Name) and not self.is_local(f.value.id):
                return self.call_of(node, getattr(self.global_value(f.value), f.attr, None))
            if f.attr not in METHODS:
                raise self.no(node, f"a call of .{f.attr}")
            passed = self.arguments(self.in_order(node, METHODS[f.attr]))
            return f"{self.value(f.value)}.call({quoted(f.attr)}, {passed})"
        if isinstance(f, ast.Name) and not self.is_local(f.id):
            return self.call_of(node, self.global_value(f))
        return f"{self.value(f)}({self.arguments(node.args)})"

    def call_of(self, node: ast.Call, found: Any) -> str:
        """A call of a global function."""
        if isinstance(found, types.FunctionType):
            if found is replace:
                return self.replaced(node, [(k.arg or "", k.value) for k in node.keywords])
            return f"{self.call(found, None)}(rule, {self.passed(node, found)})"
        if found is self.cls and found is not None:
            return self.replaced(node, list(zip(found.kinds, self.in_order(node, list(found.kinds)))))
        if found is Reject:
            code, message, *_ = [self.value(a) for a in node.args]
            return f"rule.refuse({code}, {message})"
        if found is getattr and len(node.args) == 2:
            return f"{self.value(node.args[0])}.get({self.value(node.args[1])})"
        if found is isinstance and isinstance(node.args[0], ast.Attribute) and node.args[0].attr == "op":
            opcode = self.global_value(node.args[1]).opcode  # type: ignore[arg-type]
            return f'Object({self.value(node.args[0])}.get("opcode") == {literal(opcode)})'
        if found is zip_longest:
            fill = [k.value for k in node.keywords if k.arg == "fillvalue"] or [ast.Constant(None)]
            return f"python::zip_longest({self.arguments([*node.args, *fill])})"
        name = getattr(found, "__name__", "")
        if name not in FUNCTIONS or found not in (getattr(math, name, None), *_BUILTINS, TensorType):
            raise self.no(node, f"a call of {name or found}")
        return f"python::{name}({self.arguments(self.in_order(node, ['', 'start']))})"

    def replaced(self, node: ast.Call, fields: Sequence[tuple[str, ast.expr]]) -> str:
        return f"self.with({{{', '.join(f'{{{quoted(n)}, {self.value(v)}}}' for n, v in fields)}}})"

    def in_order(self, node: ast.Call, parameters: Sequence[str]) -> list[ast.expr]:
        """The arguments by position: those that are named where they belong."""
        given: list[ast.expr] = list(node.args)
        for k in sorted(node.keywords, key=lambda k: parameters.index(k.arg) if k.arg in parameters else -1):
            if k.arg not in parameters or parameters.index(k.arg) < len(given):
                raise self.no(node, f"the argument {k.arg}")
            given += [ast.Constant(None)] * (parameters.index(k.arg) - len(given)) + [k.value]
        return given

    def passed(self, node: ast.Call, fn: Any, first: Sequence[ast.expr] = ()) -> str:
        """The arguments of a function that is translated, defaults among them."""
        parameters = [p for p in inspect.signature(fn).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        names = [p.name for p in parameters]
        given = self.in_order(ast.Call(node.func, [*first, *node.args], node.keywords), names)
        if any(isinstance(a, ast.Starred) for a in given):
            return self.arguments(given)
        values = [self.value(a) for a in given]
        values += [self.at(node, literal, p.default) for p in parameters[len(values) :]]
        return f"{{{', '.join(values)}}}"
