"""Operations that hold functions, from text to native code.

No operation of Core IR holds any yet; two are declared here, as a package of operations would.
"""

import pickle
import time
from dataclasses import replace

import numpy as np
import pytest
from support import declared_ops

import mind_mlir as mind
from mind_mlir.cli._graphviz import dot
from mind_mlir.ir import OPS, Bodies, Body, Builder, Function, Linearity, MindError, Op, Reject, applied
from mind_mlir.passes import gradient
from mind_mlir.passes.preflight import check_before_run, peak_memory
from mind_mlir.passes.verify import MAX_NESTING
from mind_mlir.runtime.simulate import simulate
from mind_mlir.testing.agreement import compared


def doubled():
    b = Builder()
    x = b.Input("x", mind.f32(2))
    return Function("double", b.finish([x + x]))


DOUBLE = doubled()


@pytest.fixture(scope="module", autouse=True)
def declared():
    """Applied and Chosen, for the tests of this file alone."""
    with declared_ops() as declare:

        def takes(function, operands):
            if function.in_types != operands:
                takes, found = (", ".join(map(str, types)) for types in (function.in_types, operands))
                raise Reject("E2001", f"@{function.name} takes {takes}; found {found}")

        @declare
        class Applied(Op):
            """The results of a function."""

            body: Body
            linearity = Linearity.CONSTANT
            result_names = ("*results",)

            def infer_type(self, *operands):
                takes(self.body, operands)
                return self.body.out_types

            def evaluate(self, *operands):
                return applied(self.body, *operands)

            def lower(self, e, result, *operands):
                return e.inline(self.body, operands)

            @classmethod
            def samples(cls):
                return [(cls(DOUBLE), (mind.f32(2),))]

        @declare
        class Chosen(Op):
            """The result of the function that an index counts: of the first or the last one if it is no such number."""

            branches: Bodies
            linearity = Linearity.OPAQUE

            def infer_type(self, index, *operands):
                if not self.branches:
                    raise Reject("E4013", "Chosen takes one branch or more", at="branches")
                for f in self.branches:
                    takes(f, operands)
                return self.branches[0].out_types[0]

            def evaluate(self, index, *operands):
                return applied(self.branches[min(max(int(index), 0), len(self.branches) - 1)], *operands)[0]

            def lower(self, e, result, index, *operands):
                value, *others = [e.inline(f, operands)[0] for f in self.branches]
                for n, other in enumerate(others):
                    value = e.linalg.map(
                        lambda s, i, x, y, n=n: s.select(s.i64.greater(i, s.i64.number(n)), y, x),
                        (index, value, other),
                        result,
                    )
                return value

            @classmethod
            def samples(cls):
                return [(cls([DOUBLE, DOUBLE]), (mind.i64(), mind.f32(2)))]

        yield


TEXT = """\
func @double {
  %0 = Input {name = "x"} : tensor<f32[2]>
  %1 = Add (%0, %0) : tensor<f32[2]>
  outputs: %1
}
func @step {
  %0 = Input {name = "x"} : tensor<f32[2]>
  %1 = Applied (%0) {body = @double} : tensor<f32[2]>
  %2 = Exp (%1) : tensor<f32[2]>
  outputs: %2, %0
}
%0 = Input {name = "i"} : tensor<i64[]>
%1 = Input {name = "x"} : tensor<f32[2]>
%2, %3 = Applied (%1) {body = @step} : tensor<f32[2]>, tensor<f32[2]>
%4 = Chosen (%0, %2) {branches = [@step, @double]} : tensor<f32[2]>
outputs: %4, %3
"""

X = np.float32([0.5, -1.0])


def module():
    return mind.verify(mind.parse(TEXT))


def expected(i, x):
    y = np.exp(2 * x)
    return (np.exp(2 * y) if i < 1 else 2 * y), x


def nested(depth, name="f"):
    """A function that applies a function, and so on, to the depth given; the innermost doubles."""
    f = Function(f"{name}1", DOUBLE.body)
    for n in range(2, depth + 1):
        b = Builder()
        x = b.Input("x", mind.f32(2))
        f = Function(f"{name}{n}", b.finish(b.Applied(x, f)))
    return f


def calling(*functions):
    """A module that applies the functions one after the other."""
    b = Builder()
    x = b.Input("x", mind.f32(2))
    for f in functions:
        (x,) = b.Applied(x, f)
    return b.finish([x])


# Functions


def test_functions_of_one_name_and_body_are_equal():
    again = doubled()
    assert again is not DOUBLE
    assert again == DOUBLE
    assert hash(again) == hash(DOUBLE)
    assert replace(DOUBLE, name="other") != DOUBLE
    assert Function("double", mind.parse(str(DOUBLE.body).replace("Add", "Mul"))) != DOUBLE
    assert pickle.loads(pickle.dumps(DOUBLE)) == DOUBLE
    assert (DOUBLE.in_types, DOUBLE.out_types) == ((mind.f32(2),), (mind.f32(2),))
    outer, other = nested(3), nested(3)
    assert outer == other
    (inner,) = outer.body.operations[1].op.functions()
    changed = inner.body.with_functions({nested(1): replace(DOUBLE, name="f1", body=calling())})
    assert Function("f3", outer.body.with_functions({inner: Function("f2", changed)})) != outer


@pytest.mark.parametrize("name", ["", "<lambda>", "1st", "a b", "é", None])
def test_a_name_that_text_has_no_form_for_is_refused(name):
    with pytest.raises(MindError, match=r"error\[E4017\]: .* is no name of a function"):
        Function(name, DOUBLE.body)


def test_a_body_is_a_module():
    with pytest.raises(TypeError, match="the body of a function is a Module, found str"):
        Function("f", str(DOUBLE.body))


@pytest.mark.parametrize("value", [3, "double", None, DOUBLE.body])
def test_an_attribute_takes_functions_alone(value):
    with pytest.raises(Reject, match="expected a function"):
        OPS["Applied"](value)
    for given in (value, [value]):
        with pytest.raises(Reject, match="expected a list of functions"):
            OPS["Chosen"](given)


# Text


def test_text_reads_back_equal():
    m = module()
    assert str(m) == TEXT
    assert [f.name for f in m.functions] == ["double", "step"]
    commented = TEXT.replace("{\n", "{ // a comment\n\n")
    for text in (TEXT, TEXT.replace("\n  ", "\n"), commented, TEXT.replace("\n", "\r\n")):
        assert mind.parse(text) == m
        assert mind.digest(mind.parse(text)) == mind.digest(m)
    assert mind.digest(mind.parse(TEXT.replace("Add", "Mul"))) != mind.digest(m)


def test_functions_without_types_or_with_positional_attributes_are_read():
    lines = [line if "Input" in line else line.split(" : ")[0] for line in TEXT.splitlines()]
    assert mind.parse("\n".join(lines)) == module()
    assert mind.parse(TEXT.replace("Applied (%0) {body = @double}", "Applied(%0, @double)")) == module()


def test_a_mesh_and_remarks_stand_where_they_belong():
    m = mind.parse("mesh: dp = 2\n" + TEXT)
    assert str(m) == "mesh: dp = 2\n" + TEXT
    step = m.functions[1]
    noted = m.with_functions({f: replace(f, body=replace(f.body, notes={1: "twice"})) for f in m.functions})
    assert noted == m
    assert "  %1 = Applied (%0) {body = @double} : tensor<f32[2]>  # twice\n" in str(noted)
    assert step == noted.functions[1]


def test_a_large_constant_in_a_function_is_indented_once():
    b = Builder()
    f = Function("big", b.finish([b.constant(np.arange(100_000, dtype=np.float32))]))
    b = Builder()
    m = b.finish(b.Applied(f))
    assert mind.parse(str(m)) == m
    assert [line.index("%") for line in str(m).splitlines() if " = " in line] == [2, 0]


def test_what_nothing_holds_is_read_and_not_kept():
    text = 'func @idle {\n  %0 = Input {name = "x"} : tensor<f32[2]>\n  outputs: %0\n}\n' + TEXT
    assert mind.parse(text) == module()
    assert "idle" not in str(mind.parse(text))


BAD = {
    "an unknown name": ("body = @double", "body = @dubble", "E4018", "@dubble is not defined above", 8),
    "a name in a list": ("[@step, @double]", "[@step, @none]", "E4018", "@none is not defined above", 15),
    "itself": ("body = @double", "body = @step", "E4018", "@step is not defined above", 8),
    "a name twice": ("func @step", "func @double", "E4019", "it is first defined here", 6),
    "a number for a function": ("body = @double", "body = 3", "E4013", "expected a function, such as @step", 8),
    "a word for a function": ("body = @double", "body = double", "E4013", "found the word double", 8),
    "one for a list": ("[@step, @double]", "@step", "E4013", "expected a list of functions", 15),
    "no function in a list": ("[@step, @double]", "[@step, 1]", "E4013", "found the number 1 in it", 15),
    "a function for a number": ('Input {name = "i"}', "Input {name = @step}", "E4013", "expected a string", 12),
    "no name": ("func @double", "func double", "E1001", "expected the name of a function such as @step", 1),
    "no brace": ("func @double {", "func @double", "E1001", "expected `{`", 2),
    "no end": ("  outputs: %1\n}\n", "  outputs: %1\n", "E1001", "the function is not closed before `func`", 1),
    "a stray end": ("outputs: %4, %3", "outputs: %4, %3\n}", "E1001", "found `}`, expected a statement", 17),
    "a bad line": ("Add (%0, %0)", "Addd (%0, %0)", "E4012", "did you mean Add?", 3),
    "an unknown value": ("Add (%0, %0)", "Add (%0, %4)", "E4001", "%4 is not defined", 3),
    "a value from outside": ("Exp (%1)", "Exp (%3)", "E4001", "%3 is not defined", 9),
    "a wrong type": ("%2 = Exp (%1) : tensor<f32[2]>", "%2 = Exp (%1) : tensor<f32[3]>", "E2001", "Exp gives", 9),
    "a name of a parameter twice": ("%2 = Exp (%1)", '%2 = Input {name = "x"}', "E4004", "exists already", 9),
    "other operands": ("Applied (%1)", "Applied (%0)", "E2001", "@step takes tensor<f32[2]>", 14),
    "no outputs": ("  outputs: %1\n", "", "E4014", "@double has no outputs", 1),
    "an unknown output": ("outputs: %2, %0", "outputs: %2, %7", "E4003", "output 1 refers to %7", 10),
    "outputs twice": ("  outputs: %1\n", "  outputs: %1\n  outputs: %1\n", "E4015", "a second `outputs:` line", 5),
    "gradients": (
        "  outputs: %1\n",
        "  outputs: %1\n  gradients: %0 -> %1\n",
        "E4017",
        "a function has no gradients",
        5,
    ),
    "tangents": ("  outputs: %1\n", "  outputs: %1\n  tangents: %0 -> %1\n", "E4017", "a function has no tangents", 5),
    "a mesh": ("func @step {\n", "func @step {\n  mesh: dp = 2\n", "E4017", "a function has no mesh", 7),
    "a sharding": ("Exp (%1)", "Exp (%1) {sharding = [dp]}", "E8002", "mesh", 9),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_fault_is_an_error_at_its_place(fault):
    old, new, code, words, line = BAD[fault]
    assert TEXT.count(old) >= 1
    with pytest.raises(MindError) as caught:
        mind.verify(mind.parse(TEXT.replace(old, new, 1)))
    found = caught.value.diagnostics[0]
    assert (found.code, found.source.line_col(found.span.start)[0]) == (code, line), caught.value
    assert words in str(found)


def test_errors_in_several_functions_are_reported_together():
    text = TEXT.replace("Add", "Ad").replace("Exp", "Ex").replace("%1 = Input {", "%1 = Inptu {")
    with pytest.raises(MindError) as caught:
        mind.parse(text)
    assert [d.source.line_col(d.span.start)[0] for d in caught.value.diagnostics] == [3, 9, 13]
    text = TEXT.replace("%1 = Add (%0, %0)", "%1 = Add (%0, %5)").replace("Exp (%1)", "Exp (%6)")
    with pytest.raises(MindError) as caught:
        mind.verify(mind.parse(text.replace("outputs: %4", "outputs: %9")))
    assert [d.source.line_col(d.span.start)[0] for d in caught.value.diagnostics] == [3, 9, 16]


def test_a_function_with_a_bad_first_line_is_read_on():
    with pytest.raises(MindError) as caught:
        mind.parse(TEXT.replace("func @double {", "func double {").replace("Add", "Ad"))
    assert [d.source.line_col(d.span.start)[0] for d in caught.value.diagnostics] == [1, 3, 8, 15]


def test_no_more_than_twenty_errors_are_reported():
    body = "".join(f"  %{n} = Nothing\n" for n in range(50))
    with pytest.raises(MindError) as caught:
        mind.parse(f"func @f {{\n{body}}}\n{TEXT}")
    assert len(caught.value.diagnostics) == 20


def test_errors_of_a_body_that_was_built_show_its_text():
    broken = Function("broken", replace(DOUBLE.body, outputs=(5,)))
    m = module()
    m = m.with_functions({f: broken if f.name == "double" else f for f in m.functions})
    with pytest.raises(MindError) as caught:
        mind.verify(replace(m, source=None))
    assert "<@broken>:3:10" in str(caught.value)


@pytest.mark.parametrize("what", ["mesh", "gradients", "tangents"])
def test_a_body_that_was_built_has_no_lines_of_a_module(what):
    more = {"mesh": mind.Mesh(["dp"], [2]), "gradients": ((0, 1),), "tangents": ((0, 1),)}[what]
    with pytest.raises(MindError, match=rf"error\[E4017\]: @double has (a )?{what}"):
        mind.verify(calling(replace(DOUBLE, body=replace(DOUBLE.body, **{what: more}))))


def test_two_functions_of_one_name_are_an_error():
    other = Function("double", mind.parse(str(DOUBLE.body).replace("Add", "Mul")))
    with pytest.raises(MindError, match=r"error\[E4019\]: Applied holds @double, which is another function") as caught:
        mind.verify(calling(DOUBLE, other, DOUBLE))
    assert "%2 = Applied (%1) {body = @double}" in str(caught.value)


# Size


def test_functions_may_be_nested_deep_and_no_deeper():
    deep = calling(nested(MAX_NESTING))
    assert len(deep.functions) == MAX_NESTING == 200
    mind.verify(deep)
    assert mind.parse(str(deep)) == deep
    assert mind.canonicalize(deep) == deep
    assert dot(deep).count("cluster") == 200
    assert peak_memory(deep) > 0
    np.testing.assert_array_equal(mind.interpret(deep, X)[0], 2 * X)
    np.testing.assert_array_equal(mind.compile(deep)(X)[0], 2 * X)
    for given in (calling(nested(MAX_NESTING + 1)), mind.parse(str(calling(nested(3000))))):
        with pytest.raises(MindError, match=r"error\[E4017\]: @f201 holds functions that are nested 200 deep"):
            mind.verify(given)


def test_a_function_that_is_held_twice_at_each_level_is_visited_once():
    f = DOUBLE
    for n in range(40):
        b = Builder()
        x = b.Input("x", mind.f32(2))
        (y,) = b.Applied(x, f)
        f = Function(f"f{n}", b.finish(b.Applied(y, f)))
    m = mind.verify(calling(f))
    assert len(m.functions) == 41
    assert mind.parse(str(m)) == m
    assert mind.canonicalize(m) == m


def test_ten_thousand_functions_take_time_in_proportion():
    def seconds(n):
        text = str(calling(*[Function(f"f{i}", DOUBLE.body) for i in range(n)]))
        best = []
        for _ in range(3):
            start = time.process_time()
            m = mind.verify(mind.parse(text))
            best.append(time.process_time() - start)
        assert str(m) == text
        return min(best)

    assert seconds(10_000) < 20 * seconds(1_000)


# What modules mean


@pytest.mark.parametrize("i", [0, 1])
def test_the_interpreter_and_native_code_agree(i):
    m = module()
    found = mind.interpret(m, np.int64(i), X)
    for a, b in zip(found, expected(i, X)):
        np.testing.assert_allclose(a, b, rtol=2e-6)
    native = mind.compile(m, numerics="strict")(np.int64(i), X)
    for c in compared(m, [np.int64(i), X], native, found, "strict"):
        assert not c.differs.any()


def test_results_are_arrays_of_their_own():
    b = Builder()
    same = Function("same", b.finish([b.Input("x", mind.f32(2))]))
    x = X.copy()
    for run in (mind.interpret, lambda m, x: mind.compile(m)(x)):
        (found,) = run(calling(same), x)
        found[:] = 7
        np.testing.assert_array_equal(x, X)


PICK = """\
func @pick {
  %0 = Input {name = "x"} : tensor<f32[2]>
  %1 = Input {name = "i"} : tensor<i64[1]>
  %2 = Gather (%0, %1) : tensor<f32[1]>
  outputs: %2
}
func @outer {
  %0 = Input {name = "x"} : tensor<f32[2]>
  %1 = Input {name = "i"} : tensor<i64[1]>
  %2 = Applied (%0, %1) {body = @pick} : tensor<f32[1]>
  outputs: %2
}
%0 = Input {name = "x"} : tensor<f32[2]>
%1 = Input {name = "i"} : tensor<i64[1]>
%2 = Applied (%0, %1) {body = @outer} : tensor<f32[1]>
outputs: %2
"""


def test_an_index_out_of_bounds_in_a_function_is_an_error_in_both():
    m = mind.verify(mind.parse(PICK))
    native = mind.compile(m)
    for run in (lambda *a: mind.interpret(m, *a), native):
        assert run(X, np.int64([1]))[0].tolist() == [-1]
        with pytest.raises(MindError, match=r"error\[E6001\]") as caught:
            run(X, np.int64([2]))
        assert "%2 = Gather (%0, %1)" in str(caught.value)


def test_what_reads_the_status_knows_of_indices_in_functions():
    from mind_mlir.lowering.abi.c_header import c_header
    from mind_mlir.runtime.failed import out_of_bounds_on_rank

    m = mind.verify(mind.parse(PICK))
    assert "#define F_OUT_OF_BOUNDS_2 3 /* %2, Applied: an index is out of bounds */" in c_header(m, "f")
    assert "OUT_OF_BOUNDS" not in c_header(module(), "f")
    why = out_of_bounds_on_rank(m, [X, np.int64([2])], 2, {})
    assert "%2 = Gather (%0, %1)" in str(why)


def test_compiled_code_is_kept_by_what_defines_operations_in_functions():
    from mind_mlir.lowering.store.cache_key import _operations

    def of(module):
        class Same(OPS["Neg"]):
            __module__ = module

        b = Builder()
        return Function("same", b.finish([b.emit(Same(), b.Input("x", mind.f32(2)))]))

    ours, theirs = calling(of("mind_mlir")), calling(of("pytest"))
    assert [o.opcode for o in ours.every_operation] == ["Input", "Applied", "Input", "Neg"]
    assert len(_operations(theirs)) == len(_operations(ours)) + 1


def test_a_module_in_f64_has_functions_in_f64():
    from mind_mlir.testing.in_f64 import in_f64

    wide = mind.verify(in_f64(module()))
    for a, b in zip(mind.interpret(wide, np.int64(0), X.astype(np.float64)), expected(0, X.astype(np.float64))):
        np.testing.assert_allclose(a, b, rtol=1e-14)


def test_errors_that_are_known_before_a_run_are_told_of_functions_too():
    text = TEXT.replace("  %2 = Exp (%1)", "  %3 = Index (%0) {indices = [5]} : tensor<f32[]>\n  %2 = Exp (%1)")
    with pytest.raises(MindError, match=r"error\[E6001\]") as caught:
        check_before_run(mind.verify(mind.parse(text)))
    assert "<text>:9" in str(caught.value)
    huge = DOUBLE.body
    huge = mind.parse(str(huge).replace("f32[2]", f"f32[{1 << 50}]"))
    b = Builder()
    (y,) = b.Applied(b.Input("x", mind.f32(1 << 50)), Function("huge", huge))
    with pytest.raises(MindError, match=r"error\[E6004\]"):
        check_before_run(b.finish([y]))


def test_memory_of_a_function_counts_while_it_runs():
    b = Builder()
    x = b.Input("x", mind.f32(2))
    wide = b.MatMul(b.Reshape(x, [2, 1]), b.Reshape(x, [1, 2]))
    f = Function("wide", b.finish([b.Sum(wide, [1], False)]))
    inside = peak_memory(f.body) - 8
    assert peak_memory(calling(f)) == 8 + 8 + inside


def test_a_long_module_that_calls_is_lowered_in_segments():
    m = calling(*[f for n in range(300) for f in (DOUBLE, HALVE)])
    np.testing.assert_array_equal(mind.compile(m)(X)[0], X)


def halved():
    b = Builder()
    return Function("halve", b.finish([b.Input("x", mind.f32(2)) * 0.5]))


HALVE = halved()


# Passes


def test_canonicalize_brings_bodies_into_normal_form_and_drops_what_is_not_held():
    text = TEXT.replace(
        "  %1 = Add (%0, %0) : tensor<f32[2]>\n",
        "  %7 = Neg (%0) : tensor<f32[2]>\n  %4 = Sum (%0) {axes = [-1], keepdims = false} : tensor<f32[]>\n"
        "  %1 = Add (%0, %0) : tensor<f32[2]>\n",
    )
    dead = "%9 = Applied (%1) {body = @double} : tensor<f32[2]>\n"
    assert str(mind.canonicalize(mind.parse(text.replace("outputs: %4", f"{dead}outputs: %4")))) == TEXT
    held_by_the_dead = TEXT.replace("outputs: %4, %3", "outputs: %1")
    assert mind.canonicalize(mind.parse(held_by_the_dead)).functions == ()


def test_canonicalize_shares_equal_calls_and_folds_none():
    b = Builder()
    x = b.constant(np.float32([1, 2]))
    (one,), (two,) = b.Applied(x, DOUBLE), b.Applied(x, doubled())
    m = mind.canonicalize(b.finish([one + two]))
    assert [o.opcode for o in m.operations] == ["ConstTensor", "Applied", "Add"]
    assert mind.interpret(m)[0].tolist() == [4, 8]


def test_derivatives_follow_from_the_operation():
    b = Builder()
    x = b.Input("x", mind.f32(2))
    (y,) = b.Applied(x, DOUBLE)
    g = gradient(b.finish([b.Sum(x * y, [0], False)]))
    assert mind.parse(str(g)) == g
    np.testing.assert_array_equal(mind.interpret(g, X)[1], 2 * X)
    b = Builder()
    x = b.Input("x", mind.f32(2))
    y = b.Chosen(b.constant(1), x, [DOUBLE])
    with pytest.raises(MindError, match=r"error\[E5001\]"):
        gradient(b.finish([b.Sum(y, [0], False)]))


def test_functions_of_python_take_such_operations():
    def f(x):
        (y,) = mind.apply(OPS["Applied"](DOUBLE), x)
        return mind.sum(x * y)

    np.testing.assert_allclose(f(X), 2 * np.sum(X * X))
    np.testing.assert_allclose(mind.jit(f)(X), f(X))
    np.testing.assert_array_equal(mind.grad(f)(X), 2 * X)


def test_a_builder_repeats_and_replays_them():
    m = module()
    b = Builder()
    i, x = b.Input("i", mind.i64()), b.Input("x", mind.f32(2))
    again = b.finish(b.replay(m, [i, x]).of(m.outputs))
    assert again == m
    assert b.operation(m.outputs[1]).op == OPS["Applied"](m.functions[1])


def test_a_mesh_does_them_on_whole_operands():
    head, _, tail = TEXT.rpartition('{name = "x"}')
    m = mind.verify(mind.parse(f'mesh: dp = 2\n{head}{{name = "x", sharding = [dp]}}{tail}'))
    local = mind.partition(m)
    assert mind.parse(str(local)) == local
    for rank in simulate(local, [(np.int64(0), X[:1]), (np.int64(0), X[1:])]):
        np.testing.assert_allclose(rank[0], expected(0, X)[0], rtol=2e-6)


# MLIR


def in_dialect(m):
    from mind_mlir.dialects.registration import register
    from mind_mlir.dialects.to_mind import to_mind
    from mind_mlir.lowering.mlir.context import new_context

    context = new_context()
    register(context, "irdl")
    there = to_mind(m, context)
    assert there.operation.verify()
    return there


@pytest.mark.parametrize("name", ["double", "main"])
def test_the_dialect_holds_them_and_gives_them_back(name):
    from mind_mlir.dialects.from_mind import from_mind

    text = TEXT.replace("@double", f"@{name}").replace("  %1 = App", "  %10 = App").replace("Exp (%1)", "Exp (%10)")
    m = mind.verify(mind.parse(text))
    m = m.with_functions({f: replace(f, body=replace(f.body, notes={10: "a remark"})) for f in m.functions})
    there = in_dialect(m)
    assert "func.func private @step" in str(there)
    for found in (there, type(there).parse(str(there), there.context)):
        assert from_mind(found) == m
        assert str(from_mind(found)) == str(m)


def test_functions_in_any_order_are_read():
    from mind_mlir.dialects.from_mind import from_mind

    m = module()
    there = in_dialect(m)
    with there.context:
        first, *_, last = there.body.operations
        first.move_after(last)
    assert from_mind(there) == m


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("body = @double", "body = @step", r"E4018\]: @step holds itself"),
        ("body = @double", "body = @nothing", r"E4018\]: attribute body: no function @nothing stands beside"),
        ("body = @double", "body = @step::@double", r"E4013\]: attribute body: expected a function"),
        ("branches = [@step, @double]", "branches = [1 : i64]", r"E4013\]: attribute branches: expected a list"),
        ("private @step", "@step", r"E7016\]: the module holds 2 that are not private"),
    ],
)
def test_what_is_no_function_in_the_dialect_is_an_error(old, new, code):
    from mind_mlir.dialects.from_mind import from_mind

    there = in_dialect(module())
    assert old in str(there)
    broken = type(there).parse(str(there).replace(old, new), there.context)
    with pytest.raises(MindError, match=code):
        from_mind(broken)


def test_the_dialect_is_converted_to_linalg():
    from mind_mlir.dialects.conversion import convert_mind_to_linalg
    from mind_mlir.lowering.mlir.failure import MlirPassFailed

    there = in_dialect(module())
    convert_mind_to_linalg(there)
    assert there.operation.verify()
    assert '"mind.' not in str(there)
    text = str(in_dialect(module())).replace("body = @double", "body = @nothing")
    broken = type(there).parse(text, there.context)
    with pytest.raises(MlirPassFailed, match="E4018: attribute body: no function @nothing stands beside"):
        convert_mind_to_linalg(broken)


def test_the_graph_has_a_frame_for_each_function():
    text = dot(module())
    assert [line.strip() for line in text.splitlines() if 'label="@' in line] == ['label="@double";', 'label="@step";']
    assert "f1_v1 -> f1_v2;" in text
    assert "v2 -> v4" in text
