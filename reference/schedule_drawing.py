"""Pictures of a schedule: the provenance graph, and the iteration space in its tiles.

(Senanayake 2020, Figures 5 and 9, and 13 to 16.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape

from .derivation import Bound, Collapse, Coord, Derivation, Divide, Pos, derived, parents
from .drawing import Diagram, Node
from .errors import MeaningError, ScheduleError
from .interpreter import interpret
from .printer import pretty
from .provenance import Split
from .statement import Program, assignments, indices
from .syntax import Access
from .tensor import Tensor
from .trace import Trace

CELL, LARGEST, GOLDEN = 30, 40, 137.5


def provenance_graph(program: Program) -> Diagram:
    """Original variables above, what the commands derive from them below; the loops are marked."""
    graph, loops = program.derivations, set(indices(program.statement))
    names = dict.fromkeys(v for r in graph.relations for v in (*parents(r), *derived(r)))
    depth: dict[str, int] = {}
    for name in names:
        relation = graph.made(name)
        depth[name] = 0 if relation is None else 1 + max(depth[v] for v in parents(relation))
    columns: Counter[int] = Counter()
    nodes: list[Node] = []
    number: dict[str, int] = {}
    for name in names:
        number[name] = len(nodes)
        relation = graph.made(name)
        text = name if relation is None else f"{name} {caption(relation)}"
        nodes.append(Node(f"∀{text}" if name in loops else text, columns[depth[name]], depth[name]))
        columns[depth[name]] += 1
    lines = tuple((number[p], number[d]) for r in graph.relations for p in parents(r) for d in derived(r))
    return Diagram(tuple(nodes), lines)


def caption(relation: Derivation) -> str:
    """A relation in a word or two."""
    match relation:
        case Split(factor=size):
            return f"split {size}"
        case Divide(parts=parts):
            return f"divide {parts}"
        case Collapse():
            return "collapse"
        case Pos(access=access):
            return f"pos {pretty(Access(access.tensor, access.indices))}"
        case Coord():
            return "coord"
        case Bound(kind=kind, size=size):
            return f"{kind} {size}"


def iteration_space(program: Program, operands: Mapping[str, Tensor]) -> str | None:
    """The points that a statement visits, numbered in order, a colour for each value of the outermost loop, as SVG.

    None if the iteration space has more than two dimensions, or is too large to look at.
    """
    leaf = list(assignments(program.statement))[-1]
    loops = list(indices(program.statement))
    originals = list(dict.fromkeys(o for v in loops for o in program.derivations.originals(v)))
    extents = dict(program.extents)
    axes = [v for v in originals if v in extents]
    if program.workspaces or len(axes) != len(originals) or not 1 <= len(axes) <= 2:
        return None
    if any(extents[v] > LARGEST for v in axes) or leaf.mask is not None:
        return None
    trace = Trace(visits=Counter(), path=[])
    try:
        interpret(program, operands, trace=trace)
    except (MeaningError, ScheduleError):
        return None
    rows, columns = (axes[0], axes[1]) if len(axes) == 2 else (None, axes[0])
    height = 1 if rows is None else extents[rows]
    width = extents[columns]
    label = " × ".join(axes)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{CELL * width + 60}" height="{CELL * height + 50}" '
        'font-family="monospace" font-size="11" text-anchor="middle">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="16" text-anchor="start">{escape(label)}, tiles of {escape(loops[0])}</text>',
    ]
    for i in range(height):
        for j in range(width):
            parts.append(square(i, j, "#fff", ""))
    assert trace.path is not None
    for n, point in enumerate(trace.path):
        i = 0 if rows is None else point[rows]
        parts.append(square(i, point[columns], f"hsl({GOLDEN * point[loops[0]] % 360:.0f},60%,80%)", str(n)))
    return "\n".join([*parts, "</svg>"]) + "\n"


def square(row: int, column: int, colour: str, text: str) -> str:
    """A cell of the grid."""
    x, y = 30 + CELL * column, 28 + CELL * row
    return (
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}" stroke="#bbb"/>'
        f'<text x="{x + CELL / 2:g}" y="{y + CELL / 2 + 4:g}">{text}</text>'
    )
