"""Lists: the coordinates of workspaces whose size is not constant (Kjolstad 2019, section 5), shared by a group.

Threads that come to a coordinate for the first time note it; which of several is the first, a compare-and-swap tells.
Where a result is appended to, the group puts the list in order, and its threads append side by side, each at the place
that its coordinate has in the list:

    gn_sort_block_int32(w1_crd, w1_count[0]);
    __syncthreads();
    const int64_t w1_end = w1_count[0];
    for (int64_t n = threadIdx.x; n < w1_end; n += 256) {
        const int64_t j = w1_crd[n];
        C2_crd[pC2_own + n] = (int32_t) j;
        C_vals[pC2_own + n] = w_vals[j];
    }
    pC2_own += w1_end;
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ...reference.loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, SequencePlan, WherePlan
from ...reference.loops.verifier import cases
from ...reference.statement.statement import Assign, assignments
from ...reference.storage.assemblable import flags_alone
from ..assembly.appending import Filling
from ..assembly.initial import initialise_level, reset, unset
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..assembly.variables import Variables
from ..ir import ir, logic
from ..ir.ir import Code, Do, Element, Expr, Int, Name
from ..ir.traversal import change_code
from ..ir.writer import Writer
from ..scope.coordinate_list import CoordinateList
from ..scope.env import Env
from ..scope.team import Group
from .claims import array_dtype, change
from .collective import cooperate, lead, meet, share


def can_list(held: Variables) -> bool:
    """Whether a workspace may have a list: it has one level, which keeps a flag for each coordinate."""
    levels = held.form.levels
    return len(levels) == 1 and flags_alone(levels) and not levels[0].full


def with_list(output: Output, listed: CoordinateList) -> Output:
    """A workspace with a list, by which loops read the workspace, too."""
    made = replace(output, held=replace(output.held, listed=listed))
    output.frame.tensors.stores[output.name] = made.held.store
    return made


def note(output: Output, position: Expr, c: Expr, out: Writer) -> None:
    """Set the flag of a coordinate, as several threads may do at once; the first thread notes the coordinate."""
    listed = output.held.listed
    assert listed is not None
    dtype, (empty, stored) = array_dtype(output, 0), change(output.held.bounds[0], position, c, out)
    flag, seen = ir.Unary("&", stored.target), Name(out.fresh("seen"))
    out.add(ir.Declare(f"{dtype}_t", seen.name, ir.Call(f"gn_atomic_load_{dtype}", (flag,))))
    first = ir.Call(f"gn_atomic_exchange_{dtype}", (flag, ir.Unary("&", seen), stored.value))
    out.add(*logic.conditional(logic.both(logic.compare("==", seen, empty), first), listed.append(c)))


def clear(held: Variables, group: Group | None, out: Writer) -> None:
    """Forget everything stored in a workspace of a group, or of one thread: by its list, if the workspace has one."""
    inner = out.inner()
    if held.listed is not None:
        forget(held, held.listed, group, out)
    else:
        reset(held, inner)
        out.add(*(inner.code if group is None else cooperate(inner.code, group)))


def forget(held: Variables, listed: CoordinateList, group: Group | None, out: Writer) -> None:
    """Empty a list of a workspace, coordinate by coordinate."""
    inner = out.inner()
    n = Name(inner.fresh("n"), True)
    c = Element(listed.coordinates, n)
    initialise_level(held.bounds[0], c, ir.add(c, ir.ONE), inner)
    inner.add(*(unset(held, c) if held.needs_fill else ()))
    first, step = (ir.ZERO, ir.ONE) if group is None else share(group, ir.ZERO)
    end = out.hold(listed.stem("before"), listed.count)
    out.add(ir.For(n.name, first, end, inner.code, step=step), *meet(group))
    out.add(*lead(group, listed.start), *meet(group))


def put_in_order(listed: CoordinateList, group: Group | None) -> Code:
    """Have a group sort a list, all of whose threads see it in order then, or one thread."""
    owner = "alone" if group is None else group.scope
    lanes = (Int(group.lanes),) if group is not None and group.scope == "warp" else ()
    sort = ir.Call(f"gn_sort_{owner}_{listed.type.removesuffix('_t')}", (listed.coordinates, listed.count, *lanes))
    return (Do(sort), *meet(group))


def needs_order(node: Node, workspace: str) -> bool:
    """Whether a loop of a plan may go over a workspace in the order of its coordinates, whatever else is missing."""
    loops = (loop for loop in loops_of(node) if loop.strategy.ordered)
    return any(workspace == placement.active.access.tensor for loop in loops for placement in loop.coiterated)


def loops_of(node: Node | None) -> Iterator[LoopPlan]:
    """The loops of a plan, in every case of the loops around them."""
    match node:
        case LoopPlan():
            yield node
            for case in dict.fromkeys((node.body, *cases(node))):
                yield from loops_of(case)
        case ParallelPlan(loop=loop):
            yield from loops_of(loop)
        case WherePlan(producer=producer, consumer=consumer, without=without):
            for part in (producer, consumer, without):
                yield from loops_of(part)
        case SequencePlan(parts=parts):
            for part in parts:
                yield from loops_of(part)
        case AssignPlan() | None:
            return


def stands_once(node: Node, result: str) -> bool:
    """Whether a plan assigns to a result in one place, whatever is missing: no loop around has several cases."""
    match node:
        case AssignPlan():
            return True
        case LoopPlan(strategy=strategy):
            found = [*cases(node)]
            return len(found) == 1 and not strategy.uncertain and stands_once(found[0], result)
        case ParallelPlan(loop=loop):
            return stands_once(loop, result)
        case WherePlan(consumer=consumer, producer=producer, without=without):
            parts = [each for each in (producer, consumer, without) if each is not None and assigns(each, result)]
        case SequencePlan(parts=every):
            parts = [each for each in every if assigns(each, result)]
    return len(parts) == 1 and stands_once(parts[0], result)


def assigns(node: Node, result: str) -> bool:
    """Whether a part of a plan assigns to a result."""
    return any(a.target.tensor == result for a in assignments(node.statement))


class Appended(Struct, frozen=True):
    """A loop over a list whose iterations append components to a result, as nothing else does in the kernel: so every
    thread of a group knows what has been appended before."""

    loop: LoopPlan
    output: Output
    group: Group

    @property
    def counter(self) -> Name:
        """The number of components that have been appended."""
        return self.output.held.counters[self.output.form.heads[-1]]

    def share(self, loop: ir.For) -> Code:
        """The loop as a group runs it. Each iteration appends a component: room for all can be made at once."""
        appended = ir.Assign(self.counter, ir.ONE, "+=")
        place = ir.add(self.counter, Name(loop.name, True))
        rest = tuple(s for s in loop.body if s != appended)
        body = change_code(rest, lambda e: place if e == self.counter else e)
        begin, step = share(self.group, ir.ZERO)
        idle = all(isinstance(s, ir.Declare | ir.Comment) for s in body)
        shared = () if idle else (replace(loop, begin=begin, step=step, body=body),)
        return (*shared, ir.Assign(self.counter, loop.end, "+="))


def find_appended(node: Node, outputs: Outputs, env: Env) -> Appended | None:
    """The loop over a list that a part of a plan is, if a group may run the loop and append together; None if not."""
    if not isinstance(node, LoopPlan) or len(node.coiterated) != 1 or env.teams.group is None or env.target.pieces:
        return None
    leaf, (placement,) = node.statement.body, node.coiterated
    if not isinstance(leaf, Assign) or leaf.mask is not None or leaf.target.tensor not in env.teams.together:
        return None
    output, listed = outputs[leaf.target.tensor], outputs.frame.tensors.stores[placement.active.access.tensor].listed
    if listed is None or not Filling.of(node, output, outputs.frame).at_once(node.index):
        return None
    return Appended(node, output, env.teams.group)
