"""A call takes any number of arrays: what stands between Python and native code has no limit of its own."""

import numpy as np
from commands import OK, run

import mind_mlir as mind
from mind_mlir.ir import print_module


def test_more_arrays_than_a_prototype_of_ctypes_takes_go_in_and_come_out():
    b = mind.Builder()
    m = b.finish([b.Neg(b.Input(f"x{n}", mind.f32(2))) for n in range(10_000)])
    arrays = [np.float32([n, -n]) for n in range(10_000)]
    results = mind.compile(m)(*arrays)
    assert len(results) == len(arrays)
    assert all((r == -a).all() for r, a in zip(results, arrays))


def test_the_gradient_over_600_parameters_is_that_of_each():
    def loss(parameters):
        total = mind.sum(parameters[0] * parameters[0])
        for p in parameters[1:]:
            total = total + mind.sum(p * p)
        return total

    parameters = [np.float32([n, 1]) for n in range(10_000)]
    gradients = mind.grad(loss)(parameters)
    assert all((g == 2 * p).all() for g, p in zip(gradients, parameters))


def test_mind_run_reads_and_shows_more_than_a_thousand_arrays(tmp_path):
    b = mind.Builder()
    m = b.finish([b.Neg(b.Input(f"x{n}", mind.f32(2))) for n in range(10_000)])
    file = tmp_path / "many.mindir"
    file.write_text(print_module(m), encoding="utf-8")
    done = run("mind_run", str(file), "--random=1", "--compare", cwd=tmp_path)
    assert done.returncode == OK, done.stderr
