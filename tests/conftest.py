"""Hypothesis profiles: `default` for `make test`, the same examples every time; `deep` for `make deep`, new ones."""

import gc
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from gnomon.generator.runtime import built, request
from gnomon.generator.runtime.compiler import FLAGS
from gnomon.generator.runtime.garbage import collect_seldom
from hypothesis import HealthCheck, settings

EXAMPLES, DEEP = 40, 4000
QUICK = tuple("-O0" if flag == "-O3" else flag for flag in FLAGS)
quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile(
    "default", deadline=None, max_examples=EXAMPLES, suppress_health_check=quiet, derandomize=True, database=None
)
settings.register_profile("deep", deadline=None, max_examples=DEEP, suppress_health_check=quiet)
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--refresh-golden", action="store_true", help="write the golden files anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the cases of tests that are marked `every(n)`, `make test` runs every n-th: beginning with the first."""
    if settings.default.max_examples != EXAMPLES:
        return
    seen, kept, left = Counter[tuple[Path, str]](), list[pytest.Item](), list[pytest.Item]()
    for item in items:
        mark, case = item.get_closest_marker("every"), (item.path, item.name.partition("[")[0])
        (kept if mark is None or seen[case] % mark.args[0] == 0 else left).append(item)
        seen[case] += 1
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def pytest_collection_finish() -> None:
    """The garbage collector looks seldom through all that tests keep; at what was there before them, never."""
    collect_seldom()


@pytest.fixture(scope="module", autouse=True)
def kept_by_files() -> Iterator[None]:
    """The collector never looks again at what a file leaves behind in caches: that took half of its time."""
    yield
    gc.freeze()


os.environ.setdefault("CC", "gcc -DGN_SHARE=0")
"""Loops on threads have teams however little there is to do, so that small tests run them."""

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
"""What pydata/sparse computes is interpreted: to compile it takes longer than all that tests ask of it."""

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
"""Threads that wait for others of their team sleep: processes beside this one run tests on the same processors."""


@pytest.fixture(scope="session", autouse=True)
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A kernel cache of the tests' own, which workers share."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GNOMON_CACHE", str((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kernels"))
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_compilation() -> Iterator[None]:
    """Kernels are optimised as they ship in `make deep`; else only where a test asks for `kernels_as_they_ship`."""
    with pytest.MonkeyPatch.context() as patch:
        if settings.default.max_examples < DEEP:
            compile_with(QUICK, patch)
        yield


@pytest.fixture(scope="module")
def kernels_as_they_ship() -> Iterator[None]:
    """The kernels of a file have the flags that users get."""
    with pytest.MonkeyPatch.context() as patch:
        compile_with(FLAGS, patch)
        yield


def compile_with(flags: tuple[str, ...], patch: pytest.MonkeyPatch) -> None:
    """Compile kernels with some flags, by which the cache knows them."""
    for module in (built, request):
        patch.setattr(module, "FLAGS", flags)
