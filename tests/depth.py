"""How much of their cases tests run: some by default, all where mutants are judged, all and large ones in deep runs."""

from hypothesis import settings

ALL = settings.default.max_examples > 100
DEEP = settings.default.max_examples > 1000
