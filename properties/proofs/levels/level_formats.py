"""Obligations about level formats (Chou 2018, sections 3.2 to 3.4): ours, and any that a user writes.

What a level declares follows from its storage invariants; `locate` finds what iteration enumerates; assembly followed
by iteration gives back what was stored; every array is accessed within its length. Each is proved for arrays of any
length and contents. Where no proof is found, small levels are searched for a counterexample by running the level
functions; if there is none, the statement holds as far as that.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache, partial
from itertools import islice, product
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ....reference.algebra.scalars import abbreviate
from ....reference.errors import GnomonError, argument_error
from ....reference.levels import LEVELS
from ....reference.levels.aos import CompressedAoS
from ....reference.levels.compressed import Compressed
from ....reference.levels.hashed import Hashed
from ....reference.levels.level import Append, CoordinatePositionIteration, Insert, Level, Locate, Reset, Widen
from ....reference.levels.singleton import Singleton
from ..obligation import Obligation
from ..solver import decide, z3
from ..verdict import Bounded, Proved, Refuted, Unknown, Values, Verdict
from . import level_appending, level_checks, level_insertion, level_properties, level_scenarios
from .level_access import checked_functions, in_range
from .level_checks import Check, counterexample, function_check
from .level_diagonals import diagonals
from .level_instances import BOUND, Small, valid
from .level_laws import laws
from .level_model import DEPTH, Model, model, relax_full
from .level_properties import as_far_as_unrolled
from .storage_axioms import axioms, storage_terms

Proof = Callable[[Model], Verdict]
SAMPLED, TRIED = 400, 20
PROPERTIES = ("ordered", "unique", "full", "branchless", "compact")


class Statement(Struct, frozen=True):
    """Something that holds of level formats: a proof, a search for counterexamples, and the rule that it shows."""

    name: str
    proof: Proof
    search: Callable[[Level], Iterator[Values]]
    rule: str
    slow: bool = False
    while_filling: bool = False

    def of(self, level: Level) -> Obligation:
        """The obligation that it holds of a level; of one that is assembled, while it need not be full yet."""
        about = relax_full(level) if self.while_filling else level
        said = (inspect.getdoc(getattr(self.proof, "func", self.proof)) or "").split("\n\n")[0].replace("\n", " ")
        label = level_name(level)
        return Obligation(
            f"levels.{label}.{self.name}", f"{label}: {said}", partial(settle, self, about), (self.rule,), self.slow
        )


def settle(statement: Statement, level: Level) -> Verdict:
    """The verdict on a statement about a level: its proof, else a counterexample, else that there is no small one.

    A level format is anybody's: what else it raises, while it is read or run, proves nothing and refutes nothing.
    """
    try:
        lemma = statement.name != "segments" and has_segments(level)
        about = replace(model(level), is_segmented=lemma)
        verdict = as_far_as_unrolled(statement.proof(about), about.notes)
    except (GnomonError, RecursionError, z3.Z3Exception) as error:
        verdict = Unknown(str(error).split("\n")[0])
    except Exception as error:
        verdict = Unknown(f"{level.name} levels cannot be read: {type(error).__name__}: {error}")
    if isinstance(verdict, Proved | Refuted):
        return verdict
    try:
        found = next(statement.search(level), None)
    except Exception as error:
        return Unknown(breakdown(level, error))
    if found is not None:
        return Refuted(found)
    return verdict if isinstance(verdict, Bounded) else Bounded(BOUND)


def breakdown(level: Level, error: Exception) -> str:
    """What a level raised while it was run: which of its functions, and where, if it was one of them."""
    said, file = f"{type(error).__name__}: {error}", inspect.getfile(type(level))
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if not own:
        return f"{level.name} levels cannot be run: {said}"
    return f"{own[0].name} of {level.name} levels raises {said} ({Path(file).name}, line {own[-1].lineno})"


@cache
def has_segments(level: Level) -> bool:
    """Whether the positions of a level are proved to lie in segments, one after the other."""
    try:
        about = model(level)
        return isinstance(as_far_as_unrolled(level_properties.prove_segments(about), about.notes), Proved)
    except Exception:
        return False


def among_small(check: Check) -> Callable[[Level], Iterator[Values]]:
    """A search among small levels."""

    def search(level: Level) -> Iterator[Values]:
        for small in valid(level):
            found = counterexample(check, small)
            if found is not None:
                yield found

    return search


def prove_inhabited(model: Model) -> Verdict:
    """Its storage invariants are met by some storage that holds something, so that not everything follows from them.

    Whether formulas and validation agree is looked at on some small levels.
    """
    some = [small for small in islice(valid(model.level), 0, SAMPLED, SAMPLED // TRIED) if not is_met(model, small)]
    if some:
        return Unknown(f"validation accepts what the formulas do not: {dict(some[0].print_values())}")
    small = next((each for each in valid(model.level) if each.holds_something()), None)
    if small is None:
        return Refuted((("valid storage that holds something", f"none in {BOUND}"),))
    return Proved(small.print_values()) if is_met(model, small) else Unknown("validation and formulas differ")


def is_met(model: Model, small: Small) -> bool:
    """Whether the storage invariants as formulas are met by a small level."""
    parents, size = z3.IntVal(small.parents), z3.IntVal(small.size)
    met = decide(z3.And(*axioms(small.level, storage_terms(small.level), parents, size, model.notes)))
    return isinstance(met, Proved)


def simply(name: str, rule: str, *, slow: bool = False) -> Statement:
    """The statement whose proof is `prove_NAME` and whose check is `check_NAME`."""
    filling = hasattr(level_insertion, f"prove_{name}")
    proof = getattr(level_insertion if filling else level_properties, f"prove_{name}")
    return Statement(name, proof, among_small(getattr(level_checks, f"check_{name}")), rule, slow, filling)


def level_name(level: Level) -> str:
    """A level's name with its configuration, in words.

    >>> from gnomon.reference.levels.compressed import Compressed
    >>> level_name(Compressed(ordered=False, full=True))
    'compressed_full_unordered'
    """
    words = [level.name]
    for field in fields(level):
        if "role" not in field.metadata and field.name in level.configurable:
            value = getattr(level, field.name)
            if value != field.default:
                negative = f"{'non' if field.name == 'unique' else 'un'}{field.name}"
                words.append(field.name if value is True else f"{field.name}{value}" if value else negative)
    return "_".join(words)


def obligations_of(level: Level) -> tuple[Obligation, ...]:
    """What is to be proved of a level format. Raises ExpressionError for what is none.

    >>> from gnomon.reference.levels.dense import Dense
    >>> [o.id for o in obligations_of(Dense())][:2]
    ['levels.dense.inhabited', 'levels.dense.segments']
    """
    if not isinstance(level, Level):
        raise argument_error(f"{abbreviate(level)} is no level format", "pass one, such as Compressed()")
    return tuple(
        statement.of(level)
        for statement in (*declaration_statements(level), *assembly_statements(level), *access_statements(level))
    )


def declaration_statements(level: Level) -> Iterator[Statement]:
    """That its properties hold, and that `locate` agrees with iteration.

    A level that shifts the coordinates of the one above has no range of its own (`levels.offset.diagonals`). A level
    with one position for each parent is full across duplicates of the parent, which is no matter of one parent.
    """
    yield Statement("inhabited", prove_inhabited, lambda level: iter(()), "level.properties")
    yield simply("segments", "level.properties")
    if not (isinstance(level, CoordinatePositionIteration) and level.shared_lengths((0,) * DEPTH)):
        yield simply("coordinates", "level.properties")
    for name in PROPERTIES:
        if getattr(level, name) and not (name == "full" and (level.branchless or level.padded)):
            yield simply(name, "level.properties", slow=name == "full" and not isinstance(level, Locate))
    if isinstance(level, Locate):
        yield simply("locate", "level.capabilities")


def assembly_statements(level: Level) -> Iterator[Statement]:
    """That assembly gives what it should. A level that is to be full is so when everything has been stored.

    One whose positions are its parents' says nothing of its arrays when it has none.
    """
    if isinstance(level, Insert) and isinstance(level, Locate):
        if not relax_full(level).full:
            yield simply("insert", "level.capabilities", slow=True)
            yield simply("insert_init", "level.capabilities", slow=True)
        if isinstance(level, Widen):
            yield simply("widen", "level.capabilities")
        if isinstance(level, Reset):
            yield simply("insert_reset", "level.capabilities", slow=True)
    if isinstance(level, Append):
        steps = ("init", "coord", "edges", "finalize")
        for name in steps if level.branchless or level.padded else ("start", *steps):
            proof = getattr(level_appending, f"prove_{name}")
            slow = name == "finalize"
            yield Statement(
                f"append_{name}", proof, level_scenarios.check_append, "level.capabilities", slow, while_filling=True
            )


def configuration_statements(level: Level) -> Iterator[Statement]:
    """What of assembly depends on the properties of a level."""
    return (statement for statement in assembly_statements(level) if statement.name in ("append_finalize", "widen"))


def access_statements(level: Level) -> Iterator[Statement]:
    """That its functions access elements that exist."""
    for name in checked_functions(level):
        search = among_small(function_check(name))
        slow = name == "insert_reset"
        yield Statement(f"in_range.{name}", partial(in_range, function=name), search, "level.properties", slow)


def variants() -> Iterator[Level]:
    """Our level formats with other properties than they have of themselves."""
    for ordered, unique, full in product((True, False), repeat=3):
        if full or not (ordered and unique):
            yield Compressed(ordered=ordered, unique=unique, full=full)
    yield from (CompressedAoS(full=True), CompressedAoS(ordered=False), CompressedAoS(unique=False))
    yield from (Hashed(full=True), Hashed(width=4))


def obligations() -> tuple[Obligation, ...]:
    """Everything that is to be proved of our level formats."""
    whole = [o for kind in (*(kind() for kind in LEVELS), Singleton(padded=True)) for o in obligations_of(kind)]
    others = [
        s.of(level) for level in variants() for s in (*declaration_statements(level), *configuration_statements(level))
    ]
    return (*laws(), *whole, *others, *diagonals())
