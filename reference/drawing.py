"""Pictures: coordinate hierarchies, iteration graphs and merge lattices, in text and SVG (Chou 2018, Figures 3, 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from .iteration_graph import operand_edges
from .lattice import Point
from .printer import pretty
from .scalars import scalars
from .statement import Assign, Forall, Program, Statement, Where, assignments, reads, show
from .statement import Sequence as InOrder
from .strategy import Strategy, strategies
from .tensor import Tensor

LARGEST = 400
BOX, GAP, ROW = 58, 10, 64


@dataclass(frozen=True, slots=True)
class Node:
    """A box: its text and its place, in columns and rows."""

    text: str
    column: float
    row: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes, lines between them by number, and a label for each row."""

    nodes: tuple[Node, ...]
    lines: tuple[tuple[int, int], ...]
    rows: tuple[str, ...] = ()

    def svg(self) -> str:
        """The diagram as a standalone SVG."""
        wide = max((len(n.text) for n in self.nodes), default=1)
        box = max(BOX, 8 * wide + 14)
        margin = 16 + 8 * max((len(r) for r in self.rows), default=0)
        width = margin + (box + GAP) * (max((n.column for n in self.nodes), default=0) + 1) + GAP
        height = ROW * (max((n.row for n in self.nodes), default=0) + 1)
        x = [margin + (box + GAP) * n.column + box / 2 for n in self.nodes]
        y = [ROW * n.row + ROW / 2 for n in self.nodes]
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            'font-family="monospace" font-size="13" text-anchor="middle">',
            '<rect width="100%" height="100%" fill="white"/>',
        ]
        for a, b in self.lines:
            parts.append(f'<line x1="{x[a]:g}" y1="{y[a] + 14:g}" x2="{x[b]:g}" y2="{y[b] - 14:g}" stroke="#777"/>')
        for row, label in enumerate(self.rows):
            parts.append(f'<text x="8" y="{ROW * row + ROW / 2 + 4:g}" text-anchor="start">{escape(label)}</text>')
        for n, cx, cy in zip(self.nodes, x, y, strict=True):
            parts.append(
                f'<rect x="{cx - box / 2:g}" y="{cy - 14:g}" width="{box}" height="28" rx="6" fill="#f2f6fc" '
                f'stroke="#345"/><text x="{cx:g}" y="{cy + 4:g}">{escape(n.text)}</text>'
            )
        return "\n".join([*parts, "</svg>"]) + "\n"


def hierarchy(tensor: Tensor) -> Diagram:
    """The coordinate hierarchy of a small tensor: a node per position, values at the bottom (Figure 3)."""
    levels = tensor.bound()
    values = scalars(tensor.vals)
    nodes: list[Node] = []
    lines: list[tuple[int, int]] = []
    columns = iter(range(LARGEST))
    made: dict[tuple[int, tuple[int, ...]], int] = {}

    def add(row: int, text: str, parent: int | None) -> int:
        column = next(columns, LARGEST) if row == len(levels) else -1
        nodes.append(Node(text, column, row))
        if parent is not None:
            lines.append((parent, len(nodes) - 1))
        return len(nodes) - 1

    for path, p in tensor.stored():
        parent: int | None = None
        for k in range(len(levels)):
            key = (k, path[: k + 1])
            fresh = key not in made or not levels[k].unique
            if fresh:
                made[key] = add(k, str(path[k]), parent)
            parent = made[key]
        add(len(levels), f"{values[p]:g}" if not isinstance(values[p], complex) else str(values[p]), parent)
    rows = tuple(f"level {k + 1} ({level.name})" for k, level in enumerate(levels))
    return Diagram(tuple(centred(nodes, lines)), tuple(lines), (*rows, "values"))


def centred(nodes: Sequence[Node], lines: Sequence[tuple[int, int]]) -> Iterator[Node]:
    """Each inner node above the middle of its children; nodes come before their children."""
    columns = [n.column for n in nodes]
    for n in range(len(nodes) - 1, -1, -1):
        below = [columns[b] for a, b in lines if a == n]
        if below:
            columns[n] = (min(below) + max(below)) / 2
    return (Node(n.text, c, n.row) for n, c in zip(nodes, columns, strict=True))


@dataclass(frozen=True, slots=True)
class LoopPlan:
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


def explain(program: Program) -> str:
    """The statement, the strategy of every loop and its lattice points, as text."""
    lines = [show(program.statement), ""]
    for each in loops(program):
        lines.append(f"{'  ' * each.depth}loop {each.title}: {each.strategy.name()}")
        for point in each.points():
            merged = ", ".join(sorted(a.tensor for a in point.merged)) or "nothing"
            values = "; ".join(pretty(leaf.value) for leaf in assignments(point.statement))
            lines.append(f"{'  ' * each.depth}  {{{merged}}}: {values}")
    return "\n".join(lines)


def lattice(strategy: Strategy) -> Diagram:
    """The merge lattice of a loop, larger sets above (Figure 6)."""
    points = strategy.lattice.points()
    sizes = sorted({len(p.merged) for p in points}, reverse=True)
    nodes, place = [], dict.fromkeys(sizes, 0)
    for p in points:
        row = sizes.index(len(p.merged))
        values = "; ".join(pretty(leaf.value) for leaf in assignments(p.statement))
        names = ",".join(sorted(a.tensor for a in p.merged)) or "∅"
        nodes.append(Node(f"{names}: {values}", place[len(p.merged)], row))
        place[len(p.merged)] += 1
    lines = [
        (a, b)
        for a, p in enumerate(points)
        for b, q in enumerate(points)
        if q.merged < p.merged and not any(q.merged < r.merged < p.merged for r in points)
    ]
    return Diagram(tuple(nodes), tuple(lines))


def iteration_graph(program: Program) -> Diagram:
    """The loop variables in order, and the path of each operand through them."""
    formats = dict(program.formats)
    order = list(dict.fromkeys(each.loop for each in loops(program)))
    graph = program.derivations
    edges: dict[tuple[int, int], None] = {}
    for access in reads(program.statement):
        sources = {v: program.provenance.loops(v, access.levels) or (v,) for v in access.levels}
        known = {v: tuple(leaf for w in own for leaf in graph.leaves(w, order)) for v, own in sources.items()}
        for edge in operand_edges(access, formats[access.tensor], known):
            if edge.source in order and edge.sink in order:
                edges[order.index(edge.source), order.index(edge.sink)] = None
    nodes = tuple(Node(v, 0.6 * n, n) for n, v in enumerate(order))
    return Diagram(nodes, tuple(e for e in edges if e[0] < e[1]))
