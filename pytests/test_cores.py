"""How many cores a process may use: affinity, control groups, ranks on one machine."""

import os
import subprocess
import sys

import commands
import pytest

from mind_mlir.runtime import cores


@pytest.fixture
def machine(monkeypatch):
    """Sets affinity, quota and environment of a machine that is not there."""

    def made(own=64, bound=False, quota=None, **environment):
        monkeypatch.setattr(cores, "_affinity", lambda: (own, bound))
        monkeypatch.setattr(cores, "cpu_quota", lambda: quota)
        monkeypatch.setattr(os, "environ", environment)

    return made


@pytest.mark.parametrize(
    ("setting", "count"),
    [
        ({}, 64),
        ({"own": 3}, 3),
        ({"quota": 2}, 2),
        ({"own": 4, "quota": 16}, 4),
        ({"OMPI_COMM_WORLD_LOCAL_SIZE": "4"}, 16),
        ({"MPI_LOCALNRANKS": "3"}, 21),
        ({"own": 2, "MPI_LOCALNRANKS": "8"}, 1),
        ({"quota": 6, "MPI_LOCALNRANKS": "4"}, 1),
        ({"own": 8, "bound": True, "MPI_LOCALNRANKS": "8"}, 8),  # each has cores of its own
        ({"own": 8, "bound": True, "quota": 16, "MPI_LOCALNRANKS": "8"}, 2),
        ({"own": 8, "bound": True}, 8),
        ({"SLURM_STEP_TASKS_PER_NODE": "4(x2),8", "SLURM_NODEID": "1"}, 16),
        ({"SLURM_STEP_TASKS_PER_NODE": "4(x2),8", "SLURM_NODEID": "2"}, 8),
        ({"SLURM_STEP_TASKS_PER_NODE": "4(x2),8"}, 8),
        ({"SLURM_TASKS_PER_NODE": "16"}, 64),  # the script of a job, not a rank of it
        ({"MPI_LOCALNRANKS": "none"}, 64),
        ({"MPI_LOCALNRANKS": "0"}, 64),
    ],
)
def test_cores_are_those_of_affinity_and_quota_shared_by_ranks(machine, setting, count):
    machine(**setting)
    assert cores.usable_cores() == count


def tree(folder, files):
    for name, text in files.items():
        path = folder / "fs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")


@pytest.mark.parametrize(
    ("groups", "files", "quota"),
    [
        ("0::/a/b", {"a/b/cpu.max": "150000 100000"}, 2),  # rounded up
        ("0::/a/b", {"a/b/cpu.max": "max 100000", "a/cpu.max": "400000 100000"}, 4),  # that of a group around it
        ("0::/a/b", {"a/b/cpu.max": "300000 100000", "a/cpu.max": "100000 100000"}, 1),
        ("0::/", {"cpu.max": "50000 100000"}, 1),
        ("0::/", {"cpu.max": "max 100000"}, None),
        ("0::/", {}, None),
        ("0::/../x", {"cpu.max": "200000 100000"}, 2),  # a group outside of what is mounted here
        ("4:cpu,acct:/d", {"cpu,acct/d/cpu.cfs_quota_us": "250000", "cpu,acct/d/cpu.cfs_period_us": "100000"}, 3),
        ("4:cpu:/", {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None),
        ("4:cpu:/gone", {"cpu/cpu.cfs_quota_us": "100000", "cpu/cpu.cfs_period_us": "100000"}, 1),
        ("3:cpuset:/x\n0::/", {"cpuset/x/cpu.cfs_quota_us": "100000"}, None),
        ("nonsense", {"cpu.max": "x y"}, None),
    ],
)
def test_the_quota_of_control_groups_counts(tmp_path, groups, files, quota):
    (tmp_path / "cgroup").write_text(groups + "\n")
    (tmp_path / "fs").mkdir()
    tree(tmp_path, files)
    assert cores.cpu_quota(str(tmp_path / "cgroup"), str(tmp_path / "fs")) == quota


def python(program, **environment):
    start = f"import sys; sys.path.insert(0, {commands.HERE!r}); import checkout\n"
    plain = {k: v for k, v in os.environ.items() if k != "MIND_NUM_THREADS" and "MPI" not in k}
    command = [sys.executable, "-c", start + program]
    done = subprocess.run(command, env=plain | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity of processes here")
def test_a_process_that_is_bound_to_one_core_uses_one():
    program = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from mind_mlir.runtime.threads import thread_count
print(thread_count(None))
"""
    assert python(program) == ["1"]


def test_ranks_on_one_machine_share_its_cores():
    program = "from mind_mlir.runtime.cores import usable_cores; print(usable_cores())"
    (alone,) = python(program)
    (rank,) = python(program, MPI_LOCALNRANKS=alone, PMI_RANK="0")
    assert rank == "1"
