"""Restricted Python: every level function is in it, and what is not is refused with file and line."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from gnomon.reference.errors import CompileError
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.level import Coordinates, Ints, Level, array
from gnomon.reference.levels.restricted import level_functions, parse_level_function


@pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)
def test_every_level_format_is_restricted(kind: type[Level]) -> None:
    functions = level_functions(kind())
    assert functions and all(parse_level_function(kind, name) for name in functions)


OUTSIDE = 7


@dataclass(frozen=True)
class Wrong(Level):
    name: ClassVar[str] = "wrong"
    crd: Ints = array()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return sum(self.crd[:p]), len(self.crd)

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return [c + 1 for c in self.crd][p], True

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        p += 1
        return p, True

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        try:
            return 0, self.crd[0]
        except IndexError:
            return 0, 0

    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return p / 2, True

    def size(self, parents: int, more: int = 0) -> int:
        return parents

    def insert_init(self, begin: int, end: int) -> None:
        for p in self.crd:
            self.crd[p] = 0

    def insert_coord(self, p: int, i: int) -> None:
        p.x = i

    def append_coord(self, p: int, i: int) -> None:
        q, c = p, i
        self.crd[q] = c

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.crd[p] = OUTSIDE

    def append_init(self, begin: int, end: int) -> None:
        self.crd[begin] = max(end)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("pos_bounds", "is not restricted Python"),
        ("pos_access", "only arrays and coordinate tuples are indexed"),
        ("locate", "AugAssign statements"),
        ("coord_bounds", "Try statements"),
        ("coord_access", "Div is not an operator"),
        ("size", "without defaults"),
        ("insert_init", "For statements"),
        ("insert_coord", "only names and elements"),
        ("append_coord", "the results of a function of the level"),
        ("append_edges", "OUTSIDE is no parameter or variable"),
        ("append_init", "is not restricted Python"),
    ],
)
def test_violations_name_file_and_line(function: str, why: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse_level_function(Wrong, function)
    message = str(caught.value)
    assert why in message
    place = message.split(": ")[0]
    file, line = place.rsplit(":", 1)
    assert Path(file) == Path(__file__)
    text = Path(__file__).read_text().splitlines()[int(line) - 1].strip()
    assert text in message
    assert "^" in message


@dataclass(frozen=True)
class Astray(Level):
    """What Python would find out when it runs, if at all."""

    name: ClassVar[str] = "astray"
    crd: Ints = array()

    def pos_bounds(p: int, i: int) -> tuple[int, int]:  # type: ignore[misc]
        return p, i

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.idx[p], True  # type: ignore[attr-defined]

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.search(p, i), True  # type: ignore[attr-defined]

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        return 0, self.extent  # type: ignore[attr-defined]

    def wider(self) -> dict[str, int]:
        return {"W": 2}

    def size(self, parents: int) -> int:
        (n,) = self.size(parents)  # type: ignore[misc]
        return n

    def insert_init(self, begin: int, end: int) -> None:
        for p in range(begin, end):
            self.crd[p] = 0
            p = p + 1

    def insert_coord(self, p: int, i: int) -> None:
        for q in range(p, self.crd[p]):
            self.crd[q] = i

    def append_coord(self, p: int, i: int) -> None:
        self.name[p] = i  # type: ignore[index]

    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return p + i, True  # type: ignore[operator]

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.crd[p] = self.last(begin, (end, end))  # type: ignore[arg-type]

    def last(self, p: int, i: Coordinates) -> int:
        return i[p]

    def append_init(self, begin: int, end: int) -> None:
        begin[0] = end  # type: ignore[index]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("pos_bounds", "the first parameter is self"),
        ("pos_access", "the level has no array idx"),
        ("locate", "the level has no function search"),
        ("coord_bounds", "the level has no extent, parameter or property extent"),
        ("wider", "the level has no storage field W"),
        ("size", "several variables are assigned"),
        ("insert_init", "the body of a loop does not assign to p, on which its range depends"),
        ("insert_coord", "the body of a loop does not assign to crd, on which its range depends"),
        ("append_coord", "the level has no array name"),
        ("coord_access", "a number is wanted, not a path"),
        ("last", "coordinates of a path are taken by a number"),
        ("append_init", "only names and elements"),
    ],
)
def test_what_a_level_does_not_have_is_refused(function: str, why: str) -> None:
    with pytest.raises(CompileError, match=why):
        parse_level_function(Astray, function)


def test_functions_without_a_source_are_refused() -> None:
    namespace: dict[str, object] = {}
    exec("def size(self, parents):\n    return parents\n", namespace)
    made = type("Made", (Level,), {"size": namespace["size"]})
    with pytest.raises(CompileError, match="cannot be read"):
        parse_level_function(made, "size")


def test_functions_whose_file_holds_something_else_are_refused(tmp_path: Path) -> None:
    """As when a file has changed since it was imported."""
    namespace: dict[str, object] = {}
    file = tmp_path / "levels.py"
    file.write_text("what is (\nno Python\n")
    exec(compile("def size(self, parents):\n    return parents\n", str(file), "exec"), namespace)
    made = type("Made", (Level,), {"size": namespace["size"]})
    with pytest.raises(CompileError, match="cannot be read"):
        parse_level_function(made, "size")
