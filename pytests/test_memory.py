"""How much memory a module needs: constants of 100 MB within 4 times their size, gradients within their bound."""

import re
import subprocess
import sys

import commands
import numpy as np
import pytest
from limits import HUNG

import mind_mlir as mind
from mind_mlir.ir import text_pieces
from mind_mlir.passes import gradient
from mind_mlir.passes.preflight import peak_memory

SIZE = 100 * 1000 * 1000

PROGRAM = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
import mind_mlir as mind
from mind_mlir.ir import text_pieces

def peak():
    return getrusage(RUSAGE_SELF).ru_maxrss * 1024

def write(m, path):
    with open(path, "w") as f:
        for piece in text_pieces(m):
            f.write(piece)

write(mind.parse(Path("small.mindir")), "written.mindir")  # loads what is loaded once
mind.to_mlir(mind.parse(Path("small.mindir")))
before = peak()
m = mind.verify(mind.parse(Path("large.mindir")))
print("parse", peak() - before)
write(m, "written.mindir")
print("print", peak() - before)
lowered = mind.to_mlir(m)
print("lower", peak() - before)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a constant of 100 MB and a small one, as text."""
    folder = tmp_path_factory.mktemp("memory")
    for name, count in (("large", SIZE // 4), ("small", 1000)):
        bits = np.random.default_rng(0).integers(0, 2**32, count, dtype=np.uint32)
        b = mind.Builder()
        m = b.finish([b.constant(bits.view(np.float32))])
        with open(folder / f"{name}.mindir", "w") as f:
            for piece in text_pieces(m):
                assert len(piece) < 8_000_000
                f.write(piece)
    yield folder
    for path in folder.iterdir():
        path.unlink()


def test_a_large_constant_is_written_in_base64(folder):
    text = (folder / "large.mindir").read_text()
    assert re.match(r'%0 = ConstTensor \{data = base64\("[A-Za-z0-9+/]{100}', text)
    assert len(text) < SIZE * 4 / 3 + 200
    assert text.count("\n") == 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is counted in kilobytes on Linux only")
def test_a_large_constant_is_parsed_printed_and_lowered_within_four_times_its_size(folder):
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=folder, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    peaks = {stage: int(used) for stage, used in (line.split() for line in done.stdout.splitlines())}
    assert list(peaks) == ["parse", "print", "lower"]
    assert max(peaks.values()) <= 4 * SIZE, peaks
    written, large = folder / "written.mindir", folder / "large.mindir"
    assert written.stat().st_size == large.stat().st_size
    assert written.read_bytes() == large.read_bytes()


def test_a_gradient_holds_no_more_than_the_intermediates_and_the_gradients():
    from benchmarks.modules import three_layers

    m = mind.canonicalize(three_layers(batch=8, widths=(16, 32, 32, 4)))
    wrt = tuple(n for n, o in enumerate(m.inputs) if o.op.name not in ("x", "t"))
    g = gradient(m, wrt=wrt)
    intermediates = sum(o.type.nbytes for o in m.operations if o.opcode != "Input")
    gradients = sum(g[i].type.nbytes for _, i in g.gradients)
    inputs = sum(o.type.nbytes for o in g.inputs)
    assert len(g.gradients) == 6
    assert peak_memory(g) - inputs <= intermediates + gradients
