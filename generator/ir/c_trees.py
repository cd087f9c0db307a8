"""pycparser: trees of C, their printer, and their parser, which is loaded when it is first asked.

The package itself loads its parser, which takes longer than to generate a kernel. Its modules are loaded one by one, as
if they were here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

found = find_spec("pycparser")
assert found is not None
__path__ = found.submodule_search_locations
c_ast: Any = import_module(f"{__name__}.c_ast")
c_generator: Any = import_module(f"{__name__}.c_generator")


@cache
def parser() -> Any:
    """The parser of C."""
    return import_module(f"{__name__}.c_parser").CParser()
