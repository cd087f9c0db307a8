"""Random schedules: commands drawn on the loops of a program, each applied if it is legal there."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import FormatError, ScheduleError
from ...reference.notation.syntax import Access, Apply, Expr, accesses
from ...reference.notation.types import dtype_of
from ...reference.schedule.command import FORMS, SIDES, Command, Kind
from ...reference.schedule.commands import run
from ...reference.schedule.legality import check
from ...reference.schedule.nests import loops
from ...reference.schedule.parts import chain, fold_operands
from ...reference.schedule.schedule import Schedule
from ...reference.schedule.section import sections
from ...reference.statement.staging import dissolve
from ...reference.statement.statement import Assign, Program, assignments, indices, reads
from ...reference.statement.tags import STRATEGIES, UNITS

WEIGHTS = {
    "split": 4,
    "divide": 2,
    "collapse": 4,
    "pos": 4,
    "coord": 1,
    "reorder": 3,
    "precompute": 2,
    "loopfuse": 3,
    "hoist": 1,
    "convert": 2,
    "bound": 1,
    "unroll": 1,
    "parallelize": 3,
}
KINDS = tuple(kind for kind, weight in WEIGHTS.items() for _ in range(weight))
SIZES = (*range(1, 5), *range(1, 5), *range(1, 5), *range(1, 5), 7, 2**31 - 1, 2**31, 2**62)
BOUNDS = ("max_constraint", "divisible", "min_exact", "max_exact")


class Scheduled(Struct, frozen=True):
    """A legal schedule, the program that it gives, and the commands that were refused on the way."""

    schedule: Schedule
    program: Program
    refused: tuple[Command, ...]


@st.composite
def schedules(
    draw: st.DrawFn,
    program: Program,
    *,
    kinds: tuple[str, ...] = KINDS,
    units: tuple[str, ...] = UNITS,
    longest: int = 7,
) -> Scheduled:
    """Commands on a program, and the program after them."""
    kept: list[Command] = []
    refused: list[Command] = []
    kind = st.sampled_from(kinds)
    opening = draw(st.sampled_from(OPENINGS))(draw, program) if kinds == KINDS and draw(st.booleans()) else []
    for number in range(len(opening) + draw(st.integers(2, longest))):
        if number < len(opening):
            command: Command | None = opening[number]
        else:
            command = draw_command(draw, draw(kind), program, units, number)
            if command is not None and command.path is None and draw(st.integers(0, 3)) == 0:
                command = give_path(draw, command, program)
        if command is None:
            continue
        after = transform(command, program)
        if after is None:
            refused.append(command)
            continue
        kept.append(command)
        program = after
    if kinds == KINDS and draw(st.booleans()):
        kept, program = run_in_parallel(draw, kept, program, units)
    return Scheduled(Schedule(tuple(kept)), program, tuple(refused))


def run_in_parallel(
    draw: st.DrawFn, kept: list[Command], program: Program, units: tuple[str, ...]
) -> tuple[list[Command], Program]:
    """The commands and one more, which runs a loop in parallel, if any may: by the first strategy that settles it."""
    unit = draw(st.sampled_from(units))
    for variable in draw(st.permutations(list(dict.fromkeys(indices(program.statement))))):
        settled = settle(draw, program, variable, unit)
        if settled is not None:
            return [*kept, settled[0]], settled[1]
    return kept, program


def settle(draw: st.DrawFn, program: Program, variable: str, unit: str) -> tuple[Command, Program] | None:
    """A command that runs a loop in parallel by the first strategy that settles it, and the program after; if any."""
    for strategy in draw(st.permutations(STRATEGIES)):
        command = Command("parallelize", (variable, unit, strategy))
        after = transform(command, program)
        if after is not None:
            return command, after
    return None


def transform(command: Command, program: Program) -> Program | None:
    """The program after a command that is legal on any data, else None: races are ignored only where there are none."""
    try:
        if command.name == "parallelize" and command.args[2] == "IgnoreRaces":
            check(run(Command("parallelize", (*command.args[:2], "NoRaces")), program))
        after = run(command, program)
        check(after)
    except (ScheduleError, FormatError):
        return None
    return after


def positions(draw: st.DrawFn, program: Program) -> list[Command]:
    """Commands that tile the components that some operand stores, at all of its levels or some, now and then those in
    a tile of coordinates."""
    stored = [a for a in reads(program.statement) if a.levels]
    if not stored:
        return []
    access = draw(st.sampled_from(stored))
    first = draw(st.integers(0, len(access.levels) - 1))
    variable, *rest = access.levels[first : draw(st.integers(first + 1, len(access.levels)))]
    found: list[Command] = []
    for number, inner in enumerate(rest):
        found.append(Command("collapse", (variable, inner, f"f{number}")))
        variable = f"f{number}"
    if draw(st.integers(0, 3)) == 3:
        found.append(
            Command(draw(st.sampled_from(("split", "divide"))), (variable, "t0", "t1", draw(st.integers(1, 4))))
        )
        variable = "t1"
    return [
        *found,
        Command("pos", (variable, "p", bare(access))),
        Command("split", ("p", "p0", "p1", draw(st.sampled_from(SIZES)))),
    ]


def tiles(draw: st.DrawFn, program: Program) -> list[Command]:
    """Commands that tile one loop or two, put all parts in any order, and collapse two that are neighbours then."""
    there = neighbours(draw, program, 2)
    parts: list[str] = []
    found: list[Command] = []
    for number, variable in enumerate(there):
        kind = draw(st.sampled_from(("split", "divide")))
        size = draw(st.integers(1, 4)) if kind == "divide" else draw(st.sampled_from(SIZES))
        parts += (f"a{number}", f"b{number}")
        found.append(Command(kind, (variable, *parts[-2:], size)))
    order = draw(st.permutations(parts))
    first = draw(st.integers(0, max(len(order) - 2, 0)))
    collapsed = [Command("collapse", (*order[first : first + 2], "f"))] if order else []
    return [*found, *([Command("reorder", tuple(order))] if order else []), *collapsed]


def workspaces(draw: st.DrawFn, program: Program) -> list[Command]:
    """Commands that collapse two neighbouring loops, or tile one, and precompute something over those inside."""
    pair = neighbours(draw, program, 2)
    if len(pair) < 2:
        return []
    if draw(st.booleans()):
        first = Command("collapse", (*pair, "f"))
    else:
        first = Command("split", (draw(st.sampled_from(pair)), "a", "b", draw(st.sampled_from(SIZES))))
    after = transform(first, program)
    if after is None:
        return [first]
    there = list(dict.fromkeys(indices(after.statement)))
    second = draw_precompute(draw, after, there, 0)
    return [first] if second is None else [first, second]


def back(draw: st.DrawFn, program: Program) -> list[Command]:
    """Commands that go from positions of an operand, or tiles of them, back to coordinates and on to positions of the
    same or another one, in tiles over which something is precomputed."""
    there = dict.fromkeys(indices(program.statement))
    innermost = [v for v in there for loop, _ in loops(program.statement, v) if isinstance(loop.body, Assign)]
    stored = [bare(a) for a in reads(program.statement) if a.levels]
    counted = [(v, a) for v in innermost for a in stored if transform(Command("pos", (v, "p", a)), program)]
    if not counted:
        return []
    (variable, access), (_, other), (_, part) = (draw(st.sampled_from(counted)) for _ in range(3))
    found = [Command("pos", (variable, "p", access))]
    whole = draw(st.sampled_from((True, True, True, False)))
    if not whole:
        found.append(Command("split", ("p", "p0", "p1", draw(st.sampled_from(SIZES)))))
    found += [Command("coord", ("p" if whole else "p1", "c")), Command("pos", ("c", "q", other))]
    found.append(Command("split", ("q", "q0", "q1", draw(st.integers(1, 7)))))
    return [*found, Command("precompute", (part, ("q1",), ("q1w",), "t"))]


def branches(draw: st.DrawFn, program: Program) -> list[Command]:
    """Commands that part the operands of a section, then those of one of the sections that this leaves, and reorder
    the loops of another."""
    found: list[Command] = []
    for number in range(3):
        command = draw_loopfuse(draw, program, f"T{number}")
        after = None if command is None else transform(command, program)
        if command is None or after is None:
            continue
        found, program = [*found, command], after
        wide = [s for s in sections(dissolve(program).statement) if len(s.loops) > 1]
        reorders: bool = bool(wide) and draw(st.booleans())
        if reorders:
            section = draw(st.sampled_from(wide))
            turned = Command("reorder", tuple(draw(st.permutations(section.variables))), path=section.path)
            after = transform(turned, program)
            found, program = (found, program) if after is None else ([*found, turned], after)
    return found


def give_path(draw: st.DrawFn, command: Command, program: Program) -> Command:
    """A command that is given to one section with all the loops that it names, if there is one."""
    kinds = FORMS[command.name].of(len(command.args)) or ()
    named = {a for a, kind in zip(command.args, kinds, strict=True) if kind is Kind.LOOP}
    there = [s.path for s in sections(dissolve(program).statement) if named <= set(s.variables)]
    return replace(command, path=draw(st.sampled_from(there))) if there else command


def draw_loopfuse(draw: st.DrawFn, program: Program, name: str) -> Command | None:
    """A loopfuse of some section whose assignment has operands to part; None if there is none."""
    ends = [(s.path, s.end.value) for s in sections(dissolve(program).statement) if isinstance(s.end, Assign)]
    there = [(path, value) for path, value in ends if isinstance(value, Apply)]
    if not there:
        return None
    path, value = draw(st.sampled_from(there))
    operands = chain(value, value)
    count, side = draw(st.integers(1, max(1, len(operands) - 1))), draw(st.sampled_from(SIDES))
    named = draw(st.booleans())
    loc = fold_operands(value, draw(st.permutations(operands))[:count]) if named else count
    format = draw(st.sampled_from((None, None, None, "Dense", "hashed,hashed", "HashVector")))
    return Command("loopfuse", (loc, side, name, *([] if format is None else [format])), path=path)


OPENINGS = (positions, tiles, workspaces, back, branches)


def bare(access: Access) -> Access:
    """An access as it is written."""
    return Access(access.tensor, access.indices)


def neighbours(draw: st.DrawFn, program: Program, count: int) -> list[str]:
    """Some loops that stand directly inside one another, in any place; fewer where there are no more."""
    there = list(dict.fromkeys(indices(program.statement)))
    first = draw(st.integers(0, max(len(there) - count, 0)))
    return there[first : first + count]


def draw_command(draw: st.DrawFn, kind: str, program: Program, units: tuple[str, ...], number: int) -> Command | None:
    """A command of some kind, with names that it introduces; None if the program has nothing that it needs."""
    there = list(dict.fromkeys(indices(program.statement)))
    if not there:
        return None

    def variable() -> str:
        return draw(st.sampled_from(there))

    size = draw(st.sampled_from(SIZES if kind == "split" else SIZES[:4]))
    new = [f"{letter}{number}" for letter in ("u", "v")]
    match kind:
        case "split" | "divide":
            return Command(kind, (variable(), *new, size))
        case "collapse":
            outer = variable()
            inside = [v for loop, _ in loops(program.statement, outer) for v in indices(loop.body)]
            return Command(kind, (outer, draw(st.sampled_from(inside)), new[0])) if inside else None
        case "pos":
            read = [bare(a) for a in reads(program.statement)]
            return Command(kind, (variable(), new[0], draw(st.sampled_from(read)))) if read else None
        case "coord":
            return Command(kind, (variable(), new[0]))
        case "reorder":
            chosen = draw(st.lists(st.sampled_from(there), min_size=2, max_size=3, unique=True)) if there[1:] else []
            return Command(kind, tuple(chosen)) if chosen else None
        case "precompute":
            return draw_precompute(draw, program, there, number)
        case "loopfuse":
            return draw_loopfuse(draw, program, f"T{number}")
        case "hoist":
            made = [w.name for w in program.workspaces if w is not program.staging]
            return Command(kind, (draw(st.sampled_from(made)),)) if made else None
        case "convert":
            return draw_convert(draw, program)
        case "bound":
            bounded = variable()
            if not is_certain(program, bounded):
                return Command(kind, (bounded, new[0], 1, "divisible"))
            return Command(kind, (bounded, new[0], draw(st.integers(0, 5)), draw(st.sampled_from(BOUNDS))))
        case "unroll":
            return Command(kind, (variable(), size))
        case _:
            return Command(kind, (variable(), draw(st.sampled_from(units)), draw(st.sampled_from(STRATEGIES))))


def draw_convert(draw: st.DrawFn, program: Program) -> Command | None:
    """A convert of one operand, or of several that one assignment reads, each to any order of its variables or to one
    that they have in common."""
    leaves = [[bare(a) for a in reads(leaf) if len(set(a.indices)) > 1] for leaf in assignments(program.statement)]
    if not any(leaves):
        return None
    read = draw(st.sampled_from([each for each in leaves if each]))
    chosen = draw(st.lists(st.sampled_from(read), min_size=1, max_size=draw(st.sampled_from([1, 1, 3]))))
    common = draw(st.permutations([*dict.fromkeys(v for a in chosen for v in a.indices)]))
    orders = [draw(st.permutations(a.indices) | st.just(sorted(a.indices, key=common.index))) for a in chosen]
    return Command(
        "convert", tuple(each for a, order in zip(chosen, orders, strict=True) for each in (a, tuple(order)))
    )


def is_certain(program: Program, variable: str) -> bool:
    """Whether the range of a variable is known before anything runs: not that of positions and ranks."""
    graph, extents = program.provenance, dict(program.extents)
    return not graph.is_position(variable) and all(v in extents for v in graph.originals(variable))


def draw_precompute(draw: st.DrawFn, program: Program, there: list[str], number: int) -> Command | None:
    """A precompute of a part of some assignment, over up to four of the innermost loops, any others, or none."""
    parts = [p for leaf in assignments(program.statement) for p in subexpressions(leaf.value)]
    parts += [p for leaf in assignments(program.statement) for p in apart(leaf.value)]
    if not parts:
        return None
    innermost = there[-draw(st.integers(1, 4)) :]
    over = tuple(draw(st.permutations(innermost) | st.lists(st.sampled_from(there), max_size=3, unique=True)))
    renamed = over if draw(st.booleans()) else tuple(f"{v}w{number}" for v in over)
    return Command("precompute", (draw(st.sampled_from(parts)), over, renamed, f"t{number}"))


def apart(e: Expr) -> list[Expr]:
    """Two operands of a chain of one operator that do not stand beside one another: the first and the last.

    Not where an integer may overflow on the way to one that does not.
    """
    match e:
        case Apply(operator=operator, args=(_, _)) if operator.associative and regroups(e):
            first, *middle, last = chain(e, e)
            found: list[Expr] = [replace(e, args=(first, last))] if middle and any(accesses(e)) else []
        case Apply():
            found = []
        case _:
            return []
    return [*found, *(part for a in e.args for part in apart(a))]


def regroups(e: Apply) -> bool:
    """Whether what a chain gives on the way fits its dtype, however it is put together."""
    return dtype_of(e).kind not in "iu" or e.operator.idempotent


def subexpressions(e: Expr) -> list[Expr]:
    """An expression's parts that read something, itself included."""
    match e:
        case Access():
            return [e]
        case Apply(args=args):
            return [e, *(part for a in args for part in subexpressions(a))]
        case _:
            return []
