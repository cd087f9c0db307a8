"""Objects of the user's own, at `MODULE:OBJECT`: backends, level formats."""

from __future__ import annotations

import importlib
import sys
from typing import Any

HERE = ""
WHERE = "modules are those that are installed, those on PYTHONPATH and those of the current folder"


def user_object(place: str) -> Any:
    """The object at `MODULE:OBJECT`. Raises whatever importing raises, and AttributeError if the module lacks it.

    The current folder is looked into last, so that no file in it hides what is installed; it stays on the path, for
    what the module imports later.

    >>> user_object("math:tau") > 6
    True
    """
    module, _, attribute = place.partition(":")
    if HERE not in sys.path:
        sys.path.append(HERE)
    return getattr(importlib.import_module(module), attribute)
