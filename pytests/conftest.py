"""Set-up of the tests: which package they import, how hypothesis draws, and a driver without a GPU."""

import gc
import os
import signal
import tempfile

import checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

settings.register_profile(
    "mind",
    derandomize=True,  # the same examples on every run and machine
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("mind")

os.environ["MIND_CACHE"] = "off"  # what is tested is compiled, and the user's cache is left alone
os.environ["MIND_NUM_THREADS"] = "1"  # the cores are busy with tests; those of threads say how many
os.environ.pop("MIND_TUNING", None)  # and as the rules say

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a shell's background; tests interrupt commands

_home = tempfile.TemporaryDirectory(prefix="hypothesis-")  # its notes, else written into the working directory
set_hypothesis_home_dir(_home.name)


def pytest_collection_finish():
    """Let collections of garbage pass by what lives as long as the session: half a million objects, 0.2 s each time."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure():
    _home.cleanup()


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory):
    """The folder of this run of the tests: of all workers of pytest-xdist."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture
def cuda(monkeypatch):
    """A driver without a GPU: fake_cuda.FakeCuda."""
    import fake_cuda

    yield from fake_cuda.fresh(monkeypatch)
