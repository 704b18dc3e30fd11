"""Operations with several results and with any number of operands, from text to native code.

No operation of Core IR has either yet; three are declared here, as a package of operations would.
"""

from dataclasses import replace

import numpy as np
import pytest
from support import declared_ops

import mind_mlir as mind
from mind_mlir.cli._graphviz import dot
from mind_mlir.ir import OPS, Builder, Linearity, MindError, Op, Reject, Result, i64, op
from mind_mlir.passes import gradient, linearize
from mind_mlir.passes.preflight import peak_memory
from mind_mlir.passes.propagate import differential
from mind_mlir.passes.unzip import unzip
from mind_mlir.runtime.simulate import simulate
from mind_mlir.testing import check_grads
from mind_mlir.testing.agreement import compared
from mind_mlir.testing.in_f64 import in_f64


@pytest.fixture(scope="module", autouse=True)
def declared():
    """Halves, ExpBoth and Total, for the tests of this file alone."""
    with declared_ops() as declare:

        @declare
        class Halves(Op):
            """The first and the second half of the rows, and how many rows each has."""

            linearity = Linearity.JOINT
            result_names = ("first", "second", "rows")

            def infer_type(self, input):
                if input.rank < 1 or input.shape[0] % 2:
                    raise Reject("E3006", f"Halves takes an even number of rows, found {input}", at="operand 0")
                half = input.with_shape((input.shape[0] // 2, *input.shape[1:]))
                return half, half, i64()

            def evaluate(self, input):
                half = len(input) // 2
                return input[:half], input[half:], np.int64(half)

            def adjoint(self, b, ct, operands, wrt):
                type = operands[0].type
                half = type.with_shape((type.shape[0] // 2, *type.shape[1:]))
                first, second = [b.zeros(half) if c is None else c for c in ct[:2]]
                rest = [0] * (type.rank - 1)
                n = half.shape[0]
                zeros = [0] * type.rank
                return b.Pad(first, [0, *rest], [n, *rest], zeros) + b.Pad(second, [n, *rest], [0, *rest], zeros)

            def lower(self, e, result, input):
                first, second, rows = result
                n, rest = first.shape[0], first.shape[1:]
                zeros, ones = [0] * len(rest), [1] * first.rank
                count = OPS["ConstI64"](n)
                return (
                    OPS["Slice"]([0, *zeros], [n, *rest], ones).lower(e, first, input),
                    OPS["Slice"]([n, *zeros], [2 * n, *rest], ones).lower(e, second, input),
                    count.lower(e, rows),
                )

            @classmethod
            def samples(cls):
                return [(cls(), (mind.f32(4, 3),)), (cls(), (mind.f64(0),)), (cls(), (mind.i64(2),))]

        @declare
        class ExpBoth(Op):
            """eˣ and e⁻ˣ."""

            linearity = Linearity.NONLINEAR
            result_names = ("grown", "shrunk")

            def infer_type(self, input):
                if not input.dtype.is_float:
                    raise Reject("E2005", f"ExpBoth takes floats, found {input}", at="operand 0")
                return input, input

            def evaluate(self, input):
                exp = OPS["Exp"]()
                return exp.evaluate(input), exp.evaluate(np.asarray(-input))

            def jvp(self, b, primals, tangents, result):
                grown, shrunk = result
                return tangents[0] * grown, -(tangents[0] * shrunk)

            def lower(self, e, result, input):
                grown, shrunk = result
                minus = OPS["Neg"]().lower(e, shrunk, input)
                return OPS["Exp"]().lower(e, grown, input), OPS["Exp"]().lower(e, shrunk, minus)

            @classmethod
            def samples(cls):
                return [(cls(), (mind.f32(2, 3),)), (cls(), (mind.f64(),))]

        @declare
        class Total(Op):
            """The sum of all operands, from the first on."""

            linearity = Linearity.JOINT

            def infer_type(self, first, *others):
                for n, t in enumerate(others):
                    if t != first:
                        raise Reject(
                            "E3001", f"{self.operand_name(n + 1)} is {t}, first is {first}", at=f"operand {n + 1}"
                        )
                return first

            def evaluate(self, first, *others):
                total = first
                for x in others:
                    total = total + x
                return total

            def adjoint(self, b, ct, operands, wrt):
                return ct

            def lower(self, e, result, first, *others):
                total = first
                for x in others:
                    total = OPS["Add"]().lower(e, result, total, x)
                return total

            @classmethod
            def samples(cls):
                return [(cls(), (mind.f32(2),) * n) for n in (1, 2, 5)]

        yield


X = np.float32([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [0.0, 1.0, -2.0], [0.125, -0.5, 3.0]])

TEXT = """\
%0 = Input {name = "x"} : tensor<f32[4, 3]>
%1, %2, %3 = Halves (%0) : tensor<f32[2, 3]>, tensor<f32[2, 3]>, tensor<i64[]>
%4, %5 = ExpBoth (%2) : tensor<f32[2, 3]>, tensor<f32[2, 3]>
%6 = Mul (%1, %4) : tensor<f32[2, 3]>
%7 = Total (%6, %5, %6) : tensor<f32[2, 3]>
outputs: %7, %3
"""


def module():
    return mind.verify(mind.parse(TEXT))


def expected(x):
    first, second = x[:2], x[2:]
    grown, shrunk = np.exp(second), np.exp(-second)
    return first * grown + shrunk + first * grown, np.int64(2)


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=2e-6)


# Text


def test_text_reads_back_equal_in_every_spelling():
    m = module()
    assert str(m) == TEXT
    assert mind.parse(str(m)) == m
    foreign = TEXT.replace("%1, %2, %3 = Halves (%0)", "%1 ,%2,%3 = Halves(%0)").replace(
        " : tensor<f32[2, 3]>\n%7", "\n%7"
    )
    assert mind.parse(foreign) == m
    untyped = "\n".join(line if "Input" in line else line.split(" : ")[0] for line in TEXT.splitlines())
    assert mind.parse(untyped) == m
    assert mind.digest(m) == mind.digest(mind.parse(foreign))


def test_ids_of_results_are_as_written():
    m = mind.parse(TEXT.replace("%2", "%20").replace("%1,", "%90,").replace("(%1,", "(%90,"))
    assert m[20] is m[90]
    assert m.values[90] == Result(90, mind.f32(2, 3))
    assert mind.parse(str(m)) == m
    assert mind.canonicalize(m) == mind.canonicalize(module())


BAD = {
    "one id too few": ("%1, %2 = Halves (%0) : tensor<f32[2, 3]>, tensor<f32[2, 3]>", "E2008", "3 results"),
    "one type too few": ("%1, %2, %3 = Halves (%0) : tensor<f32[2, 3]>", "E2008", "3 values and 1 type"),
    "one id too many": ("%1, %2 = Neg (%0) : tensor<f32[4, 3]>, tensor<f32[4, 3]>", "E2008", "Neg has 1 result"),
    "untyped, one id too few": ("%1, %2 = Halves (%0)", "E2008", "Halves has 3 results"),
    "a type that differs": (
        "%1, %2, %3 = Halves (%0) : tensor<f32[2, 3]>, tensor<f32[3, 2]>, tensor<i64[]>",
        "E2001",
        "tensor<f32[2, 3]> as result 1",
    ),
    "one id twice": ("%1, %1, %3 = Halves (%0) : tensor<f32[2, 3]>, tensor<f32[2, 3]>, tensor<i64[]>", "E4002", "%1"),
    "no value behind a comma": ("%1, = Halves (%0)", "E1001", "expected a value"),
    "an alias of two": ("%1, %2 = %0", "E1001", "expected an operation"),
    "no operand": ("%1 = Total : tensor<f32[2]>", "E2007", "Total takes 1 operand (first) or more, found 0"),
    "an operand that differs": ("%1 = Total (%0, %0, %9) : tensor<f32[4, 3]>", "E3001", "others[1] is"),
    "one sharding for three": ("%1, %2, %3 = Halves (%0) {sharding = [_, _]}", "E4013", "one sharding"),
    "two shardings for three": ("%1, %2, %3 = Halves (%0) {shardings = [[_, _], open]}", "E4013", "a list of 3"),
    "a sharding of another rank": ("%1, %2, %3 = Halves (%0) {shardings = [[_], open, open]}", "E8003", "[_]"),
    "a list for one result": ("%1 = Neg (%0) {shardings = [[_, _]]}", "E4013", "no attribute shardings"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_line_is_an_error_at_its_place(fault):
    line, code, words = BAD[fault]
    head = 'mesh: dp = 2\n%0 = Input {name = "x"} : tensor<f32[4, 3]>\n%9 = Input {name = "y"} : tensor<f32[5]>\n'
    with pytest.raises(MindError) as caught:
        mind.verify(mind.parse(f"{head}{line}\noutputs: %0\n"))
    (found,) = caught.value.diagnostics[:1]
    assert found.code == code, caught.value
    assert words in str(caught.value)
    assert f"{line}\n" in str(caught.value), "the line is shown"


def test_a_use_before_the_definition_names_the_value():
    with pytest.raises(MindError, match=r"%5 is used before it is defined") as caught:
        mind.verify(mind.parse(TEXT.replace("Halves (%0)", "Halves (%5)")))
    ((_, note),) = caught.value.diagnostics[0].related
    assert note == "%5 is defined here"


def test_more_operands_than_any_program_has_are_one_operation():
    b = Builder()
    x = b.Input("x", mind.f32(2))
    m = b.finish([b.Total(*[x] * 1000)])
    assert len(m) == 2
    assert mind.parse(str(m)) == m
    assert mind.interpret(m, np.float32([1, 2]))[0].tolist() == [1000, 2000]


# Builders


def test_a_builder_gives_a_tuple_of_values_and_emit_refuses():
    b = Builder()
    x = b.Input("x", mind.f32(4, 3))
    first, second, rows = b.Halves(x)
    assert (first.shape, second.id, rows.type) == ((2, 3), 2, i64())
    assert first.op == rows.op == OPS["Halves"]()
    assert b.operation(second.id).ids == (1, 2, 3)
    assert b.value(3).type == i64()
    assert [v.id for v in second.operands] == [0]
    with pytest.raises(ValueError, match="Halves has 3 results; emit_all gives them"):
        b.emit(OPS["Halves"](), x)
    with pytest.raises(ValueError, match="Halves has 3 results; `results` has them"):
        print(b.operation(first.id).id)


def test_a_class_names_its_results_or_is_refused():
    for names in ((), ("a", "a"), ("*a", "b")):
        with pytest.raises(TypeError, match="result_names are"):

            @op
            class Wrong(Op):
                """Nothing."""

                linearity = Linearity.OPAQUE
                result_names = names

                def infer_type(self, input): ...
                def evaluate(self, input): ...
                def lower(self, e, result, input): ...
                @classmethod
                def samples(cls): ...

    assert "Wrong" not in OPS


# What modules mean


def test_the_interpreter_and_native_code_agree():
    m = module()
    found = mind.interpret(m, X)
    for a, b in zip(found, expected(X)):
        close(a, b)
    for numerics in ("default", "strict", "fast"):
        native = mind.compile(m, numerics=numerics)(X)
        for c in compared(m, [X], native, found, numerics):
            assert not c.differs.any()
    for a, b in zip(mind.interpret(in_f64(m), X.astype(np.float64)), expected(X.astype(np.float64))):
        close(a, b)


def test_a_long_module_of_small_operations_is_lowered_in_segments():
    b = Builder()
    x = b.Input("x", mind.f32(4))
    v = x
    for _ in range(300):
        first, second, _ = b.Halves(v)
        grown, shrunk = b.ExpBoth(first * 0.001)
        v = b.Pad(grown * 0.5, [0], [2], [0]) + b.Pad(shrunk * second, [2], [0], [0])
    m = b.finish([v])
    given = np.float32([0.5, 1.0, -1.0, 2.0])
    close(mind.compile(m)(given)[0], mind.interpret(m, given)[0])


def test_the_same_operation_again_is_a_clone():
    b = Builder()
    x, y = b.Input("x", mind.f32(4, 3)), b.Input("y", mind.f32(4, 3))
    outputs = [v for z in (x, y, x) for v in b.Halves(z)[:2]]
    m = b.finish(outputs)
    for a, c in zip(mind.compile(m)(X, 2 * X), [X[:2], X[2:], 2 * X[:2], 2 * X[2:], X[:2], X[2:]]):
        np.testing.assert_array_equal(a, c)


def test_no_element_is_computed_of_empty_results():
    b = Builder()
    m = b.finish(b.Halves(b.Input("x", mind.f32(0, 3))))
    first, second, rows = mind.compile(m)(np.zeros((0, 3), np.float32))
    assert (first.shape, second.shape, rows) == ((0, 3), (0, 3), 0)


def test_memory_counts_every_result():
    b = Builder()
    first, _, _ = b.Halves(b.Input("x", mind.f32(4, 3)))
    assert peak_memory(b.finish([first])) == 48 + 24 + 24 + 8


# Passes


def test_canonicalize_folds_shares_and_drops():
    b = Builder()
    x = b.Input("x", mind.f32(2))
    constant = b.constant(np.float32([1, 2, 3, 4]))
    first, second, _ = b.Halves(constant)
    b.ExpBoth(x)
    grown, _ = b.ExpBoth(x)
    again, shrunk = b.ExpBoth(x)
    m = mind.canonicalize(b.finish([first, second, grown + again, shrunk]))
    assert [o.opcode for o in m.operations] == ["Input", "ConstTensor", "ConstTensor", "ExpBoth", "Add"]
    assert mind.canonicalize(m) == m
    found = mind.interpret(m, np.float32([0, 1]))
    assert [found[0].tolist(), found[1].tolist()] == [[1, 2], [3, 4]]
    close(found[2], 2 * np.exp(np.float32([0, 1])))


@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_gradients_of_first_and_second_order(numerics):
    m = replace(module(), outputs=(7,))
    check_grads(m, order=2)
    g = gradient(m)
    assert mind.parse(str(g)) == g
    x = X.astype(np.float32)
    found = mind.interpret(g, x)
    first, second = x[:2], x[2:]
    close(found[1][:2], 2 * np.exp(second))
    close(found[1][2:], 2 * first * np.exp(second) - np.exp(-second))
    for c in compared(g, [x], mind.compile(g, numerics=numerics)(x), found, numerics):
        assert not c.differs.any()


def test_every_pass_of_autodiff_prints_what_the_next_one_reads():
    m = module()
    linear = linearize(m)
    assert mind.parse(str(linear)) == linear
    why = differential(linear)
    halves = [o for o in linear.operations if o.opcode == "Halves"]
    assert [[r.id in why for r in o.results] for o in halves] == [[False] * 3, [True, True, False]]
    assert mind.parse(str(unzip(linear))) == unzip(linear)


@pytest.mark.parametrize(
    "found",
    [lambda b, p, t, r: t[0], lambda b, p, t, r: (t[0],), lambda b, p, t, r: (t[0], 1.0)],
    ids=["a value", "a tuple of one", "a number"],
)
def test_a_rule_that_gives_something_else_is_an_error(monkeypatch, found):
    monkeypatch.setattr(OPS["ExpBoth"], "jvp", lambda self, *given: found(*given))
    with pytest.raises(MindError, match=r"error\[E5002\]: rule jvp of ExpBoth"):
        linearize(module())


def test_transforms_of_functions_take_such_operations():
    def f(x):
        first, second, _ = mind.apply(OPS["Halves"](), x)
        grown, shrunk = mind.apply(OPS["ExpBoth"](), second)
        return mind.sum(mind.apply(OPS["Total"](), first * grown, shrunk))

    first, second = X[:2], X[2:]
    wanted = np.concatenate([np.exp(second), first * np.exp(second) - np.exp(-second)])
    close(f(X), np.sum(first * np.exp(second) + np.exp(-second)))
    close(mind.jit(f)(X), f(X))
    for target in ("interpret", "cpu"):
        close(mind.grad(f, target=target)(X), wanted)
        _, pullback = mind.vjp(f, X, target=target)
        close(pullback(np.float32(2))[0], 2 * wanted)
        close(mind.jvp(f, (X,), (X,), target=target)[1], np.sum(X * wanted))
    hessian = mind.hessian(f)(X).reshape(12, 12)
    close(hessian, hessian.T)


def test_a_mesh_does_them_on_whole_operands():
    text = "mesh: dp = 2\n" + TEXT.replace('{name = "x"}', '{name = "x", sharding = [dp, _]}').replace(
        "= ExpBoth (%2)", "= ExpBoth (%2) {shardings = [[_, dp], open]}"
    )
    text = text.replace("tensor<f32[4, 3]>", "tensor<f32[4, 4]>").replace("tensor<f32[2, 3]>", "tensor<f32[2, 4]>")
    m = mind.verify(mind.parse(text))
    assert mind.parse(str(m)) == m
    x = np.arange(16, dtype=np.float32).reshape(4, 4) / 8
    local = mind.partition(m)
    assert mind.parse(str(local)) == local
    spread = mind.propagate_sharding(m)
    assert str(spread.values[4].sharding) == "[_, dp]"
    assert mind.verify(mind.parse(str(spread))) == spread
    for given in (m, spread):
        found = simulate(mind.partition(given), [(x[:2],), (x[2:],)])
        for rank in found:
            close(rank[0], expected(x)[0])


# MLIR


def test_the_dialect_holds_them_and_gives_them_back():
    from mind_mlir.dialects.from_mind import from_mind
    from mind_mlir.dialects.registration import register
    from mind_mlir.dialects.to_mind import to_mind
    from mind_mlir.lowering.mlir.context import new_context

    text = "mesh: dp = 2\n" + TEXT.replace("= ExpBoth (%2)", "= ExpBoth (%2) {shardings = [[dp, _], open]}")
    for given in (text, text.replace("%4, %5", "%40, %50").replace("%4)", "%40)").replace("%5,", "%50,")):
        m = mind.verify(mind.parse(given))
        m = replace(m, notes={2: "the second half"})
        context = new_context()
        register(context, "irdl")
        there = to_mind(m, context)
        assert there.operation.verify()
        back = from_mind(there)
        assert str(back) == str(m)
        again = from_mind(type(there).parse(str(there), context))
        assert str(again) == str(m)


def test_the_dialect_is_converted_to_linalg():
    from mind_mlir.dialects.conversion import convert_mind_to_linalg
    from mind_mlir.dialects.registration import register
    from mind_mlir.dialects.to_mind import to_mind
    from mind_mlir.lowering.mlir.context import new_context

    context = new_context()
    register(context, "irdl")
    there = to_mind(module(), context)
    convert_mind_to_linalg(there)
    assert there.operation.verify()
    assert "mind." not in str(there).replace("mind.ir_version", "").replace("mind.name", "")
    assert "tensor.extract_slice" in str(there)


def test_the_graph_has_one_node_for_an_operation():
    text = dot(module())
    assert text.count("Halves") == 1
    assert "%1, %2, %3 Halves" in text
    assert '[label="%4 rhs"]' in text
