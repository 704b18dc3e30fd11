"""How many cores this process may use: by its affinity, its container's limit, and other ranks on this machine."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping

_RANKS_HERE = (
    "OMPI_COMM_WORLD_LOCAL_SIZE",  # Open MPI
    "MPI_LOCALNRANKS",  # MPICH, Intel MPI
    "MV2_COMM_WORLD_LOCAL_SIZE",  # MVAPICH
    "PALS_LOCAL_SIZE",  # Cray
)
"""Variables by which starters of jobs tell how many ranks run on a machine."""

_SLURM = "SLURM_STEP_TASKS_PER_NODE"
"""Set by srun for what it starts: `4(x2),3` for three machines."""


def usable_cores() -> int:
    """The number of cores that this process may keep busy; 1 at least.

    Ranks on one machine share its cores evenly, unless whoever started them gave each its own.
    """
    ranks = ranks_here(os.environ)
    own, bound = _affinity()
    cores = own if bound and ranks > 1 else own // ranks
    quota = cpu_quota()
    if quota is not None:
        cores = min(cores, quota // ranks)
    return max(1, cores)


def ranks_here(environment: Mapping[str, str]) -> int:
    """How many ranks of this process's job run on its machine; 1 outside of jobs."""
    for name in _RANKS_HERE:
        text = environment.get(name, "")
        if text.isdecimal() and int(text) > 0:
            return int(text)
    counts: list[int] = []
    for count, times in re.findall(r"(\d+)(?:\(x(\d+)\))?", environment.get(_SLURM, "")):
        counts += [int(count)] * int(times or 1)
    node = environment.get("SLURM_NODEID", "")
    here = counts[int(node)] if node.isdecimal() and int(node) < len(counts) else max(counts, default=1)
    return max(1, here)


def _affinity() -> tuple[int, bool]:
    """How many cores the process may run on, and whether the process that started it may run on more."""
    try:
        own = os.sched_getaffinity(0)
    except (AttributeError, OSError):  # not on Linux
        return os.cpu_count() or 1, False
    try:
        return len(own), own < os.sched_getaffinity(os.getppid())
    except OSError:
        return len(own), False


@functools.cache
def cpu_quota(proc: str = "/proc/self/cgroup", mounted: str = "/sys/fs/cgroup") -> int | None:
    """The limit of the process's control groups, in cores, rounded up; None if there is none.

    A group's limit holds for the groups within it too, so the smallest limit counts.
    """
    found = []
    for line in _read(proc).splitlines():
        _, controllers, path = line.split(":", 2) if line.count(":") >= 2 else ("", "-", "")
        if not controllers:  # version 2
            found += [_quota_v2(folder) for folder in _groups(mounted, path)]
        elif "cpu" in controllers.split(","):
            for name in (controllers, "cpu"):
                found += [_quota_v1(folder) for folder in _groups(f"{mounted}/{name}", path)]
    return min((q for q in found if q is not None), default=None)


def _groups(mounted: str, path: str) -> list[str]:
    """The folders of a group and of the groups around it, up to the one that is mounted."""
    parts = [p for p in path.split("/") if p and p != ".."]
    return ["/".join([mounted, *parts[:n]]) for n in range(len(parts) + 1)]


def _quota_v2(folder: str) -> int | None:
    return _cores(*(_read(f"{folder}/cpu.max").split() + ["", ""])[:2])


def _quota_v1(folder: str) -> int | None:
    return _cores(_read(f"{folder}/cpu.cfs_quota_us").strip(), _read(f"{folder}/cpu.cfs_period_us").strip())


def _cores(quota: str, period: str) -> int | None:
    """A quota of microseconds in a period, as a number of cores; None for `max`, -1 and what is no number."""
    if not (quota.isdecimal() and period.isdecimal() and int(quota) and int(period)):
        return None
    return -(-int(quota) // int(period))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""
