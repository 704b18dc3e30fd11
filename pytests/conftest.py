"""Set-up of the tests: which package they import, and how hypothesis draws."""

import checkout  # noqa: F401  (first: it decides where mind_mlir comes from)
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


@pytest.fixture(scope="session", autouse=True)
def _hypothesis_home(tmp_path_factory):
    """Hypothesis keeps its notes outside the working directory."""
    set_hypothesis_home_dir(tmp_path_factory.mktemp("hypothesis"))
