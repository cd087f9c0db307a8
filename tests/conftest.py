"""Hypothesis profiles: `default` for `make test`, the same examples every time; `deep` for `make deep`, new ones."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile(
    "default", deadline=None, max_examples=200, suppress_health_check=quiet, derandomize=True, database=None
)
settings.register_profile("deep", deadline=None, max_examples=4000, suppress_health_check=quiet)
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--refresh-golden", action="store_true", help="write the golden files anew")


os.environ.setdefault("CC", "gcc -DGN_SHARE=0")
"""Loops on threads have teams however little there is to do, so that small tests run them."""

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
"""What pydata/sparse computes is interpreted: to compile it takes longer than all that tests ask of it."""


@pytest.fixture(scope="session", autouse=True)
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A kernel cache of the tests' own."""
    before = os.environ.get("GNOMON_CACHE")
    os.environ["GNOMON_CACHE"] = str(tmp_path_factory.mktemp("kernels"))
    yield
    if before is None:
        del os.environ["GNOMON_CACHE"]
    else:
        os.environ["GNOMON_CACHE"] = before
