"""Pictures of a schedule: the provenance graph, and the iteration space in its tiles.

(Senanayake 2020, Figures 5 and 9, and 13 to 16.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from ..errors import MeaningError, ScheduleError
from ..execution.interpreter import interpret
from ..execution.trace import Trace
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..schedule.nests import replace_loops
from ..statement.relation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    Split,
    derived_variables,
    parents,
    variables_of,
)
from ..statement.statement import Program, assignments, indices
from ..storage.tensor import Tensor
from .diagram import LETTER, MARGIN, Diagram, Node, opening
from .diagram import text as label

CELL, LARGEST, GOLDEN = 30, 40, 137.5
LEFT, TOP, LINE, LEGEND, SMALL = 36, 52, 20, 130, 11


def provenance_graph(program: Program) -> Diagram:
    """Original variables above, what the commands derive from them below; the loops are marked."""
    graph, loops = program.provenance, set(indices(program.statement))
    names = dict.fromkeys(v for r in graph.of_schedule for v in variables_of(r))
    depth: dict[str, int] = {}
    for name in names:
        relation = graph.derivation_of(name)
        depth[name] = 0 if relation is None else 1 + max(depth[v] for v in parents(relation))
    nodes: list[Node] = []
    number: dict[str, int] = {}
    for name in names:
        number[name] = len(nodes)
        relation = graph.derivation_of(name)
        text = name if relation is None else f"{name} {caption(relation)}"
        nodes.append(Node(f"∀{text}" if name in loops else text, depth[name]))
    lines = tuple((number[p], number[d]) for r in graph.of_schedule for p in parents(r) for d in derived_variables(r))
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

    Loops whose iterations may run in any order are drawn as if they ran one after another. None if the iteration
    space has more than two dimensions, or is too large to look at.
    """
    leaf = list(assignments(program.statement))[-1]
    loops = list(indices(program.statement))
    originals = list(dict.fromkeys(o for v in loops for o in program.provenance.originals(v)))
    extents = dict(program.extents)
    axes = [v for v in originals if v in extents]
    if program.workspaces or len(axes) != len(originals) or not 1 <= len(axes) <= 2:
        return None
    if any(extents[v] > LARGEST for v in axes) or leaf.mask is not None:
        return None
    trace = Trace(visits=Counter(), path=[])
    try:
        interpret(in_order(program), operands, trace=trace)
    except (MeaningError, ScheduleError):
        return None
    rows, columns = (axes[0], axes[1]) if len(axes) == 2 else (None, axes[0])
    height = 1 if rows is None else extents[rows]
    width = extents[columns]
    assert trace.path is not None
    tiles = sorted({point[loops[0]] for point in trace.path})
    title = f"{' × '.join(axes)}: cells in the order of their visit, a colour for each {loops[0]}"
    grid = LEFT + CELL * width
    wide, high = max(grid + LEGEND, LETTER * len(title) + 2 * MARGIN), max(CELL * height, LINE * len(tiles))
    parts = [opening(wide, TOP + high + MARGIN), label(MARGIN, 16, title, anchor="start")]
    for j in range(width):
        parts.append(label(LEFT + CELL * (j + 0.5), TOP - 10, str(j), colour="#777", size=SMALL))
    for i in range(height if rows else 0):
        parts.append(label(LEFT - 14, TOP + CELL * (i + 0.5), str(i), colour="#777", size=SMALL))
    for i in range(height):
        for j in range(width):
            parts.append(square(i, j, "#fff", ""))
    for n, point in enumerate(trace.path):
        i = 0 if rows is None else point[rows]
        parts.append(square(i, point[columns], colour(tiles.index(point[loops[0]])), str(n)))
    for n, tile in enumerate(tiles):
        parts += legend(grid + 2 * MARGIN, TOP + LINE * n, colour(n), f"{n}: {loops[0]} = {tile}")
    return "\n".join([*parts, "</svg>"]) + "\n"


def in_order(program: Program) -> Program:
    """The program with its loops as they are without threads and lanes."""
    s = program.statement
    for v in indices(s):
        s = replace_loops(s, v, lambda loop: replace(loop, tags=()))
    return replace(program, statement=s)


def colour(tile: int) -> str:
    """The colour of a tile, by its number; neighbours are told apart."""
    return f"hsl({GOLDEN * tile % 360:.0f},60%,80%)"


def legend(x: float, y: float, shade: str, said: str) -> list[str]:
    """What a colour stands for."""
    swatch = f'<rect x="{x:g}" y="{y:g}" width="14" height="14" fill="{shade}" stroke="#bbb"/>'
    return [swatch, label(x + 20, y + 7, said, anchor="start", size=SMALL)]


def square(row: int, column: int, colour: str, text: str) -> str:
    """A cell of the grid."""
    x, y = LEFT + CELL * column, TOP + CELL * row
    return f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}" stroke="#bbb"/>' + (
        label(x + CELL / 2, y + CELL / 2, text, size=SMALL) if text else ""
    )
