"""compute-sanitizer: kernels kept as examples, run under each of its tools in a process of its own."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from msgspec import Struct

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
FOUND = 9
"""The exit status where a tool has found something."""
SUMMARY = re.compile(r"(ERROR SUMMARY|RACECHECK SUMMARY): (.*)")
MODULE = "gnomon.properties.gpu.examples"


class Finding(Struct, frozen=True):
    """What a tool has said of so many kernels; `wrong`: that something is."""

    tool: str
    kernels: int
    said: str
    wrong: bool


def sanitize(kernels: int, tool: str, seconds: float, folder: Path) -> Finding:
    """What a tool says of the kernels kept as examples, of which there are so many, within some seconds. A folder has
    their libraries."""
    command = shutil.which("compute-sanitizer")
    if command is None:
        return Finding(tool, 0, "compute-sanitizer is not installed", False)
    asked = [command, "--tool", tool, "--error-exitcode", str(FOUND), sys.executable, "-m", MODULE, str(folder)]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Finding(tool, 0, f"not done after {seconds:.0f} s", False)
    return read_summary(tool, kernels, done.returncode, f"{done.stdout}\n{done.stderr}")


def read_summary(tool: str, kernels: int, status: int, said: str) -> Finding:
    """What a tool has found, from its exit status and its output.

    >>> read_summary("memcheck", 17, 0, "========= ERROR SUMMARY: 0 errors")
    Finding(tool='memcheck', kernels=17, said='0 errors', wrong=False)
    """
    found = SUMMARY.search(said)
    if found is None:
        last = (said.strip().splitlines() or ["nothing was said"])[-1]
        return Finding(tool, 0, f"ended with status {status}: {last}", status != 0)
    differing = f", and kernels end with status {status}" if status not in (0, FOUND) else ""
    return Finding(tool, kernels, f"{found[2].strip()}{differing}", status != 0)
