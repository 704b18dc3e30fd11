"""Modules on real ranks: jobs of mpirun, each with a time limit.  The numbers are those of one process."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from limits import HUNG
from mpi_jobs import MPICH, each_mpi, needs_mpi
from sharded_models import gradient_of, mesh_for, mlp

import mind_mlir as mind

LIMIT = HUNG
"""Seconds; a job that hangs is a failure, never a wait."""


@pytest.fixture(scope="session")
def kept(session_folder):
    """An environment in which ranks load what another one has compiled, in this job or an earlier one."""
    return {"MIND_CACHE": str(session_folder / "ranks")}


@needs_mpi
def test_every_layout_gives_on_two_ranks_what_one_process_gives(kept):
    said = MPICH.program(2, "layouts", "all", timeout=LIMIT, environment=kept)
    assert said.count("ok") == 13


@each_mpi
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_batches_that_ranks_do_not_divide_give_what_one_process_gives(mpi, ranks, kept):
    said = mpi.program(ranks, "layouts", "brief", timeout=LIMIT, environment=kept)
    assert said.count("ok") == (7 if ranks > 1 else 6)


@needs_mpi
def test_the_interpreter_runs_on_ranks_too():
    assert "qkv on 2: ok" in MPICH.program(2, "layouts", "brief", "interpret", timeout=LIMIT)


@each_mpi
@pytest.mark.parametrize("ranks", [3])
def test_every_operation_between_ranks_is_as_simulated(mpi, ranks):
    assert "operations: ok" in mpi.program(ranks, "operations", timeout=LIMIT)


@each_mpi
@pytest.mark.parametrize("ranks", [2])
def test_jit_on_a_mesh(mpi, ranks):
    assert "jitted: ok" in mpi.program(ranks, "jitted", timeout=LIMIT)


@each_mpi
def test_steps_keep_their_bits_and_take_no_memory(mpi):
    assert "3000 steps: ok" in mpi.program(2, "many_steps", 3000, timeout=LIMIT)


# Ahead of time


@needs_mpi
def test_a_library_made_ahead_of_time_runs_on_ranks(tmp_path):
    made = tmp_path / "libstep.so"
    m = mind.canonicalize(mind.partition(gradient_of(mlp("tp", mesh_for("tp", 2)))))
    (tmp_path / "step.mindir").write_text(str(m), encoding="utf-8")
    translate(tmp_path / "step.mindir", "--to-shared-lib", "-o", made, "--header", tmp_path / "step.h")
    assert "library: ok" in MPICH.program(2, "library", made, timeout=LIMIT)
    assert run_c(tmp_path, C_PROGRAM, "step") == "8.5 8.5\n"  # the loss of zeros is the mean of y²


C_PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include "step.h"

static float x[STEP_X_SIZE], y[STEP_Y_SIZE], w1[STEP_W1_SIZE], b1[STEP_B1_SIZE], w2[STEP_W2_SIZE], b2[STEP_B2_SIZE];
static float loss, d1[STEP_OUT1_SIZE], d2[STEP_OUT2_SIZE], d3[STEP_OUT3_SIZE], d4[STEP_OUT4_SIZE], both[2];

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm tp;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &tp);
    step_use_mpi(&tp);
    for (int i = 0; i < STEP_Y_SIZE; i++) y[i] = i % 2 ? 1 : 4;
    int64_t status = step(x, y, w1, b1, w2, b2, &loss, d1, d2, d3, d4);
    MPI_Gather(&loss, 1, MPI_FLOAT, both, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%g %g\\n", both[0], both[1]);
    MPI_Finalize();
    return status != STEP_OK;
}
"""


NOTHING_TO_SEND = """mesh: dp = 2
%0 = Input {name = "x"} : tensor<f32[2, 4]>
%1 = Input {name = "w"} : tensor<f32[4, 0]>
%2 = MatMul (%0, %1) : tensor<f32[2, 0]>
%3 = Sum (%2) {axes = [0], keepdims = false} : tensor<f32[0]>
%4 = AllReduce (%3) {axis = "dp", size = 2} : tensor<f32[0]>
%5 = Relu (%0) : tensor<f32[2, 4]>
outputs: %4, %5
"""

C_PROGRAM_THAT_SENDS_NOTHING = """
#include <mpi.h>
#include <stdio.h>
#include "nothing.h"

int main(int argc, char **argv) {
    float x[NOTHING_X_SIZE] = {-1, 2}, out[NOTHING_OUT1_SIZE];
    MPI_Comm dp = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    nothing_use_mpi(&dp);
    int64_t status = nothing(x, 0, 0, out);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("%g %g\\n", out[0], out[1]);
    MPI_Finalize();
    return status != NOTHING_OK;
}
"""


@needs_mpi
def test_a_library_whose_collectives_have_nothing_to_send_has_what_its_header_declares(tmp_path):
    (tmp_path / "nothing.mindir").write_text(NOTHING_TO_SEND, encoding="utf-8")
    made = tmp_path / "libnothing.so"
    translate(tmp_path / "nothing.mindir", "--to-shared-lib", "-o", made, "--header", tmp_path / "nothing.h")
    assert hasattr(ctypes.CDLL(str(made)), "nothing_set_ranks")
    assert run_c(tmp_path, C_PROGRAM_THAT_SENDS_NOTHING, "nothing") == "0 2\n"


def run_c(folder, text, library):
    """What a program in C, linked with a library of the folder, writes on two ranks; skips without a compiler."""
    compiler = Path(sys.executable).with_name("mpicc")
    if not compiler.exists() or shutil.which("cc") is None:
        pytest.skip("no C compiler for MPI")
    (folder / "main.c").write_text(text, encoding="utf-8")
    command = [compiler, "main.c", "-o", "main", "-L.", f"-l{library}", "-Wl,-rpath,.", "-Wall", "-Werror"]
    subprocess.run(command, check=True, cwd=folder)
    command = [*MPICH.mpirun, "-n", "2", "./main"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    return done.stdout


def translate(*arguments):
    command = [sys.executable, "-m", "mind_mlir.cli.mind_translate", "--profile=extended", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr


@each_mpi
def test_ranks_on_one_machine_do_not_use_more_threads_together_than_it_has_cores(mpi):
    cores = len(os.sched_getaffinity(0))
    program = "from mind_mlir.runtime.threads import thread_count; print(thread_count(None))"
    done = mpi.run(2 * cores, "-c", program, environment={"MIND_NUM_THREADS": ""})
    assert "".join(done.stdout.split()) == "1" * (2 * cores), done.stderr  # lines of ranks may run together


@each_mpi
def test_a_vocabulary_cut_by_rows_gives_what_one_process_gives(mpi, kept):
    assert mpi.program(4, "embedding", environment=kept).strip() == "ok"


def test_the_starter_says_how_it_is_used():
    command = [sys.executable, "-m", "mind_mlir.runtime.mpi"]
    usage = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=LIMIT).stdout
    assert usage.startswith("usage: python -m mind_mlir.runtime.mpi -n RANKS (SCRIPT.py")
    wrong = subprocess.run([*command, "train.py"], capture_output=True, text=True, timeout=LIMIT)
    assert wrong.returncode == 2
    assert "error[E7007]" in wrong.stderr


# mind-run --mpi


@pytest.fixture
def file(tmp_path):
    """The gradient of the MLP, tensor parallel on two ranks."""
    path = tmp_path / "tp.mindir"
    path.write_text(str(gradient_of(mlp("tp", mesh_for("tp", 2)))), encoding="utf-8")
    return path


def mind_run(*arguments):
    command = [sys.executable, "-m", "mind_mlir.cli.mind_run", "--profile=extended", "--mpi", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)


@needs_mpi
def test_mind_run_starts_the_ranks_of_the_mesh_and_compares(file, tmp_path):
    done = mind_run("--random=1", "--compare", "--benchmark", file)
    assert done.returncode == 0, done.stderr
    assert re.search(r"outputs equal on mpi and interpret", done.stdout)
    assert "2 ranks: median" in done.stdout


@needs_mpi
@pytest.mark.parametrize("save", ["savez", "savez_compressed"])
def test_mind_run_reads_parts_and_writes_wholes(file, tmp_path, save):
    import numpy as np

    m = mind.parse(file)
    arrays = mind_random(m)
    getattr(np, save)(tmp_path / "in.npz", **arrays)
    done = mind_run("--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", file)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "out.npz") as found:
        for n, expected in enumerate(mind.interpret(m, **arrays)):
            np.testing.assert_allclose(found[f"out{n}"], expected, rtol=1e-4, atol=1e-5)


def mind_random(m):
    from mind_mlir.runtime.arguments import random_arguments

    return random_arguments(m, 5)


@needs_mpi
def test_mind_run_says_what_is_wrong_once(file):
    done = mind_run(file)
    assert done.returncode == 1
    assert done.stderr.count("error[E6009]") == 1, done.stderr
    assert "arguments x, y, w1, b1, w2, b2 are missing" in done.stderr


def test_mind_run_wants_a_mesh(tmp_path):
    path = tmp_path / "m.mindir"
    path.write_text('%0 = Input {name = "x"} : tensor<f32[2]>\noutputs: %0\n', encoding="utf-8")
    done = mind_run(path)
    assert done.returncode == 1
    assert "error[E8002]" in done.stderr


# Without MPI


NO_MPI = """
import sys
sys.modules["mpi4py"] = None
import mind_mlir as mind, numpy as np
mesh = mind.Mesh(("dp",), (2,))
try:
    mind.jit(lambda x: x, mesh=mesh)(np.ones(2, np.float32))
except mind.MindError as why:
    print(why)
one = mind.Mesh(("dp",), (1,))
print(float(mind.jit(lambda x: mind.sum(x), mesh=one, in_shardings=(mind.P("dp"),))(np.ones(2, np.float32))))
"""


def test_without_mpi_one_rank_runs_and_several_are_told_what_to_install():
    done = subprocess.run([sys.executable, "-c", NO_MPI], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    assert "error[E8010]: mpi4py cannot be used" in done.stdout
    assert "pip install 'mind-mlir[mpi]'" in done.stdout
    assert done.stdout.endswith("2.0\n")


WITHOUT_MPIRUN = """
import sys
sys.executable = "/nowhere/python"
from mind_mlir.runtime.mpi.__main__ import main
sys.exit(main(["-n", "2", "train.py"]))
"""


def test_without_mpirun_the_starter_says_what_to_install():
    environment = {**os.environ, "PATH": "/nowhere"}
    command = [sys.executable, "-c", WITHOUT_MPIRUN]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment)
    assert done.returncode == 2
    assert "error[E8010]: no mpirun is on PATH" in done.stderr
