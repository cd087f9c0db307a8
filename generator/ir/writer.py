"""Writing code: statements in order, and names that no enclosing scope uses.

Names may be used again in scopes beside one another, never in one within another, so that no declaration hides another.
"""

from __future__ import annotations

from msgspec import Struct, field

from ...reference.errors import InternalError
from .ir import INT, ONE, Code, Declare, Expr, For, Function, Int, Name, Stmt
from .vocabulary import STANDARD, Vocabulary


class Writer(Struct):
    """A block of code being written. `functions` collects the functions that it calls, by name.

    No name is one of the `vocabulary`.
    """

    outer: Writer | None = None
    body: list[Stmt] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    functions: dict[str, Function] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    vocabulary: Vocabulary = STANDARD

    def inner(self) -> Writer:
        """A block inside this one."""
        return Writer(self, functions=self.functions, inside=self.inside, vocabulary=self.vocabulary)

    def uses(self, name: str) -> bool:
        """Whether a name is in use here or further out; for the outermost block, anywhere."""
        if self.outer is None:
            return name in self.taken or name in self.inside
        return name in self.taken or self.outer.is_taken(name)

    def is_taken(self, name: str) -> bool:
        """Whether a name is in use in this block or further out."""
        return name in self.taken or (self.outer is not None and self.outer.is_taken(name))

    def fresh(self, stem: str) -> str:
        """The stem, or the stem with a number, reserved in this block; stems that C knows are changed."""
        stem = self.vocabulary.free_name(stem)
        name, n = stem, 2
        while self.vocabulary.has(name) or self.uses(name):
            name, n = f"{stem}_{n}", n + 1
        self.taken.add(name)
        if self.outer is not None:
            self.inside.add(name)
        return name

    def add(self, *statements: Stmt) -> None:
        """Write statements."""
        self.body += statements

    def loop(self, name: str, begin: Expr, end: Expr, body: Code, step: Expr = ONE) -> For:
        """Write a loop that counts."""
        found = For(name, begin, end, body, step=step)
        self.body.append(found)
        return found

    def take_back(self, loop: For | None) -> For:
        """Take back the loop that was written last, to write it otherwise. Raises InternalError if there is none."""
        if loop is None or self.body.pop() is not loop:
            raise InternalError("what was written last is no loop that counts its iterations")
        return loop

    def declare(self, type: str, stem: str, value: Expr | None, *, natural: bool = False) -> Name:
        """Write a declaration under a fresh name."""
        name = self.fresh(stem)
        self.body.append(Declare(type, name, value))
        return Name(name, natural)

    def hold(self, stem: str, value: Expr, *, natural: bool = True) -> Expr:
        """Declare a variable that holds a value; a value that is a name or a constant needs none and is returned."""
        if isinstance(value, Name | Int):
            return value
        return self.declare(INT, stem, value, natural=natural)

    @property
    def code(self) -> Code:
        """What has been written."""
        return tuple(self.body)
