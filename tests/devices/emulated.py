"""Kernels of several problems for devices, which one library emulates on the CPU."""

from collections.abc import Mapping
from typing import Generic, TypeVar

import pytest
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.devices import build_emulated, generate_device_case, run_emulated
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.tensor import Tensor

Key = TypeVar("Key")


class Emulated(Generic[Key]):
    """Problems with their kernels, by keys."""

    def __init__(self, problems: Mapping[Key, Problem], folders: pytest.TempPathFactory) -> None:
        self.cases = {key: generate_device_case(each, f"k{n}_") for n, (key, each) in enumerate(problems.items())}
        self.library = build_emulated([*self.cases.values()], folders.mktemp("emulated"), chosen_compiler())

    def run(self, key: Key) -> Tensor:
        """The result of a kernel."""
        return run_emulated(self.cases[key], self.library)
