"""The emulator of a GPU finds planted faults, and its instructions compute what PTX says they do."""

import re

import numpy as np
import pytest

from mind_mlir.testing import emulation
from mind_mlir.testing.emulation import ORDERS, EmulationError, Emulator, Memory, tensor_map

pytestmark = pytest.mark.skipif(emulation.c_compiler() is None, reason="no C compiler: GPU kernels are not emulated")

SHARED = "#gpu.address_space<workgroup>"


def kernel(body: str, parameters: str, shared: str = "", chip: str = "sm_80", cluster: int = 1) -> Emulator:
    """The kernel `k` of this body, which may use %t, %b and constants as %c5, for clusters of so many blocks."""
    from mind_mlir import lowering  # noqa: F401  registers its passes
    from mind_mlir.ir import Source
    from mind_mlir.lowering.mlir.pass_driver import parse_mlir
    from mind_mlir.passes import Level, Pipeline

    constants = [
        f"%c{n} = arith.constant {n} : index" for n in sorted({int(n) for n in re.findall(r"%c(\d+)\b", body)})
    ]
    workgroup = f"workgroup({shared})" if shared else ""
    text = f"""
        module attributes {{gpu.container_module}} {{
          gpu.module @kernels {{
            gpu.func @k({parameters}) {workgroup} kernel
                attributes {{nvvm.cluster_dim = array<i32: {cluster}, 1, 1>}} {{
              %t = gpu.thread_id x
              %b = gpu.block_id x
              {" ".join(constants)}
              {body}
              gpu.return
            }}
          }}
        }}"""
    pipeline = Pipeline.parse("gpu-to-nvvm", Level.MLIR)
    pipeline = Pipeline(tuple(s.with_option("chip", chip) for s in pipeline.steps))
    return Emulator(pipeline.run(parse_mlir(Source("kernel.mlir", text))), chip)


def launch(k: Emulator, *arrays, grid=1, block=32, written=(-1,), **options) -> None:
    """Run it on arrays, of which some may be written."""
    written = [n % len(arrays) for n in written]
    memory = [Memory(a.ctypes.data, a.nbytes, f"argument {n}", n in written) for n, a in enumerate(arrays)]
    grid, block = ([n] if isinstance(n, int) else n for n in (grid, block))
    k.launch("k", grid, block, [a.ctypes.data for a in arrays], memory, **options)


def failure(k: Emulator, *arrays, **options) -> str:
    """The message that a launch ends with."""
    with pytest.raises(EmulationError) as caught:
        launch(k, *arrays, **options)
    return str(caught.value)


def aligned(shape, dtype=np.float32) -> np.ndarray:
    """An array full of NaNs, or -1, that starts where a device would have it."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.full(size + 256, 0xFF, np.uint8)
    start = -room.ctypes.data % 256
    return room[start : start + size].view(dtype).reshape(shape)


def counted(shape, dtype=np.float32) -> np.ndarray:
    a = aligned(shape, dtype)
    a[...] = np.arange(a.size).reshape(shape)
    return a


# Threads and barriers

REVERSED = """
    %x = memref.load %in[%t] : memref<64xf32>
    memref.store %x, %s[%t] : memref<64xf32, SPACE>
    BARRIER
    %r = arith.subi %c63, %t : index
    %y = memref.load %s[%r] : memref<64xf32, SPACE>
    memref.store %y, %out[%t] : memref<64xf32>
""".replace("SPACE", SHARED)


def reversal(barrier: str) -> Emulator:
    """64 numbers in reverse, through shared memory."""
    body = REVERSED.replace("BARRIER", barrier)
    return kernel(body, "%in: memref<64xf32>, %out: memref<64xf32>", f"%s: memref<64xf32, {SHARED}>")


@pytest.mark.parametrize("order", ORDERS)
def test_threads_share_memory_through_a_barrier(order):
    x, y = counted(64), aligned(64)
    launch(reversal("gpu.barrier"), x, y, block=64, order=order)
    np.testing.assert_array_equal(y, x[::-1])


@pytest.mark.parametrize("order", ORDERS)
def test_a_barrier_that_is_missing_is_found_in_every_order(order):
    found = failure(reversal(""), counted(64), aligned(64), block=64, order=order)
    assert "without a barrier in between" in found
    assert "shared memory __wg_k_0" in found


def test_a_barrier_that_is_missing_shows_in_results_where_races_are_not_looked_for():
    found = []
    for order in ORDERS:
        found.append(aligned(64))
        launch(reversal(""), counted(64), found[-1], block=64, order=order, races=False)
    assert any(np.isnan(y).any() for y in found)
    assert found[0].tobytes() != found[1].tobytes()


def test_a_barrier_that_some_threads_do_not_reach_is_found():
    body = """
        %p = arith.cmpi ult, %t, %c40 : index
        scf.if %p { gpu.barrier }
    """
    found = failure(kernel(body, "%out: memref<1xf32>"), aligned(1), block=64)
    assert "39 more wait at a barrier for 64 threads, and 24 have ended" in found


def test_barriers_at_two_places_do_not_meet_within_a_warp():
    body = """
        %p = arith.cmpi ult, %t, %c16 : index
        scf.if %p { gpu.barrier } else { nvvm.barrier0 memref.store %f, %out[%c0] : memref<1xf32> }
    """
    found = failure(kernel("%f = arith.constant 0.0 : f32\n" + body, "%out: memref<1xf32>"), aligned(1))
    assert "another barrier than the first thread of its warp" in found


def test_threads_that_wait_for_each_other_in_a_circle_are_a_deadlock():
    body = """
        %m = arith.constant -1 : i32
        %p = arith.cmpi eq, %t, %c0 : index
        scf.if %p { gpu.barrier } else { nvvm.bar.warp.sync %m : i32 }
    """
    found = failure(kernel(body, "%out: memref<1xf32>"), aligned(1))
    assert "deadlock" in found
    assert "1 at a barrier at nvvm.barrier" in found
    assert "31 for lanes of their warp at nvvm.bar.warp.sync" in found


def test_blocks_that_write_one_place_are_found_unless_they_write_the_same():
    store = "memref.store %v, %out[%c0] : memref<1xf32>"
    number = kernel(
        f"%i = arith.index_cast %b : index to i32 %v = arith.sitofp %i : i32 to f32 {store}", "%out: memref<1xf32>"
    )
    assert "other bits" in failure(number, aligned(1), grid=2, block=1)
    constant = kernel(f"%v = arith.constant 7.0 : f32 {store}", "%out: memref<1xf32>")
    y = aligned(1)
    launch(constant, y, grid=2, block=64)
    assert y == 7


def test_atomic_additions_are_no_race():
    body = """
        %one = arith.constant 1.0 : f32
        %old = memref.atomic_rmw addf %one, %out[%c0] : (f32, memref<1xf32>) -> f32
    """
    y = aligned(1)
    y[0] = 0
    launch(kernel(body, "%out: memref<1xf32>"), y, grid=3, block=64)
    assert y == 192


# Memory

COPY = """
    %n = arith.muli %b, %c32 : index
    %i = arith.addi %n, %t : index
    %x = memref.load %in[%i] : memref<64xf32>
    memref.store %x, %out[%i] : memref<64xf32>
"""


def test_a_grid_that_is_too_large_is_out_of_bounds():
    k = kernel(COPY, "%in: memref<64xf32>, %out: memref<64xf32>")
    x, y = counted(64), aligned(64)
    launch(k, x, y, grid=2)
    np.testing.assert_array_equal(y, x)
    found = failure(k, x, y, grid=3)
    assert (
        "block (2, 0, 0), thread (0, 0, 0) reads 4 bytes out of bounds, 4 bytes beyond argument 0 of 256 bytes" in found
    )


def test_a_grid_that_is_too_small_leaves_garbage():
    y = aligned(64)
    launch(kernel(COPY, "%in: memref<64xf32>, %out: memref<64xf32>"), counted(64), y, grid=1)
    assert np.isnan(y[32:]).all()
    assert not np.isnan(y[:32]).any()


def test_reads_before_memory_writes_beyond_shared_memory_and_writes_to_inputs_are_found():
    copied = "memref.store %x, %out[%t] : memref<32xf32>"
    k = kernel(
        f"%i = arith.subi %t, %c1 : index %x = memref.load %in[%i] : memref<32xf32> {copied}",
        "%in: memref<32xf32>, %out: memref<32xf32>",
    )
    assert "4 bytes before argument 0" in failure(k, counted(32), aligned(32))
    k = kernel(
        f"%x = memref.load %in[%t] : memref<32xf32> memref.store %x, %s[%t] : memref<31xf32, {SHARED}> {copied}",
        "%in: memref<32xf32>, %out: memref<32xf32>",
        f"%s: memref<31xf32, {SHARED}>",
    )
    assert "thread (31, 0, 0) writes 4 bytes out of bounds, 4 bytes beyond shared memory" in failure(
        k, counted(32), aligned(32)
    )
    k = kernel(f"%x = memref.load %in[%t] : memref<32xf32> {copied}", "%in: memref<32xf32>, %out: memref<32xf32>")
    assert "argument 1, which is not to be written" in failure(k, counted(32), aligned(32), written=())


def test_vectors_have_to_be_aligned():
    body = """
        %i = arith.addi %t, OFFSET : index
        %x = vector.load %in[%i] {alignment = 16 : i64} : memref<8xf32>, vector<4xf32>
        vector.store %x, %out[%c0] {alignment = 16 : i64} : memref<4xf32>, vector<4xf32>
    """
    parameters = "%in: memref<8xf32>, %out: memref<4xf32>"
    y = aligned(4)
    launch(kernel(body.replace("OFFSET", "%c4"), parameters), counted(8), y, block=1)
    np.testing.assert_array_equal(y, [4, 5, 6, 7])
    found = failure(kernel(body.replace("OFFSET", "%c2"), parameters), counted(8), y, block=1)
    assert "16 bytes at byte 8 of argument 0, which is no multiple of 16" in found


def test_shared_memory_starts_as_garbage_in_every_block():
    body = f"""
        %x = memref.load %s[%t] : memref<32xf32, {SHARED}>
        %f = arith.constant 1.0 : f32
        memref.store %f, %s[%t] : memref<32xf32, {SHARED}>
        %n = arith.muli %b, %c32 : index
        %i = arith.addi %n, %t : index
        memref.store %x, %out[%i] : memref<64xf32>
    """
    y = counted(64)
    launch(kernel(body, "%out: memref<64xf32>", f"%s: memref<32xf32, {SHARED}>"), y, grid=2)
    assert np.isnan(y).all()


@pytest.mark.parametrize(
    ("grid", "block", "shared", "why"),
    [
        (1, 1025, 0, "1024 threads"),
        (1, [1, 1, 65], 0, "64 along z"),
        ([1, 65536], 1, 0, "65535 along y"),
        (0, 1, 0, "no number may be 0"),
        (1, 1, 164 << 10, "of which sm_80 has 166912"),
    ],
)
def test_launches_that_a_device_refuses_are_refused(grid, block, shared, why):
    k = kernel("%f = arith.constant 0.0 : f32 memref.store %f, %out[%c0] : memref<1xf32>", "%out: memref<1xf32>")
    assert why in failure(k, aligned(1), grid=grid, block=block, shared=shared)


def test_more_shared_memory_than_a_kernel_may_declare_is_refused():
    k = kernel(
        f"%x = memref.load %s[%c0] : memref<13000xf32, {SHARED}> memref.store %x, %out[%c0] : memref<1xf32>",
        "%out: memref<1xf32>",
        f"%s: memref<13000xf32, {SHARED}>",
    )
    assert "52000 bytes of shared memory, at most 49152" in failure(k, aligned(1))


# Warps


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("xor", lambda i: i ^ 5),
        ("up", lambda i: np.where(i >= 5, i - 5, i)),
        ("down", lambda i: np.where(i < 27, i + 5, i)),
        ("idx", lambda i: np.full(32, 5)),
    ],
)
@pytest.mark.parametrize("order", ORDERS)
def test_shuffles_take_values_of_other_lanes(mode, expected, order):
    body = f"""
        %d = arith.constant 5 : i32
        %w = arith.constant 32 : i32
        %x = memref.load %in[%t] : memref<32xf64>
        %y, %p = gpu.shuffle {mode} %x, %d, %w : f64
        memref.store %y, %out[%t] : memref<32xf64>
    """
    x, y = counted(32, np.float64), aligned(32, np.float64)
    launch(kernel(body, "%in: memref<32xf64>, %out: memref<32xf64>"), x, y, order=order)
    np.testing.assert_array_equal(y, expected(np.arange(32)))


def test_a_shuffle_that_a_lane_does_not_reach_is_found():
    body = """
        %d = arith.constant 1 : i32
        %w = arith.constant 32 : i32
        %p = arith.cmpi ne, %t, %c3 : index
        scf.if %p {
          %x = memref.load %in[%t] : memref<32xf32>
          %y, %q = gpu.shuffle xor %x, %d, %w : f32
          memref.store %y, %out[%t] : memref<32xf32>
        }
    """
    found = failure(kernel(body, "%in: memref<32xf32>, %out: memref<32xf32>"), counted(32), aligned(32))
    assert "waits for lane 3 of its warp, which has ended, at nvvm.shfl.sync" in found


@pytest.mark.parametrize("threads", [64, 50])
def test_all_threads_of_a_block_add_up(threads):
    body = """
        %x = memref.load %in[%t] : memref<64xf32>
        %sum = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
        memref.store %sum, %out[%t] : memref<64xf32>
    """
    x, y = counted(64), aligned(64)
    launch(kernel(body, "%in: memref<64xf32>, %out: memref<64xf32>"), x, y, block=threads)
    assert (y[:threads] == x[:threads].sum()).all()


FRAGMENTS = """
    %g = arith.divui %t, %c4 : index
    %q = arith.remui %t, %c4 : index
    %q2 = arith.muli %q, %c2 : index
    %g8 = arith.addi %g, %c8 : index
    %q4 = arith.addi %q, %c4 : index
    %q21 = arith.addi %q2, %c1 : index
"""


def test_products_of_tf32_matrices():
    body = (
        FRAGMENTS
        + """
        %a0 = memref.load %a[%g, %q] : memref<16x8xf32>
        %a1 = memref.load %a[%g8, %q] : memref<16x8xf32>
        %a2 = memref.load %a[%g, %q4] : memref<16x8xf32>
        %a3 = memref.load %a[%g8, %q4] : memref<16x8xf32>
        %b0 = memref.load %bb[%q, %g] : memref<8x8xf32>
        %b1 = memref.load %bb[%q4, %g] : memref<8x8xf32>
        %fa = vector.from_elements %a0, %a1, %a2, %a3 : vector<4x1xf32>
        %fb = vector.from_elements %b0, %b1 : vector<2x1xf32>
        %fc = arith.constant dense<1.0> : vector<2x2xf32>
        %fd = nvgpu.mma.sync(%fa, %fb, %fc) {mmaShape = [16, 8, 8], tf32Enabled}
          : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0 = vector.extract %fd[0, 0] : f32 from vector<2x2xf32>
        %d1 = vector.extract %fd[0, 1] : f32 from vector<2x2xf32>
        %d2 = vector.extract %fd[1, 0] : f32 from vector<2x2xf32>
        %d3 = vector.extract %fd[1, 1] : f32 from vector<2x2xf32>
        memref.store %d0, %out[%g, %q2] : memref<16x8xf32>
        memref.store %d1, %out[%g, %q21] : memref<16x8xf32>
        memref.store %d2, %out[%g8, %q2] : memref<16x8xf32>
        memref.store %d3, %out[%g8, %q21] : memref<16x8xf32>
    """
    )
    a, b, d = counted((16, 8)), counted((8, 8)), aligned((16, 8))
    a += np.float32(2**-13)  # what tensor cores do not read of numbers from 1 on
    launch(kernel(body, "%a: memref<16x8xf32>, %bb: memref<8x8xf32>, %out: memref<16x8xf32>"), a, b, d)
    exact = (a.view(np.uint32) & 0xFFFFE000).view(np.float32).astype(np.float64) @ b + 1
    np.testing.assert_array_equal(d, exact.astype(np.float32))


def test_products_of_f64_matrices():
    body = (
        FRAGMENTS
        + """
        %a0 = memref.load %a[%g, %q] : memref<8x4xf64>
        %b0 = memref.load %bb[%q, %g] : memref<4x8xf64>
        %fa = vector.from_elements %a0 : vector<1x1xf64>
        %fb = vector.from_elements %b0 : vector<1x1xf64>
        %fc = arith.constant dense<1.0> : vector<1x2xf64>
        %fd = nvgpu.mma.sync(%fa, %fb, %fc) {mmaShape = [8, 8, 4]}
          : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
        %d0 = vector.extract %fd[0, 0] : f64 from vector<1x2xf64>
        %d1 = vector.extract %fd[0, 1] : f64 from vector<1x2xf64>
        memref.store %d0, %out[%g, %q2] : memref<8x8xf64>
        memref.store %d1, %out[%g, %q21] : memref<8x8xf64>
    """
    )
    a, b, d = counted((8, 4), np.float64), counted((4, 8), np.float64), aligned((8, 8), np.float64)
    launch(kernel(body, "%a: memref<8x4xf64>, %bb: memref<4x8xf64>, %out: memref<8x8xf64>"), a, b, d)
    np.testing.assert_array_equal(d, a @ b + 1)


def test_a_warp_loads_matrices_from_shared_memory():
    body = (
        FRAGMENTS
        + f"""
        scf.for %i = %c0 to %c4 step %c1 {{
          %x = memref.load %in[%t, %i] : memref<32x4xf32>
          memref.store %x, %s[%t, %i] : memref<32x4xf32, {SHARED}>
        }}
        gpu.barrier
        %f = nvgpu.ldmatrix %s[%t, %c0] {{numTiles = 4 : i32, transpose = false}}
          : memref<32x4xf32, {SHARED}> -> vector<4x1xf32>
        %e0 = vector.extract %f[0, 0] : f32 from vector<4x1xf32>
        %e1 = vector.extract %f[1, 0] : f32 from vector<4x1xf32>
        %e2 = vector.extract %f[2, 0] : f32 from vector<4x1xf32>
        %e3 = vector.extract %f[3, 0] : f32 from vector<4x1xf32>
        memref.store %e0, %out[%c0, %g, %q] : memref<4x8x4xf32>
        memref.store %e1, %out[%c1, %g, %q] : memref<4x8x4xf32>
        memref.store %e2, %out[%c2, %g, %q] : memref<4x8x4xf32>
        memref.store %e3, %out[%c3, %g, %q] : memref<4x8x4xf32>
    """
    )
    x, y = counted((32, 4)), aligned((4, 8, 4))
    launch(kernel(body, "%in: memref<32x4xf32>, %out: memref<4x8x4xf32>", f"%s: memref<32x4xf32, {SHARED}>"), x, y)
    np.testing.assert_array_equal(y, x.reshape(4, 8, 4))


# Approximations


def test_approximate_powers_and_logarithms_are_off_by_what_ptx_allows():
    body = """
        %x = memref.load %in[%t] : memref<64xf32>
        %p = llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%x) : (f32) -> f32
        %l = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%p) : (f32) -> f32
        memref.store %p, %powers[%t] : memref<64xf32>
        memref.store %l, %logs[%t] : memref<64xf32>
    """
    x, powers, logs = aligned((64,)), aligned((64,)), aligned((64,))
    x[:] = np.linspace(-20, 20, 64)
    arguments = ", ".join(f"%{name}: memref<64xf32>" for name in ("in", "powers", "logs"))
    launch(kernel(body, arguments), x, powers, logs, block=64, written=(1, 2))
    off = np.abs(powers / np.exp2(x.astype(np.float64)) - 1)
    assert (off > 2.0**-23).all()
    assert (off <= 2.0**-22).all()
    exact = np.log2(powers.astype(np.float64))
    off = np.abs(logs - exact) / np.where(np.abs(exact) < 1, 1, np.abs(exact))
    assert (off > 2.0**-23).all()
    assert (off <= 2.0**-22).all()


def test_an_intrinsic_that_is_not_known_is_named():
    body = """
        %x = memref.load %in[%t] : memref<64xf32>
        %y = llvm.call_intrinsic "llvm.nvvm.sin.approx.f"(%x) : (f32) -> f32
        memref.store %y, %in[%t] : memref<64xf32>
    """
    with pytest.raises(emulation.NotEmulated, match=r"llvm\.nvvm\.sin\.approx\.f"):
        kernel(body, "%in: memref<64xf32>")


# Copies beside the threads

COPIES = f"""
    %token = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<64xf32> to memref<64xf32, {SHARED}>
    %group = nvgpu.device_async_create_group %token
    WAIT
    BARRIER
    %r = arith.subi %c63, %t : index
    %y = memref.load %s[%r] : memref<64xf32, {SHARED}>
    memref.store %y, %out[%t] : memref<64xf32>
"""


def copies(
    wait: str = "nvgpu.device_async_wait %group {numGroups = 0 : i32}", barrier: str = "gpu.barrier"
) -> Emulator:
    """64 numbers in reverse, through copies to shared memory."""
    body = COPIES.replace("WAIT", wait).replace("BARRIER", barrier)
    return kernel(body, "%in: memref<64xf32>, %out: memref<64xf32>", f"%s: memref<64xf32, {SHARED}>")


@pytest.mark.parametrize("order", ORDERS)
def test_copies_are_there_after_a_wait_and_a_barrier(order):
    x, y = counted(64), aligned(64)
    launch(copies(), x, y, block=64, order=order)
    np.testing.assert_array_equal(y, x[::-1])


@pytest.mark.parametrize("wait", ["", "nvgpu.device_async_wait %group {numGroups = 1 : i32}"])
def test_a_wait_that_is_missing_or_weak_shows_as_garbage(wait):
    y = aligned(64)
    launch(copies(wait=wait), counted(64), y, block=64)
    assert np.isnan(y).all()


def test_a_barrier_that_is_missing_behind_a_wait_is_found():
    assert "without a barrier in between" in failure(copies(barrier=""), counted(64), aligned(64), block=64)


def test_a_copy_to_what_others_still_read_is_found():
    body = f"""
        memref.store %f, %s[%t] : memref<64xf32, {SHARED}>
        gpu.barrier
        %r = arith.subi %c63, %t : index
        %y = memref.load %s[%r] : memref<64xf32, {SHARED}>
        %token = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<64xf32> to memref<64xf32, {SHARED}>
        memref.store %y, %out[%t] : memref<64xf32>
    """
    parameters = "%in: memref<64xf32>, %out: memref<64xf32>"
    k = kernel("%f = arith.constant 0.0 : f32\n" + body, parameters, f"%s: memref<64xf32, {SHARED}>")
    assert "without a barrier in between" in failure(k, counted(64), aligned(64), block=64)


def test_copies_have_bounds():
    found = failure(copies(), counted(63), aligned(64), block=64)
    assert "thread (63, 0, 0) copies 4 bytes out of bounds, 4 bytes beyond argument 0" in found


# Tiles and warp groups


def described(a: np.ndarray, box: tuple[int, int]) -> np.ndarray:
    """The tensor map of a matrix, for tiles of so many rows and columns."""
    found = aligned(128, np.uint8)
    data = tensor_map(a.ctypes.data, a.shape[::-1], a.strides[:1], box[::-1], a.itemsize, 128)
    found[...] = np.frombuffer(data, np.uint8)
    return found


def tile_kernel(steps: int, barrier: str = "gpu.barrier", waits: bool = True, left: int = 0) -> Emulator:
    """out = a · bᵀ of 64 x k and 8 x k numbers for k = 32 · steps: one warp group, tiles of 32 columns, one buffer."""
    sums = "!llvm.struct<(f32, f32, f32, f32)>"
    tile = f"memref<{{}}x32xf32, {SHARED}>"
    tiles = {"a": tile.format(64), "b": tile.format(8)}
    maps = {
        n: f"!nvgpu.tensormap.descriptor<tensor = {t.replace(SHARED, '3')}, swizzle = swizzle_128b, l2promo = none, "
        "oob = zero, interleave = none>"
        for n, t in tiles.items()
    }
    bar = f"!nvgpu.mbarrier.group<memorySpace = {SHARED}, num_barriers = 1>"
    body = f"""
        %da = builtin.unrealized_conversion_cast %pa : !llvm.ptr to {maps["a"]}
        %db = builtin.unrealized_conversion_cast %pb : !llvm.ptr to {maps["b"]}
        %false = arith.constant false
        %true = arith.constant true
        %first = arith.cmpi eq, %t, %c0 : index
        %bar = nvgpu.mbarrier.create -> {bar}
        scf.if %first {{ nvgpu.mbarrier.init %bar[%c0], %c1 : {bar} }}
        gpu.barrier
        %zero = llvm.mlir.zero : {sums}
        %r:2 = scf.for %i = %c0 to %c{steps} step %c1 iter_args(%s0 = %zero, %phase = %false) -> ({sums}, i1) {{
          %x = arith.muli %i, %c32 : index
          scf.if %first {{
            nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %c9216 : {bar}
            nvgpu.tma.async.load %da[%x, %c0], %bar[%c0] to %a : {maps["a"]}, {bar} -> {tiles["a"]}
            nvgpu.tma.async.load %db[%x, %c0], %bar[%c0] to %bb : {maps["b"]}, {bar} -> {tiles["b"]}
          }}
          {f"nvgpu.mbarrier.try_wait.parity %bar[%c0], %phase, %c10000 : {bar}" if waits else "gpu.barrier"}
          %wa = nvgpu.warpgroup.generate.descriptor %a, %da : {tiles["a"]}, {maps["a"]}
            -> !nvgpu.warpgroup.descriptor<tensor = {tiles["a"]}>
          %wb = nvgpu.warpgroup.generate.descriptor %bb, %db : {tiles["b"]}, {maps["b"]}
            -> !nvgpu.warpgroup.descriptor<tensor = {tiles["b"]}>
          %ia = builtin.unrealized_conversion_cast %wa : !nvgpu.warpgroup.descriptor<tensor = {tiles["a"]}> to i64
          %ib = builtin.unrealized_conversion_cast %wb : !nvgpu.warpgroup.descriptor<tensor = {tiles["b"]}> to i64
          nvvm.wgmma.fence.aligned
    """
    for n in range(4):
        body += f"""
          %o{n} = llvm.mlir.constant({2 * n} : i64) : i64
          %xa{n} = llvm.add %ia, %o{n} : i64
          %xb{n} = llvm.add %ib, %o{n} : i64
          %s{n + 1} = nvvm.wgmma.mma_async %xa{n}, %xb{n}, %s{n}, <m = 64, n = 8, k = 8>, D [<f32>, <one>],
            A [<tf32>, <one>, <row>], B [<tf32>, <one>, <col>] : {sums} -> {sums}
        """
    body += f"""
          nvvm.wgmma.commit.group.sync.aligned
          nvvm.wgmma.wait.group.sync.aligned {left}
          {barrier}
          %next = arith.xori %phase, %true : i1
          scf.yield %s4, %next : {sums}, i1
        }}
        %w = arith.divui %t, %c32 : index
        %l = arith.remui %t, %c32 : index
        %g = arith.divui %l, %c4 : index
        %q = arith.remui %l, %c4 : index
        %w16 = arith.muli %w, %c16 : index
        %row = arith.addi %w16, %g : index
        %row8 = arith.addi %row, %c8 : index
        %col = arith.muli %q, %c2 : index
        %col1 = arith.addi %col, %c1 : index
    """
    for n, place in enumerate(("%row, %col", "%row, %col1", "%row8, %col", "%row8, %col1")):
        body += f"""
        %e{n} = llvm.extractvalue %r#0[{n}] : {sums}
        memref.store %e{n}, %out[{place}] : memref<64x8xf32>
        """
    shared = f"%a: {tiles['a']} {{llvm.align = 1024 : i64}}, %bb: {tiles['b']} {{llvm.align = 1024 : i64}}"
    return kernel(body, "%pa: !llvm.ptr, %pb: !llvm.ptr, %out: memref<64x8xf32>", shared, chip="sm_90a")


def run_tiles(k: Emulator, steps: int, order: str, columns: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what it should, for small integers in `columns` columns, the others outside."""
    columns = columns or 32 * steps
    rng = np.random.default_rng(3)
    a, b, out = aligned((64, columns)), aligned((8, columns)), aligned((64, 8))
    a[...], b[...] = rng.integers(-8, 9, a.shape), rng.integers(-8, 9, b.shape)
    maps = [described(a, (64, 32)), described(b, (8, 32))]
    arrays = [*maps, out, a, b]
    memory = [Memory(x.ctypes.data, x.nbytes, f"argument {n}", n == 2) for n, x in enumerate(arrays)]
    k.launch("k", [1], [128], [x.ctypes.data for x in arrays[:3]], memory, order=order)
    return out, a @ b.T


@pytest.mark.parametrize("order", ORDERS)
def test_a_warp_group_multiplies_tiles(order):
    found, expected = run_tiles(tile_kernel(3), 3, order)
    np.testing.assert_array_equal(found, expected)
    found, expected = run_tiles(tile_kernel(3), 3, order, columns=84)
    np.testing.assert_array_equal(found, expected)


def test_a_tile_that_nobody_waits_for_is_garbage():
    found, _ = run_tiles(tile_kernel(1, waits=False), 1, "ascending")
    assert np.isnan(found).all()


@pytest.mark.parametrize("order", ORDERS)
def test_a_tile_to_what_a_product_still_reads_is_found(order):
    with pytest.raises(EmulationError, match="that a product of warp 0 reads, which has not been waited for"):
        run_tiles(tile_kernel(3, left=1), 3, order)


@pytest.mark.parametrize("order", ORDERS)
def test_a_tile_to_what_others_still_read_is_found(order):
    with pytest.raises(EmulationError, match=r"without a barrier in between|has not been waited for"):
        run_tiles(tile_kernel(3, barrier=""), 3, order)


# Clusters


POINTERS = f"""
    %bar_index = memref.extract_aligned_pointer_as_index %bars : memref<2xi64, {SHARED}> -> index
    %bar_int = arith.index_cast %bar_index : index to i64
    %eight = arith.constant 8 : i64
    %full = llvm.inttoptr %bar_int : i64 to !llvm.ptr<3>
    %second = arith.addi %bar_int, %eight : i64
    %empty = llvm.inttoptr %second : i64 to !llvm.ptr<3>
    %tile_index = memref.extract_aligned_pointer_as_index %s : memref<2x4x32xf32, {SHARED}> -> index
    %tile_int = arith.index_cast %tile_index : index to i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %first = arith.cmpi eq, %t, %c0 : index
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %block = arith.index_cast %rank : i32 to index
"""

ROUNDS = 3
"""Tiles that lie at one place of shared memory, one after the other."""

RELAY = (
    POINTERS
    + f"""
    %other = arith.subi %one, %rank : i32
    %both = arith.constant 3 : i16
    %bytes = arith.constant BYTES : i32
    %ticks = arith.constant 1000000 : i32
    %half = arith.muli %block, %c512 : index
    %half_int = arith.index_cast %half : index to i64
    %place = arith.addi %tile_int, %half_int : i64
    %target = llvm.inttoptr %place : i64 to !llvm.ptr<7>
    %line = arith.muli %rank, %lines : i32
    scf.if %first {{
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %two : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }}
    START
    %end = scf.for %i = %c0 to %c{ROUNDS} step %c1 iter_args(%phase = %zero) -> i32 {{
      %flipped = arith.xori %phase, %one : i32
      scf.if %first {{
        WAIT_EMPTY
        nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
        %ii = arith.index_cast %i : index to i32
        %x = arith.muli %ii, %width : i32
        nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %map, %full, box[%x, %line]
          multicast_mask = %both : !llvm.ptr<7>, !llvm.ptr
      }}
      WAIT_FULL
      %value = memref.load %s[%c0, %c0, %t] : memref<2x4x32xf32, {SHARED}>
      %value2 = memref.load %s[%c1, %c0, %t] : memref<2x4x32xf32, {SHARED}>
      memref.store %value, %out[%block, %i, %c0, %t] : memref<2x{ROUNDS}x2x32xf32>
      memref.store %value2, %out[%block, %i, %c1, %t] : memref<2x{ROUNDS}x2x32xf32>
      gpu.barrier
      scf.if %first {{
        %here = nvvm.mapa %empty, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
        %there = nvvm.mapa %empty, %other : !llvm.ptr<3> -> !llvm.ptr<7>
        nvvm.mbarrier.arrive %here : !llvm.ptr<7>
        nvvm.mbarrier.arrive %there : !llvm.ptr<7>
      }}
      scf.yield %flipped : i32
    }}
    END
"""
)

WHOLE = {
    "BYTES": "1024",
    "START": "nvvm.cluster.arrive nvvm.cluster.wait",
    "END": "nvvm.cluster.arrive nvvm.cluster.wait",
    "WAIT_EMPTY": "nvvm.mbarrier.try_wait.parity %empty, %flipped, %ticks : !llvm.ptr<3>, i32, i32",
    "WAIT_FULL": "nvvm.mbarrier.try_wait.parity %full, %phase, %ticks : !llvm.ptr<3>, i32, i32",
}


def relayed(order: str, **changed: str) -> tuple[np.ndarray, np.ndarray]:
    """Two blocks that each bring half of every tile to both: what they see of its first lines, and what they should."""
    body = "%lines = arith.constant 4 : i32 %width = arith.constant 32 : i32 " + RELAY
    for name, text in {**WHOLE, **changed}.items():
        body = body.replace(name, text)
    shared = f"%bars: memref<2xi64, {SHARED}>, %s: memref<2x4x32xf32, {SHARED}> {{llvm.align = 1024 : i64}}"
    k = kernel(body, f"%map: !llvm.ptr, %out: memref<2x{ROUNDS}x2x32xf32>", shared, "sm_90a", cluster=2)
    a, out = counted((8, 32 * ROUNDS)), aligned((2, ROUNDS, 2, 32))
    map = aligned(128, np.uint8)
    map[...] = np.frombuffer(tensor_map(a.ctypes.data, (32 * ROUNDS, 8), a.strides[:1], (32, 4), 4), np.uint8)
    memory = [Memory(x.ctypes.data, x.nbytes, f"argument {n}", n == 1) for n, x in enumerate((map, out, a))]
    k.launch("k", [2], [32], [map.ctypes.data, out.ctypes.data], memory, order=order)
    lines = a[::4].reshape(2, ROUNDS, 32).swapaxes(0, 1)
    return out, np.stack([lines, lines])


@pytest.mark.parametrize("order", ORDERS)
def test_blocks_of_a_cluster_bring_tiles_for_each_other(order):
    found, expected = relayed(order)
    np.testing.assert_array_equal(found, expected)


FAULTS = {
    "no wait for the tiles": {"WAIT_FULL": "gpu.barrier"},
    "no wait for free memory": {"WAIT_EMPTY": ""},
    "too few bytes expected": {"BYTES": "512"},
    "too many bytes expected": {"BYTES": "1536"},
    "mbarriers that the other block has not set up": {"START": "gpu.barrier"},
    "a block that ends while the other one needs it": {"END": ""},
    "the other parity": {"WAIT_FULL": WHOLE["WAIT_FULL"].replace("%phase", "%flipped")},
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_in_a_cluster_is_found(fault, order):
    try:
        found, expected = relayed(order, **FAULTS[fault])
    except EmulationError:
        return
    assert not np.array_equal(found, expected)


def test_what_is_found_names_what_is_waited_for():
    with pytest.raises(EmulationError, match=r"deadlock.*at an mbarrier at llvm.inline_asm"):
        relayed("ascending", BYTES="1536")
    with pytest.raises(EmulationError, match="which has ended"):
        relayed("ascending", END="")
    with pytest.raises(EmulationError, match="that nobody has set up"):
        relayed("ascending", START="gpu.barrier")


def test_shared_memory_of_another_block_is_not_a_blocks_own():
    body = f"""
        %zero = arith.constant 0 : i32
        %i = memref.extract_aligned_pointer_as_index %s : memref<32xf32, {SHARED}> -> index
        %int = arith.index_cast %i : index to i64
        %p = llvm.inttoptr %int : i64 to !llvm.ptr<3>
        %q = nvvm.mapa %p, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
        %bits = llvm.ptrtoint %q : !llvm.ptr<7> to i64
        %r = llvm.inttoptr %bits : i64 to !llvm.ptr<3>
        %x = llvm.load %r : !llvm.ptr<3> -> f32
        memref.store %x, %out[%t] : memref<32xf32>
    """
    k = kernel(body, "%out: memref<32xf32>", f"%s: memref<32xf32, {SHARED}>", "sm_90a", cluster=2)
    assert "of block 0 of its cluster, as if it were its own" in failure(k, aligned(32), grid=2, order="descending")


def test_a_grid_is_made_of_whole_clusters():
    k = kernel("%f = arith.constant 0.0 : f32", "%out: memref<1xf32>", chip="sm_90a", cluster=2)
    assert "3 blocks in clusters of 2" in failure(k, aligned(1), grid=3)


def test_a_tile_is_rounded_to_tf32_on_the_way():
    body = (
        POINTERS
        + f"""
        %bytes = arith.constant 512 : i32
        %ticks = arith.constant 1000000 : i32
        %target = llvm.inttoptr %tile_int : i64 to !llvm.ptr<7>
        scf.if %first {{
          nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
          nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
          nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %map, %full, box[%zero, %zero]
            : !llvm.ptr<7>, !llvm.ptr
        }}
        gpu.barrier
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        %value = memref.load %s[%c0, %c0, %t] : memref<2x4x32xf32, {SHARED}>
        memref.store %value, %out[%t] : memref<32xf32>
    """
    )
    shared = f"%bars: memref<2xi64, {SHARED}>, %s: memref<2x4x32xf32, {SHARED}> {{llvm.align = 1024 : i64}}"
    k = kernel(body, "%map: !llvm.ptr, %out: memref<32xf32>", shared, "sm_90a")
    a, out, map = counted((4, 32)), aligned(32), aligned(128, np.uint8)
    a += np.float32(2**-10 + 2**-11)
    data = tensor_map(a.ctypes.data, (32, 4), a.strides[:1], (32, 4), 4, rounds=True)
    map[...] = np.frombuffer(data, np.uint8)
    memory = [Memory(x.ctypes.data, x.nbytes, f"argument {n}", n == 1) for n, x in enumerate((map, out, a))]
    k.launch("k", [1], [32], [map.ctypes.data, out.ctypes.data], memory)
    np.testing.assert_array_equal(out, ((a[0].view(np.uint32) + 0x1000) & 0xFFFFE000).view(np.float32))
