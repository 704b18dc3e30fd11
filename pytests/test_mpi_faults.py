"""Jobs in which a rank does otherwise than the rest: all end, with a code and a reason.  A hang is a failure."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from limits import HUNG
from mpi_jobs import MPICH, each_mpi, needs_mpi

FAULTS = Path(__file__).with_name("mpi_faults.py")


def ended(mpi, name, *arguments, code, ranks=2, once=True, **environment):
    """The job fails, a rank says why with this code, and nobody prints a result; returns what is said.

    It is said once, unless that fails by which ranks would know: then others wait, but not for longer than a moment.
    """
    job = mpi.run(ranks, FAULTS, name, *arguments, timeout=HUNG, environment=environment)
    assert job.returncode != 0, job.stdout + job.stderr
    assert job.stderr.count(f"error[{code}]") >= 1, job.stderr
    assert job.stderr.count("error[") == 1 or not once, job.stderr
    assert not job.stdout.strip(), job.stdout
    return job.stderr


def goes_on(mpi, name, *arguments, ranks=2, **environment):
    """The job comes to its end on every rank."""
    job = mpi.run(ranks, FAULTS, name, *arguments, timeout=HUNG, environment=environment)
    assert job.returncode == 0, job.stderr
    assert job.stdout.count("done") == ranks, job.stdout
    assert not job.stderr, job.stderr


# A rank ends


@each_mpi
def test_a_rank_that_raises_ends_all(mpi):
    said = ended(mpi, "raises", code="E8009")
    assert "rank 1 ended with ValueError: no more data" in said
    assert "Traceback" in said  # of the user's own error


@each_mpi
@pytest.mark.parametrize("ranks", [2, 4])
def test_a_rank_that_leaves_before_the_others_ends_all(mpi, ranks):
    said = ended(mpi, "leaves", 0, code="E8009", ranks=ranks)
    assert f"rank {ranks - 1} has left: its program has ended, and rank " in said
    assert re.search(r"waits for it in columns of mpi_faults\.py:\d+ \(f32\[8, 4\], f32\[4, 4\]\)", said)


@each_mpi
def test_a_rank_that_leaves_with_a_status_says_so_before_it_goes(mpi):
    assert "rank 1 has left" in ended(mpi, "leaves", 3, code="E8009")


@each_mpi
def test_a_rank_that_skips_a_call_ends_all(mpi):
    assert "rank 1 has left" in ended(mpi, "skips_a_call", code="E8009")


@needs_mpi
def test_a_rank_that_skips_the_first_call_ends_all():
    assert "rank 1 has left" in ended(MPICH, "skips_the_first_call", code="E8009")


@each_mpi
@pytest.mark.parametrize("how", ["is_killed", "vanishes"])
def test_a_rank_that_is_lost_ends_the_job(mpi, how):
    job = mpi.run(2, FAULTS, how, *([7] if how == "vanishes" else []), timeout=HUNG)
    assert job.returncode != 0  # mpirun may be quicker than the other rank, so there may be no code
    assert "done" not in job.stdout


@each_mpi
def test_a_rank_that_ends_past_python_with_status_0_ends_the_job(mpi):
    job = mpi.run(2, FAULTS, "vanishes", 0, timeout=HUNG)
    assert "done" not in job.stdout


@needs_mpi
@pytest.mark.parametrize("name", ["raises_in_a_thread", "forks"])
def test_a_thread_or_a_child_that_ends_is_no_rank_that_leaves(name):
    goes_on(MPICH, name)


@pytest.mark.parametrize("ranks", [2, 4])
@each_mpi
def test_who_waits_for_a_stopped_rank_is_said_and_it_may_go_on(mpi, ranks):
    job = mpi.start(ranks, FAULTS, "is_stopped")
    said = ""
    while not (
        found := re.search(rf"note: (.*) since \d+ s in (\S+) .* for rank {ranks - 1}: .* process (\d+),", said)
    ):
        line = job.stderr.readline()
        assert line, said  # the job has ended
        said += line
    os.kill(int(found[3]), signal.SIGCONT)
    out, _ = job.communicate(timeout=HUNG)
    assert found[1] == ("rank 0 waits" if ranks == 2 else "ranks 0, 1, 2 wait")
    assert found[2] == "columns"
    assert "is stopped, by SIGSTOP or a debugger" in said
    assert (job.returncode, out.count("done")) == (0, ranks)


@each_mpi
def test_an_index_out_of_bounds_on_one_rank_ends_all(mpi):
    assert "rank 1: error[E6001]" in ended(mpi, "bad_index", code="E6001")


@each_mpi
@pytest.mark.parametrize("bad", [-1, 101, 103])
def test_an_index_that_names_no_row_of_a_cut_table_is_that_of_one_process(mpi, bad):
    said = ended(mpi, "bad_row", bad, "whole", code="E6001", once=False)
    assert f"error[E6001]: Gather index {bad} is out of bounds for extent 101" in said
    assert "indices[5] of [8]" in said


@each_mpi
def test_an_index_that_other_ranks_send_is_an_error_too(mpi):
    said = ended(mpi, "bad_row", 101, "cut", code="E6001", once=False)
    assert "an index of Gather is out of bounds for extent 101" in said


@each_mpi
def test_a_mesh_of_other_axes_ends_all(mpi):
    said = ended(mpi, "other_axes", code="E8008")
    assert "rank 0 makes the mesh (dp = 2), rank 1 the mesh (tp = 2)" in said


@each_mpi
def test_a_mesh_of_another_size_ends_all(mpi):
    assert "the mesh (dp = 3) has 3 ranks, the job has 2" in ended(mpi, "wrong_size", code="E8007", once=False)


@needs_mpi
def test_without_room_for_shared_memory_it_is_said_where_that_is_looked_for():
    said = ended(MPICH, "shares_no_memory", code="E8010", once=False)
    assert "let /dev/shm, or the folder that TMPDIR names" in said


# Ranks call, or compile, different things


@each_mpi
@pytest.mark.parametrize(("second", "ranks"), [("squares", 2), ("one_column", 2), ("squares", 4)])
def test_functions_in_another_order_end_all(mpi, ranks, second):
    """The sums of `squares` have as many elements as those of `columns`, that of `one_column` fewer."""
    said = ended(mpi, "order", "columns", second, code="E8008", ranks=ranks)
    found = re.search(r"rank (\d) calls (\w+) of .*, rank (\d) calls (\w+) of", said)
    last = str(ranks - 1)
    assert {found[1], found[3]} >= {last}
    assert (found[2], found[4]) == ("columns", second)


@each_mpi
def test_a_gather_that_a_rank_skips_ends_all(mpi):
    said = ended(mpi, "skips_gather", code="E8008")
    assert "rank 0 calls gather() of a tensor<f32[8, 4]>, rank 1 calls columns of" in said


DIFFERENT = {
    "shape": r"argument x: rank 0 has f32\[8, 4\], rank 1 has f32\[16, 4\]",
    "dtype": r"argument x: rank 0 has f32\[8, 4\], rank 1 has f64\[8, 4\]",
    "function": r"the function: rank 0 has columns of mpi_faults\.py:\d+, rank 1 has squares of mpi_faults\.py:\d+",
    "sharding": r"sharding of argument x: rank 0 has \[dp, _\], rank 1 has \[_, dp\]",
    "constant": r"a constant of f of mpi_faults\.py:\d+: rank 0 has %\d+ = Const.*0\.1.*, rank 1 has .*1\.1",
    "array": r"array 1 .*f32\[4, 500\], differs at \[2, 100\] 1\.0 on rank 0, 2\.0 on rank 1; 1 of 2000 elements",
}


@each_mpi
def test_what_ranks_compile_differently_is_said(mpi):
    job = mpi.run(2, *mpi.module("mpi_faults"), "compiles_each", *DIFFERENT)
    assert job.returncode == 0, job.stderr
    said = job.stdout.splitlines()
    assert len(said) == len(DIFFERENT), job.stdout
    for (what, pattern), line in zip(DIFFERENT.items(), said):
        assert re.match(f"{what}: E8008: {pattern}", line), line


@each_mpi
def test_what_ranks_compile_differently_ends_all(mpi):
    said = ended(mpi, "compiles", "shape", code="E8008", ranks=4)
    assert "argument x: rank 0 has f32[8, 4], rank 3 has f32[16, 4]" in said
    assert "rank 3 would run another module than rank 0" in said


# MIND_CHECK_RANKS


@each_mpi
def test_other_arguments_are_found_where_that_is_asked_for(mpi):
    said = ended(mpi, "passes_another_array", code="E8008", MIND_CHECK_RANKS="full")
    assert "argument w of columns of mpi_faults.py" in said
    assert "differs at [2, 1] 1.0 on rank 0, 5.0 on rank 1; 1 of 16 elements differ" in said


@needs_mpi
def test_parts_of_other_ranks_are_not_compared():
    goes_on(MPICH, "passes_parts", MIND_CHECK_RANKS="full")


@needs_mpi
def test_parts_that_several_ranks_hold_are_compared():
    said = ended(MPICH, "two_axes", code="E8008", ranks=4, MIND_CHECK_RANKS="full")
    assert "argument x of columns" in said
    assert "differs at [3, 3] 1.0 on rank 2, 2.0 on rank 3; 1 of 16 elements differ" in said


@needs_mpi
@pytest.mark.parametrize("checks", ["calls", "off"])
def test_other_arguments_are_not_looked_for_unless_asked(checks):
    job = MPICH.run(
        2, *MPICH.module("mpi_faults"), "passes_another_array", timeout=HUNG, environment={"MIND_CHECK_RANKS": checks}
    )
    assert job.returncode == 0, job.stderr


@needs_mpi
def test_a_rank_that_leaves_is_seen_without_checks_too():
    assert "rank 1 has left" in ended(MPICH, "leaves", 0, code="E8009", MIND_CHECK_RANKS="off")


@needs_mpi
def test_an_unknown_check_is_an_error_that_lists_the_known_ones():
    said = ended(MPICH, "leaves", 0, code="E7007", once=False, MIND_CHECK_RANKS="all")
    assert "MIND_CHECK_RANKS is 'all', which is none of off, calls, full" in said


@needs_mpi
def test_ranks_check_alike():
    job = [*MPICH.mpirun, "-n", "1", "-env", "MIND_CHECK_RANKS", "off", MPICH.python, str(FAULTS), "leaves", "0"]
    job += [":", "-n", "1", "-env", "MIND_CHECK_RANKS", "full", MPICH.python, str(FAULTS), "leaves", "0"]
    done = subprocess.run(job, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode != 0
    assert "error[E8008]: MIND_CHECK_RANKS is off on rank 0, full on rank 1" in done.stderr


# Ranks that share no memory, as on several machines: MPICH can be told that each is on a machine of its own

APART = {"MPIR_CVAR_NOLOCAL": "1"}


@needs_mpi
def test_ranks_on_several_machines_run():
    goes_on(MPICH, "passes_parts", **APART)


@needs_mpi
@pytest.mark.parametrize("ranks", [2, 4])
def test_a_rank_that_leaves_another_machine_ends_all(ranks):
    said = ended(MPICH, "leaves", 0, code="E8009", ranks=ranks, **APART)
    assert f"rank {ranks - 1} has left" in said


@needs_mpi
@pytest.mark.parametrize("second", ["squares", "one_column"])
def test_another_order_on_another_machine_ends_all(second):
    said = ended(MPICH, "order", "columns", second, code="E8008", **APART)
    assert re.search(rf"rank 0 calls columns of .*, rank 1 calls {second} of", said)


# Nothing to send


@each_mpi
def test_arrays_without_elements_and_results_that_nobody_reads_need_no_message(mpi):
    goes_on(mpi, "nothing_to_send")


# The starter


def launched(name, *arguments):
    """Run `python -m mind_mlir.runtime.mpi` on two ranks."""
    command = [sys.executable, "-m", "mind_mlir.runtime.mpi", "-n", "2", str(FAULTS), name, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HUNG)


@needs_mpi
@pytest.mark.parametrize(
    ("name", "arguments", "how"),
    [
        ("is_killed", (), "by signal 9"),
        ("leaves", (3,), ""),
        ("leaves", (0,), "rank 1 has left"),
        ("vanishes", (7,), "with status 7"),
        ("vanishes", (0,), ""),
        ("raises", (), "no more data"),
    ],
)
def test_the_starter_says_with_a_code_that_a_rank_was_lost(name, arguments, how):
    job = launched(name, *arguments)
    assert job.returncode != 0
    assert job.stderr.count("error[E8009]") == 1, job.stderr
    assert how in job.stderr
    assert ("mpirun's own message is above" in job.stderr) <= ("BAD TERMINATION" in job.stdout + job.stderr)


@needs_mpi
def test_the_starter_has_nothing_to_say_of_a_job_that_ends_well():
    job = launched("forks")
    assert (job.returncode, job.stdout.count("done"), job.stderr) == (0, 2, "")
