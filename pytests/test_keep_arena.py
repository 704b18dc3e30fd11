"""A large arena stays with its executable: from call to call, one at a time, and until the executable goes."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import commands
import numpy as np
import pytest
from limits import HUNG
from support import assert_same_bits

import mind_mlir as mind
from mind_mlir.lowering.rewrites.keep_arena import LEAST
from mind_mlir.lowering.toolchain import linker
from mind_mlir.passes import Pipeline
from mind_mlir.runtime import native_executable as native

ROWS = 4500
MIB = 1 << 20


def two_products(rows=ROWS):
    """(x·w)·v, whose first product takes `rows` · 4 kB.  The arguments are so large that calls run at the same time."""
    b = mind.Builder()
    x, w, v = b.Input("x", mind.f32(rows, 64)), b.Input("w", mind.f32(64, 1000)), b.Input("v", mind.f32(1000, 8))
    return b.finish([(x @ w) @ v])


ARENA = 4 * 1000 * ROWS
ARGUMENTS = sum(o.type.nbytes for o in two_products().inputs)
assert LEAST < ARENA < 1.2 * LEAST
assert ARGUMENTS > native._KEEP_GIL_BELOW

PROGRAM = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import gc, json, threading
from pathlib import Path
from test_keep_arena import mind, np, two_products

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

m = two_products()
arrays = [np.ones(o.type.shape, np.float32) for o in m.inputs]
out = (np.empty((m.output_types[0].shape), np.float32),)
seen = []
for _ in range(4):
    exe = mind.compile(m)
    before = resident()
    exe(*arrays, out=out)
    first = resident()
    for _ in range(5):
        exe(*arrays, out=out)
    later = resident()
    workers = [threading.Thread(target=lambda: [exe(*arrays) for _ in range(5)]) for _ in range(3)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    together = resident()
    del exe, workers
    gc.collect()
    seen.append([first - before, later - first, together - later, resident() - before])
print(json.dumps(seen))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read from /proc")
@pytest.mark.parametrize("cache", ["off", "on"])
def test_an_arena_is_kept_between_calls_and_given_back_with_its_executable(tmp_path, monkeypatch, cache):
    if cache == "on" and linker.find_linker() is None:
        pytest.skip("no linker on PATH: no compiled code is kept")
    monkeypatch.setenv("MIND_CACHE", "off" if cache == "off" else str(tmp_path))
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", str(MIB))  # what is freed goes back to the system at once
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=HUNG, check=True)
    for first, later, together, after in json.loads(done.stdout)[1:]:  # the first also loads what is loaded once
        assert first >= 0.9 * ARENA, "kept after a call"
        assert abs(later) < 0.2 * ARENA, "the same at the next ones"
        assert together < 0.5 * ARENA, "one alone is kept, however many calls ran at once"
        assert after < 0.2 * ARENA, "given back with the executable"


def test_threads_that_call_one_executable_at_once_each_have_an_arena():
    m = two_products()
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal(o.type.shape, np.float32) for o in m.inputs[1:]]
    inputs = [rng.standard_normal(m.inputs[0].type.shape, np.float32) for _ in range(4)]
    exe = mind.compile(m)
    expected = [exe(x, *weights)[0] for x in inputs]
    with ThreadPoolExecutor(len(inputs)) as pool:
        for _ in range(8):
            for found, value in zip(pool.map(lambda x: exe(x, *weights)[0], inputs), expected):
                assert_same_bits(found, value)


def test_an_executable_may_go_while_another_one_works():
    m = two_products()
    arrays = [np.random.default_rng(0).standard_normal(o.type.shape, np.float32) for o in m.inputs]
    kept, gone = mind.compile(m), mind.compile(m)
    expected = kept(*arrays)[0]
    assert_same_bits(gone(*arrays)[0], expected)
    with ThreadPoolExecutor(1) as pool:
        results = pool.submit(lambda: [kept(*arrays)[0] for _ in range(10)])
        del gone
        for found in results.result():
            assert_same_bits(found, expected)


def test_a_small_arena_is_left_to_the_c_library():
    for rows, keeps in ((ROWS, True), (1000, False)):
        text = str(Pipeline.parse("lower-to-linalg,cpu").run(two_products(rows)))
        assert ("@mind_take(" in text) is keeps
