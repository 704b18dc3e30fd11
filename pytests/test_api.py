"""`import mind_mlir as mind`: what it offers, how compiled modules are called, and what stays untouched."""

import gc
import inspect
import threading
import time
import weakref

import numpy as np
import pytest
from support import assert_same_bits, outcome

import mind_mlir as mind
from mind_mlir.frontend.functions import catalogue

TEXT = """%0 = Input {name = "x"} : tensor<f32[2, 3]>
%1 = Input {name = "y"} : tensor<f32[3]>
%2 = Mul (%0, %1)
%3 = Sum (%2) {axes = [1], keepdims = false}
outputs: %3, %2, %0
"""
X, Y = np.arange(6, dtype=np.float32).reshape(2, 3), np.float32([1, 10, 100])
TARGETS = pytest.mark.parametrize("target", ["cpu", "interpret"])


def module(text=TEXT):
    return mind.parse(text)


# Names


def test_the_public_names_are_these_and_the_functions_that_a_page_lists():
    assert sorted({*mind.__all__} - {*catalogue.names()}) == [
        "Artifact",
        "Builder",
        "DType",
        "Diagnostic",
        "Executable",
        "Mesh",
        "MindError",
        "Module",
        "Operation",
        "P",
        "PartitionSpec",
        "Result",
        "ShardedArray",
        "Sharding",
        "Span",
        "TensorType",
        "Value",
        "__array_api_version__",
        "__array_namespace_info__",
        "__version__",
        "backward_on_trace",
        "bf16",
        "canonicalize",
        "compile",
        "custom_jvp",
        "custom_vjp",
        "differentiate",
        "digest",
        "f16",
        "f32",
        "f64",
        "from_local",
        "from_mind",
        "grad",
        "hessian",
        "i1",
        "i16",
        "i32",
        "i64",
        "i8",
        "interpret",
        "jacfwd",
        "jacrev",
        "jit",
        "jvp",
        "linalg",
        "linearize",
        "load_artifact",
        "parse",
        "partition",
        "propagate_sharding",
        "rank",
        "reshard",
        "shard",
        "simulate",
        "testing",
        "to_mind",
        "to_mlir",
        "trace",
        "u16",
        "u32",
        "u64",
        "u8",
        "value_and_grad",
        "verify",
        "vjp",
        "with_sharding_constraint",
        "write_artifact",
    ]
    assert dir(mind) == mind.__all__


@pytest.mark.parametrize("name", mind.__all__)
def test_every_public_name_is_there_and_documented(name):
    value = getattr(mind, name)
    assert name in ("__version__", "newaxis") or inspect.getdoc(value)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module mind_mlir has no attribute no_such_name"):
        _ = mind.no_such_name


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        ("compile", ["module", "target", "threads", "numerics", "tuning", "precision"]),
        ("to_mind", ["module", "context", "name"]),
        ("from_mind", ["module", "source"]),
        ("to_mlir", ["module", "context", "name", "numerics"]),
        ("write_artifact", ["module", "folder", "name", "chips", "numerics", "precision"]),
        ("load_artifact", ["folder", "device", "driver"]),
        ("parse", ["text", "name"]),
        ("canonicalize", ["m", "verified"]),
        ("differentiate", ["module", "wrt", "seed", "profile", "verify", "accumulate"]),
    ],
)
def test_the_parameters_are_these(function, parameters):
    assert list(inspect.signature(getattr(mind, function)).parameters) == parameters


# Reading


def test_text_bytes_and_files_are_read(tmp_path):
    (tmp_path / "m.mindir").write_text(TEXT)
    assert mind.parse(TEXT) == mind.parse(TEXT.encode()) == mind.parse(tmp_path / "m.mindir")


def test_a_text_goes_by_its_name_in_messages(tmp_path):
    (tmp_path / "bad.mindir").write_text("%")
    for arguments, name in ((("%",), "<text>"), ((b"%",), "<bytes>"), (("%", "model"), "model"), ((b"%", "b"), "b")):
        with pytest.raises(mind.MindError, match=f"--> {name}:1:1"):
            mind.parse(*arguments)
    with pytest.raises(mind.MindError, match=r"bad.mindir:1:1"):
        mind.parse(tmp_path / "bad.mindir")


def test_verify_returns_the_module_and_has_the_options_of_the_pass():
    m = module()
    assert mind.verify(m) is m
    b = mind.Builder()
    x = b.Input("x", mind.f32(0, 2))
    negative = b.finish([b.Sum(x, axes=[-1], keepdims=False)])
    mind.verify(negative)
    for option, code in (("strict_axes", "E3004"), ("strict_positive_dims", "E3006")):
        with pytest.raises(mind.MindError, match=code):
            mind.verify(negative, **{option: True})
    b = mind.Builder()
    x = b.Input("x", mind.f32(2))
    with pytest.raises(mind.MindError, match="E4012"):
        mind.verify(b.finish([x / x]), profile="core-v1")


@pytest.mark.parametrize("use", [mind.canonicalize, mind.interpret, mind.compile, mind.to_mlir])
def test_a_module_that_does_not_verify_is_refused_by_every_function(use):
    m = mind.parse('%0 = Input {name = "x"} : tensor<f32[2]>\n%1 = Neg (%7) : tensor<f32[3]>\noutputs: %1')
    with pytest.raises(mind.MindError, match="E4001"):
        use(m)


# Calls


@TARGETS
def test_a_call_takes_arrays_by_position_by_name_or_both(target):
    exe = mind.compile(module(), target)
    expected = [[210.0, 543.0], [[0, 10, 200], [3, 40, 500]], X.tolist()]
    for results in (exe(X, Y), exe(X, y=Y), exe(y=Y, x=X), exe(x=X, y=Y)):
        assert type(results) is tuple
        assert [r.tolist() for r in results] == expected
        assert all(type(r) is np.ndarray and r.dtype == np.float32 for r in results)


@TARGETS
def test_results_are_new_arrays_that_the_caller_owns(target):
    exe = mind.compile(module(), target)
    first, second = exe(X, Y), exe(X, Y)
    for a, b in zip(first, second):
        assert a.flags.writeable
        assert a.flags.c_contiguous
        assert not np.may_share_memory(a, b)
        assert not np.may_share_memory(a, X)


@TARGETS
def test_a_constant_and_an_input_that_are_outputs_are_copied(target):
    m = module(
        '%0 = Input {name = "x"} : tensor<f32[2]>\n%1 = ConstTensor([1.0, 2.0], f32, [2])\noutputs: %1, %0, %1, %0'
    )
    exe = mind.compile(m, target)
    x = np.float32([5, 6])
    results = exe(x)
    for r in results:
        r += 1
    assert [r.tolist() for r in exe(x)] == [[1, 2], [5, 6], [1, 2], [5, 6]]


@TARGETS
def test_out_takes_one_array_or_one_for_each_output(target):
    exe = mind.compile(module(), target)
    out = (np.empty(2, np.float32), np.empty((2, 3), np.float32), np.empty((2, 3), np.float32))
    results = exe(X, Y, out=out)
    assert all(r is a for r, a in zip(results, out))
    assert out[0].tolist() == [210.0, 543.0]
    assert exe(X, Y, out=list(out))[1] is out[1]
    single = mind.compile(module('%0 = Input {name = "x"} : tensor<f32[3]>\n%1 = Neg (%0)\noutputs: %1'), target)
    a = np.empty(3, np.float32)
    (r,) = single(Y, out=a)
    assert r is a
    assert a.tolist() == [-1, -10, -100]


@TARGETS
def test_scalars_are_arrays_of_rank_0(target):
    exe = mind.compile(module('%0 = Input {name = "x"} : tensor<f64[]>\n%1 = Neg (%0)\noutputs: %1'), target)
    for x in (np.array(2.5), np.float64(2.5)):
        (r,) = exe(x)
        assert (type(r), r.shape, r.item()) == (np.ndarray, (), -2.5)


@TARGETS
def test_a_module_without_inputs_is_called_without_arguments(target):
    exe = mind.compile(module("%0 = ConstI64(7)\noutputs: %0"), target)
    assert [r.item() for r in exe()] == [7]


@TARGETS
@pytest.mark.parametrize("name", ["self", "arrays", "out0", "named", "a b", "é", "m"])
def test_an_input_may_have_any_name(target, name):
    exe = mind.compile(module(f'%0 = Input {{name = "{name}"}} : tensor<f32[3]>\n%1 = Neg (%0)\noutputs: %1'), target)
    assert exe(**{name: Y})[0].tolist() == mind.interpret(exe.module, **{name: Y})[0].tolist() == (-Y).tolist()


@TARGETS
def test_an_input_named_out_is_bound_by_position(target):
    exe = mind.compile(module('%0 = Input {name = "out"} : tensor<f32[3]>\n%1 = Neg (%0)\noutputs: %1'), target)
    assert exe(Y)[0].tolist() == (-Y).tolist()


@TARGETS
def test_inputs_are_never_written(target):
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(4, 4)), b.Input("y", mind.f32(4, 4))
    chain = [x]
    for n in range(6):
        chain.append(-chain[-1] if n % 2 else chain[-1] @ y + x)
    m = b.finish([*chain, b.Reshape(x, new_shape=[16]), b.Transpose(y, permutation=[1, 0])])
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal((4, 4)).astype(np.float32) for _ in range(2)]
    before = [a.tobytes() for a in arrays]
    for a in arrays:
        a.flags.writeable = False
    exe = mind.compile(m, target)
    exe(*arrays)
    exe(*arrays, out=[np.empty(t.shape, np.float32) for t in exe.output_types])
    assert [a.tobytes() for a in arrays] == before


@TARGETS
def test_one_array_may_be_several_arguments(target):
    m = module("%0 = Input(x) : tensor<f32[3]>\n%1 = Input(y) : tensor<f32[3]>\n%2 = Sub (%0, %1)\noutputs: %2")
    assert mind.compile(m, target)(Y, Y)[0].tolist() == [0, 0, 0]


@TARGETS
def test_an_executable_says_what_it_is(target):
    exe = mind.compile(module(), target)
    assert isinstance(exe, mind.Executable)
    assert (exe.target, exe.input_names) == (target, ("x", "y"))
    assert exe.input_types == (mind.f32(2, 3), mind.f32(3))
    assert exe.output_types == (mind.f32(2), mind.f32(2, 3), mind.f32(2, 3))
    assert repr(exe) == (
        f"<Executable for {target}: (x: tensor<f32[2, 3]>, y: tensor<f32[3]>) -> "
        "(tensor<f32[2]>, tensor<f32[2, 3]>, tensor<f32[2, 3]>)>"
    )


# What compile refuses


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"target": "tpu"}, "E6002"),
        ({"target": ""}, "E6002"),
        ({"numerics": "exact"}, "E7007"),
        ({"precision": "tf32"}, "E7007"),
        ({"target": "gpu", "precision": "bf16"}, "E7007"),
        ({"target": "gpu", "precision": "tf32", "numerics": "strict"}, "E7007"),
        ({"threads": 0}, "E7007"),
        ({"threads": -1}, "E7007"),
        ({"threads": 1.0}, "E7007"),
        ({"threads": True}, "E7007"),
        ({"threads": "2"}, "E7007"),
        ({"threads": 1025}, "E7007"),
    ],
)
def test_compile_refuses_options_outside_the_choices(options, code):
    with pytest.raises(mind.MindError) as caught:
        mind.compile(module(), **options)
    assert caught.value.code == code


@pytest.mark.parametrize("numerics", ["default", "strict", "fast"])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_mode_and_number_of_threads_gives_these_numbers(numerics, threads):
    exe = mind.compile(module(), threads=threads, numerics=numerics)
    assert exe(X, Y)[0].tolist() == [210.0, 543.0]


# Errors at run time


GATHER = """%0 = Input {name = "x"} : tensor<f32[4, 2]>
%1 = Input {name = "i"} : tensor<i64[3]>
%2 = Gather (%0, %1)
%3 = Gather (%2, %1)
outputs: %3
"""


@pytest.mark.parametrize("indices", [[0, 1, 4], [-1, 0, 0], [3, 0, 0], [2**62, 0, 0], [0, 0, -(2**63)]])
def test_an_index_out_of_bounds_is_the_same_error_from_native_code(indices):
    m = module(GATHER)
    x, i = np.arange(8, dtype=np.float32).reshape(4, 2), np.array(indices)
    native, interpreted = (outcome(mind.compile(m, t), x, i) for t in ("cpu", "interpret"))
    assert native == interpreted
    assert native[:2] == ("raises", "E6001")
    assert "out of bounds" in native[2]


def test_the_error_of_an_index_points_at_the_gather_that_failed():
    exe = mind.compile(module(GATHER))
    x = np.zeros((4, 2), np.float32)
    for indices, line in (([0, 1, 4], 3), ([0, 1, 3], 4)):
        with pytest.raises(mind.MindError) as caught:
            exe(x, np.array(indices))
        assert caught.value.source.line_col(caught.value.span.start)[0] == line
    assert exe(x, np.array([0, 1, 2]))[0].shape == (3, 2)  # and a later call is not affected


# Lifetimes and threads


def test_an_executable_outlives_its_module_and_everything_else():
    m = module()
    exe = mind.compile(m)
    gone = weakref.ref(exe)
    del m
    gc.collect()
    for _ in range(3):
        [np.empty(1000) for _ in range(100)]
        assert exe(X, Y)[0].tolist() == [210.0, 543.0]
    del exe
    gc.collect()
    assert gone() is None


def test_many_executables_live_side_by_side():
    text = "%0 = Input(x) : tensor<f32>\n%1 = ConstF32({})\n%2 = Add(%0, %1)\noutputs: %2"
    exes = [mind.compile(module(text.format(n))) for n in range(8)]
    assert [exe(np.float32(1))[0].item() for exe in exes] == [n + 1 for n in range(8)]


def test_large_calls_let_other_threads_run():
    m = module(
        '%0 = Input {name = "x"} : tensor<f32[1200, 1200]>\n%1 = MatMul (%0, %0)\n%2 = MatMul (%1, %0)\noutputs: %2'
    )
    exe = mind.compile(m)
    x = np.random.default_rng(0).standard_normal((1200, 1200)).astype(np.float32)
    start = time.perf_counter()
    (expected,) = exe(x)
    alone = time.perf_counter() - start
    results, ticks = [], 0
    worker = threading.Thread(target=lambda: results.append(exe(x)[0]))
    worker.start()
    while worker.is_alive():
        ticks += 1
        time.sleep(alone / 50)
    worker.join()
    assert_same_bits(results[0], expected)
    assert ticks > 3  # with the lock held, the first sleep would last as long as the call


def test_one_executable_serves_several_threads_at_once():
    exe = mind.compile(module())
    results = {}

    def work(n):
        x = np.full((2, 3), n, np.float32)
        results[n] = all(exe(x, Y)[0].tolist() == [111.0 * n, 111.0 * n] for _ in range(300))

    workers = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert results == dict.fromkeys(range(4), True)


# MLIR


def test_to_mlir_gives_a_module_of_one_function_in_the_context_given():
    from mlir import ir

    context = ir.Context()
    first = mind.to_mlir(module(), context, name="f")
    second = mind.to_mlir(module(), context=context, name="g")
    assert first.context is context or first.context == context
    assert "func.func @f(" in str(first)
    assert "func.func @g(" in str(second)
    assert "func.func @main(" in str(mind.to_mlir(module()))
    assert first.operation.verify()


def test_to_mlir_refuses_a_name_that_is_no_string():
    with pytest.raises(mind.MindError, match=r"E7007.*name is a string, found 3"):
        mind.to_mlir(module(), name=3)


def test_to_mlir_shows_the_numerics_of_sums():
    b = mind.Builder()
    m = b.finish([b.Sum(b.Input("x", mind.f32(2, 3)), axes=[0, 1], keepdims=False)])
    for numerics in ("default", "fast"):
        text = str(mind.to_mlir(m, numerics=numerics))
        assert text.count("linalg.reduce { arith.addf {fastmath = #arith.fastmath<reassoc>} }") == 1
    text = str(mind.to_mlir(m, numerics="strict"))
    assert text.count("linalg.reduce { arith.addf }") == 2
    with pytest.raises(mind.MindError, match=r"E7007.*no numerics mode is named exact"):
        mind.to_mlir(m, numerics="exact")


def test_the_modes_are_named_in_one_way():
    from mind_mlir.lowering.emit.modes import MODES
    from mind_mlir.runtime.jit import NUMERICS

    assert MODES == NUMERICS


@pytest.mark.parametrize("context", ["context", 5])
def test_to_mlir_refuses_what_is_no_context(context):
    with pytest.raises(mind.MindError, match="E7007"):
        mind.to_mlir(module(), context)


def test_the_lowered_text_is_the_same_every_time():
    assert str(mind.to_mlir(module())) == str(mind.to_mlir(module()))


def test_a_file_name_given_as_text_is_told_apart():
    with pytest.raises(mind.MindError, match=r"net.mindir is the name of a file\n.*parse\(Path\('net.mindir'\)\)"):
        mind.parse("net.mindir")


def test_parse_takes_text_bytes_or_a_path():
    with pytest.raises(TypeError, match="expected text, bytes or a path, found NoneType"):
        mind.parse(None)


def test_verify_knows_two_profiles():
    with pytest.raises(mind.MindError, match=r"E7007.*no profile is named core"):
        mind.verify(mind.Builder().finish([]), profile="core")


def test_what_to_pass_is_said_with_the_name_of_the_argument():
    exe = mind.compile(mind.parse('%0 = Input {name = "scale"} : tensor<f32[2]>\noutputs: %0'))
    with pytest.raises(mind.MindError, match=r"pass scale.astype\(np.float32\)"):
        exe(np.ones(2))


def test_what_to_pass_as_out_is_a_new_array():
    exe = mind.compile(mind.parse('%0 = Input {name = "x"} : tensor<f32[2]>\noutputs: %0'))
    with pytest.raises(mind.MindError, match=r"out\[0\].*found float64\[2\]\n.*pass np.empty\(\(2,\), np.float32\)"):
        exe(np.ones(2, np.float32), out=np.ones(2))


def test_to_mlir_uses_the_context_in_force_unless_one_is_given():
    from mlir import ir

    b = mind.Builder()
    m = b.finish([b.Input("x", mind.f32(2))])
    own = ir.Context()
    with ir.Context() as current:
        assert mind.to_mlir(m).context is current
        assert mind.to_mlir(m, own).context is own
    assert mind.to_mlir(m).context not in (own, current)


def test_a_module_shows_its_interface_not_all_of_its_operations():
    m = mind.parse('%0 = Input {name = "x"} : tensor<f32[2]>\n%1 = Neg (%0) : tensor<f32[2]>\noutputs: %1, %0\n')
    assert repr(m) == "<Module of 2 operations: (x: tensor<f32[2]>) -> (tensor<f32[2]>, tensor<f32[2]>)>"
    assert repr(mind.differentiate(m)).startswith("Differentiated(gradient_module=<Module of ")
    assert repr(mind.parse("outputs: %7")) == "<Module of 0 operations: () -> (%7)>"


def test_a_function_in_the_place_of_a_module_is_told_how_it_becomes_one():
    with pytest.raises(TypeError, match=r"expected a Module, found function; .*mind\.trace\(f, x\)\.module"):
        mind.differentiate(lambda x: x)


@pytest.mark.parametrize("name", ["", "a\0b", "a\nb", 1, None])
def test_a_function_without_a_proper_name_is_an_error(name, tmp_path):
    b = mind.Builder()
    m = b.finish([b.Input("x", mind.f32(2))])
    calls = (
        lambda: mind.to_mlir(m, name=name),
        lambda: mind.to_mind(m, name=name),
        lambda: mind.write_artifact(m, tmp_path / "a", name=name),
    )
    for call in calls:
        with pytest.raises(mind.MindError, match="name") as caught:
            call()
        assert caught.value.code == "E7007"
