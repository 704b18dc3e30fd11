"""The loader by way of cuda.core: over a fake of that package, and what is told where the package or a GPU is missing.

Where cuda-core is installed, the fake's signatures are compared with its own.
"""

import ctypes
import gc
import importlib
import importlib.util
import inspect
import os
import subprocess
import sys
from dataclasses import replace

import commands
import fake_cuda
import fake_cuda_core
import numpy as np
import pytest
from fake_cuda import OnDevice, aligned, needs_compiler
from limits import HUNG
from support import assert_same_bits, error_of
from test_gpu_loader import ARENA, GATHER, WANT, M, X

import mind_mlir as mind
from mind_mlir import Builder, f64
from mind_mlir.lowering.targets import chips
from mind_mlir.runtime.gpu.artifact import artifact_in_memory
from mind_mlir.runtime.gpu.cuda_core import CudaCoreDriver
from mind_mlir.runtime.gpu.device import Finding, gpu_finding
from mind_mlir.runtime.gpu.driver import CtypesDriver, driver

is_installed = importlib.util.find_spec("cuda") is not None and importlib.util.find_spec("cuda.core") is not None
needs_package = pytest.mark.skipif(not is_installed, reason="cuda-core is not installed: pip install .[cuda-core]")


@pytest.fixture
def core(cuda, monkeypatch):
    """The fake driver, chosen by way of the fake package."""
    fake_cuda_core.install(monkeypatch, cuda)
    monkeypatch.setenv("MIND_CUDA_DRIVER", "cuda-core")
    cuda.log()
    return cuda


def loaded(cuda, m=M, numerics="strict", **options):
    """The artifact of a module on the device."""
    return artifact_in_memory(cuda.files(m, numerics, **options))


def assert_results(found, expected):
    for a, b in zip(found, expected, strict=True):
        assert_same_bits(a, b)


# Runs


@needs_compiler
def test_a_module_runs_as_interpret_does(core):
    a = loaded(core)
    assert isinstance(a.device.driver, CudaCoreDriver)
    for _ in range(3):  # alone, while a graph is made, and by the graph
        assert_results(a(X), WANT)
    assert_results(a(x=X + 1), mind.interpret(M, X + 1))
    assert len(core.log("cuGraphLaunch")) == 3  # all but the first


@needs_compiler
def test_the_driver_is_called_as_by_ctypes(core, monkeypatch):
    def logged(choice):
        monkeypatch.setenv("MIND_CUDA_DRIVER", choice)
        fake_cuda.device._device.cache_clear()
        a = loaded(core)
        core.log()
        for _ in range(3):
            a(X)
        return core.log()

    by_package = logged("cuda-core")
    by_ctypes = logged("libcuda")
    launches = [line for line in by_ctypes if not line.startswith(("cuMemAlloc", "cuStreamSynchronize"))]
    assert [line for line in by_package if line in launches] == launches


@needs_compiler
def test_a_constant_an_arena_and_dynamic_shared_memory_are_there(core):
    assert_results(loaded(core, ARENA)(X), mind.interpret(ARENA, X))
    b = Builder()
    m = b.finish([b.Input("x", f64(64, 64)) @ b.Input("y", f64(64, 64))])
    x, y = (np.random.default_rng(n).standard_normal((64, 64)) for n in (0, 1))
    a = loaded(core, m, "default")
    assert core.log("cuFuncSetAttribute")
    np.testing.assert_allclose(a(x, y)[0], x @ y, atol=1e-12)


@needs_compiler
def test_an_index_out_of_bounds_is_told(core):
    core.files(GATHER, "strict", chips=("sm_90a",))
    exe = mind.compile(GATHER, target="gpu", numerics="strict")
    found = error_of(lambda: exe(np.ones((3, 2), np.float32), np.array([0, 1, 3, 0])))
    assert (found.code, "Gather index 3 is out of bounds" in str(found)) == ("E6001", True)


@needs_compiler
def test_a_stream_of_cuda_core_or_of_another_library_is_taken(core):
    a = loaded(core)
    x = OnDevice(core.adopts(aligned(X)))
    out = [core.adopts(aligned(np.zeros_like(w))) for w in WANT]
    there = [OnDevice(array) for array in out]
    with a.device.current():
        ours = fake_cuda_core.Device().create_stream()
    other = type("Other", (), {"ptr": ours.handle})()
    for stream in (ours, other, ours.handle, 1):
        for array in out:
            array[...] = 0
        a(x, out=there, stream=stream)
        a.check()
        assert_results(out, WANT)


@needs_compiler
def test_results_stay_on_the_device_and_their_memory_is_given_back(core):
    a = loaded(core)
    results = a(OnDevice(core.adopts(aligned(X))))
    assert_results([r.numpy() for r in results], WANT)
    live = core.live()
    del results
    assert core.live() == live - 2


@needs_compiler
def test_everything_is_given_back(core):
    a = loaded(core)
    held = a.device.driver._held
    for _ in range(3):
        a(X)
    assert {kind for kind, _ in held} == {"module", "kernel", "stream", "event", "memory", "graph"}
    del a
    gc.collect()
    assert not held
    assert core.live() == 0
    assert {"cuStreamDestroy_v2", "cuEventDestroy_v2", "cuGraphExecDestroy"} <= set(core.log())


@needs_compiler
def test_the_context_that_was_current_is_again(core):
    a = loaded(core)
    assert fake_cuda_core.cuCtxGetCurrent()[1] == 0
    fake_cuda_core.Device(0).set_current()
    a(X)
    assert fake_cuda_core.cuCtxGetCurrent()[1] == fake_cuda_core._CONTEXT
    fake_cuda_core.cuCtxSetCurrent(0)


@needs_compiler
def test_times_are_taken_between_events(core):
    used = driver()
    device = fake_cuda.device.device()
    with device.current():
        stream = device.stream().handle
        start, end = (used.handle("cuEventCreate", 0) for _ in range(2))
        used.call("cuEventRecord", start, stream)
        used.call("cuEventRecord", end, stream)
        used.call("cuEventSynchronize", end)
        found = ctypes.c_float(5)
        used.call("cuEventElapsedTime", ctypes.byref(found), start, end)
    assert found.value == 0


# Errors

CALLS = ("cuDeviceGetCount", "cuDeviceGetName", "cuDeviceGetAttribute", "cuCtxPushCurrent_v2", "cuStreamCreate")
CALLS += ("cuModuleLoadDataEx", "cuModuleGetFunction", "cuMemAlloc_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2")
CALLS += ("cuLaunchKernel", "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags")
CALLS += ("cuGraphLaunch", "cuStreamSynchronize", "cuEventCreate")


@needs_compiler
@pytest.mark.parametrize("name", CALLS)
def test_an_error_of_any_call_is_told_with_its_name(name, core):
    files = core.files(M, "strict")
    core.fails(name, 719)

    def use():
        a = artifact_in_memory(files)
        a(X)
        a(X)

    found = error_of(use)
    assert found.code == "E6008"
    assert "failed with CUDA_ERROR_LAUNCH_FAILED (719)" in str(found)


@needs_compiler
def test_too_little_memory_is_told_with_what_does_not_fit(core):
    files = core.files(ARENA)
    artifact_in_memory(files)
    core.has(room=40)
    found = error_of(lambda: artifact_in_memory(files))
    assert (found.code, "the arena takes" in str(found)) == ("E6004", True)


@needs_compiler
def test_an_image_that_is_refused_gives_way_to_the_next(core):
    files = core.files(M, "strict", chips=("sm_80", "sm_90a"))
    core.refused = {"ptx": 222, "cubin": 209}
    found = error_of(lambda: artifact_in_memory(files))
    assert (found.code, "takes none of the images" in str(found)) == ("E6002", True)


@needs_compiler
@pytest.mark.parametrize(
    ("machine", "says"),
    [
        ({"devices": 0}, "there is no GPU"),
        ({"capability": (7, 5)}, "has compute capability 7.5, 8.0 is needed"),
        ({"version": 11080}, "cuda-core is too old: it is of CUDA 11.8, 12.0 is needed"),
    ],
)
def test_a_machine_that_does_not_do_is_told(machine, says, core):
    core.has(**machine)
    found = error_of(lambda: mind.compile(M, target="gpu"))
    assert (found.code, says in str(found)) == ("E6002", True), found


@needs_compiler
def test_what_cuda_core_itself_refuses_is_told(core, monkeypatch):
    def refuse(self, *_, **__):
        raise TypeError("it takes other arguments now")

    a = loaded(core)
    monkeypatch.setattr(fake_cuda_core.Buffer, "copy_from", refuse)
    found = error_of(lambda: a(X))
    assert found.code == "E6008"
    assert "cuMemcpyHtoDAsync_v2 failed with TypeError" in str(found)
    assert "it takes other arguments now" in str(found)


# The choice


@needs_compiler
@needs_compiler
def test_tensor_maps_are_refused_before_anything_runs(core, monkeypatch):
    monkeypatch.setitem(chips.CHIPS, "sm_90a", replace(chips.SM_90A, multiprocessors=1))
    b = mind.Builder()
    m = b.finish([b.MatMul(b.Input("x", mind.f32(130, 68)), b.Input("w", mind.f32(68, 68)).mT)])
    x, w = np.zeros((130, 68), np.float32), np.zeros((68, 68), np.float32)
    with pytest.raises(mind.MindError) as error:
        artifact_in_memory(core.files(m, precision="tf32", chips=("sm_90a",)))(x, w)
    assert error.value.code == "E6002"
    assert "takes no tensor maps" in str(error.value)


def test_the_choice_is_an_argument_or_a_variable(core, monkeypatch):
    assert isinstance(driver(), CudaCoreDriver)
    assert isinstance(driver(core.path), CtypesDriver)
    monkeypatch.setenv("MIND_CUDA_DRIVER", "libcuda")
    assert isinstance(driver(), CtypesDriver)
    assert isinstance(driver("cuda-core"), CudaCoreDriver)
    monkeypatch.delenv("MIND_CUDA_DRIVER")
    assert isinstance(driver(), CtypesDriver)
    assert artifact_in_memory(core.files(M), driver="cuda-core").device.driver is driver("cuda-core")


def test_a_choice_that_there_is_not_is_told(monkeypatch):
    monkeypatch.setenv("MIND_CUDA_DRIVER", "cupy")
    found = error_of(lambda: mind.compile(M, target="gpu"))
    assert (found.code, "MIND_CUDA_DRIVER is one of libcuda, cuda-core, found cupy" in str(found)) == ("E7007", True)


def test_a_package_that_is_not_installed_is_told(monkeypatch):
    for name in ("cuda", "cuda.core"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv("MIND_CUDA_DRIVER", "cuda-core")
    fake_cuda.driver._driver.cache_clear()
    found = error_of(lambda: mind.compile(M, target="gpu"))
    assert (found.code, "cuda-core is not installed" in str(found)) == ("E6002", True)
    assert "pip install mind-mlir[cuda-core]" in str(found)
    assert isinstance(gpu_finding(), Finding)  # the doctor says so in a line


# The package itself

PROGRAM = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import mind_mlir as mind
try:
    mind.compile(mind.parse('%0 = Input {{name = "x"}} : tensor<f32[2]>\\noutputs: %0'), target="gpu")
    print("there is a GPU")
except mind.MindError as why:
    print(why.code, why.message)
"""


RUNS = f"""
import gc, os, sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import cuda.core
import fake_cuda
import numpy as np
import mind_mlir as mind
from mind_mlir.runtime.gpu.artifact import artifact_in_memory
from test_gpu_loader import ARENA, M, WANT, X

fake = fake_cuda.FakeCuda(sys.argv[1])

def check(m, *arrays, calls=3):
    a = artifact_in_memory(fake.files(m, "strict", chips=("sm_90",)), driver="cuda-core")
    for _ in range(calls):
        for found, expected in zip(a(*arrays), mind.interpret(m, *arrays), strict=True):
            assert found.tobytes() == expected.tobytes()
    return a

a = check(M, X)
assert len(fake.log("cuGraphLaunch")) == 2
check(ARENA, X)
b = mind.Builder()
check(b.finish([b.Input("x", mind.f32(100, 70)) @ b.Input("y", mind.f32(70, 90))]),
      np.ones((100, 70), np.float32), np.ones((70, 90), np.float32))
x = fake_cuda.OnDevice(fake.adopts(fake_cuda.aligned(X)))
out = [fake.adopts(fake_cuda.aligned(np.zeros_like(w))) for w in WANT]
with a.device.current():
    stream = cuda.core.Device().create_stream()
for taken in (stream, int(stream.handle), cuda.core.LEGACY_DEFAULT_STREAM):
    for array in out:
        array[...] = 0
    a(x, out=[fake_cuda.OnDevice(array) for array in out], stream=taken)
    a.check()
    assert all(found.tobytes() == expected.tobytes() for found, expected in zip(out, WANT, strict=True))
fake.fails("cuLaunchKernel", 1)
try:
    check(M, X, calls=1)
except mind.MindError as why:
    assert why.code == "E6008" and "CUDA_ERROR_INVALID_VALUE" in str(why), why
fake.has(room=16)
try:
    check(M, X, calls=1)
except mind.MindError as why:
    assert why.code == "E6004", why
held = a.device.driver._held
del a, stream
gc.collect()
assert not held, held
assert fake.live() == 0
assert not fake.raised
print("right", flush=True)
os._exit(0)  # what the package does at the end of a process, the fake driver does not bear
"""


@needs_package
@needs_compiler
def test_the_package_itself_runs_modules_over_the_fake_driver():
    path = fake_cuda.library_path("-DWITH_CUDA_CORE", "-ldl")
    env = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(path)}
    command = [sys.executable, "-X", "faulthandler", "-c", RUNS, path]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=HUNG)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr


@needs_package
def test_the_package_without_a_gpu_is_told():
    env = {**os.environ, "MIND_CUDA_DRIVER": "cuda-core"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(("E6002 the target gpu is not available: ", "there is a GPU")), done.stdout


def assert_taken_by(fake, real, name):
    """Whoever calls the fake may call the package's function: it has those parameters, and needs no others."""
    theirs = inspect.signature(real).parameters
    for p in inspect.signature(fake).parameters.values():
        assert p.name in theirs, f"{name} has no {p.name}"
        assert p.kind is theirs[p.name].kind, f"{name}: {p.name}"
        assert p.default is p.empty or theirs[p.name].default is not p.empty, f"{name} needs {p.name}"
    ours = inspect.signature(fake).parameters
    in_order = [n for n in theirs if n in ours]
    assert in_order == list(ours), name
    assert all(p.default is not p.empty for n, p in theirs.items() if n not in ours), name


def used(module, things):
    """(name, the fake's, the package's) of every function and method."""
    for thing in things:
        found = getattr(module, thing.__name__)
        if not inspect.isclass(thing):
            yield thing.__name__, thing, found
            continue
        for name, member in vars(thing).items():
            member = inspect.unwrap(getattr(member, "__func__", member))
            if inspect.isfunction(member) and (not name.startswith("_") or name == "__new__"):
                yield f"{thing.__name__}.{name}", getattr(thing, name), getattr(found, name)


@needs_package
def test_the_fakes_signatures_are_those_of_the_package():
    core, graph = (importlib.import_module(f"cuda.core{name}") for name in ("", ".graph"))
    graphs = (fake_cuda_core.GraphBuilder, fake_cuda_core.Graph)
    pairs = [*used(core, fake_cuda_core.CORE), *used(graph, graphs)]
    assert len(pairs) > 20
    for name, fake, real in pairs:
        assert_taken_by(fake, real, name)
    for owner, name in ((core.Device, "name"), (core.Device, "compute_capability"), (core.Device, "device_id")):
        assert hasattr(owner, name)
    for owner in (core.Stream, core.Event, core.Buffer, core.ObjectCode, core.Kernel, graph.Graph):
        assert hasattr(owner, "handle"), owner
    assert hasattr(core.Stream, "__cuda_stream__")
    assert core.LaunchConfig(grid=(1, 2, 3), block=(4, 5, 6), shmem_size=7).shmem_size == 7


@needs_package
def test_the_fakes_numbers_are_those_of_the_bindings():
    bindings = importlib.import_module("cuda.bindings.driver")
    for kind in (fake_cuda_core.CUresult, fake_cuda_core.CUfunction_attribute):
        for member in kind:
            assert int(getattr(getattr(bindings, kind.__name__), member.name)) == member
    functions = [f.__name__ for f in fake_cuda_core.BINDINGS if not inspect.isclass(f) and f.__name__ != "CUdevice"]
    assert len(functions) == 7
    for name in functions:
        fake, real = getattr(fake_cuda_core, name), getattr(bindings, name)
        assert list(inspect.signature(fake).parameters) == list(inspect.signature(real).parameters), name
    assert int(bindings.CUdevice(3)) == fake_cuda_core.CUdevice(3) == 3
