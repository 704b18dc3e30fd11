"""partition: every operation, and whole modules, on simulated ranks give what one process gives."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, note, settings, strategies as st
from random_modules import arguments_for, modules
from random_shardings import MESHES, on_a_mesh, simulated, specs
from sharded_models import LAYOUTS, gradient_of, mesh_for, mlp, qkv
from support import operands_for, sample_id, samples_of

import mind_mlir as mind
from mind_mlir import Builder, P
from mind_mlir.ir import OPS
from mind_mlir.passes.sharding.communication import communication
from mind_mlir.passes.sharding.partition import partitioned

LOCAL = [name for name in OPS if not OPS[name].across_ranks and name != "Input"]
"""The operations of one rank."""


def assert_close(found, expected):
    """Equal but for the order of sums, whose parts are rounded to their type on each rank; integers to the bit."""
    for a, b in zip(found, expected):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if not (dtype := mind.DType.of(a.dtype)).is_float:
            np.testing.assert_array_equal(a, b)
        else:
            tolerance = 8 * float(dtype.finfo.eps) if dtype.is_half else 2e-4 if dtype is mind.DType.F32 else 1e-9
            a, b = a.astype(np.float64), b.astype(np.float64)
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def samples_to_cut(opcode):
    """The samples, those that no other equals but for its dtype twice: so each kind is cut four times in two examples.

    How an operation is cut is hardly a matter of its dtype, and most samples come in several.
    """
    alike = {}
    for op, types in samples_of(opcode):
        alike.setdefault((op, *(t.shape for t in types)), []).append((op, types))
    return [s for same in alike.values() for s in (same if len(same) > 1 else same * 2)]


@pytest.mark.parametrize("opcode", LOCAL)
@settings(max_examples=2, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_every_operation_is_cut_as_its_operands_lie(opcode, data):
    """All samples in one example: hypothesis nests its settings once more for each test with parameters."""
    for op, types in samples_to_cut(opcode):
        note(sample_id(opcode, op, types))
        mesh = data.draw(st.sampled_from(MESHES))
        b = Builder(mesh=mesh)
        inputs = [b.place(b.Input(f"x{n}", t), data.draw(specs(mesh, t.rank))) for n, t in enumerate(types)]
        values = b.emit_all(op, *inputs)
        if op.opcode != "Reshard" and data.draw(st.booleans()):
            for v in values:
                b.place(v, data.draw(specs(mesh, v.type.rank)))
        m = b.finish(values)
        arrays = operands_for(op, types, seed=3)
        found, p = simulated(m, arrays)
        assert_close(found, mind.interpret(m, *arrays))
        again, _ = simulated(mind.propagate_sharding(m), arrays)
        assert_close(again, found)
        assert mind.parse(str(p.module)) == p.module
        assert str(mind.parse(str(m))) == str(m)


@pytest.mark.parametrize("opcodes", [None, ("Add", "Exp", "Gather", "Reshape", "ScatterAdd", "Transpose")])
@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_random_modules_on_random_meshes(opcodes, data):
    m = data.draw(modules(opcodes))
    placed = data.draw(on_a_mesh(m))
    arrays = arguments_for(m)
    try:
        expected = mind.interpret(m, *arrays)
    except mind.MindError as why:
        assume(why.code != "E6001")
        raise
    assume(all(np.isfinite(e).all() for e in expected))
    found, _ = simulated(placed, arrays)
    for a, b in zip(found, expected):
        assert a.shape == b.shape
        if a.dtype.kind == "i":
            np.testing.assert_array_equal(a, b)
        else:  # cancellation makes any relative bound too small; a value that went wrong is far off
            scale = max(1.0, float(np.abs(b).max(initial=0)))
            np.testing.assert_allclose(a, b, rtol=1e-2, atol=1e-2 * scale)


@pytest.mark.parametrize(
    ("layout", "ranks"), [(name, n) for name in LAYOUTS for n in (1, 2, 3, 4, 6) if name != "2d" or n % 2 == 0]
)
@pytest.mark.parametrize("accumulate", ["deferred", "eager"])
def test_gradients_of_every_layout(layout, ranks, accumulate):
    for batch in (16, 13):
        m = mind.propagate_sharding(mlp(layout, mesh_for(layout, ranks), batch, "f64"))
        g = gradient_of(m, accumulate, with_x=True)
        arrays = arguments_for(g)
        found, p = simulated(g, arrays)
        assert_close(found, mind.interpret(g, *arrays))
        inputs = dict(zip((o.id for o in g.inputs), p.inputs))
        outputs = dict(zip(g.outputs, p.outputs))
        for x, gradient in g.gradients:
            assert outputs[gradient] == inputs[x]


# Bytes


@pytest.mark.parametrize(
    ("layout", "ranks", "with_x", "nbytes"),
    [
        # MLP 16-8-24-4: 1264 bytes of parameters; of gradients and loss a ring sends 2 (n - 1) / n
        ("dp", 2, False, (1268, 1268)),
        ("dp", 4, False, (1902, 1902)),
        # of all parameters but b2 (1248): gathered once, scattered once; b2 and the loss as above.  With values placed
        # as they are propagated, gathering values of the hidden layer takes less
        ("fsdp", 2, False, (1268, 916)),
        ("fsdp", 4, False, (1902, 1086)),
        # the sum before b2, 16 x 4, and the cotangent of x, 16 x 8
        ("tp", 2, True, (768, 768)),
        ("tp", 4, True, (1152, 1152)),
        # x, of which a rank holds 16 x 4, and w1, 4 x 24: less than the sum of 16 x 24
        ("row", 2, True, (640, 640)),
    ],
)
@pytest.mark.parametrize("propagated", [False, True])
def test_bytes_of_every_layout(layout, ranks, with_x, nbytes, propagated):
    m = mlp(layout, mesh_for(layout, ranks))
    g = gradient_of(mind.propagate_sharding(m) if propagated else m, with_x=with_x)
    report = communication(g)
    assert report.nbytes == nbytes[propagated]
    assert report.minimum is None  # nobody knows: operands can be gathered, and sums be computed whole
    local = communication(mind.partition(g))
    assert (len(local.moves), local.nbytes) == (len(report.moves), report.nbytes)


@pytest.mark.parametrize(("accumulate", "count", "nbytes"), [("deferred", 2, 388), ("eager", 4, 1156)])
def test_deferred_accumulation_adds_before_it_reduces(accumulate, count, nbytes):
    report = communication(gradient_of(mind.propagate_sharding(qkv(2)), accumulate, with_x=True))
    assert [c.opcode for c in report.moves] == ["AllReduce"] * count
    assert report.nbytes == nbytes


@pytest.mark.parametrize(
    ("lines", "outputs", "minimum"),
    [
        # of 64 floats a rank holds 16, and is to hold all of them
        ("%1 = Reshard (%0) {to = [_, _]} : tensor<f32[16, 4]>", "%1", 3 * 64),
        ("%1 = Reshard (%0) {to = [_, dp]} : tensor<f32[16, 4]>", "%1", 3 * 16),
        # of columns that are added up a rank holds 4 terms
        ("%1 = Sum (%0) {axes = [0], keepdims = false} : tensor<f32[4]>", "%1", 2 * 3 * 4),
        ("%1 = Sum (%0) {axes = [0], keepdims = false, sharding = [dp]} : tensor<f32[4]>", "%1", 3 * 4),
        ("%1 = Sum (%0) {axes = [1], keepdims = false, sharding = [dp]} : tensor<f32[16]>", "%1", 0),
        # one Input for two outputs: who has all of it can add it up
        (
            "%1 = Reshard (%0) {to = [_, _]} : tensor<f32[16, 4]>\n"
            "%2 = Sum (%0) {axes = [0], keepdims = false} : tensor<f32[4]>",
            "%1, %2",
            3 * 64,
        ),
        ("%1 = Mul (%0, %0) {sharding = [_, _]} : tensor<f32[16, 4]>", "%1", None),
    ],
)
def test_the_minimum_is_a_bound_or_none(lines, outputs, minimum):
    text = 'mesh: dp = 4\n%0 = Input {name = "x", sharding = [dp, _]} : tensor<f32[16, 4]>\n'
    report = communication(mind.parse(f"{text}{lines}\noutputs: {outputs}\n"))
    assert report.minimum == minimum
    assert minimum is None or report.nbytes >= minimum


def test_a_large_product_is_not_computed_whole_on_every_rank():
    text = """mesh: tp = 8
%0 = Input {name = "h", sharding = [_, tp]} : tensor<f32[65536, 2048]>
%1 = Input {name = "w", sharding = [tp, _]} : tensor<f32[2048, 4096]>
%2 = MatMul (%0, %1) : tensor<f32[65536, 4096]>
outputs: %2
"""
    assert cuts_of(text) == ["AllReduce"]  # gathering both operands would send fewer bytes


def test_a_weight_is_gathered_once_though_its_transpose_is_used_too():
    g = gradient_of(mlp("fsdp", "dp = 2"))
    gathered = [c.of for c in communication(g).moves if c.opcode == "AllGather"]
    assert len(gathered) == len(set(gathered)) == 3


def test_a_sum_that_is_needed_whole_is_added_up_once():
    text = """mesh: tp = 2
%0 = Input {name = "a", sharding = [_, tp]} : tensor<f32[256, 512]>
%1 = Input {name = "b", sharding = [tp, _]} : tensor<f32[512, 2048]>
%2 = MatMul (%0, %1) : tensor<f32[256, 2048]>
%3 = Sum (%2) {axes = [0], keepdims = false} : tensor<f32[2048]>
%4 = Exp (%3) : tensor<f32[2048]>
%5 = Relu (%2) : tensor<f32[256, 2048]>
outputs: %4, %5
"""
    assert cuts_of(text) == ["AllReduce"]


def test_what_a_later_operation_wants_cut_is_scattered():
    text = """mesh: dp = 8
%0 = Input {name = "x", sharding = [_, dp]} : tensor<f32[512, 8192]>
%1 = Input {name = "y", sharding = [dp, _]} : tensor<f32[8192, 2048]>
%2 = MatMul (%0, %1) : tensor<f32[512, 2048]>
%3 = Mul (%2, %2) : tensor<f32[512, 2048]>
%4 = Sum (%3) {axes = [], keepdims = false} : tensor<f32[]>
%5 = Exp (%4) : tensor<f32[]>
%6 = Mul (%2, %5) : tensor<f32[512, 2048]>
%7 = Reshard (%6) {to = [dp, _]} : tensor<f32[512, 2048]>
outputs: %7
"""
    assert cuts_of(text) == ["ReduceScatter", "AllReduce"]


def test_outputs_lie_as_they_come_though_it_costs_less_to_leave_them_cut():
    text = """mesh: dp = 2
%0 = Input {name = "x", sharding = [dp, _]} : tensor<f32[8192, 2048]>
%1 = Sum (%0) {axes = [0], keepdims = false} : tensor<f32[2048]>
%2 = Exp (%1) : tensor<f32[2048]>
outputs: %2
"""
    assert partitioned(mind.parse(text)).outputs == (P(None),)


MOMENTUM = """mesh: dp = 8
%0 = Input {name = "w", sharding = [_, _]} : tensor<f32[512, 2048]>
%1 = Input {name = "x", sharding = [dp, _]} : tensor<f32[65536, 512]>
%2 = Input {name = "m", sharding = [dp, _]} : tensor<f32[512, 2048]>
%3 = MatMul (%1, %0) : tensor<f32[65536, 2048]>
%4 = Transpose (%1) {permutation = [1, 0]} : tensor<f32[512, 65536]>
%5 = MatMul (%4, %3) : tensor<f32[512, 2048]>
%6 = Add (%2, %5) : tensor<f32[512, 2048]>
%7 = Sub (%0, %6) : tensor<f32[512, 2048]>
%8 = Reshard (%6) {to = [dp, _]} : tensor<f32[512, 2048]>
%9 = Reshard (%7) {to = [_, _]} : tensor<f32[512, 2048]>
outputs: %8, %9
gradients: %0 -> %5
"""
"""A step with momentum whose state is cut: ZeRO, stage 1."""


def test_a_gradient_that_is_no_output_does_not_come_to_where_its_value_is():
    assert cuts_of(MOMENTUM) == ["ReduceScatter", "AllGather"]
    assert not mind.partition(mind.parse(MOMENTUM)).gradients
    returned = MOMENTUM.replace("outputs: %8", "outputs: %5, %8")
    assert cuts_of(returned)[0] == "AllReduce"
    assert len(mind.partition(mind.parse(returned)).gradients) == 1


# What stays cut


def cuts_of(text):
    """Operations between ranks of what the module with this text becomes."""
    return [c.opcode for c in partitioned(mind.parse(text)).communication]


@pytest.mark.parametrize(
    "line",
    [
        "%1 = Reshape (%0) {new_shape = [8, 12]} : tensor<f32[8, 12]>",
        "%1 = Reshape (%0) {new_shape = [32, 3]} : tensor<f32[32, 3]>",
        "%1 = Reshape (%0) {new_shape = [-1]} : tensor<f32[96]>",
        "%1 = Reshape (%0) {new_shape = [2, 4, 1, 12]} : tensor<f32[2, 4, 1, 12]>",
        "%1 = Reshape (%0) {new_shape = [6, 16]} : tensor<f32[6, 16]>",
        "%1 = Slice (%0) {starts = [0, 1, 0], ends = [8, 3, 3], steps = [1, 1, 2]} : tensor<f32[8, 2, 2]>",
        "%1 = Transpose (%0) {permutation = [2, 0, 1]} : tensor<f32[3, 8, 4]>",
        "%1 = Sum (%0) {axes = [1], keepdims = true} : tensor<f32[8, 1, 3]>",
        "%1 = ExpandDims (%0) {axes = [0]} : tensor<f32[1, 8, 4, 3]>",
        "%1 = Exp (%0) : tensor<f32[8, 4, 3]>",
        "%1 = Pad (%0) {low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0]} : tensor<f32[8, 5, 3]>",
    ],
)
def test_a_batch_that_is_cut_stays_cut(line):
    text = 'mesh: dp = 2\n%0 = Input {name = "x", sharding = [dp, _, _]} : tensor<f32[8, 4, 3]>\n'
    assert cuts_of(f"{text}{line}\noutputs: %1\n") == []


def test_a_convolution_of_a_batch_that_is_cut_stays_cut():
    text = """mesh: dp = 2
%0 = Input {name = "x", sharding = [dp, _, _, _]} : tensor<f32[4, 6, 6, 2]>
%1 = Input {name = "w"} : tensor<f32[3, 3, 2, 5]>
%2 = Conv2d (%0, %1) {strides = [1, 1], padding = "Same"} : tensor<f32[4, 6, 6, 5]>
%3 = Sum (%2) {axes = [], keepdims = false} : tensor<f32[]>
outputs: %3
"""
    g = mind.differentiate(mind.parse(text)).gradient_module
    assert [c.opcode for c in partitioned(g).communication] == ["AllReduce", "AllReduce"]  # the loss, the filter


def test_rows_are_picked_by_indices_that_are_cut():
    text = """mesh: dp = 2
%0 = Input {name = "table"} : tensor<f32[10, 4]>
%1 = Input {name = "rows", sharding = [dp]} : tensor<i64[6]>
%2 = Gather (%0, %1) : tensor<f32[6, 4]>
outputs: %2
"""
    assert cuts_of(text) == []


@pytest.mark.parametrize("dim", [1, 2])
def test_what_cannot_stay_cut_is_gathered(dim):
    spec = ["_", "_", "_"]
    spec[dim] = "dp"
    text = f"""mesh: dp = 2
%0 = Input {{name = "x", sharding = [{", ".join(spec)}]}} : tensor<f32[8, 4, 2]>
%1 = Reshape (%0) {{new_shape = [64]}} : tensor<f32[64]>
outputs: %1
"""
    assert cuts_of(text) == ["AllGather"]


def test_padding_never_shows():
    """Infinities and NaN that operations make of padding are nobody's."""
    text = """mesh: dp = 4
%0 = Input {name = "x", sharding = [dp]} : tensor<f64[5]>
%1 = Log (%0) : tensor<f64[5]>
%2 = Mul (%1, %1) : tensor<f64[5]>
%3 = Sum (%2) {axes = [], keepdims = false} : tensor<f64[]>
%4 = Dot (%1, %2) : tensor<f64[]>
outputs: %2, %3, %4
"""
    m = mind.parse(text)
    x = np.arange(1.0, 6.0)
    assert_close(simulated(m, [x])[0], mind.interpret(m, x))


def test_a_gather_of_padded_indices_stays_in_bounds():
    text = """mesh: dp = 4
%0 = Input {name = "table"} : tensor<f32[3, 2]>
%1 = Input {name = "rows", sharding = [dp]} : tensor<i32[5]>
%2 = ConstTensor {data = -1, dtype = i32, shape = []} : tensor<i32[]>
%3 = Add (%1, %2) : tensor<i32[5]>
%4 = Gather (%0, %3) : tensor<f32[5, 2]>
outputs: %4
"""
    m = mind.parse(text)
    table, rows = np.arange(6, dtype=np.float32).reshape(3, 2), np.int32([1, 2, 3, 1, 2])
    assert_close(simulated(m, [table, rows])[0], mind.interpret(m, table, rows))


# Errors


def code_of(text, run=mind.partition):
    with pytest.raises(mind.MindError) as error:
        run(mind.verify(mind.parse(text)))
    return error.value


def test_partial_sums_cannot_be_made():
    text = """mesh: dp = 2
%0 = Input {name = "x", sharding = [dp]} : tensor<f32[8]>
%1 = Reshard (%0) {to = partial([_], [dp])} : tensor<f32[8]>
outputs: %1
"""
    why = code_of(text)
    assert why.code == "E8005"
    assert "%0 is defined here" in str(why)


def test_a_constant_is_no_partial_sum_either():
    text = """mesh: dp = 2
%0 = Input {name = "x"} : tensor<f32[8]>
%1 = ConstTensor {data = splat(1.0), dtype = f32, shape = [8]} : tensor<f32[8]>
%2 = Reshard (%1) {to = partial([_], [dp])} : tensor<f32[8]>
outputs: %0, %2
"""
    assert code_of(text).code == "E8005"
    assert (
        code_of(text.replace("{to = partial([_], [dp])}", "{sharding = partial([_], [dp]), to = [_]}")).code == "E8004"
    )


def test_partition_wants_a_mesh():
    assert code_of('%0 = Input {name = "x"} : tensor<f32[8]>\noutputs: %0\n').code == "E8002"


def test_what_runs_on_one_rank_is_not_partitioned_again():
    text = """mesh: dp = 2
%0 = Input {name = "x"} : tensor<f32[8]>
%1 = AllReduce (%0) {axis = "dp", size = 2} : tensor<f32[8]>
outputs: %1
"""
    assert code_of(text).code == "E8006"


def test_specs_are_checked():
    for make, code in (
        (lambda: P("dp", "dp"), "E8003"),
        (lambda: P(3), "E8003"),
        (lambda: mind.Mesh(("dp",), (0,)), "E8001"),
        (lambda: mind.Mesh(("a b",), (1,)), "E8001"),
        (lambda: mind.Mesh(("dp", "dp"), (1, 1)), "E8001"),
        (lambda: mind.Mesh(("dp",), (1, 2)), "E8001"),
        (lambda: mind.Sharding(mind.Mesh(("dp",), (2,)), P("tp")), "E8002"),
    ):
        with pytest.raises(mind.MindError) as error:
            make()
        assert error.value.code == code
