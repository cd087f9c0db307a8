"""The parser of procedures: a line a step, loops by indentation, `#` before remarks.

procedure ::= 'procedure' NAME '(' (NAME (',' NAME)*)? ')' '->' NAME (',' NAME)* node+
node      ::= step | 'repeat' node+ 'until' conditions | 'stop' 'if' conditions
conditions::= condition ('or' condition)*
step      ::= assignment ('in' SEMIRING)? ('as' (FORMAT ('of' DTYPE)? | 'of' DTYPE))?
condition ::= NAME 'unchanged' | NAME 'empty' | NAME ('above' | 'below') (NUMBER | NAME) | (NUMBER | NAME) 'steps'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from ..algebra.dtypes import NAMES
from ..algebra.operator import Operator
from ..algebra.operators import OPERATORS
from ..algebra.scalars import abbreviate
from ..algebra.semirings import Semiring, semiring
from ..errors import GnomonError, ParseError
from ..nearest import nearest
from ..notation.text import Text
from ..span import Span
from .syntax import Condition, Node, Number, Procedure, Repeat, Step, Stop
from .thresholds import threshold_hint

HEAD = re.compile(r"procedure\s+([A-Za-z_]\w*)\s*\(([^()]*)\)\s*->\s*(.+)")
CLAUSES = re.compile(
    r"(?P<text>.*?)(?:\s+in\s+(?P<ring>\w+))?"
    r"(?P<stored>\s+as(?:\s+(?P<format>(?!of\b)\S+))?(?:\s+of(?:\s+(?P<dtype>\w+))?)?)?"
)
CONDITION = re.compile(r"(\w+)\s+(?:(unchanged|empty|steps)|(above|below)\s+(\w+))")
DEEPEST, MOST = 200, 15
LAYOUT, WORDS = "procedure.layout", "procedure.words"
STEP = "write for example y(j) = x(i) * A(i,j) in min_plus as SparseVector"
STOP, UNTIL = re.compile(r"stop\s+if\b"), re.compile(r"until\b")
HELD = "NAME empty, NAME above NUMBER, NAME below NUMBER"
JOINED = "or several of them joined by or"
ENDS = {UNTIL: f"write until NAME unchanged, {HELD}, NUMBER steps, {JOINED}", STOP: f"write {HELD}, {JOINED}"}
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")


class Line(Struct, frozen=True):
    """A line with something on it: where its text begins in the source, how far it is indented, and its text."""

    start: int
    depth: int
    text: str

    @property
    def span(self) -> Span:
        """Where the text stands."""
        return Span(self.start, self.start + len(self.text))


def parse_procedure(source: str, operators: Mapping[str, Operator] | None = None) -> Procedure:
    """The procedure that a text says. `operators` are further ones by name. Raises ParseError with a caret.

    >>> found = parse_procedure('''
    ... procedure reach(A, x) -> x
    ...   repeat
    ...     x(j) += x(i) * A(i,j)  in or_and
    ...   until x unchanged
    ... ''')
    >>> found.name, found.parameters, str(found.body[0].until)
    ('reach', ('A', 'x'), 'x unchanged')
    """
    if not isinstance(source, str):
        raise ParseError(
            f"expected a procedure as text, but found {abbreviate(source)}",
            hint="write procedure NAME(...) -> NAME",
            rule="error.python",
        )
    return ProcedureParser(source, operators, list_lines(source)).procedure()


def list_lines(source: str) -> list[Line]:
    """The lines of a source that say something."""
    found, start = list[Line](), 0
    for whole in LINE.findall(source):
        text = whole.partition("#")[0]
        said = text.strip()
        if said:
            depth = len(text) - len(text.lstrip())
            found.append(Line(start + depth, depth, said))
        start += len(whole)
    return found


class ProcedureParser(Struct):
    """A recursive descent over lines."""

    source: str
    operators: Mapping[str, Operator] | None
    lines: list[Line]
    at: int = 0
    loops: int = 0

    def error(
        self, message: str, span: Span, hint: str | None = None, rule: str | None = "procedure.syntax"
    ) -> ParseError:
        """An error by a rule, with a caret under a part of the source."""
        return ParseError(message, hint=hint, source=self.source, span=span, rule=rule)

    def procedure(self) -> Procedure:
        """The whole text."""
        hint = "write procedure NAME(A, x) -> y"
        if not self.lines:
            raise ParseError("a procedure begins with procedure", hint=hint, rule="procedure.syntax")
        head = self.lines[0]
        found = HEAD.fullmatch(head.text)
        if found is None:
            raise self.error("a procedure begins with its name, what it is given and what it gives", head.span, hint)
        parameters = self.names_in(found[2], head) if found[2].strip() else ()
        results = self.names_in(found[3], head)
        self.at = 1
        body = self.block(head)
        if self.at < len(self.lines):
            raise self.error("this line belongs to no procedure", self.lines[self.at].span, "indent it", LAYOUT)
        return Procedure(found[1], parameters, results, body, self.source)

    def names_in(self, text: str, line: Line) -> tuple[str, ...]:
        """Names with commas between them, each once."""
        found = tuple(name.strip() for name in text.split(","))
        for name in found:
            if not name.isidentifier() or found.count(name) > 1:
                what = f"{name!r} is no name" if not name.isidentifier() else f"{name} stands here twice"
                raise self.error(what, line.span, "write names with commas between them", "procedure.words")
        return found

    def block(self, above: Line) -> tuple[Node, ...]:
        """The nodes that are indented more than the line above them, all alike."""
        found: list[Node] = []
        depth = self.lines[self.at].depth if self.at < len(self.lines) else 0
        if depth > DEEPEST:
            place = self.lines[self.at].span
            raise self.error("this line is too far inside others", place, "indent by two spaces", LAYOUT)
        while self.at < len(self.lines) and self.lines[self.at].depth > above.depth:
            line = self.lines[self.at]
            if line.depth != depth:
                said = "this line is indented otherwise than the one before it"
                raise self.error(said, line.span, "align them", LAYOUT)
            self.at += 1
            found.append(self.node(line))
        if not found:
            raise self.error("nothing is below this line", above.span, STEP, LAYOUT)
        return tuple(found)

    def node(self, line: Line) -> Node:
        """A loop, the end of one, or a step."""
        if line.text == "repeat":
            return self.repeat(line)
        if UNTIL.match(line.text) and "=" not in line.text:
            raise self.error("until is not aligned with repeat", line.span, "align them", LAYOUT)
        if not STOP.match(line.text):
            return self.step(line)
        if not self.loops:
            raise self.error("no loop is around this line", line.span, "write it below repeat", WORDS)
        condition = self.condition(line, STOP)
        if condition.unchanged or condition.steps is not None:
            raise self.error("this is said of rounds, which end at until", line.span, ENDS[STOP], WORDS)
        return Stop(condition, line.span)

    def repeat(self, line: Line) -> Repeat:
        """A loop, whose last line says when it ends."""
        self.loops += 1
        body = self.block(line)
        self.loops -= 1
        if self.at >= len(self.lines) or not UNTIL.match(self.lines[self.at].text):
            raise self.error("this loop does not say when it ends", line.span, ENDS[UNTIL])
        last = self.lines[self.at]
        if last.depth != line.depth:
            raise self.error("until is not aligned with repeat", last.span, "align them", LAYOUT)
        self.at += 1
        return Repeat(body, self.condition(last, UNTIL), line.span)

    def condition(self, line: Line, keyword: re.Pattern[str]) -> Condition:
        """When a loop ends, after a keyword."""
        found, head = Condition(span=line.span), keyword.match(line.text)
        assert head is not None
        begin = line.start + head.end()
        for part in line.text[head.end() :].split(" or "):
            span = Span(begin, begin + len(part))
            begin += len(part) + len(" or ")
            said = CONDITION.fullmatch(part.strip())
            if said is None:
                hint = threshold_hint(part, self.source) or ENDS[keyword]
                raise self.error(f"{part.strip()!r} is no condition", span, hint, WORDS)
            match said[2] or said[3]:
                case "unchanged":
                    found = replace(found, unchanged=(*found.unchanged, said[1]))
                case "empty":
                    found = replace(found, empty=(*found.empty, said[1]))
                case "above":
                    found = replace(found, above=(*found.above, (said[1], self.number(said[4], 0, "components", span))))
                case "below":
                    found = replace(found, below=(*found.below, (said[1], self.number(said[4], 1, "components", span))))
                case _ if found.steps is not None:
                    raise self.error("a loop ends after one number of steps", span, "leave one of them out", WORDS)
                case _:
                    found = replace(found, steps=self.number(said[1], 1, "steps", span))
        return found

    def number(self, text: str, least: int, what: str, span: Span) -> Number:
        """A number that is large enough, or the name of one."""
        if not text[0].isdigit():
            return text
        if not (text.isascii() and text.isdigit()) or len(text) > MOST or int(text) < least:
            hint = f"write a whole number from {least} on, of at most {MOST} digits"
            raise self.error(f"{text} is no number of {what}", span, hint, WORDS)
        return int(text)

    def step(self, line: Line) -> Step:
        """An assignment with its clauses."""
        found = CLAUSES.fullmatch(line.text)
        assert found is not None
        if found["stored"] and not (found["format"] or found["dtype"]):
            hint = "write for example as CSR, as CSR of float32, or as of float32"
            raise self.error("as says neither a format nor a dtype", self.part(found, "stored", line), hint)
        self.check_dtype(found, line)
        text, ring = Text(found["text"], self.operators), self.ring(found, line)
        step = Step(text, ring, found["format"], found["dtype"], line.span)
        try:
            if step.text.assignment:
                return step
        except ParseError as error:
            raise self.error(error.message, self.place(error.span, line), error.hint, error.rule) from None
        raise AssertionError

    def check_dtype(self, found: re.Match[str], line: Line) -> None:
        """Refuse a dtype that there is not."""
        if found["dtype"] is not None and found["dtype"] not in NAMES:
            near = nearest(found["dtype"], NAMES)
            hint = f"did you mean {near[0]}?" if near else f"dtypes are {', '.join(NAMES)}"
            raise self.error(f"{found['dtype']} is no dtype", self.part(found, "dtype", line), hint)

    def ring(self, found: re.Match[str], line: Line) -> Semiring | None:
        """The semiring that a line names, if any. Raises ParseError for one that there is not."""
        if found["ring"] is None:
            return None
        try:
            return semiring(found["ring"], {**OPERATORS, **(self.operators or {})})
        except GnomonError as error:
            raise self.error(error.message, self.part(found, "ring", line), error.hint, error.rule) from None

    def part(self, found: re.Match[str], group: str, line: Line) -> Span:
        """Where a part of a line stands in the source."""
        return Span(line.start + found.start(group), line.start + found.end(group))

    def place(self, span: Span | None, line: Line) -> Span:
        """Where a part of an expression stands in the source."""
        return line.span if span is None else Span(line.start + span.start, line.start + span.stop)
