"""Routines: the text of a function while it is written, and how it is left where something fails."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct, field

from ...reference.errors import Unsupported
from . import ir
from .ir import Expr, Name, Spelled
from .writer import Writer

Outer = tuple[Writer, str, dict[Hashable, Name], list[str], bool]


class Routine(Struct):
    """A function being written, of some name.

    What is declared once is so in the `region`: the function, or the part of it that every thread of a team runs.
    `lists` are the scratch lists there, if it `has_lists`, `frees` what is freed at its end; `exit` is the label to go
    to where something has failed, which a function that is `fallible` does. What the function has `reserved` parts of
    it have for as long as they run; of a kernel there are `most_blocks` blocks then, unless that is None.
    """

    name: str
    root: Writer
    region: Writer
    lists: dict[Hashable, Name] = field(default_factory=dict)
    frees: list[str] = field(default_factory=list)
    exit: str = "done"
    fallible: bool = False
    is_parallel: bool = False
    has_lists: bool = True
    reserved: list[str] = field(default_factory=list)
    most_blocks: int | None = None

    def enter(self, region: Writer, exit: str, *, lists: bool = True) -> Outer:
        """Begin a part that every thread runs, with lists and memory of its own; what was there, for `leave`."""
        outer = (self.region, self.exit, self.lists, self.frees, self.has_lists)
        self.region, self.exit, self.lists, self.frees, self.has_lists = region, exit, {}, [], lists
        self.most_blocks = None
        self.is_parallel = True
        return outer

    def leave(self, outer: Outer) -> None:
        """End that part."""
        self.region, self.exit, self.lists, self.frees, self.has_lists = outer
        self.is_parallel = False

    def releases(self) -> list[ir.Stmt]:
        """What frees the memory of the function, or of the part of it that is being written."""
        every = self.frees if self.is_parallel else [*self.frees, *self.reserved]
        return [ir.Do(ir.Call("free", (Spelled(name),))) for name in every]

    def reserve(self, stem: str, kind: str, count: Expr) -> Name:
        """Memory of the function for parts of it."""
        self.fallible = True
        made = self.root.declare(f"{kind} *restrict", stem, Spelled("NULL"))
        self.root.add(ir.Assign(made, ir.Call("gn_room", (count, Spelled(f"sizeof({kind})"), ir.STATUS_ADDRESS))))
        self.reserved.append(made.name)
        return made

    def fail_if(self, out: Writer, condition: Expr) -> None:
        """Leave the function where something failed."""
        self.fallible = True
        out.add(ir.If(condition, (ir.Jump("goto", self.exit),)))

    def fail(self, out: Writer, condition: Expr, status: str) -> None:
        """Leave the function with a status where a condition holds."""
        self.fallible = True
        out.add(ir.If(condition, (ir.Assign(ir.STATUS, Spelled(status)), ir.Jump("goto", self.exit))))

    def check(self, out: Writer) -> None:
        """Leave the function where something has been reported, as by an allocation; once is enough."""
        if out.body[-1:] != [ir.If(ir.FAILED, (ir.Jump("goto", self.exit),))]:
            self.fail_if(out, ir.FAILED)

    def scratch(self, key: Hashable, stem: str) -> Name:
        """A scratch list, declared once. Raises Unsupported where there can be none."""
        if not self.has_lists:
            raise Unsupported(
                f"a kernel for a GPU has no memory for {stem}, in which what is not stored in order would be sorted",
                hint="convert the operand to a format with ordered, unique coordinates",
            )
        if key not in self.lists:
            self.lists[key] = self.region.declare("gn_list", stem, Spelled("GN_NO_LIST"))
            self.frees.append(f"{self.lists[key].name}.item")
        return self.lists[key]

    def keep_marks(self, items: Name) -> None:
        """Free the places and marks of a scratch list that is put in order, once."""
        for name in (f"{items.name}.place", f"{items.name}.mark"):
            if name not in self.frees:
                self.frees.append(name)
