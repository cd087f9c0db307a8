"""Spellings: what TACO and GraphBLAS call operators that have other names here.

Texts may use those of `FUNCTIONS` for functions, semirings all of them: in a text, `plus(i)` is a tensor. Of the
coordinates of a component, `tril(i,j)` and the like say where it stands.
"""

from __future__ import annotations

FUNCTIONS = {
    **{"gte": "ge", "lte": "le", "neq": "ne", "lor": "or", "land": "and", "lxor": "xor", "lnot": "not", "ainv": "neg"},
    **{"tril": "ge", "triu": "le", "diag": "eq", "offdiag": "ne"},
}
ALIASES = {**FUNCTIONS, "plus": "add", "times": "mul", "minus": "sub", "oneb": "pair"}
FIELD_NAMES = {ALIASES[name]: name for name in ("plus", "times", "minus", "lor", "land", "lxor")}
