"""Pictures of loop nests: loops as a tree, and beside it the paths of operands (Chou 2018, Figure 6).

Loops stand above what they enclose. The path of an operand leads through its levels; each of them stands at the height
of the loop that gives its coordinate. Where there are several assignments, each has its paths below its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from msgspec import Struct, field

from ..notation.printer import pretty
from ..notation.syntax import Access
from ..statement.expansion import remaining_loops
from ..statement.statement import Assign, Forall, Program, Statement, Where, reads, show
from ..statement.statement import Sequence as InOrder
from ..storage.coordinate_map import Rank
from ..storage.format import Format
from .diagram import COLOURS, HEIGHT, LETTER, MARGIN, ROW, Node, arrow, box, opening, text

SMALL, HEADING = 11, 12
SMALL_LETTER = 6.8


class Stop(Struct, frozen=True):
    """Where a path comes to a level: the row of the loop, and what it says."""

    row: int
    text: str


class OperandPath(Struct, frozen=True):
    """The path of an operand through its levels, in storage order; none for a scalar."""

    title: str
    stops: tuple[Stop, ...]

    @property
    def width(self) -> float:
        """How much room it takes."""
        return MARGIN + SMALL_LETTER * max(len(self.title), *(len(s.text) + 3 for s in self.stops), 0)


class Leaf(Struct, frozen=True):
    """An assignment: the loops around it, by number, and the paths of its result and operands."""

    box: int
    around: tuple[int, ...]
    paths: tuple[OperandPath, ...]


class LoopTree(Struct):
    """The boxes of a statement in the order of execution: their column, one for each assignment, and their parents."""

    program: Program
    nodes: list[Node] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    parents: list[tuple[int | None, str]] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)

    def add(self, s: Statement, around: tuple[int, ...], role: str = "") -> None:
        """The boxes of a statement below some loops; `role` is what it is to what encloses it."""
        match s:
            case Forall(index=index, body=body, tags=tags):
                said = f" [{', '.join(map(str, tags))}]" if tags else ""
                number = self.box(f"∀{index}{said}", index, around, role)
                self.add(body, (*around, number))
            case Where(consumer=consumer, producer=producer, workspace=name):
                self.add(producer, around, f"fill {name}")
                self.add(consumer, around, role or f"read {name}")
            case InOrder(statements=statements):
                for n, each in enumerate(statements):
                    self.add(each, around, f"{n + 1}.")
            case Assign():
                number = self.box(show(s), "", around, role)
                self.leaves.append(Leaf(number, around, tuple(self.paths(s, around))))

    def box(self, label: str, variable: str, around: tuple[int, ...], role: str) -> int:
        """One more box in the column of the next assignment."""
        self.nodes.append(Node(label, len(around) + 1))
        self.variables.append(variable)
        self.columns.append(len(self.leaves))
        self.parents.append((around[-1] if around else None, role))
        return len(self.nodes) - 1

    def paths(self, s: Assign, around: tuple[int, ...]) -> list[OperandPath]:
        """The paths of the result and the operands of an assignment, each access once."""
        formats = self.program.formats
        found = []
        for access in dict.fromkeys((s.target, *reads(s))):
            name = formats[access.tensor].name
            title = pretty(Access(access.tensor, access.indices)) + (f" {name}" if name else "")
            found.append(OperandPath(title, tuple(self.stops(access, around))))
        return found

    def stops(self, access: Access, around: tuple[int, ...]) -> list[Stop]:
        """Where a path comes to its levels: those in one row together."""
        rows = {self.variables[number]: self.nodes[number].row for number in around}
        found: list[Stop] = []
        format = self.program.formats[access.tensor]
        for variable, level in zip(level_variables(access, format), format.levels, strict=True):
            given = self.rows(variable, rows)
            if not given:
                continue
            if found and found[-1].row == max(given):
                found[-1] = Stop(found[-1].row, f"{found[-1].text}, {level.name}")
            else:
                found.append(Stop(max(given), level.name))
        return found

    def rows(self, variable: str, known: Mapping[str, int]) -> list[int]:
        """The rows of the loops that give the coordinate of a variable."""
        found = [known[v] for v in remaining_loops(self.program.provenance, variable, known) if v in known]
        parts = [v for split in self.program.provenance.splits(variable) for v in (split.outer, split.inner)]
        return found or [row for v in parts for row in self.rows(v, known)]


def level_variables(access: Access, format: Format) -> tuple[str, ...]:
    """The variable that gives the coordinate of each level of an access; of a workspace in blocks that is filled, the
    variable of the level's mode."""
    if len(access.levels) == len(format.levels):
        return access.levels
    return tuple(access.indices[term.mode] for term in format.map.terms if not isinstance(term, Rank))


def loop_nest(program: Program) -> str:
    """The loops of a statement with the paths of its operands, as SVG. No arrow crosses another."""
    tree = LoopTree(program)
    tree.add(program.statement, ())
    boxes, paths, width = columns(tree)
    bottom = ROW * (max(n.row for n in tree.nodes) + 1)
    parts = [opening(width, bottom)]
    for number in range(len(tree.nodes)):
        parts += descent(tree, boxes, number)
    for leaf, starts in zip(tree.leaves, paths, strict=True):
        if len(tree.leaves) > 1:
            title = tree.nodes[leaf.box].text
            parts.append(text(starts[0], HEADING, title, anchor="start", colour="#777", size=SMALL))
        for n, (path, x) in enumerate(zip(leaf.paths, starts, strict=True)):
            parts += draw_path(path, x, COLOURS[n % len(COLOURS)])
    parts += [box(x, height(n.row), n) for x, n in zip(boxes, tree.nodes, strict=True)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def columns(tree: LoopTree) -> tuple[list[float], list[list[float]], float]:
    """The middle of every box, where the paths of every assignment begin, and the whole width.

    Paths stand to the right of all boxes, where no arrow from a loop to another assignment passes.
    """
    boxes = [0.0] * len(tree.nodes)
    paths: list[list[float]] = []
    left = float(MARGIN)
    for n in range(len(tree.leaves)):
        own = [number for number, column in enumerate(tree.columns) if column == n]
        room = max(tree.nodes[number].width for number in own)
        for number in own:
            boxes[number] = left + room / 2
        left += room + 2 * MARGIN
    for leaf in tree.leaves:
        room = left + SMALL_LETTER * len(tree.nodes[leaf.box].text)
        paths.append([])
        for path in leaf.paths:
            paths[-1].append(left)
            left += path.width
        left = max(left, room) + 2 * MARGIN
    return boxes, paths, left


def height(row: int) -> float:
    """The middle of a row."""
    return ROW * row + ROW / 2


def descent(tree: LoopTree, boxes: list[float], number: int) -> list[str]:
    """The arrow from a loop to a statement in its body, labelled with the statement's role if it has one."""
    above, role = tree.parents[number]
    end, below = boxes[number], height(tree.nodes[number].row) - HEIGHT / 2
    said = [text(end + 6, below - 9, role, anchor="start", colour="#777", size=SMALL)] if role else []
    if above is None:
        return said
    x, y = boxes[above], height(tree.nodes[above].row) + HEIGHT / 2
    turn = below - (below - y) / 2
    return [*said, arrow([(x, y), (end, below)] if x == end else [(x, y), (x, turn), (end, turn), (end, below)])]


def draw_path(path: OperandPath, x: float, colour: str) -> list[str]:
    """The path of an operand: its name above, a dot at every stop, and arrows between."""
    parts = [text(x, height(0), path.title, anchor="start", colour=colour, size=SMALL)]
    x += LETTER
    for one, other in pairwise(path.stops):
        away = 6 if other.row > one.row else -6
        parts.append(arrow([(x, height(one.row) + away), (x, height(other.row) - away)], colour))
    for stop in path.stops:
        parts.append(f'<circle cx="{x:g}" cy="{height(stop.row):g}" r="4" fill="{colour}"/>')
        parts.append(text(x + 9, height(stop.row), stop.text, anchor="start", colour=colour, size=SMALL))
    return parts
