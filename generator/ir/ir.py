"""The imperative IR: what a kernel does, before it is C text.

Index arithmetic is in 64-bit integers and is folded as it is built; values of tensors carry the dtype's C type in the
spelling that their operator declares. Statements are immutable tuples, so that a pass is a function from code to code.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ...reference.noted import Noted

LANES = 32
"""The threads of what CUDA calls a warp."""

INT, BOOL = "int64_t", "bool"
Scope = Literal["block", "warp"]


class Name(Noted, frozen=True):
    """A variable. `natural`: never negative, so that floor division is C's. `below`: a bound not reached."""

    notes = frozenset({"natural", "below"})

    name: str
    natural: bool = False
    below: Expr | None = None

    def __eq__(self, other: object) -> bool:
        return type(other) is Name and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class Int(Struct, frozen=True):
    """An integer constant."""

    value: int


class Spelled(Struct, frozen=True):
    """C text with `{0}`, `{1}` for the arguments: a constant, or an operator as it declares itself."""

    template: str
    args: tuple[Expr, ...] = ()


class Element(Struct, frozen=True):
    """`array[index]`"""

    array: Expr
    index: Expr


class Binary(Struct, frozen=True):
    """`left operator right`"""

    operator: str
    left: Expr
    right: Expr


class Unary(Struct, frozen=True):
    """`operator operand`; `&` takes an address."""

    operator: str
    operand: Expr


class Choice(Struct, frozen=True):
    """`condition ? then : orelse`"""

    condition: Expr
    then: Expr
    orelse: Expr


class Call(Struct, frozen=True):
    """`function(args)`"""

    function: str
    args: tuple[Expr, ...]


class Cast(Struct, frozen=True):
    """`(type)operand`"""

    type: str
    operand: Expr


class Shuffle(Struct, frozen=True):
    """The value that a lane of this warp has, which has so many: that of a number (`from`), or the one whose number
    differs from this one's in some bits (`xor`)."""

    way: Literal["xor", "from"]
    value: Expr
    lane: Expr
    lanes: int


class Vote(Struct, frozen=True):
    """Whether a value is true in any lane of this warp, which has so many."""

    value: Expr
    lanes: int


Expr = Name | Int | Spelled | Element | Binary | Unary | Choice | Call | Cast | Shuffle | Vote
ONE, ZERO = Int(1), Int(0)
TRUE, FALSE = Spelled("true"), Spelled("false")
STATUS, OK = Name("status"), Spelled("GN_OK")
STATUS_ADDRESS = Unary("&", STATUS)
"""The argument of functions that report what goes wrong."""
FAILED, SUCCEEDS = Binary("!=", STATUS, OK), Binary("==", STATUS, OK)
"""Whether something has been reported, and whether nothing has."""


class Declare(Struct, frozen=True):
    """`type name = value;`"""

    type: str
    name: str
    value: Expr | None = None


class Assign(Struct, frozen=True):
    """`target operator value;` with `=`, `+=` and so on.

    Of a term of a reduction whose order is free, `start` is what a part of it may begin with.
    """

    target: Expr
    value: Expr
    operator: str = "="
    start: Expr | None = None


class If(Struct, frozen=True):
    """`if (condition) {then} else {orelse}`"""

    condition: Expr
    then: Code
    orelse: Code = ()


class While(Struct, frozen=True):
    """`while (condition) {body}`"""

    condition: Expr
    body: Code


class For(Struct, frozen=True):
    """`for (int64_t name = begin; name < end; name += step) {body}`; a `limit` is a variable that holds the end.

    Compilers are to repeat the body `unroll` times a round.
    """

    name: str
    begin: Expr
    end: Expr
    body: Code
    pragma: str | None = None
    limit: str = ""
    step: Expr = ONE
    unroll: int = 1


class Do(Struct, frozen=True):
    """`expression;`"""

    expression: Expr


class Jump(Struct, frozen=True):
    """`break;`, `continue;` or, with a label, `goto label;`"""

    kind: str
    label: str = ""


class Label(Struct, frozen=True):
    """`name: ;`"""

    name: str


class Return(Struct, frozen=True):
    """`return value;`, or `return;` in a function without a result."""

    value: Expr | None = None


class Region(Struct, frozen=True):
    """`#pragma …` and a block; without one the block alone. `when` is a variable, false where no team is wanted."""

    pragma: str | None
    body: Code
    when: Name | None = None


class Atomic(Struct, frozen=True):
    """A statement that updates a place, by an operator in a dtype, which no other thread comes between."""

    update: Assign
    operator: str
    dtype: str


class Kernel(Struct, frozen=True):
    """What a grid of so many blocks runs, each of `threads` threads that are told apart by `threadIdx.x`."""

    name: str
    blocks: Expr
    threads: int
    body: Code


class Launch(Struct, frozen=True):
    """The call of a kernel by its name, with variables in the order of its parameters."""

    name: str
    blocks: Expr
    threads: int
    args: tuple[Name, ...]


class Shared(Struct, frozen=True):
    """`__shared__ type name[count];`, memory that a block of a grid has in common."""

    type: str
    name: str
    count: int


class Barrier(Struct, frozen=True):
    """No thread of a block, or of a warp of so many lanes, goes on before all have come here; each sees what others
    have stored."""

    scope: Scope
    lanes: int = LANES


class Comment(Struct, frozen=True):
    """`/* text */`"""

    text: str


Stmt = (
    Declare | Assign | If | While | For | Do | Jump | Label | Return | Comment
    | Region | Atomic | Kernel | Launch | Shared | Barrier
)  # fmt: skip
Code = tuple[Stmt, ...]


class Function(Struct, frozen=True):
    """A C function: `parameters` are pairs of type and name."""

    type: str
    name: str
    parameters: tuple[tuple[str, str], ...]
    body: Code


def add(left: Expr, right: Expr) -> Expr:
    """left + right

    >>> add(Name("p"), Int(0)), add(add(Name("p"), Int(2)), Int(1)), add(Name("p"), sub(Name("q"), Name("p")))
    (Name(name='p'), Binary(operator='+', left=Name(name='p'), right=Int(value=3)), Name(name='q'))
    """
    match left, right:
        case Int(value=a), Int(value=b):
            return Int(a + b)
        case (Int(value=0), other) | (other, Int(value=0)):
            return other
        case Int(), _:
            return add(right, left)
        case Binary(operator="+", left=inner, right=Int(value=a)), Int(value=b):
            return add(inner, Int(a + b))
        case Binary(operator="-", left=inner, right=Int(value=a)), Int(value=b):
            return add(inner, Int(b - a))
        case _, Int(value=b) if b < 0:
            return Binary("-", left, Int(-b))
        case _, Binary(operator="-", left=whole, right=first) if first == left:
            return whole
        case _:
            return Binary("+", left, right)


def sub(left: Expr, right: Expr) -> Expr:
    """left - right

    >>> sub(add(Name("p"), Name("q")), Name("p")) == Name("q")
    True
    """
    match left, right:
        case Binary(operator="+", left=first, right=rest), _ if first == right:
            return rest
        case _, Int(value=b):
            return add(left, Int(-b))
        case _ if left == right:
            return ZERO
        case _:
            return Binary("-", left, right)


def mul(left: Expr, right: Expr) -> Expr:
    """left * right"""
    match left, right:
        case Int(value=a), Int(value=b):
            return Int(a * b)
        case (Int(value=0), _) | (_, Int(value=0)):
            return ZERO
        case Int(value=1), _:
            return right
        case _, Int(value=1):
            return left
        case _:
            return Binary("*", left, right)


def floordiv(left: Expr, right: Expr) -> Expr:
    """left // right, rounded down

    >>> floordiv(Name("p", natural=True, below=Name("N")), Name("N"))
    Int(value=0)
    """
    match left, right:
        case Name(natural=True, below=bound), _ if bound == right:
            return ZERO
        case Int(value=a), Int(value=b) if b:
            return Int(a // b)
        case _, Int(value=1):
            return left
        case _ if is_natural(left) and is_natural(right):
            return Binary("/", left, right)
        case _:
            return Call("gn_floordiv_int64", (left, right))


def mod(left: Expr, right: Expr) -> Expr:
    """left % right, with the sign of right"""
    match left, right:
        case Name(natural=True, below=bound), _ if bound == right:
            return left
        case Int(value=a), Int(value=b) if b:
            return Int(a % b)
        case _, Int(value=1):
            return ZERO
        case _ if is_natural(left) and is_natural(right):
            return Binary("%", left, right)
        case _:
            return Call("gn_mod_int64", (left, right))


def negative(operand: Expr) -> Expr:
    """-operand"""
    return Int(-operand.value) if isinstance(operand, Int) else Unary("-", operand)


def is_natural(e: Expr) -> bool:
    """Whether index arithmetic can be seen never to be negative."""
    match e:
        case Name(natural=natural):
            return natural
        case Int(value=value):
            return value >= 0
        case Binary(operator="+" | "*" | "/" | "%" | "<<" | ">>", left=left, right=right):
            return is_natural(left) and is_natural(right)
        case Call(function="gn_min_int64", args=args):
            return all(is_natural(a) for a in args)
        case Call(function="gn_max_int64", args=args):
            return any(is_natural(a) for a in args)
        case _:
            return False
