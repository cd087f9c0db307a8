"""The preprocessor, as far as kernels and their header need it (C11, 6.10): lines stay where they are.

Macros with and without parameters, `##`, conditionals on what is defined; `#include` is for whoever calls, `#pragma`
for the parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...reference.errors import Unsupported

TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')|(?P<sign>\#\#|.)",
    re.DOTALL,
)
DIRECTIVE = re.compile(r"\s*#\s*(\w+)(.*)", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")


class Macro(Struct, frozen=True):
    """A macro: its parameters, None if it has no parentheses, and the tokens it stands for."""

    parameters: tuple[str, ...] | None
    body: tuple[str, ...]


Macros = Mapping[str, Macro]


def tokens(text: str) -> list[str]:
    """The tokens of a text, spaces included."""
    return [m[0] for m in TOKEN.finditer(text)]


def macro(text: str) -> tuple[str, Macro]:
    """What `#define` defines.

    >>> macro("TWICE(x) x + x")
    ('TWICE', Macro(parameters=('x',), body=('x', ' ', '+', ' ', 'x')))
    """
    found = re.fullmatch(r"\s*(\w+)(\(([^)]*)\))?(.*)", text, re.DOTALL)
    if found is None:
        raise Unsupported(f"#define {text.strip()}")
    parameters = None if found[2] is None else tuple(p.strip() for p in found[3].split(","))
    return found[1], Macro(parameters, tuple(tokens(found[4].strip())))


def splice_lines(text: str) -> list[list[str]]:
    """Lines without comments: each with those that a backslash joins to it."""
    plain = re.sub(r"/\*.*?\*/", lambda m: " " + "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    plain = re.sub(r"//[^\n]*", "", plain)
    lines: list[list[str]] = []
    open_ = False
    for line in plain.split("\n"):
        if open_:
            lines[-1].append(line.removesuffix("\\"))
        else:
            lines.append([line.removesuffix("\\")])
        open_ = line.endswith("\\")
    return lines


def preprocess(text: str, macros: Macros) -> tuple[str, dict[str, Macro]]:
    """A text with its macros replaced, and those that are defined at its end.

    >>> preprocess("#define N 3\\nint a[N];", {})[0]
    '\\nint a[3];'
    """
    known = dict(macros)
    made: list[str] = []
    waiting: list[str] = []
    taken: list[bool] = []
    for parts in splice_lines(text):
        line = "".join(parts)
        found = DIRECTIVE.match(line)
        if found is None or found[1] == "pragma":
            waiting += [line if all(taken) else "", *[""] * (len(parts) - 1)]
            continue
        if waiting:
            made.append(replace_macros("\n".join(waiting), known))
        waiting = []
        made.append("\n" * (len(parts) - 1))
        directive(found[1], found[2], known, taken)
    if waiting:
        made.append(replace_macros("\n".join(waiting), known))
    return "\n".join(made), known


def directive(name: str, rest: str, known: dict[str, Macro], taken: list[bool]) -> None:
    """One directive. `taken`: whether the branch is compiled, of each conditional around."""
    match name:
        case "ifdef" | "ifndef":
            taken.append((rest.strip() in known) == (name == "ifdef"))
        case "if":
            taken.append(holds(rest, known))
        case "else":
            taken[-1] = not taken[-1]
        case "endif":
            taken.pop()
        case _ if not all(taken):
            return
        case "define":
            key, value = macro(rest)
            known[key] = value
        case "undef":
            known.pop(rest.strip(), None)
        case "include":
            return
        case _:
            raise Unsupported(f"#{name}{rest}")


def holds(condition: str, known: Macros) -> bool:
    """Whether a condition made of `defined(…)`, `!`, `&&` and `||` holds.

    >>> holds("defined(A) && !defined(B)", {"A": macro("A 1")[1]})
    True
    """
    text = re.sub(r"defined\s*\(\s*(\w+)\s*\)", lambda m: str(m[1] in known), condition)
    if not re.fullmatch(r"(\s*!?\s*(True|False)\s*(&&|\|\||$))+", text):
        raise Unsupported(f"#if {condition.strip()}")
    return any(all(("!" in part) != ("True" in part) for part in term.split("&&")) for term in text.split("||"))


def replace_macros(text: str, known: Macros) -> str:
    """A text with its macros replaced, `#pragma` lines left alone."""
    parts = re.split(r"(^\s*#[^\n]*$)", text, flags=re.MULTILINE)
    return "".join(p if n % 2 else "".join(expand(tokens(p), known, frozenset())) for n, p in enumerate(parts))


def expand(found: Sequence[str], known: Macros, hidden: frozenset[str]) -> list[str]:
    """Tokens with their macros replaced, but for those that are being replaced around."""
    made: list[str] = []
    n = 0
    while n < len(found):
        token = found[n]
        n += 1
        each = known.get(token) if token not in hidden else None
        if each is None:
            made.append(token)
        elif each.parameters is None:
            made += expand(each.body, known, hidden | {token})
        else:
            begin = next((k for k in range(n, len(found)) if not found[k].isspace()), n)
            if begin >= len(found) or found[begin] != "(":
                made.append(token)
                continue
            args, n = arguments(found, begin)
            made += expand(substitute(each, args, known, hidden), known, hidden | {token})
    return made


def arguments(found: Sequence[str], begin: int) -> tuple[list[list[str]], int]:
    """The arguments of a macro from its parenthesis on, and the place behind them."""
    args: list[list[str]] = [[]]
    depth = 0
    for n in range(begin, len(found)):
        token = found[n]
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return args, n + 1
        if depth == 1 and token == ",":
            args.append([])
        elif n > begin:
            args[-1].append(token)
    raise Unsupported(f"{found[begin - 1]}( without its parenthesis")


def substitute(each: Macro, args: Sequence[Sequence[str]], known: Macros, hidden: frozenset[str]) -> list[str]:
    """The body of a macro with its arguments; those beside `##` as they are written, others replaced first."""
    given = {p: trim(a) for p, a in zip(each.parameters or (), args, strict=True)}
    made: list[str] = []
    pasting = False
    body = [t for n, t in enumerate(each.body) if not (t.isspace() and beside_paste(each.body, n))]
    for n, token in enumerate(body):
        if token == "##":
            pasting = True
            continue
        pasted = pasting or (n + 1 < len(body) and body[n + 1] == "##")
        value = given.get(token)
        new = [token] if value is None else list(value) if pasted else expand(value, known, hidden)
        if pasting and made and new:
            made[-1] += new.pop(0)
        made += new
        pasting = False
    return made


def beside_paste(body: Sequence[str], n: int) -> bool:
    """Whether a space touches `##`."""
    return body[n - 1] == "##" or (n + 1 < len(body) and body[n + 1] == "##")


def trim(found: Sequence[str]) -> list[str]:
    """Tokens without the spaces around them."""
    return tokens("".join(found).strip())
