"""Every op, random modules and the examples as GPU kernels, emulated: in three orders the interpreter's results.

strict has the same bits; default and fast are held to the bounds of `assert_agrees`.  Each runs in a process of its
own (emulated.py), because MLIR and a wrong kernel can end one.
"""

import dataclasses
import json
import os
import signal
import subprocess
from collections import Counter

import numpy as np
import pytest
from checkout import ROOT
from commands import script
from emulated import PLANS, check
from limits import HUNG
from support import alone, assert_same_bits

import mind_mlir as mind
from mind_mlir import DType, TensorType
from mind_mlir.ir import OPS
from mind_mlir.testing import emulation
from mind_mlir.testing.emulation import ORDERS, Emulated, EmulationError, emulate

pytestmark = pytest.mark.skipif(emulation.c_compiler() is None, reason="no C compiler: GPU kernels are not emulated")

EXAMPLES = sorted(
    str(f)
    for f in (ROOT / "examples").glob("*.mindir")
    if ".grammar" not in f.name and f.stem not in ("mistake", "spellings")
)


@pytest.fixture(scope="session")
def kept(session_folder):
    """The environment of processes that build the emulator once."""
    return {**os.environ, "MIND_CACHE": str(session_folder / "emulator")}


def run(kept, tmp_path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run emulated.py."""
    command = script("emulated", *arguments)
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=kept, timeout=HUNG)


def checked(kept, tmp_path, record_property, *arguments: str) -> list[dict]:
    """What emulated.py reports, one for each module and numerics mode; all of it right."""
    child = run(kept, tmp_path, *arguments)
    if child.returncode < 0 and arguments[0] == "op":
        again = run(kept, tmp_path, *arguments, "alone")  # which of the samples in a module it is
        child = again if again.returncode < 0 else child
    reports = [json.loads(line) for line in child.stdout.splitlines()]
    if child.returncode < 0:
        last = reports[-1] if reports else {"numerics": "", "what": "start-up"}
        name = signal.Signals(-child.returncode).name
        pytest.fail(f"{name} in {last['numerics']} {last['what']}\n{child.stderr}")
    assert child.returncode == 0, child.stderr
    done = [r for r in reports if "error" in r]
    failed = [f"{r['numerics']}: {r['what']}\n{r['error']}" for r in done if r["error"]]
    assert not failed, "\n\n".join(failed)
    kinds = sum((Counter(r["kernels"]) for r in done), Counter())
    record_property("emulated kernels", json.dumps(kinds))  # scripts/test says how many
    return done


@pytest.mark.parametrize("opcode", [name for name in OPS if name != "Input"])
def test_kernels_of_every_op_give_the_interpreters_results_in_every_order(opcode, kept, tmp_path, record_property):
    done = checked(kept, tmp_path, record_property, "op", opcode)
    assert {r["numerics"] for r in done} == set(PLANS)


@pytest.mark.parametrize(("kind", "runs"), [("random", 90), ("product", 40), ("wide", 40), ("tf32", 40), ("tiles", 40)])
def test_kernels_of_40_random_modules_give_the_interpreters_results_in_every_order(
    kind, runs, kept, tmp_path, record_property
):
    """Those in TF32 up to its rounding."""
    assert len(checked(kept, tmp_path, record_property, kind, "0", "40")) == runs


def test_kernels_of_the_examples_give_the_interpreters_results_in_every_order(kept, tmp_path, record_property):
    assert len(checked(kept, tmp_path, record_property, "example", *EXAMPLES)) == len(EXAMPLES) * len(PLANS)


# Fast numerics


def exps(b, x):
    return b.Exp(x)


def logs(b, x):
    return b.Log(x)


def in_fast(build, x):
    """A function of one array of f32 under fast numerics, by instructions that are as bad as PTX allows."""
    b = mind.Builder()
    code = compiled(b.finish([build(b, b.Input("x", TensorType(DType.F32, x.shape)))]), "fast")
    return emulate(code, [x]).outputs[0]


@pytest.mark.parametrize("shape", [(5003,), (37, 128)])
def test_fast_exp_and_log_are_as_near_as_the_documents_say(shape):
    rng = np.random.default_rng(3)
    for low, high in ((-103, 88.7), (-1, 1), (-1e-3, 1e-3), (88, 88.72283)):
        x = rng.uniform(low, high, shape).astype(np.float32)
        exact = np.exp(x.astype(np.float64))
        assert (np.abs(in_fast(exps, x) - exact) <= 5 * np.spacing(exact.astype(np.float32))).all()
        exact = x.astype(np.float64)
        x = np.exp(exact).astype(np.float32)
        exact = np.log(x.astype(np.float64))
        near = (x > 0.5) & (x < 2)
        bound = np.where(near, 2e-7, 5 * np.spacing(np.abs(exact).astype(np.float32)))
        assert (np.abs(in_fast(logs, x) - exact) <= bound).all()


def test_fast_exp_and_log_keep_special_values():
    inf, nan = np.inf, np.nan
    x = np.array([0, -0.0, inf, -inf, nan, 1e38, -1e38, 88.73], np.float32)
    assert_same_bits(in_fast(exps, x), np.array([1, 1, inf, 0, nan, inf, 0, inf], np.float32))
    x = np.array([0, -0.0, inf, -inf, nan, -1, -1e-45], np.float32)
    assert_same_bits(in_fast(logs, x), np.array([-inf, -inf, inf, nan, nan, nan, nan], np.float32))
    largest = np.array([88.72283], np.float32)  # of which e^x is the largest that is finite
    assert np.isfinite(in_fast(exps, largest)).all()


@pytest.mark.parametrize("numerics", PLANS)
def test_a_softmax_over_masked_scores_agrees_in_every_mode(numerics):
    b = mind.Builder()
    x = b.Input("x", TensorType(DType.F32, (33, 70)))
    e = b.Exp(x)
    y = e / b.Sum(e, (1,), True)
    m = b.finish([y, b.Log(y + b.constant(np.float32(1e-9)))])
    scores = np.random.default_rng(4).standard_normal((33, 70)).astype(np.float32) * 4
    scores[:, 40:] = -np.inf
    check(m, [[scores]], numerics)


# Plans


def compiled(m, numerics="strict"):
    """A module as GPU code."""
    from mind_mlir.lowering.gpu.artifacts.nvvm import to_nvvm

    return to_nvvm(m, "sm_80", numerics)


N = 4096


def negated(n: int):
    """-x of n numbers as GPU code: one launch."""
    code = compiled(alone(OPS["Neg"](), (TensorType(DType.F32, (n,)),)))
    assert len(code.plan.launches) == 1
    return code


def with_grid(code, change):
    """The code with another number of blocks in its one launch."""
    (launch,) = code.plan.launches
    changed = dataclasses.replace(launch, grid=(launch.grid[0] + change, 1, 1))
    return dataclasses.replace(code, plan=dataclasses.replace(code.plan, launches=(changed,)))


def test_a_plan_with_a_block_too_many_is_out_of_bounds():
    x = np.arange(N, dtype=np.float32)
    code = negated(N)
    assert_same_bits(emulate(code, [x]).outputs[0], -x)
    with pytest.raises(EmulationError, match=r"reads .* bytes out of bounds, .* bytes beyond input 0 of 16384 bytes"):
        emulate(with_grid(code, 1), [x])


@pytest.mark.parametrize("order", ORDERS)
def test_a_plan_with_a_block_too_few_leaves_garbage(order):
    x = np.arange(N, dtype=np.float32)
    code = negated(N)
    (y,) = emulate(with_grid(code, -1), [x], order).outputs
    assert np.isnan(y).sum() == N // code.plan.launches[0].grid[0]


def test_an_argument_in_the_place_of_another_is_refused():
    code = negated(N)
    (launch,) = code.plan.launches
    turned = dataclasses.replace(launch, arguments=launch.arguments[::-1])
    code = dataclasses.replace(code, plan=dataclasses.replace(code.plan, launches=(turned,)))
    with pytest.raises(EmulationError, match="input 0, which is not to be written"):
        emulate(code, [np.zeros(N, np.float32)])


def test_memory_that_two_parameters_show_is_refused_where_the_kernel_takes_it_to_be_apart():
    m = mind.parse(
        """
        %0 = Input {name = "x"} : tensor<f32[4, 8]>
        %1 = Sum (%0) {axes = [1], keepdims = true} : tensor<f32[4, 1]>
        %2 = Sum (%0) {axes = [0], keepdims = true} : tensor<f32[1, 8]>
        %3 = Mul (%1, %2) : tensor<f32[4, 8]>
        outputs: %3
        """
    )
    code = compiled(m)
    *launches, last = code.plan.launches
    both = [p for p in last.arguments if p.kind == "arena"]
    assert len(both) == 2
    moved = tuple(dataclasses.replace(p, offset=both[0].offset) if p.kind == "arena" else p for p in last.arguments)
    launches.append(dataclasses.replace(last, arguments=moved))
    code = dataclasses.replace(code, plan=dataclasses.replace(code.plan, launches=tuple(launches)))
    with pytest.raises(EmulationError, match="is to have memory of its own"):
        emulate(code, [np.ones((4, 8), np.float32)])


def test_a_place_beyond_the_arena_is_refused():
    m = mind.parse(
        """
        %0 = Input {name = "x"} : tensor<f32[4, 8]>
        %1 = Sum (%0) {axes = [1], keepdims = true} : tensor<f32[4, 1]>
        %2 = Div (%0, %1) : tensor<f32[4, 8]>
        outputs: %2
        """
    )
    code = compiled(m)
    assert code.plan.arena
    smaller = dataclasses.replace(code, plan=dataclasses.replace(code.plan, arena=8))
    with pytest.raises(EmulationError, match=r"arena \+ 0 has 8 bytes, 16 are used"):
        emulate(smaller, [np.ones((4, 8), np.float32)])


@pytest.mark.parametrize(
    ("text", "launches"),
    [
        ('%0 = Input {name = "x"} : tensor<f32[2, 3]>\noutputs: %0', 1),
        ('%0 = Input {name = "x"} : tensor<f32[2, 3]>\noutputs: %0, %0', 2),
        (
            '%0 = Input {name = "x"} : tensor<i64[]>\n'
            "%1 = ConstTensor {data = [1, 2], dtype = i64, shape = [2]} : tensor<i64[2]>\noutputs: %1, %1",
            2,
        ),
        ('%0 = Input {name = "x"} : tensor<f64[2]>\n%1 = Neg (%0) : tensor<f64[2]>\noutputs: %1, %0, %1', 3),
        ('%0 = Input {name = "x"} : tensor<f32[0, 3]>\n%1 = Neg (%0) : tensor<f32[0, 3]>\noutputs: %1, %0', 0),
        (
            '%0 = Input {name = "x"} : tensor<f32[0, 3]>\n'
            "%1 = Sum (%0) {axes = [0], keepdims = false} : tensor<f32[3]>\noutputs: %1",
            1,
        ),
    ],
)
def test_outputs_that_are_inputs_constants_empty_or_the_same(text, launches):
    m = mind.verify(mind.parse(text))
    code = compiled(m)
    assert len(code.plan.launches) <= launches
    x = np.arange(m.inputs[0].type.size).reshape(m.inputs[0].type.shape).astype(m.inputs[0].type.dtype.numpy)
    kernels = Emulated(code)
    for order in ORDERS:
        for found, expected in zip(kernels.run([x], order).outputs, mind.interpret(m, x), strict=True):
            assert_same_bits(found.reshape(expected.shape), expected)


@pytest.mark.parametrize("opcode", ["Gather", "ScatterAdd"])
@pytest.mark.parametrize("dtype", [DType.I32, DType.I64])
def test_an_index_out_of_bounds_among_thousands_is_found(opcode, dtype):
    types = (TensorType(DType.F32, (50, 4)), TensorType(dtype, (3001,)), TensorType(DType.F32, (3001, 4)))
    rng = np.random.default_rng(0)
    x, u = (rng.standard_normal(t.shape).astype(np.float32) for t in (types[0], types[2]))
    found = []
    for place, index in ((0, 0), (0, -1), (1500, 50), (3000, 50)):
        rows = rng.integers(0, 50, 3001).astype(dtype.numpy)
        rows[place] = index
        found.append([x, rows, u][: len(types) - (opcode == "Gather")])
    check(alone(OPS[opcode](), types[: len(found[0])]), found, "strict")


@pytest.mark.parametrize("strides", [(1, 1), (2, 1)])
@pytest.mark.parametrize("channels", [3, 20])
def test_no_term_of_an_input_gradient_comes_from_beyond_the_cotangent(strides, channels):
    ct, w = (
        TensorType(DType.F32, (2, 7 // strides[0] + 7 % strides[0], 6, 16)),
        TensorType(DType.F32, (3, 3, channels, 16)),
    )
    op = OPS["Conv2dBackwardInput"]((2, 7, 6, channels), strides, "Same")
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(t.shape).astype(np.float32) for t in (ct, w))
    y[0, 0, :2], y[2, 2, 1:3] = np.inf, np.nan  # 0 · inf would be NaN
    for numerics in ("strict", "default"):
        check(alone(op, (ct, w)), [[x, y]], numerics)
