"""The vocabulary of C: names that mean something in a kernel, and what a variable is called instead of them.

Tensors and indices may be called anything that is a name. In C they may not be keywords, nor macros or types of the
headers, nor functions that a kernel calls: those of the memory, of operators, of level formats, its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Literal

from msgspec import Struct

from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import OPERATORS
from ...reference.statement.statement import Program, operators
from ...reference.statement.tags import Target

WORDS = frozenset(
    """alignas alignof asm auto bool break case char complex const constexpr continue default do double else enum extern
    false float for goto if imaginary inline int long noreturn nullptr register restrict return short signed sizeof
    static static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while

    alloca calloc free madvise main malloc memcpy memset realloc
    be16toh be32toh be64toh fpclassify htobe16 htobe32 htobe64 htole16 htole32 htole64 isfinite isgreater isgreaterequal
    isinf isless islessequal islessgreater isnan isnormal isunordered le16toh le32toh le64toh math_errhandling offsetof
    signbit errno i386 linux unix

    BUFSIZ CMPLX CMPLXF CMPLXL DOMAIN EOF HUGE I INFINITY MAXFLOAT NAN NFDBITS NULL OVERFLOW PLOSS SING TLOSS UNDERFLOW
    WCONTINUED WCOREDUMP WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED
    WSTOPSIG WTERMSIG WUNTRACED

    max_align_t ptrdiff_t size_t ssize_t wchar_t status done""".split()  # noqa: SIM905, lists of names as a text
)
CPP_WORDS = frozenset(
    """and and_eq asm bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept
    const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept
    not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try
    typeid typename using virtual wchar_t xor xor_eq

    threadIdx blockIdx blockDim gridDim warpSize dim3 failed arguments seen added""".split()  # noqa: SIM905
)
Purpose = Literal["assemble", "compute", "evaluate", "update", "count"]
"""What a function of a kernel is for."""
TARGETS: dict[Target, frozenset[str]] = {"c": frozenset(), "cuda": CPP_WORDS}
"""What means something beside the words of C, by who runs parallel loops."""
FAMILIES = (
    r"_+[A-Z]\w*",
    r"__+[a-z]\w*",
    r"[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z][A-Z0-9_]*",
    r"(gn|omp)_[A-Za-z]\w*",
    r"(cuda|atomic)[A-Z]\w*",
    r"u?int(_fast|_least)?(8|16|32|64)_t",
    r"u?int(max|ptr)_t",
)


class Vocabulary(Struct, frozen=True):
    """Names that variables may not have: some words, and all that a pattern matches as a whole."""

    words: frozenset[str] = WORDS
    families: tuple[str, ...] = FAMILIES

    def has(self, name: str) -> bool:
        """Whether a name means something already.

        >>> [name for name in ("size_t", "M_PI", "A_1", "A", "gn_min", "__asm__") if Vocabulary().has(name)]
        ['size_t', 'M_PI', 'gn_min', '__asm__']
        """
        return name in self.words or pattern(self.families).fullmatch(name) is not None

    def free_name(self, name: str) -> str:
        """A name in the letters of C that means nothing yet.

        >>> Vocabulary().free_name("NULL"), Vocabulary().free_name("x"), Vocabulary().free_name("xé")
        ('my_NULL', 'x', 'xu00e9')
        """
        plain = in_c_letters(name)
        return f"my_{plain}" if self.has(plain) else plain


STANDARD = Vocabulary()


@cache
def pattern(families: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for all families."""
    return re.compile("|".join(families), re.ASCII)


def in_c_letters(name: str) -> str:
    """A name with the code points of letters that C does not have."""
    return "".join(x if x.isascii() else f"u{ord(x):04x}" for x in name)


def vocabulary(program: Program, functions: Iterable[str], more: frozenset[str] = frozenset()) -> Vocabulary:
    """What has a meaning in the kernel of a program, which has some functions of its own, and for whoever runs it."""
    formats = program.formats
    levels = alternatives(level.name for format in formats.values() for level in format.levels)
    helpers = (rf"{levels}_[a-z]\w*", widening_name(alternatives(map(in_c_letters, formats)), r"\d+") + r"\d*")
    used = {each for operator in (*OPERATORS.values(), *operators(program.statement)) for each in spellings(operator)}
    return Vocabulary(WORDS | used | set(functions) | more, (*FAMILIES, *helpers))


def alternatives(names: Iterable[str]) -> str:
    """A pattern for any of some names."""
    return f"({'|'.join(sorted(map(re.escape, set(names))))})"


def widening_name(name: str, level: str) -> str:
    """What the function is called that widens a level of a tensor."""
    return f"{name}{level}_widen"


@cache
def spellings(operator: Operator) -> frozenset[str]:
    """The names in an operator's spelling, for all dtypes.

    >>> sorted(spellings(OPERATORS["sin"]))
    ['csin', 'csinf', 'sin', 'sinf']
    """
    found: set[str] = set()
    for c in ("", "c"):
        for f in ("", "f"):
            spelled = " ".join(text or "" for text in (operator.c, operator.checked, operator.complex_fold))
            spelled = spelled.replace("{c}", c).replace("{f}", f).replace("{T}", "T")
            text = re.sub(r"\{\w+\}", " ", spelled)
            found |= set(re.findall(r"[A-Za-z_]\w*", text))
    return frozenset(found)
