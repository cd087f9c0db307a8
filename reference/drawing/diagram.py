"""Diagrams: boxes in rows, joined by arrows that never run behind a box, as standalone SVG.

An arrow over several rows passes through a slot of its own in each row between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import hypot

from msgspec import Struct, field

LETTER, HEIGHT, ROW, GAP, MARGIN = 8, 28, 70, 14, 12
SLOT = 10.0
SWEEPS = 4
HEAD = 7
COLOURS = ("#1b6ca8", "#b3541e", "#3a7d44", "#7b3fa0", "#a31621", "#5c6b00", "#00707a", "#8a5a00")
Path = list[tuple[float, float]]


class Node(Struct, frozen=True):
    """A box: its text and its row. What is `hollow` has a dashed border: nothing is there; some are `rounded`."""

    text: str
    row: int
    hollow: bool = False
    rounded: bool = False

    @property
    def width(self) -> float:
        """How wide the box is."""
        return max(36.0, LETTER * len(self.text) + 16.0)


class Diagram(Struct, frozen=True):
    """Boxes, in each row from left to right; arrows from boxes to boxes further down, by number; labels of rows."""

    nodes: tuple[Node, ...]
    lines: tuple[tuple[int, int], ...]
    rows: tuple[str, ...] = ()

    def svg(self) -> str:
        """The diagram as a standalone SVG."""
        places = layout(self)
        left = 2 * MARGIN + LETTER * max((len(r) for r in self.rows), default=0)
        wide = max((x + n.width / 2 for n, (x, _) in zip(self.nodes, places.nodes, strict=True)), default=0.0)
        wide = max([wide, *(x for path in places.lines for x, _ in path)])
        depth = max([len(self.rows), *(n.row + 1 for n in self.nodes)], default=1)
        parts = [opening(left + wide + MARGIN, ROW * depth)]
        parts += [text(MARGIN, ROW * row + ROW / 2, label, anchor="start") for row, label in enumerate(self.rows)]
        for path in places.lines:
            parts.append(arrow([(left + x, y) for x, y in path]))
        for n, (x, y) in zip(self.nodes, places.nodes, strict=True):
            parts.append(box(left + x, y, n))
        return "\n".join([*parts, "</svg>"]) + "\n"


class Places(Struct, frozen=True):
    """Where the middle of every box is, and the corners of every arrow."""

    nodes: list[tuple[float, float]]
    lines: list[Path]


class Slot(Struct):
    """A place in a row: of a box, or of an arrow that passes by."""

    width: float
    passes: bool
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    x: float = 0.0


def layout(diagram: Diagram) -> Places:
    """Where everything is drawn: boxes near those that they are joined to, none behind an arrow."""
    slots = [Slot(n.width, passes=False) for n in diagram.nodes]
    rows: list[list[int]] = [[] for _ in range(max((n.row for n in diagram.nodes), default=0) + 1)]
    for number, n in enumerate(diagram.nodes):
        rows[n.row].append(number)
    chains = []
    for a, b in diagram.lines:
        chain = [a]
        for row in range(diagram.nodes[a].row + 1, diagram.nodes[b].row):
            slots.append(Slot(SLOT, passes=True))
            rows[row].append(len(slots) - 1)
            chain.append(len(slots) - 1)
        chain.append(b)
        for one, other in pairwise(chain):
            slots[one].below.append(other)
            slots[other].above.append(one)
        chains.append(chain)
    arrange_slots(slots, rows)
    least = min((s.x - s.width / 2 for s in slots), default=0.0)
    height = {number: ROW * row + ROW / 2 for row, members in enumerate(rows) for number in members}
    places = [(s.x - least, height[n]) for n, s in enumerate(slots)]
    return Places(places[: len(diagram.nodes)], [corners(chain, places) for chain in chains])


def arrange_slots(slots: Sequence[Slot], rows: Sequence[list[int]]) -> None:
    """Place the slots of every row as near as there is room to the middle of their neighbours above or below.

    Boxes keep their order; arrows pass between those that they are nearest to.
    """
    for members in rows:
        spread_row(slots, members, [0.0] * len(members))
    for sweep in range(2 * SWEEPS):
        for members in rows if sweep % 2 else reversed(rows):
            joined = [slots[n].above if sweep % 2 else slots[n].below for n in members]
            wanted = {n: middle(slots, near, slots[n].x) for n, near in zip(members, joined, strict=True)}
            members[:] = order_row(slots, members, wanted)
            spread_row(slots, members, [wanted[n] for n in members])


def order_row(slots: Sequence[Slot], members: Sequence[int], wanted: dict[int, float]) -> list[int]:
    """The slots of a row in order: boxes keep theirs, an arrow passes before the first box that is wanted right of
    it."""
    found = [n for n in members if not slots[n].passes]
    for passing in sorted((n for n in members if slots[n].passes), key=lambda n: (wanted[n], n)):
        right = (k for k, n in enumerate(found) if not slots[n].passes and wanted[n] > wanted[passing])
        found.insert(next(right, len(found)), passing)
    return found


def middle(slots: Sequence[Slot], joined: Sequence[int], otherwise: float) -> float:
    """The middle of some slots."""
    xs = [slots[n].x for n in joined]
    return (min(xs) + max(xs)) / 2 if xs else otherwise


def spread_row(slots: Sequence[Slot], members: Sequence[int], wanted: Sequence[float]) -> None:
    """Place the slots of a row in order, beside one another, moved together to where they want to be."""
    blocks: list[tuple[float, float, list[int]]] = []  # left end, width, members
    for n, x in zip(members, wanted, strict=True):
        slots[n].x = x
        left, width, held = x - slots[n].width / 2, slots[n].width, [n]
        while blocks and blocks[-1][0] + blocks[-1][1] + GAP > left:
            before = blocks.pop()
            share = len(before[2]) / (len(before[2]) + len(held))
            left = share * before[0] + (1 - share) * (left - before[1] - GAP)
            width, held = before[1] + GAP + width, [*before[2], *held]
        blocks.append((left, width, held))
    for left, _, held in blocks:
        for n in held:
            slots[n].x = left + slots[n].width / 2
            left += slots[n].width + GAP


def corners(chain: Sequence[int], places: Sequence[tuple[float, float]]) -> Path:
    """An arrow from the lower edge of a box through slots to the upper edge of another one."""
    found: Path = []
    for n, number in enumerate(chain):
        x, y = places[number]
        if n > 0:
            found.append((x, y - HEIGHT / 2))
        if n < len(chain) - 1:
            found.append((x, y + HEIGHT / 2))
    return found


def opening(width: float, height: float) -> str:
    """The beginning of a picture, on white."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        'font-family="monospace" font-size="13" text-anchor="middle">\n'
        '<rect width="100%" height="100%" fill="white"/>'
    )


def text(x: float, y: float, label: str, *, anchor: str = "middle", colour: str = "#000", size: int = 13) -> str:
    """A label, its middle at a height."""
    look = f'text-anchor="{anchor}" fill="{colour}" font-size="{size}"'
    return f'<text x="{x:g}" y="{y + 4:g}" {look}>{escape(label)}</text>'


def box(x: float, y: float, n: Node) -> str:
    """A box with its text."""
    border = ' stroke="#999" stroke-dasharray="4 3" fill="white"' if n.hollow else ' stroke="#345" fill="#f2f6fc"'
    corner = f'x="{x - n.width / 2:g}" y="{y - HEIGHT / 2:g}" width="{n.width:g}" height="{HEIGHT}"'
    return f'<rect {corner} rx="{HEIGHT // 2 if n.rounded else 6}"{border}/>' + text(x, y, n.text)


def arrow(path: Iterable[tuple[float, float]], colour: str = "#777") -> str:
    """A line through points, with a head at the last."""
    points = list(path)
    (x0, y0), (x1, y1) = points[-2], points[-1]
    long = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / long * HEAD, (y1 - y0) / long * HEAD
    head = [(x1, y1), (x1 - dx - dy / 2, y1 - dy + dx / 2), (x1 - dx + dy / 2, y1 - dy - dx / 2)]
    shown = " ".join(f"{x:g},{y:g}" for x, y in points)
    tip = " ".join(f"{x:g},{y:g}" for x, y in head)
    return f'<polyline points="{shown}" fill="none" stroke="{colour}"/><polygon points="{tip}" fill="{colour}"/>'
