"""Formats: a coordinate map and one level format per level (Chou 2018, section 3.1, Figure 4)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import takewhile
from typing import Any

from ..algebra.scalars import abbreviate
from ..errors import FormatError
from ..levels import LEVELS, Level
from ..levels.level import Append, Insert
from ..levels.own import check_own, levels_above
from ..nearest import nearest
from .coordinate_map import CoordinateMap, Mode, Rank, Remainder, Term, parse_map, permutation_map, whole_number

MAX_ORDER = 32
DIAGONALS = "(i,j)->(#(j-i),i,j)"
LEVEL = re.compile(r"(\w+)\s*(?:\(([^()]*)\))?")
SHORT = {
    **{level.letter: level() for level in LEVELS},
    "u": next(level for level in LEVELS if level.name == "compressed")(unique=False),
    "c": next(level for level in LEVELS if level.name == "singleton")(unique=False),
}


@dataclass(frozen=True)
class Format:
    """How a tensor is stored: its coordinate map and its levels, outermost first.

    `Format(["dense", "compressed(nonunique)"])`, `Format("ds:1,0")` in short form, or with `map=` as text. Tensors have
    at most 32 modes. Raises FormatError for an illegal composition, naming the level and the reason.

    >>> str(Format("ds")), Format("ds") == Format(["dense", "compressed"])
    ('dense,compressed', True)
    """

    levels: tuple[Level, ...]
    map: CoordinateMap
    name: str | None = field(default=None, compare=False)

    def __init__(
        self,
        levels: str | Sequence[str | Level],
        mode_order: Sequence[int] | None = None,
        map: str | CoordinateMap | None = None,
        name: str | None = None,
    ) -> None:
        if isinstance(levels, str):
            levels, mode_order = short_form(levels, mode_order)
        check_parts(levels, map, name)
        found = tuple(parse_level(level) if isinstance(level, str) else level for level in levels)
        if map is not None and mode_order is not None:
            raise FormatError("a format takes mode_order or map, not both", rule="format.map")
        settled = permutation_map(range(len(found)) if mode_order is None else mode_order) if map is None else map
        settled = parse_map(settled) if isinstance(settled, str) else settled
        object.__setattr__(self, "levels", found)
        object.__setattr__(self, "map", settled)
        object.__setattr__(self, "name", name)
        check_composition(self)

    @property
    def order(self) -> int:
        """The number of modes of the tensors it stores."""
        return self.map.order

    @cached_property
    def dense_leaves(self) -> bool:
        """Whether storage holds components that nobody put there: the innermost choice is not free."""
        kept = [level for level in self.levels if not level.branchless]
        if not kept:
            return True
        last = kept[-1]
        return not isinstance(last, Append) and (last.full or not isinstance(last, Insert))

    @cached_property
    def is_whole(self) -> bool:
        """Whether every component is stored."""
        return all(level.full for level in self.levels)

    @cached_property
    def may_be_full(self) -> bool:
        """Whether a level is declared full that need not be: whether it is depends on the data."""
        return any(level.full and "full" in level.configurable for level in self.levels)

    @cached_property
    def has_no_gaps(self) -> bool:
        """Whether each position of the last level stores a component of the tensor."""
        return self.map.is_permutation and all(level.compact and not level.padded for level in self.levels)

    @cached_property
    def outer_arrays(self) -> int:
        """How many levels, from the outermost on, are stored as an array's are: whole, with nothing else kept."""
        kept = ({"array", "shared"} & set(level.roles().values()) for level in self.levels)
        return sum(1 for _ in takewhile(lambda each: each[0].full and not each[1], zip(self.levels, kept, strict=True)))

    @cached_property
    def is_array(self) -> bool:
        """Whether a plain array is stored so: every level holds the whole of a mode, and nothing else is kept."""
        return self.map.is_permutation and self.outer_arrays == len(self.levels)

    @property
    def stored_modes(self) -> list[int]:
        """The mode that each level holds, in a format whose map is a permutation."""
        return [t.mode for t in self.map.terms if isinstance(t, Mode)]

    @property
    def last_mode(self) -> int:
        """The mode that the last level holds, or a part of it."""
        last = self.map.terms[-1]
        assert not isinstance(last, Rank)
        return last.mode

    def __str__(self) -> str:
        if self.name is not None:
            return self.name
        text = ",".join(print_level(level) for level in self.levels)
        plain = permutation_map(range(len(self.levels)))
        return text if self.map == plain else f"{text}; {self.map}"

    def __repr__(self) -> str:
        return f"Format({str(self)!r})"


def check_parts(levels: Any, map: Any, name: Any) -> None:
    """Refuse parts that no format is made of."""
    hint = "write for example gn.Format(['dense', 'compressed'])"
    if not isinstance(levels, list | tuple):
        raise FormatError(f"expected levels, but found {abbreviate(levels)}", hint=hint, rule="error.python")
    for level in levels:
        if not isinstance(level, str | Level):
            raise FormatError(f"expected a level, but found {abbreviate(level)}", hint=hint, rule="error.python")
        if isinstance(level, Level) and type(level) not in LEVELS:
            check_own(level)
    if map is not None and not isinstance(map, str | CoordinateMap):
        raise FormatError(
            f"expected a map, but found {abbreviate(map)}",
            hint="write for example map='(i,j)->(j,i)'",
            rule="error.python",
        )
    if name is not None and not isinstance(name, str):
        raise FormatError(
            f"expected a name, but found {abbreviate(name)}", hint="write a text or leave it out", rule="error.python"
        )


def check_order(order: int) -> None:
    """Refuse tensors of more modes than are walked, or than NumPy stores."""
    if order > MAX_ORDER:
        raise FormatError(
            f"a tensor has at most {MAX_ORDER} modes, not {order}",
            hint="combine modes before",
            rule="format.composition",
        )


def print_level(level: Level) -> str:
    """A level format as written, with the properties that differ from its defaults."""
    defaults = {f.name: f.default for f in fields(level)}
    words = []
    for name in level.configurable:
        value = getattr(level, name)
        if value != defaults[name]:
            words.append(f"{name}={value}" if not isinstance(value, bool) else name if value else f"non{name}")
    text = ",".join(words).replace("nonordered", "unordered")
    return f"{level.name}({text})" if text else level.name


def parse_level(text: str) -> Level:
    """The level format that a text denotes, such as `compressed(nonunique,unordered)` or `hashed(width=64)`."""
    match = LEVEL.fullmatch(text.strip())
    kinds = {level.name: level for level in LEVELS}
    if match is None or match[1] not in kinds:
        near = nearest(text.partition("(")[0].strip(), kinds)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(kinds)}"
        raise FormatError(f"unknown level format {text!r}", hint=hint, rule="format.text.levels")
    kind = kinds[match[1]]
    settings: dict[str, Any] = {}
    said = (match[2] or "").strip()
    for word in (word.strip() for word in (said.split(",") if said else ())):
        name, value = parse_setting(word)
        if name not in kind.configurable:
            raise FormatError(
                f"a {kind.name} level has no property {word!r}",
                hint=f"it can be configured with {', '.join(kind.configurable) or 'nothing'}",
                rule="level.configured",
            )
        if isinstance(value, bool) != isinstance(getattr(kind(), name), bool):
            wanted, example = ("an integer", f"{name}=64") if isinstance(value, bool) else ("no number", name)
            raise FormatError(
                f"in {text!r} the property {word!r} wants {wanted}",
                hint=f"for example {example}",
                rule="format.text.levels",
            )
        if settings.setdefault(name, value) != value:
            raise FormatError(
                f"in {text!r} the property {word!r} contradicts another",
                hint="write one of them",
                rule="level.configured",
            )
    return dataclasses.replace(kind(), **settings)


def parse_setting(word: str) -> tuple[str, bool | int]:
    """`nonunique` is (unique, False); `width=64` is (width, 64)."""
    if not word:
        raise FormatError(
            "expected a property, but found ''", hint="write one between commas", rule="format.text.levels"
        )
    name, equals, value = word.partition("=")
    if equals:
        digits = re.fullmatch("[0-9]+", value.strip())
        if digits is None or not (number := whole_number(digits[0])):
            raise FormatError(
                f"{word!r} does not give a positive integer", hint="for example width=64", rule="format.text.levels"
            )
        return name.strip(), number
    if word.startswith("non"):
        return word[3:], False
    return ("ordered", False) if word == "unordered" else (word, True)


def short_form(text: str, mode_order: Sequence[int] | None) -> tuple[list[Level], Sequence[int] | None]:
    """TACO's short form: one letter a level, then `:` and the mode order."""
    letters, colon, order = text.partition(":")
    if mode_order is not None and colon:
        raise FormatError(
            f"{text!r} has a mode order, and mode_order is given too", hint="give one of them", rule="format.text"
        )
    if mode_order is None and colon:
        if not re.fullmatch(r"\s*[0-9]+(\s*,\s*[0-9]+)*\s*", order):
            raise FormatError(
                f"expected a mode order after ':' in {text!r}", hint="for example 'ds:1,0'", rule="format.text.letters"
            )
        mode_order = [whole_number(m.strip()) for m in order.split(",")]
    for letter in letters:
        if letter not in SHORT:
            known = ", ".join(f"{k} {level.name}" for k, level in SHORT.items())
            raise FormatError(f"unknown level letter {letter!r} in {text!r}", hint=known, rule="format.text.letters")
    return [SHORT[letter] for letter in letters], mode_order


def check_composition(format: Format) -> None:
    """Refuse levels that cannot stand where they stand."""
    check_order(format.order)
    if len(format.levels) != len(format.map.terms):
        raise FormatError(
            f"{len(format.levels)} levels cannot store the {len(format.map.terms)} level coordinates of {format.map}",
            hint="give one level per coordinate on the right of the map",
            rule="format.composition",
        )
    for k, level in enumerate(format.levels):
        above = format.levels[:k]
        reason = level.misfit(above) or misfit(level, above)
        if reason is None and type(level) not in LEVELS and (wanted := levels_above(level)) > k:
            reason = f"it takes the coordinates of {wanted} levels above, and there are {k}"
        if reason is not None:
            raise misplacement(format, k, reason, "format.composition")
    check_blocks(format)
    check_ranks(format)


def misplacement(format: Format, k: int, reason: str, rule: str) -> FormatError:
    """The error for a level that cannot stand where it stands."""
    whole = ",".join(print_level(each) for each in format.levels)
    return FormatError(f"level {k + 1} ({format.levels[k].name}) of {whole}: {reason}", rule=rule)


def check_blocks(format: Format) -> None:
    """Refuse levels within a block that hold more than was stored, but less than all.

    Loops end at the shape where they locate in a full level; what was stored lies in the shape.
    """
    for k, (level, term) in enumerate(zip(format.levels, format.map.terms, strict=True)):
        if isinstance(term, Remainder) and not level.full and not isinstance(level, Insert | Append):
            reason = "within a block it may hold places beyond the shape; use dense or compressed"
            raise misplacement(format, k, reason, "format.composition.blocks")


def check_ranks(format: Format) -> None:
    """Refuse levels that do not store each component once, or read the offsets of no diagonal, below a rank.

    Below the rank of the diagonals the offsets give rows and columns, in this order, so these two come next.
    """
    terms = format.map.terms
    ranks = [k for k, t in enumerate(terms) if isinstance(t, Rank)]
    readers = [k for k, level in enumerate(format.levels) if "offset" in level.roles()]
    if not ranks:
        return
    if len(ranks) > 1:
        raise FormatError(f"{format.map} has {len(ranks)} ranks", hint="a map has one rank at most", rule="format.map")
    (r,) = ranks
    for k in readers:
        if terms[r + 1 : r + 3] != diagonal(terms[r]) or format.levels[k].shared_lengths(range(k)) != {"offset": r}:
            reason = f"{format.map} gives it no offsets; write dense,range,offset; {DIAGONALS}"
            raise misplacement(format, k, reason, "format.composition.ranks")
    if format.dense_leaves and not any(format.levels[k].branchless for k in readers):
        k = max(k for k, level in enumerate(format.levels) if not level.branchless)
        reason = "below a rank it would hold the same component several times; use compressed"
        raise misplacement(format, k, reason, "format.composition.ranks")


def diagonal(t: Term) -> tuple[Term, ...]:
    """What follows the rank of the diagonals: the mode of the rows, and that of the columns."""
    match t:
        case Rank(plus=int() as plus, minus=int() as minus):
            return Mode(minus), Mode(plus)
        case _:
            return ()


def misfit(level: Level, above: tuple[Level, ...]) -> str | None:
    """Why a level cannot stand below others, from capabilities and properties alone."""
    for parent in above:
        if isinstance(level, Append) and isinstance(parent, Insert) and not parent.ordered and not level.branchless:
            return f"it is appended to in order, but the {parent.name} level above is filled in no order"
    if above and not above[-1].unique and not level.branchless and not isinstance(level, Insert):
        return f"the {above[-1].name} level above is not unique, so the level must hold one coordinate per parent"
    return None


def interleaving(format: Format, k: int) -> dict[str, int]:
    """The stride of the array that a chain of array-of-structs levels shares, and the column of level `k` in it."""
    chain = [n for n, level in enumerate(format.levels) if "column" in level.roles()]
    return {"stride": len(chain), "column": chain.index(k)} if k in chain else {}
