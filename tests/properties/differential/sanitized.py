"""Random kernels under the address and undefined-behaviour sanitizers; run in a process with their libraries loaded."""

import importlib.util
import os
import sys
from pathlib import Path

from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.batch import cases, run_all

FLAGS = ("-std=c11", "-O0", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def main(folder: Path, count: int) -> None:
    os.environ.pop("LD_PRELOAD", None)  # not for the compiler
    spec = importlib.util.spec_from_file_location("test_batch", Path(__file__).with_name("test_batch.py"))
    assert spec is not None
    assert spec.loader is not None
    shared = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shared)
    problems = [problem for family in shared.FAMILIES for problem in shared.drawn(family, count)]
    ran = run_all(list(cases(problems, [])), folder, chosen_compiler(), FLAGS)
    print(f"{ran} kernels ran")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
