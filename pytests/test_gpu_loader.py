"""Artifacts run through a driver without a GPU: its calls in order, its errors, and arrays of other libraries."""

import _ctypes
import gc
import json
import os
import subprocess
import sys
import threading
import time
import types
from dataclasses import replace
from pathlib import Path

import fake_cuda
import numpy as np
import pytest
from checkout import ROOT
from fake_cuda import Interface, OnDevice, aligned, needs_compiler
from support import assert_same_bits as assert_one_same_bits, error_of

import mind_mlir as mind
from mind_mlir.cli import mind_run
from mind_mlir.lowering.gpu.artifacts.manifest import Place, TensorMap
from mind_mlir.lowering.store.folders import write_folder
from mind_mlir.lowering.targets import chips
from mind_mlir.runtime.arguments import random_arguments
from mind_mlir.runtime.gpu import arrays, device, dlpack, driver
from mind_mlir.runtime.gpu.artifact import artifact_in_memory
from mind_mlir.runtime.gpu.driver import _SIGNATURES
from mind_mlir.runtime.gpu.encoded_maps import Encoded

pytestmark = needs_compiler

TEXT = """\
%0 = Input {name = "x"} : tensor<f32[2, 4]>
%1 = ConstTensor {dtype = f32, shape = [4], data = [1.0, 2.0, 3.0, 4.0]} : tensor<f32[4]>
%2 = Mul (%0, %1) : tensor<f32[2, 4]>
%3 = Sum (%2) {axes = [1], keepdims = true} : tensor<f32[2, 1]>
%4 = Mul (%2, %3) : tensor<f32[2, 4]>
outputs: %4, %3
"""
M = mind.parse(TEXT)
X = np.arange(8, dtype=np.float32).reshape(2, 4)
WANT = mind.interpret(M, X)

ARENA = mind.parse(f"{TEXT.partition('outputs')[0]}%5 = Sum (%4) {{axes = [0], keepdims = false}}\noutputs: %5\n")

GATHER = mind.parse("""\
%0 = Input {name = "x"} : tensor<f32[3, 2]>
%1 = Input {name = "k"} : tensor<i64[4]>
%2 = Gather (%0, %1) : tensor<f32[4, 2]>
outputs: %2
""")


def loaded(cuda, m=M, numerics="strict", **options):
    """The artifact of a module on the device."""
    return artifact_in_memory(cuda.files(m, numerics, **options))


def assert_same_bits(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        assert_one_same_bits(a, b)


# What is called, and when


def test_a_module_runs_as_interpret_does(cuda):
    a = loaded(cuda)
    for _ in range(3):  # alone, while a graph is made, and by the graph
        assert_same_bits(a(X), WANT)
    assert_same_bits(a(x=X + 1), mind.interpret(M, X + 1))


def test_the_second_run_makes_a_graph_and_the_third_replays_it(cuda):
    a = loaded(cuda)
    kernels = [launch.kernel for launch in a.program.launches]
    assert len(kernels) > 1
    cuda.log()
    a(X)
    first = [line.split()[:2] for line in cuda.log()]
    a(X)
    second = [line.split()[:2] for line in cuda.log()]
    a(X)
    third = [line.split()[:2] for line in cuda.log()]
    up, down, launches = (
        ["cuMemcpyHtoDAsync_v2", "32"],
        "cuMemcpyDtoHAsync_v2",
        [["cuLaunchKernel", k] for k in kernels],
    )
    back = [[down, "32"], [down, "8"], ["cuStreamSynchronize"]]
    made = [["cuMemAlloc_v2", n] for n in ("32", "32", "8")]
    assert first == [*made, up, *launches, *back]
    graph = [["cuStreamBeginCapture_v2", "2"], *launches, ["cuStreamEndCapture"], ["cuGraphInstantiateWithFlags", "0"]]
    assert second == [up, *graph, ["cuGraphDestroy"], ["cuGraphLaunch"], *back]
    assert third == [up, ["cuGraphLaunch"], *back]


def test_constants_are_uploaded_once_and_the_arena_is_allocated_once(cuda):
    a = loaded(cuda, ARENA)
    log = cuda.log("cuMemcpyHtoDAsync_v2", "cuMemAlloc_v2")
    assert log == ["cuMemAlloc_v2 16", "cuMemcpyHtoDAsync_v2 16", f"cuMemAlloc_v2 {a.program.arena}"]
    assert a.program.arena
    a(X)
    cuda.log()
    a(X)
    assert cuda.log("cuMemcpyHtoDAsync_v2", "cuMemAlloc_v2") == ["cuMemcpyHtoDAsync_v2 32"]


def test_a_pointer_starts_where_the_manifest_says(cuda, monkeypatch):
    files = dict(cuda.files(ARENA, chips=("sm_90",)))
    data = json.loads(files["manifest.json"])
    for launch in data["programs"][0]["launches"]:
        for n, (kind, number, _) in enumerate(launch["arguments"]):
            launch["arguments"][n] = [kind, number, 8 + n]
    files["manifest.json"] = json.dumps(data).encode()
    given = []
    monkeypatch.setattr(
        fake_cuda.Emulated, "launch", lambda self, kernel, sizes, pointers, memory: given.append(pointers)
    )
    artifact_in_memory(files)(X)
    assert {len(pointers) for pointers in given} == {
        len(launch["arguments"]) for launch in data["programs"][0]["launches"]
    }
    for pointers in given:  # what is allocated starts at a multiple of 512
        assert [p % 512 for p in pointers] == [8 + n for n in range(len(pointers))]


def test_everything_is_given_back(cuda):
    a = loaded(cuda)
    for _ in range(3):
        a(X)
    assert cuda.live() > 0
    cuda.log()
    del a
    assert cuda.live() == 0
    gone = {line.split()[0] for line in cuda.log()}
    assert {"cuModuleUnload", "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuGraphExecDestroy"} <= gone


def test_a_module_without_kernels_runs(cuda):
    a = loaded(cuda, mind.parse('%0 = Input {name = "x"} : tensor<f32[0, 3]>\n%1 = Relu (%0)\noutputs: %1\n'))
    assert a.image == "none"
    (y,) = a(np.empty((0, 3), np.float32))
    assert y.shape == (0, 3)
    assert not cuda.log("cuModuleLoadDataEx", "cuLaunchKernel")


def examples():
    paths = sorted((ROOT / "examples").glob("*.mindir"))
    return [p for p in paths if "grammar" not in p.name and p.stem not in ("mistake", "spellings")]


@pytest.mark.parametrize("path", examples(), ids=lambda p: p.stem)
def test_an_example_runs_as_interpret_does(path, cuda):
    m = mind.parse(path.read_text())
    a = loaded(cuda, m)
    given = random_arguments(m, seed=5)
    assert_same_bits(a(**given), mind.interpret(m, **given))


def test_results_go_into_out(cuda):
    a, out = loaded(cuda), [np.empty((2, 4), np.float32), np.empty((2, 1), np.float32)]
    assert a(X, out=out)[0] is out[0]
    assert_same_bits(out, WANT)
    assert error_of(lambda: a(X, out=out[:1])).code == "E6009"
    assert error_of(lambda: a(X, out=[X, out[1]])).code == "E6009"


@pytest.mark.parametrize(
    "arguments",
    [(), (X, X), (X.astype(np.float64),), (X.T,), (X[:, :2],), ("x",), (None,)],
    ids=["none", "two", "f64", "transposed", "strided", "text", "None"],
)
def test_bad_arguments_are_refused_before_anything_is_copied(arguments, cuda):
    a = loaded(cuda)
    cuda.log()
    assert error_of(lambda: a(*arguments)).code == "E6009"
    assert cuda.log() == []


def test_several_threads_get_their_own_results(cuda):
    a, failed = loaded(cuda), []
    begin = a.runner.run

    def run(*arguments):
        time.sleep(0.002)  # others would upload meanwhile
        begin(*arguments)

    a.runner.run = run

    def work(seed):
        x = np.random.default_rng(seed).standard_normal((2, 4), np.float32)
        want = mind.interpret(M, x)
        for _ in range(5):
            if not all(map(np.array_equal, a(x), want)):
                failed.append(seed)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed


# Errors


def test_an_index_out_of_bounds_is_told(cuda):
    a = loaded(cuda, GATHER)
    x, k = np.ones((3, 2), np.float32), np.array([0, 1, 2, 2])
    assert_same_bits(a(x, k), mind.interpret(GATHER, x, k))
    found = error_of(lambda: a(x, np.array([0, 1, 3, 0])))
    assert found.code == "E6001"
    assert "an index of Gather %2 is out of bounds for extent 3" in str(found)
    assert_same_bits(a(x, k), mind.interpret(GATHER, x, k))


def test_a_compiled_module_says_which_index(cuda):
    cuda.files(GATHER, "strict", chips=("sm_90a",))
    exe = mind.compile(GATHER, target="gpu", numerics="strict")
    found = error_of(lambda: exe(np.ones((3, 2), np.float32), np.array([0, 1, 3, 0])))
    assert found.code == "E6001"
    assert "Gather index 3 is out of bounds for extent 3" in str(found)


RELEASES = {"cuMemFree_v2", "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuModuleUnload", "cuGraphExecDestroy"}
TELLS = {"cuGetErrorName", "cuGetErrorString"}
BEFORE = {"cuInit", "cuDriverGetVersion"}
OTHERS = {
    *("cuFuncSetAttribute", "cuStreamWaitEvent", "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime"),
    "cuTensorMapEncodeTiled",
}
"""Not called by a plain run: tests of their own."""


@pytest.mark.parametrize("name", sorted(_SIGNATURES.keys() - RELEASES - TELLS - OTHERS))
def test_an_error_of_any_call_is_told_with_its_name(name, cuda):
    files = cuda.files(M, "strict")
    cuda.fails(name, 719)

    def use():
        a = artifact_in_memory(files)
        a(X)
        a(X)

    found = error_of(use)
    assert found.code == ("E6002" if name in BEFORE else "E6008")
    assert name in str(found)
    assert "CUDA_ERROR_LAUNCH_FAILED" in str(found)


@pytest.mark.parametrize("name", sorted(RELEASES))
def test_an_error_while_giving_back_is_nobodys(name, cuda):
    a = loaded(cuda)
    for _ in range(3):
        a(X)
    cuda.fails(name, 719)
    del a
    gc.collect()
    assert name in " ".join(cuda.log())


def test_a_capture_that_fails_is_ended(cuda):
    a = loaded(cuda)
    a(X)
    cuda.fails("cuLaunchKernel", 1)
    cuda.log()
    assert "kernel " in str(error_of(lambda: a(X)))
    assert "cuStreamEndCapture" in cuda.log()
    assert_same_bits(a(X), WANT)


def test_a_kernel_that_fails_is_told_when_its_results_are_waited_for(cuda, monkeypatch):
    a = loaded(cuda)
    monkeypatch.setattr(fake_cuda.Emulated, "launch", lambda *_: 1 / 0)
    found = error_of(lambda: a(X))
    assert (found.code, "cuStreamSynchronize failed with CUDA_ERROR_LAUNCH_FAILED (719)" in str(found)) == (
        "E6008",
        True,
    )
    assert "Fake 0" in str(found)
    assert "MIND_GPU_DEBUG=1" in str(found)
    cuda.raised.clear()


def test_a_kernel_that_fails_is_named_where_that_is_asked_for(cuda, monkeypatch):
    monkeypatch.setenv("MIND_GPU_DEBUG", "1")
    a = loaded(cuda)
    a(X)
    name = a.program.launches[1].kernel
    run = fake_cuda.Emulated.launch

    def launch(self, kernel, *rest):
        return run(self, kernel, *rest) if kernel != name else 1 / 0

    monkeypatch.setattr(fake_cuda.Emulated, "launch", launch)
    found = error_of(lambda: a(X))
    assert found.code == "E6008"
    assert f"kernel {name}, grid [1, 1, 1], block " in str(found)
    assert "MIND_GPU_DEBUG" not in str(found)
    cuda.raised.clear()


def test_too_little_memory_is_told_with_what_does_not_fit(cuda):
    files = cuda.files(ARENA)
    arena = artifact_in_memory(files).program.arena
    cuda.has(room=40)
    found = error_of(lambda: artifact_in_memory(files))
    assert (found.code, f"the arena takes {arena} bytes" in str(found)) == ("E6004", True)


MACHINES = {
    "no GPU": ({"devices": 0}, "there is no GPU"),
    "an old GPU": ({"capability": (7, 5)}, "has compute capability 7.5, 8.0 is needed"),
    "an old driver": ({"version": 11080}, "is of CUDA 11.8, 12.0 is needed"),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_machine_that_does_not_do_is_told(machine, cuda):
    what, words = MACHINES[machine]
    files = cuda.files(M)
    cuda.has(**what)
    for use in (lambda: artifact_in_memory(files), lambda: mind.compile(M, target="gpu")):
        found = error_of(use)
        assert (found.code, words in str(found)) == ("E6002", True), found


def test_a_number_beyond_the_devices_is_told(cuda):
    found = error_of(lambda: artifact_in_memory(cuda.files(M), device=1))
    assert (found.code, "no GPU with number 1" in str(found)) == ("E6002", True)


def test_a_stub_is_told(cuda):
    cuda.fails("cuInit", 34)
    assert "is a stub to link with" in str(error_of(lambda: mind.compile(M, target="gpu")))


def test_a_library_that_is_no_driver_is_told(monkeypatch, tmp_path):
    (tmp_path / "text.so").write_text("no library")
    monkeypatch.setenv("MIND_LIBCUDA", str(tmp_path / "text.so"))
    assert "cannot be loaded" in str(error_of(lambda: mind.compile(M, target="gpu")))
    monkeypatch.setenv("MIND_LIBCUDA", str(tmp_path / "libcuda.so.1"))
    assert "libcuda.so.1 is missing" in str(error_of(lambda: mind.compile(M, target="gpu")))
    monkeypatch.setenv("MIND_LIBCUDA", _ctypes.__file__)
    assert "is no driver" in str(error_of(lambda: mind.compile(M, target="gpu")))


def test_a_driver_that_lacks_a_function_is_too_old(monkeypatch, tmp_path):
    path = fake_cuda.library_path("-DcuGraphLaunch=cuGraphStart")
    monkeypatch.setenv("MIND_LIBCUDA", path)
    found = error_of(lambda: mind.compile(M, target="gpu"))
    assert (found.code, "is too old" in str(found), "it has no cuGraphLaunch" in str(found)) == ("E6002", True, True)


def test_the_functions_are_those_of_nvidias_header():
    headers = [Path(p, "include") for p in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda") if p]
    found = [h for h in headers if (h / "cuda.h").is_file()]
    if not found:
        pytest.skip("no cuda.h: no CUDA toolkit is installed")
    assert fake_cuda.library_path("-DWITH_CUDA_H", f"-I{found[0]}")


# Images


def test_the_driver_gets_a_cubin_first_and_ptx_if_it_refuses_that(cuda):
    files = cuda.files(M)
    if not any(name.endswith(".cubin") for name in files):
        pytest.skip("no ptxas, so no cubin")
    assert artifact_in_memory(files).image == "cubin"
    cuda.refused["cubin"] = 209
    a = artifact_in_memory(files)
    assert (a.image, a.program.chip) == ("ptx", "sm_90")


def test_a_driver_that_takes_no_image_is_too_old(cuda):
    cuda.refused |= {"cubin": 209, "ptx": 222}
    found = error_of(lambda: artifact_in_memory(cuda.files(M)))
    assert (found.code, "takes none of the images" in str(found)) == ("E6002", True)
    assert "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" in str(found)


def test_what_the_drivers_compiler_says_is_told(cuda):
    cuda.refused |= {"cubin": 200, "ptx": 218}
    found = error_of(lambda: artifact_in_memory(cuda.files(M)))
    assert (found.code, "ptxas : one; ptxas : two" in str(found)) == ("E6008", True), found


def test_large_shared_memory_is_asked_for(cuda):
    files = dict(cuda.files(M))
    files["manifest.json"] = files["manifest.json"].replace(b'"shared": 0', b'"shared": 65536')
    cuda.log()
    artifact_in_memory(files)
    found = cuda.log("cuFuncSetAttribute")
    assert found
    assert all(line.endswith(" 8 65536") for line in found)


# Tensor maps


def mapped(cuda, monkeypatch):
    """Two products of tiles that are copied, of inputs and of the arena, and what they give."""
    monkeypatch.setitem(chips.CHIPS, "sm_90a", replace(chips.SM_90A, multiprocessors=1))
    b = mind.Builder()
    x, w = b.Input("x", mind.f32(130, 68)), b.Input("w", mind.f32(68, 68))
    m = b.finish([b.MatMul(b.MatMul(x, w.mT), w.mT)])
    a = artifact_in_memory(cuda.files(m, precision="tf32", chips=("sm_90a",)))
    assert [launch.kernel for launch in a.program.launches] == ["tma_product0"] * 2
    rng = np.random.default_rng(2)
    arrays = [rng.integers(-3, 4, o.type.shape).astype(np.float32) for o in m.inputs]  # exact in TF32
    return a, arrays, mind.interpret(m, *arrays)


def test_products_by_tensor_maps_run_alone_and_in_a_graph(cuda, monkeypatch):
    a, arrays, want = mapped(cuda, monkeypatch)
    for _ in range(3):
        assert_same_bits(a(*arrays), want)
    encoded = cuda.log("cuTensorMapEncodeTiled")
    assert encoded == [
        f"cuTensorMapEncodeTiled 11 rank 2, 68 x {lines}, box 32 x {box}, swizzle 3"
        for lines, box in ((130, 128), (68, 64)) * 2  # a block of two brings half of the columns
    ]


def test_maps_are_of_the_arrays_of_the_call_and_replayed_graphs_keep_theirs(cuda, monkeypatch):
    a, arrays, want = mapped(cuda, monkeypatch)
    first, second = ([on_device(cuda, x * scale) for x in arrays] for scale in (1, 2))
    cuda.log()
    for _ in range(3):  # alone, captured, replayed
        for given, scale in ((first, 1), (second, 8)):
            (found,) = a(*given)
            np.testing.assert_array_equal(found.numpy(), want[0] * scale)


def test_a_map_of_the_arena_is_encoded_once(cuda, monkeypatch):
    a, arrays, _ = mapped(cuda, monkeypatch)
    out = [on_device(cuda, np.zeros((130, 68), np.float32)) for _ in range(2)]
    given = [on_device(cuda, x) for x in arrays]
    cuda.log()
    counts = []
    for n in range(2):
        a(*given, out=out[n])
        counts.append(len(cuda.log("cuTensorMapEncodeTiled")))
    assert counts == [4, 3]


def test_a_map_that_the_driver_refuses_is_told(cuda, monkeypatch):
    a, arrays, _ = mapped(cuda, monkeypatch)
    cuda.fails("cuTensorMapEncodeTiled", 1)
    found = error_of(lambda: a(*arrays))
    assert (found.code, "cuTensorMapEncodeTiled" in str(found)) == ("E6008", True)


def test_a_driver_without_tensor_maps_is_too_old(monkeypatch):
    monkeypatch.setenv("MIND_LIBCUDA", fake_cuda.library_path("-DcuTensorMapEncodeTiled=cuTensorMapEncode"))
    found = error_of(lambda: mind.compile(M, target="gpu"))
    assert (found.code, "it has no cuTensorMapEncodeTiled" in str(found)) == ("E6002", True)


ROOM = TensorMap(Place("input", 0), "tf32", (68, 10), (272,), (32, 8), 128)


@pytest.mark.parametrize(
    "change",
    [
        {"extents": (0, 10)},
        {"extents": (68, 11)},  # past the end of the memory
        {"strides": (264,)},
        {"strides": (2**40,)},
        {"box": (64, 8)},
        {"box": (30, 8)},
        {"box": (32, 257)},
        {"swizzle": 64},
    ],
)
def test_the_driver_of_the_tests_refuses_what_nvidias_does(change, cuda):
    here = device.device()
    with here.current():
        memory = here.memory(68 * 10 * 4)
        Encoded(here.driver, ROOM, memory.pointer)
        with pytest.raises(driver.CudaError, match="INVALID_VALUE"):
            Encoded(here.driver, replace(ROOM, **change), memory.pointer)
        with pytest.raises(driver.CudaError, match="INVALID_VALUE"):
            Encoded(here.driver, replace(ROOM, extents=(68, 9)), memory.pointer + 4)


# Arrays on the device


def on_device(cuda, a, kind=OnDevice):
    return kind(cuda.adopts(aligned(a)))


@pytest.mark.parametrize("kind", [OnDevice, Interface])
def test_arrays_on_the_device_are_not_copied(kind, cuda):
    a, x = loaded(cuda), on_device(cuda, X, kind)
    cuda.log()
    results = a(x)
    assert not cuda.log("cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2")
    assert_same_bits([r.numpy() for r in results], WANT)
    assert [r.shape for r in results] == [(2, 4), (2, 1)]


@pytest.mark.parametrize("kind", [OnDevice, Interface])
def test_results_are_written_where_the_caller_wants_them(kind, cuda):
    a, x = loaded(cuda), on_device(cuda, X, kind)
    out = [on_device(cuda, np.zeros_like(w), kind) for w in WANT]
    for _ in range(3):
        assert a(x, out=out)[1] is out[1]
        assert_same_bits([o.array for o in out], WANT)
        for o in out:
            o.array[...] = 0


def test_results_are_arguments_again(cuda):
    a = loaded(cuda)
    first, _ = a(on_device(cuda, X))
    second, _ = a(first)
    assert_same_bits([second.numpy()], mind.interpret(M, WANT[0])[:1])


def test_arrays_of_the_host_are_taken_beside_those_of_the_device(cuda):
    a = loaded(cuda, GATHER)
    (y,) = a(on_device(cuda, np.ones((3, 2), np.float32)), np.array([0, 1, 2, 2]))
    assert_same_bits([y.numpy()], [np.ones((4, 2), np.float32)])


def test_another_library_takes_a_result_without_a_copy(cuda, monkeypatch):
    monkeypatch.setattr(arrays.DeviceArray, "_dlpack_kind", dlpack.CUDA_MANAGED)  # which NumPy takes for the host's
    y, _ = loaded(cuda)(on_device(cuda, X))
    pointer, before = y.pointer, cuda.live()
    there = np.from_dlpack(y)
    assert there.ctypes.data == pointer
    assert_same_bits([there], WANT[:1])
    del y
    assert cuda.live() == before
    assert_same_bits([there], WANT[:1])
    del there
    assert cuda.live() == before - 1


def test_a_capsule_that_nobody_takes_gives_its_memory_back(cuda):
    y, _ = loaded(cuda)(on_device(cuda, X))
    before = cuda.live()
    capsule = y.__dlpack__()
    del y
    assert cuda.live() == before
    del capsule
    assert cuda.live() == before - 1
    assert not dlpack._exported


def test_a_result_tells_what_it_is(cuda):
    y, _ = loaded(cuda)(on_device(cuda, X))
    assert repr(y) == "<tensor<f32[2, 4]> on Fake 0>"
    assert y.__dlpack_device__() == (2, 0)
    assert y.dtype == np.float32
    shown = y.__cuda_array_interface__
    assert (shown["typestr"], shown["data"], shown["shape"]) == ("<f4", (y.pointer, False), (2, 4))
    with pytest.raises(BufferError):
        y.__dlpack__(copy=True)
    with pytest.raises(BufferError):
        y.__dlpack__(dl_device=(1, 0))


def test_the_call_comes_after_what_other_libraries_have_begun(cuda):
    a, x = loaded(cuda), on_device(cuda, X)
    a(x)
    assert x.streams == [a.runner.stream.handle]
    cuda.log()
    a(on_device(cuda, X, lambda v: Interface(v, stream=2)))
    assert [line.split()[0] for line in cuda.log()][:2] == ["cuEventRecord", "cuStreamWaitEvent"]
    a(on_device(cuda, X, lambda v: Interface(v, stream=None)))
    assert not cuda.log("cuEventRecord")


def refused(cuda):
    """What cannot be an argument x of M, with words of the message."""
    put = lambda array, kind=OnDevice: kind(cuda.adopts(array))  # noqa: E731
    wide = aligned(np.zeros((2, 8), np.float32))
    yield put(aligned(X.astype(np.float64))), "found f64[2, 4] on the device"
    yield put(aligned(X.T.copy())), "found f32[4, 2] on the device"
    yield put(wide[:, :4]), "found a strided array"
    yield put(wide[:, :4], Interface), "found a strided array"
    yield put(aligned(X, 4)), "no multiple of 16"
    yield put(aligned(X.astype(np.uint32))), "found u32[2, 4] on the device"
    yield OnDevice(cuda.adopts(aligned(X)), 1), "is on device 1"

    class Fails(OnDevice):
        def __dlpack__(self, *, stream=None):
            raise BufferError("it needs a gradient")

    yield Fails(X), "it needs a gradient"


def test_arrays_on_the_device_that_do_not_fit_are_refused(cuda):
    a = loaded(cuda)
    for value, words in refused(cuda):
        found = error_of(lambda value=value: a(value))
        assert (found.code, words in str(found)) == ("E6009", True), found


def test_outputs_on_the_device_that_do_not_fit_are_refused(cuda):
    a, x = loaded(cuda), on_device(cuda, X)
    good = [on_device(cuda, np.zeros_like(w)) for w in WANT]
    read_only = Interface(good[0].array, data=(good[0].array.ctypes.data, True))
    for out, words in [
        ([x, good[1]], "out[0] shares memory with argument x"),
        ([read_only, good[1]], "out[0] is read-only"),
        ([good[0], np.empty((2, 1), np.float32)], "out[1] is on the host"),
        (good[:1], "takes 2 arrays"),
    ]:
        found = error_of(lambda out=out: a(x, out=out))
        assert (found.code, words in str(found)) == ("E6009", True), found
    a(X, out=good)  # from the host to the device
    assert_same_bits([g.array for g in good], WANT)


def test_launches_are_begun_on_a_stream_of_the_caller(cuda):
    a, x = loaded(cuda), on_device(cuda, X)
    out = [on_device(cuda, np.zeros_like(w)) for w in WANT]
    cuda.log()
    a(x, out=out, stream=2)
    assert not cuda.log("cuStreamSynchronize")
    assert not out[0].array.any()  # nothing has waited yet
    a.check()
    assert_same_bits([o.array for o in out], WANT)
    assert x.streams == [2]
    assert_same_bits(a(X), WANT)  # the arena is free again


def test_a_run_waits_for_the_arena_that_another_stream_uses(cuda):
    a, x = loaded(cuda), on_device(cuda, X)
    out = [on_device(cuda, np.zeros_like(w)) for w in WANT]
    a(x, out=out, stream=2)
    cuda.log()
    a(X + 1)
    assert cuda.log("cuEventRecord", "cuStreamWaitEvent")
    assert_same_bits([o.array for o in out], WANT)


@pytest.mark.parametrize(
    "stream",
    [
        types.SimpleNamespace(cuda_stream=2),  # PyTorch's
        types.SimpleNamespace(ptr=2),  # CuPy's
        types.SimpleNamespace(__cuda_stream__=lambda: (0, 2)),  # cuda.core's
    ],
    ids=["cuda_stream", "ptr", "protocol"],
)
def test_streams_of_other_libraries_are_taken(stream, cuda):
    a, x = loaded(cuda), on_device(cuda, X)
    a(x, out=[on_device(cuda, np.zeros_like(w)) for w in WANT], stream=stream)
    assert x.streams == [2]


def test_a_stream_takes_arrays_on_the_device_alone(cuda):
    a, x = loaded(cuda), on_device(cuda, X)
    for use in (lambda: a(X, stream=2), lambda: a(x, stream=2), lambda: a(x, out=[x, x], stream="s")):
        assert error_of(use).code == "E6009"


def test_an_index_out_of_bounds_on_a_stream_is_told_by_check(cuda):
    a = loaded(cuda, GATHER)
    x, k = on_device(cuda, np.ones((3, 2), np.float32)), on_device(cuda, np.array([0, 1, 7, 0]))
    a(x, k, out=on_device(cuda, np.zeros((4, 2), np.float32)), stream=2)
    assert error_of(a.check).code == "E6001"


# Commands and compile


def test_compile_gives_code_for_the_gpu_that_is_here(cuda):
    cuda.files(M, "strict", chips=("sm_90a",))
    exe = mind.compile(M, target="gpu", numerics="strict")
    assert (exe.target, exe.artifact.program.chip) == ("gpu", "sm_90a")
    assert_same_bits(exe(X), WANT)
    assert_same_bits(exe(x=on_device(cuda, X))[0].numpy(), WANT[0])
    assert repr(exe).startswith("<Executable for gpu: (x: tensor<f32[2, 4]>)")


def run_command(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["mind-run", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        mind_run.main()
    return left.value.code


def test_mind_run_compares_the_gpu_with_interpret(cuda, monkeypatch, capfd, tmp_path):
    (tmp_path / "m.mindir").write_text(TEXT)
    cuda.files(M, "strict", chips=("sm_90a",))
    status = run_command(
        monkeypatch, tmp_path / "m.mindir", "--target=gpu", "--random=1", "--compare", "--numerics=strict"
    )
    out, err = capfd.readouterr()
    assert (status, out) == (0, "2 outputs equal on gpu and interpret\n"), err


def test_mind_run_runs_an_artifact(cuda, monkeypatch, capfd, tmp_path):
    write_folder(str(tmp_path / "folder"), cuda.files(M, "strict"), "manifest.json")
    np.savez(tmp_path / "in.npz", x=X)
    out = tmp_path / "out.npz"
    status = run_command(
        monkeypatch, tmp_path / "folder", "--target=gpu", "--inputs", tmp_path / "in.npz", "--outputs", out
    )
    assert status == 0, capfd.readouterr().err
    with np.load(out) as found:
        assert_same_bits([found["out0"], found["out1"]], WANT)
    assert run_command(monkeypatch, tmp_path / "folder", "--target=gpu", "--random=0", "--benchmark") == 0
    assert capfd.readouterr().out.startswith("gpu: median")


LOADER = """\
import sys
for name in ("mlir", "typer", "click", "rich", "optree"):
    sys.modules[name] = None
sys.path.insert(0, sys.argv[1])
import checkout
import ctypes, os, numpy
ctypes.CDLL(os.environ["MIND_LIBCUDA"]).fake_reset()  # kernels without hooks do nothing
from mind_mlir.runtime.gpu.artifact import load_artifact
results = load_artifact("folder")(numpy.ones((2, 4), numpy.float32))
print([r.shape for r in results])
"""


def test_an_artifact_runs_without_mlir(cuda, tmp_path):
    write_folder(str(tmp_path / "folder"), cuda.files(M, "strict"), "manifest.json")
    here = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", LOADER, here], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "[(2, 4), (2, 1)]\n", done.stderr


def test_a_jitted_function_runs_on_the_gpu(cuda):
    def f(x, w):
        return mind.relu(x @ w), mind.sum(x)

    x, w = np.float32([[1, -2], [3, 4]]), np.float32([[1, 2], [-3, 4]])
    m = mind.canonicalize(mind.trace(f, x, w).module)
    cuda.files(m, "strict", chips=("sm_90a",))
    found = mind.jit(f, target="gpu", numerics="strict")(x, w)
    assert_same_bits(found, mind.interpret(m, x, w))
    assert cuda.log("cuLaunchKernel")


def test_the_precision_is_that_of_the_code(cuda):
    m = mind.parse(
        '%0 = Input {name = "x"} : tensor<f32[64, 64]>\n%1 = MatMul (%0, %0) : tensor<f32[64, 64]>\noutputs: %1\n'
    )
    cuda.files(m, chips=("sm_90a",), precision="tf32")
    exe = mind.compile(m, target="gpu", precision="tf32")
    assert exe.artifact.manifest.precision == "tf32"
    (y,) = exe(np.full((64, 64), 1 + 2.0**-12, np.float32))
    assert np.all(y == 64)  # TF32 has no bit for 2^-12
