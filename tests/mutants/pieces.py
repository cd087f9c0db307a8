"""Mutants of pieces: tiles of positions that append to a result together."""

from __future__ import annotations

from mutant import Mutant

DIVISION, PIECES, RACES = "generator/threads/division.py", "generator/assembly/pieces.py", "reference/schedule/races.py"
TESTS = ("tests/generator/threads/test_division.py", "tests/generator/assembly/test_pieces.py")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "pieces.1",
        PIECES,
        'ir.Atomic(added, "add", dtype_of(added.target, bound))',
        "added",
        "pieces of a row are connected as if no other thread had one",
        TESTS,
    ),
    Mutant(
        "pieces.2",
        PIECES,
        '(ir.add if sign == "+" else ir.sub)(rest, right)',
        "ir.add(rest, right)",
        "where a piece begins is added to its length",
        TESTS,
    ),
    Mutant(
        "pieces.3",
        PIECES,
        'return None if rest is None else ir.Assign(target, ir.Cast(kind, rest) if kind else rest, "+=")',
        'return None if rest is None else ir.Assign(target, rest, "+=")',
        "lengths are not of the type of the array",
        TESTS,
    ),
    Mutant(
        "pieces.4",
        "generator/assembly/appending.py",
        "(output.connect_piece if env.target.pieces else output.connect)(head, parent, begin, inner)",
        "output.connect(head, parent, begin, inner)",
        "pieces are connected as whole fibers are",
        TESTS,
    ),
    Mutant(
        "pieces.5",
        "generator/assembly/appending.py",
        "return not env.target.pieces or comes_once(self.frame.facts.program, levels[:count], env.site.around)",
        "return True",
        "duplicates are appended one after another",
        TESTS,
    ),
    Mutant(
        "pieces.6",
        RACES,
        " for v in around) and all(once)",
        " for v in around)",
        "operands have no duplicates",
        ("tests/generator/cuda/test_counting.py",),
    ),
    Mutant(
        "division.1",
        DIVISION,
        "all(comes_once(program, levels[:end], around) for end in ends) and told",
        "comes_once(program, levels, around) and told",
        "rows are appended by every tile that has a piece of them",
        TESTS,
    ),
    Mutant(
        "division.2",
        DIVISION,
        "if not whole and not shares_positions(region, output, depth):",
        "if not whole:",
        "tiles of positions append in one thread",
        TESTS,
    ),
    Mutant(
        "division.3",
        DIVISION,
        " and partitions(graph, relation.position, around)",
        "",
        "tiles may take positions in turn",
        TESTS,
        equivalent="what loops come to in another order is staged: no loop that takes positions in turn appends",
    ),
    Mutant(
        "division.4",
        DIVISION,
        "all(comes_once(program, levels[:end], around) for end in ends) and told",
        "told",
        "several tiles may store one component",
        TESTS,
    ),
    Mutant(
        "spread.1",
        "generator/cuda/spread.py",
        "around = meet(group) if self.plain_stores else ()",
        "around = ()",
        "what the first thread merges others do not see",
        ("tests/generator/cuda/test_unit.py",),
    ),
)
