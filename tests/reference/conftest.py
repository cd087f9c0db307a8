"""What the tests of the reference share: kernels compiled together; a statement with its workspaces, as text."""

from collections.abc import Iterator
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from depth import DEEP
from gnomon.properties.differential import check as checking
from gnomon.properties.differential.check import check
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import show_program
from gnomon.reference.storage.tensor import Tensor
from together import Together


@pytest.fixture(scope="module", autouse=True)
def kernels_together(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The kernels that the checks of a file ask for are compiled and run together when it ends; in deep runs each at
    once, as users run it."""
    together = Together()
    with pytest.MonkeyPatch.context() as patch:
        if not DEEP:
            patch.setattr(checking, "by_kernel", together.by_kernel)
        yield
    if together.left:
        together.finish(tmp_path_factory.mktemp("together"))


def held(shape: tuple[int, ...], format: str, dtype: str = "float64", fill: float = 0) -> Tensor:
    return gn.tensor([[0]] * len(shape), [1], shape, format, dtype=dtype, fill=fill)


def text(source: str, out: Any, operands: dict[str, Any], **settings: Any) -> str:
    """The statement on operands of these shapes and formats, and what is converted; its workspaces with shape, format,
    dtype and fill."""
    program = prepare(source, {name: held(*each) for name, each in operands.items()}, out=out, **settings).program
    workspaces = (f"{w.name} {w.shape} {w.format} {w.dtype} {w.missing}" for w in program.workspaces)
    return "\n".join([show_program(program), *workspaces])


def random(shape: tuple[int, ...], format: str, dtype: str = "float64", fill: float = 0) -> Tensor:
    """A tensor with half of its components, small integers."""
    chance = np.random.default_rng(sum(shape))
    coords = np.argwhere(chance.random(shape) < 0.5).T
    held = chance.integers(1, 5, coords.shape[1]).astype(dtype)
    return gn.tensor(coords, held, shape, format, dtype=dtype, fill=fill)


def agrees(source: str, out: Any, operands: dict[str, Any], engines: tuple[str, ...] = (), **settings: Any) -> None:
    """The reference, and these engines beside it, compute what an expression means, on random operands of these shapes
    and formats."""
    given = {name: random(*each) for name, each in operands.items()}
    report = check(source, given, out=out, engines=engines, **settings)
    assert report.checked == report.points


@pytest.fixture
def lowered() -> Any:
    return text


@pytest.fixture
def agreed() -> Any:
    return agrees
