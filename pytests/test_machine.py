"""What ranks compute and send in the same time: options of passes, and what is measured and kept."""

import sys

import pytest
from limits import HUNG
from mpi_jobs import MPICH, each_mpi, needs_mpi

import mind_mlir as mind
from mind_mlir import Mesh, P
from mind_mlir.lowering.store import cache
from mind_mlir.passes.sharding.communication import communication
from mind_mlir.passes.sharding.machine import ORDINARY, Machine
from mind_mlir.runtime.mpi import measured

TEXT = """\
mesh: dp = 2
%0 = Input {name = "x", sharding = [dp, _]} : tensor<f32[256, 1024]>
%1 = Input {name = "w"} : tensor<f32[1024, 1024]>
%2 = MatMul (%0, %1) : tensor<f32[256, 1024]>
%3 = Mul (%2, %2) : tensor<f32[256, 1024]>
%4 = Sum (%3) {axes = [], keepdims = false} : tensor<f32[]>
outputs: %4
"""
"""Its gradient for w is 256 MB multiplications; whole on both ranks, it sends 1 MB, and cut over the rows 4 MB."""


def cut(pipeline):
    found = communication(mind.passes.Pipeline.parse(f"gradient{{wrt=w}},{pipeline}").run(mind.parse(TEXT)))
    return sorted((c.opcode, c.nbytes) for c in found.moves)


WHOLE = [("AllGather", 512 << 10)] * 2 + [("AllReduce", 4)]
CUT = [("AllReduce", 4), ("AllReduce", 4 << 20)]


def test_ranks_that_compute_slowly_divide_a_product_that_others_compute_whole():
    assert cut("partition") == cut("partition{products-per-byte=64}") == WHOLE
    assert cut("partition{products-per-byte=16}") == CUT


@pytest.mark.parametrize(("price", "spec"), [(1, "[dp, _]"), (64, "[_, _]")])
def test_propagate_sharding_has_the_same_options(price, spec):
    b = mind.Builder(mesh=Mesh(("dp",), (2,)))
    x, w = (b.place(b.Input(name, mind.f32(1024, 256)), P("dp", None)) for name in "xw")
    product = b.MatMul(b.Transpose(x, (1, 0)), w)
    m = b.finish([b.Relu(b.MatMul(product, product))])
    found = mind.propagate_sharding(m, products_per_byte=price)
    assert f"Relu (%4) {{sharding = {spec}}}" in str(found)


@pytest.mark.parametrize("option", ["products-per-byte", "bytes-per-operation"])
@pytest.mark.parametrize("step", ["partition", "propagate-sharding"])
@pytest.mark.parametrize("value", [0, -1])
def test_a_price_below_one_is_an_error(step, option, value):
    with pytest.raises(mind.MindError, match=f"{option} is at least 1, found {value}") as caught:
        cut(f"{step}{{{option}={value}}}")
    assert caught.value.code == "E7007"


@pytest.mark.parametrize(
    ("figure", "rounded"), [(0.0, 1), (0.3, 1), (1.4, 1), (1.5, 2), (11.0, 8), (12.0, 16), (3e5, 262144)]
)
def test_figures_are_rounded_to_powers_of_two(figure, rounded):
    assert measured._rounded(figure) == rounded


def test_one_rank_is_not_measured():
    from mind_mlir.runtime.mpi.ranks import ranks_of

    assert measured.machine_of(ranks_of(Mesh(("dp",), (1,)))) is ORDINARY


def test_another_preference_is_an_error():
    with pytest.raises(mind.MindError, match="prefer is bytes or time, found 'speed'") as caught:
        mind.jit(lambda x: x, mesh=Mesh(("dp",), (1,)), prefer="speed")
    assert caught.value.code == "E7007"


def test_a_preference_without_a_mesh_is_an_error():
    with pytest.raises(mind.MindError, match="prefer is for ranks of a mesh") as caught:
        mind.jit(lambda x: x, prefer="time")
    assert caught.value.code == "E8002"


def test_a_preference_goes_with_the_gradient():
    import numpy as np

    f = mind.jit(lambda x: mind.sum(x * x), mesh=Mesh(("dp",), (1,)), in_shardings=(P("dp"),), prefer="time")
    assert mind.grad(f).where.prefer == "time"
    np.testing.assert_array_equal(mind.grad(f)(np.float32([1, 2])).local, [2, 4])


# Measured


@each_mpi
def test_ranks_measure_once_and_agree(mpi, tmp_path):
    folder = tmp_path / "kept"
    first = mpi.program(2, "preferring_time", folder, timeout=HUNG).split()
    assert len(first) == 2
    assert len(set(first)) == 1  # both ranks have the same figures
    kept = [f for f in folder.iterdir() if f.suffix == cache.FIGURES]
    assert len(kept) == 1
    planted = Machine(3, 5)  # no figures that are measured, for those are powers of two
    cache.store_data(str(folder), kept[0].stem, b"[3, 5]", cache.FIGURES)
    again = mpi.program(2, "preferring_time", folder, timeout=HUNG).split()
    assert again == [f"{planted.products_per_byte},{planted.bytes_per_operation}"] * 2


@needs_mpi
def test_figures_that_are_damaged_are_measured_again(tmp_path):
    folder = tmp_path / "kept"
    MPICH.program(2, "preferring_time", folder, timeout=HUNG)
    (kept,) = [f for f in folder.iterdir() if f.suffix == cache.FIGURES]
    kept.write_bytes(b"[0, 0]")
    said = MPICH.program(2, "preferring_time", folder, timeout=HUNG).split()
    assert len(set(said)) == 1
    assert all(int(n) >= 1 for n in said[0].split(","))


@needs_mpi
def test_without_a_cache_ranks_agree_too():
    said = MPICH.program(2, "preferring_time", "off", timeout=HUNG).split()
    assert len(set(said)) == 1


@needs_mpi
def test_the_starter_prints_options_of_the_passes(tmp_path):
    import os
    import subprocess

    command = [sys.executable, "-m", "mind_mlir.runtime.mpi", "-n", "2", "--measure"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=HUNG, env={**os.environ, "MIND_CACHE": str(tmp_path)}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("partition{products-per-byte=")
    cut(done.stdout.strip())
    wrong = subprocess.run([*command, "train.py"], capture_output=True, text=True, timeout=HUNG)
    assert wrong.returncode == 2
    assert "error[E7007]: --measure takes no argument, found train.py" in wrong.stderr


@needs_mpi
def test_mind_run_takes_the_preference(tmp_path):
    import subprocess

    file = tmp_path / "m.mindir"
    file.write_text(TEXT.replace("1024", "64"), encoding="utf-8")
    command = [sys.executable, "-m", "mind_mlir.cli.mind_run", "--random=1", "--prefer=time", str(file)]
    done = subprocess.run([*command, "--mpi", "--compare"], capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    assert "equal on mpi and interpret" in done.stdout
    alone = subprocess.run(command, capture_output=True, text=True, timeout=HUNG)
    assert alone.returncode != 0
    assert "error[E7007]: --prefer is for --mpi" in alone.stderr
