"""The kernels that are kept as examples, run on the GPU on small operands and compared with the reference:
`python -m gnomon.properties.gpu.examples FOLDER`, which ends with status 1 if one differs. Libraries that the folder
has already are not built again."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import numpy as np

from ...generator.device_source import generate_for_device
from ...generator.runtime.sources import request_source
from ...generator.source import Source
from ...reference.execution.evaluate import execute
from ...reference.files.dictionaries import from_numpy
from ...reference.storage.tensor import Tensor
from ..programs.kernels import ON_DEVICES, request_on_device
from .timing import Build, Timed, build_for_gpu

SIDE = 128
SHARES = {1: 0.3, 2: 0.03, 3: 0.0003}
"""The share of components that are stored, by order."""


def operands_of(name: str) -> dict[str, Tensor]:
    """Small operands of an example."""
    rng, request = np.random.default_rng(0), request_on_device(name)
    made = {}
    for each, layout in request.declarations.items():
        shape = (SIDE,) * layout.format.order
        full = rng.integers(1, 9, shape) * (rng.random(shape) < SHARES[len(shape)]) * 1.0
        made[each] = from_numpy(full, layout.format)
    return made


def example(name: str, build: Build, folder: Path) -> tuple[Timed, Tensor]:
    """An example on small operands, ready to run, and what it must give."""
    operands, source = operands_of(name), source_of(name)
    wanted = execute(request_on_device(name).text, operands, out=source.layouts[source.program.result].format).result
    path = build(generate_for_device(source, modes=("evaluate",)), folder)
    ordered = {each: operands[each] for each in source.operands}
    return Timed.of(path, source.layouts[source.program.result], wanted.shape, ordered), wanted


def source_of(name: str) -> Source:
    """What the kernel of an example is generated from."""
    request = request_on_device(name)
    return request_source(request, request.resolve({each: t.shape for each, t in operands_of(name).items()}))


def build_examples(build: Build, folder: Path) -> None:
    """Build the libraries of all examples in a folder, side by side."""
    texts = [generate_for_device(source_of(name), modes=("evaluate",)) for name in ON_DEVICES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, texts, repeat(folder)))


def differing(build: Build, folder: Path) -> Iterator[str]:
    """The examples whose results differ from what they must give."""
    for name in ON_DEVICES:
        timed, wanted = example(name, build, folder)
        if not np.allclose(timed.run().to_numpy(), wanted.to_numpy()):
            yield name


if __name__ == "__main__":
    found = list(differing(build_for_gpu, Path(sys.argv[1])))
    if found:
        sys.exit(f"these differ from the reference: {', '.join(found)}")
