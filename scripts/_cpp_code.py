"""Translates a function of Python to C++, on the values of dialect/lib/Objects.h.

The rules of the op classes are small pure functions. Translated are the parts of Python that they use: arithmetic,
comparisons, sequences and their comprehensions, texts with values in them, `if` and `for`, calls of each other, and
`raise Reject`. dialect/lib/Members.cpp lists the members of values, and namespace `python` in Objects.h has the
functions of Python: both are read from there. Anything else is `Untranslatable`, which names the file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from _cpp_expressions import Expressions
from _cpp_words import name_of


class Function(Expressions):
    """A whole function."""

    # The whole

    def lines(self, name: str) -> Iterator[str]:
        """`static Object name(Rule &rule, Args args) { … }`."""
        a = self.tree.args
        if a.kwonlyargs or a.kwarg:
            raise self.no(self.tree, "parameters that are not passed by position")
        parameters = [p.arg for p in a.args]
        assigned = {n.id for n in _own(self.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        rest = [a.vararg.arg] if a.vararg else []
        self.names = [{*parameters, *rest, *assigned}]
        body = list(self.block(self.tree.body, 1))
        text = "\n".join(body)
        yield f"static Object {name}(Rule &rule, Args args) {{"
        for i, p in enumerate(parameters):
            if re.search(rf"\b{name_of(p)}\b", text):
                yield f"  Object {name_of(p)} = args[{i}];"
        for p in rest:
            yield f"  Object {name_of(p)} = Object::tuple(args.drop_front({len(parameters)}));"
        if fresh := sorted(name_of(n) for n in assigned - set(parameters) - set(rest)):
            yield f"  Object {', '.join(fresh)};"
        yield from body
        if not isinstance(self.tree.body[-1], (ast.Return, ast.Raise)):
            yield "  return {};"
        yield "}"

    # Statements

    def block(self, statements: Sequence[ast.stmt], depth: int) -> Iterator[str]:
        for s in statements:
            for line in self.statement(s):
                yield "  " * depth + line

    def statement(self, s: ast.stmt) -> Iterator[str]:
        """The lines of a statement. A call in it that may refuse ends the function; in a block, its statements do."""
        may_refuse = ""
        match s:
            case ast.Expr(ast.Constant(str())) | ast.Pass() | ast.Assert():
                return
            case ast.Expr(value):
                may_refuse = self.value(value)
                yield f"(void){may_refuse};"
            case ast.Assign([target], value) | ast.AnnAssign(target, _, ast.expr() as value):
                may_refuse = self.value(value)
                yield from self.assign(target, may_refuse)
            case ast.AugAssign(target, op, value):
                may_refuse = self.value(ast.BinOp(_loaded(target), op, value))
                yield from self.assign(target, may_refuse)
            case ast.Return(value):
                yield f"return {'{}' if value is None else self.value(value)};"
            case ast.Raise(ast.Call() as call):
                yield f"return {self.value(call)};"  # a Reject, or a call that gives one
            case ast.If(test, body, orelse):
                may_refuse = self.truth(test)
                yield f"if ({_bare(may_refuse)}) {{"
                yield from self.block(body, 1)
                if orelse:
                    yield "} else {"
                    yield from self.block(orelse, 1)
                yield "}"
            case ast.While(test, body, []):
                may_refuse = self.truth(test)
                yield f"while (!rule.refused() && {may_refuse}) {{"
                yield from self.block(body, 1)
                yield "}"
            case ast.For(target, iterable, body, []):
                item, may_refuse = f"item{next(self.fresh)}_", self.value(iterable)
                yield f"for (const Object &{item} : {may_refuse}.items()) {{"
                for line in self.assign(target, item):
                    yield f"  {line}"
                yield from self.block(body, 1)
                yield "}"
            case ast.Break():
                yield "break;"
            case ast.Continue():
                yield "continue;"
            case _:
                raise self.no(s)
        if "(rule, " in may_refuse:
            yield "if (rule.refused())"
            yield "  return {};"


def _own(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function that are in its own scope."""
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, (ast.Lambda, ast.GeneratorExp, ast.ListComp)):
            yield child
            yield from _own(child)


def _bare(condition: str) -> str:
    """A condition without the parentheses around it."""
    depth = 0
    for i, c in enumerate(condition):
        depth += (c == "(") - (c == ")")
        if depth == 0 and i < len(condition) - 1:
            return condition
    return condition[1:-1]


def _loaded(target: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(target), mode="eval").body
