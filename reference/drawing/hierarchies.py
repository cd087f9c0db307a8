"""Pictures: coordinate hierarchies and merge lattices, and loops as text (Chou 2018, Figures 3 and 6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ..algebra.scalars import scalars
from ..errors import InternalError
from ..levels.level import CoordinatePositionIteration, Coordinates, CoordinateValueIteration, Level
from ..loops.fusing import strategies
from ..loops.lattice import Point
from ..loops.strategy import Strategy
from ..notation.printer import pretty
from ..schedule.branched.turning import directions
from ..schedule.origin import origins
from ..schedule.schedule import Schedule
from ..statement.statement import Assign, Forall, Program, Statement, Where, assignments, show_program
from ..statement.statement import Sequence as InOrder
from ..storage.tensor import Tensor
from .diagram import Diagram, Node


def hierarchy(tensor: Tensor) -> Diagram:
    """The coordinate hierarchy of a small tensor: a node for every position, values at the bottom (Figure 3).

    Dashed is what a position holds that is no component: padding, and coordinates outside the shape.
    """
    values = scalars(tensor.vals)
    nodes: list[Node] = []
    lines: list[tuple[int, int]] = []

    def add(label: str, row: int, parent: int | None, hollow: bool = False) -> int:
        nodes.append(Node(label, row, hollow))
        if parent is not None:
            lines.append((parent, len(nodes) - 1))
        return len(nodes) - 1

    def below(levels: tuple[Level, ...], path: Coordinates, p: int, parent: int | None) -> None:
        if not levels:
            outside = any(c >= n for c, n in zip(tensor.format.map.invert(path), tensor.shape, strict=True))
            add(number(values[p]), len(path), parent, outside)
            return
        for c, q, found in positions(levels[0], p, path):
            if found:
                below(levels[1:], (*path, c), q, add(str(c), len(path), parent))
            else:
                add("–", len(path), parent, hollow=True)

    below(tensor.bound_levels(), (), 0, None)
    rows = tuple(f"level {k + 1} ({level.name})" for k, level in enumerate(tensor.format.levels))
    return Diagram(tuple(nodes), tuple(lines), (*rows, "values"))


def positions(level: Level, p: int, path: Coordinates) -> Iterator[tuple[int, int, bool]]:
    """What a level holds below a position, also where that is nothing: coordinate, position, whether it is labeled."""
    match level:
        case CoordinatePositionIteration():
            for q in range(*level.pos_bounds(p)):
                c, found = level.pos_access(q, path)
                yield c, q, found
        case CoordinateValueIteration():
            for c in range(*level.coord_bounds(path)):
                q, found = level.coord_access(p, (*path, c))
                yield c, q, found
        case _:
            raise InternalError(f"{level.name} levels cannot be iterated")


def number(value: complex) -> str:
    """A value as a box shows it."""
    return str(value) if isinstance(value, complex) else f"{value:g}"


class LoopPlan(Struct, frozen=True):
    """A loop of a statement, how deep it stands, and its strategy.

    A loop over a derived variable that completes original ones has a plan for each of them: `loop` is its own variable.
    """

    depth: int
    strategy: Strategy
    loop: str

    @property
    def title(self) -> str:
        """The loop, and what it runs over if that is another variable."""
        return self.loop if self.loop == self.strategy.index else f"{self.loop} over {self.strategy.index}"

    def points(self) -> tuple[Point, ...]:
        """The lattice points of the loop."""
        return self.strategy.lattice.points()


def loops(program: Program) -> Iterator[LoopPlan]:
    """Every loop of a program with its strategy, outermost first, as if no operand were missing yet."""

    def walk(s: Statement, bound: tuple[str, ...], depth: int) -> Iterator[LoopPlan]:
        match s:
            case Forall(index=index, body=body):
                found = list(strategies(program, s, bound))
                for strategy in found:
                    if strategy.index != index or len(found) == 1:
                        yield LoopPlan(depth, strategy, index)
                    bound = (*bound, strategy.index)
                yield from walk(body, bound, depth + 1)
            case Where(consumer=consumer, producer=producer):
                yield from walk(producer, bound, depth)
                yield from walk(consumer, bound, depth)
            case InOrder(statements=statements):
                for each in statements:
                    yield from walk(each, bound, depth)
            case Assign():
                return

    return walk(program.statement, (), 0)


def explain(program: Program, schedule: Schedule) -> str:
    """The statement that a schedule has left, what its masks do, its workspaces and why there are some that nobody has
    asked for, the strategy of every loop and its lattice points, as text."""
    told = [f"mask {pretty(mask)}: {direction}" for mask, direction in directions(program).items()]
    told += tell_workspaces(program, schedule)
    lines = [show_program(program), "", *told, *([""] if told else [])]
    for each in loops(program):
        lines.append(f"{'  ' * each.depth}loop {each.title}: {each.strategy.name()}")
        for point in each.points():
            merged = ", ".join(sorted(a.tensor for a in point.merged)) or "nothing"
            values = "; ".join(pretty(leaf.value) for leaf in assignments(point.statement))
            lines.append(f"{'  ' * each.depth}  {{{merged}}}: {values}")
    return "\n".join(lines)


def tell_workspaces(program: Program, schedule: Schedule) -> list[str]:
    """The workspaces of a program, each a line, and why there are some that nobody has asked for."""
    why = origins(program, schedule)
    found = list[str]()
    for workspace in program.workspaces:
        found.append(f"workspace {workspace}")
        if workspace.name in why:
            found.append(f"  {why[workspace.name]}")
    return found


def lattice(strategy: Strategy) -> Diagram:
    """The merge lattice of a loop, larger sets above (Figure 6)."""
    points = strategy.lattice.points()
    sizes = sorted({len(p.merged) for p in points}, reverse=True)
    nodes = []
    for p in points:
        values = "; ".join(pretty(leaf.value) for leaf in assignments(p.statement))
        names = ",".join(sorted(a.tensor for a in p.merged)) or "∅"
        nodes.append(Node(f"{names}: {values}", sizes.index(len(p.merged))))
    lines = [
        (a, b)
        for a, p in enumerate(points)
        for b, q in enumerate(points)
        if q.merged < p.merged and not any(q.merged < r.merged < p.merged for r in points)
    ]
    return Diagram(tuple(nodes), tuple(lines))
