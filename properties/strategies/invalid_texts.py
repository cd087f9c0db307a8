"""Texts that are no expressions: one token or sign too many, too few, or of the wrong kind."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.operators import OPERATORS
from ...reference.errors import ParseError
from ...reference.notation.parser import DEPTH
from ...reference.notation.printer import pretty
from ...reference.notation.syntax import Access
from ...reference.statement.statement import rename_accesses
from ..programs.features import Features
from ..programs.problem import Problem
from .invalid_program import Mistake, Written, edit_assignment, plain_program, program, reads, target, write_program


def illegal_character(draw: st.DrawFn, features: Features) -> Written:
    """`R(i) = A(i) # B(i)`"""
    drawn = program(draw, features)
    at = draw(st.integers(0, len(drawn.source)))
    sign = draw(st.sampled_from("#@?;:[]{}%&|^~'\"\\"))
    return write_program(drawn, source=drawn.source[:at] + sign + drawn.source[at:])


def unbalanced_parentheses(draw: st.DrawFn, features: Features) -> Written:
    """`R(i = A(i)`"""
    drawn = program(draw, features)
    places = outermost(drawn.source)
    if not places:
        return write_program(drawn, source=f"{drawn.source})")
    at = draw(st.sampled_from(places))
    return write_program(drawn, source=drawn.source[:at] + drawn.source[at + 1 :])


def outermost(text: str) -> list[int]:
    """The places of parentheses inside no other pair, except one whose loss makes one name of two.

    Inside another pair, the loss of one can give a function other arguments, which is another mistake.
    """
    places, depth = [], 0
    for n, sign in enumerate(text):
        depth += (sign == "(") - (n > 0 and text[n - 1] == ")")
        joins = sign == "(" and text[n - 1 : n].isalnum() and "(" in text[n + 1 :].partition(")")[0]
        if sign in "()" and depth == 1 and not joins:
            places.append(n)
    return places


def missing_operand(draw: st.DrawFn, features: Features) -> Written:
    """`R = A +`"""
    drawn = program(draw, features)
    return write_program(
        drawn, source=drawn.source + draw(st.sampled_from([" +", " *", " -", " /", " + * 2", " - ()"]))
    )


def missing_operator(draw: st.DrawFn, features: Features) -> Written:
    """`R = A 2`"""
    drawn = program(draw, features)
    return write_program(drawn, source=f"{drawn.source} {draw(st.sampled_from(['2', *drawn.operands]))}")


def truncated_text(draw: st.DrawFn, features: Features) -> Written:
    """`R(i) =`"""
    drawn = program(draw, features)
    ends = [*range(drawn.source.index(" ") + 1), drawn.source.index("=") + 1]
    return write_program(drawn, source=drawn.source[: draw(st.sampled_from(ends))])


def too_deep(draw: st.DrawFn, features: Features) -> Written:
    """`R = ((( ... )))`"""
    drawn = program(draw, features)
    left, value = sides(drawn)
    depth = DEPTH + draw(st.integers(1, 20))
    deep = [
        "(" * depth + value + ")" * depth,
        "-" * depth + f"({value})",
        " + ".join([f"({value})"] * depth),
        "abs(" * depth + value + ")" * depth,
    ]
    return write_program(drawn, source=left + draw(st.sampled_from(deep)))


def sides(problem: Problem) -> tuple[str, str]:
    """The text up to the value, and the value."""
    value = pretty(problem.text.written.value)
    return problem.source.removesuffix(value), value


def number_of_arguments(draw: st.DrawFn, features: Features) -> Written:
    """`R = sqrt(A, A)`"""
    drawn = program(draw, features)
    operator = OPERATORS[draw(st.sampled_from(features.operators or tuple(OPERATORS)))]
    count = draw(st.sampled_from([n for n in (1, 2, 3) if n != operator.arity]))
    left, value = sides(drawn)
    return write_program(drawn, source=f"{left}{operator.name}({', '.join([value] * count)})")


def bare_reduction(draw: st.DrawFn, features: Features) -> Written:
    """`R = sum(A)`"""
    drawn = program(draw, features)
    left, value = sides(drawn)
    name, variable = draw(st.sampled_from(["sum", "prod"])), draw(st.sampled_from(["", "2, ", "i, j, "]))
    return write_program(drawn, source=f"{left}{name}({variable}{value})")


def unknown_update(draw: st.DrawFn, features: Features) -> Written:
    """`R(i) -= A(i)`"""
    drawn = plain_program(draw, features)
    sign = draw(st.sampled_from(["-", "/", "avg", "first", "pow"]))
    return write_program(drawn, source=drawn.source.replace("=", f"{sign}=", 1))


def comparison(draw: st.DrawFn, features: Features) -> Written:
    """`R(i) == A(i)`"""
    drawn = plain_program(draw, features)
    return write_program(drawn, source=drawn.source.replace("=", draw(st.sampled_from(["==", "= ="])), 1))


def large_number(draw: st.DrawFn, features: Features) -> Written:
    """`R = A + 1e999`"""
    drawn = program(draw, features)
    return write_program(drawn, source=drawn.source + draw(st.sampled_from([" + 1e999", " * 2e400j", " - 9.5E308"])))


def open_mask(draw: st.DrawFn, features: Features) -> Written:
    """`R(i)<M(i) = A(i)`"""
    drawn = plain_program(draw, features)
    left = pretty(target(drawn))
    mask = draw(st.sampled_from(["<{}", "<{}(", "<>", "<!>", "<$!{}>", "<2>", "{}>"])).format(reads(drawn)[0].tensor)
    return write_program(drawn, source=drawn.source.replace(left, left + mask, 1))


def index_that_is_no_name(draw: st.DrawFn, features: Features) -> Written:
    """`R(i) = A(0)`"""
    drawn = plain_program(draw, features)
    access = draw(st.sampled_from(reads(drawn)))
    mode = draw(st.integers(0, len(access.indices) - 1))
    index = draw(st.sampled_from(["0", "{}+1", "{}*2", "({})"])).format(access.indices[mode])
    wrong = Access(access.tensor, (*access.indices[:mode], index, *access.indices[mode + 1 :]))
    return edit_assignment(drawn, lambda a: replace(a, value=rename_accesses(a.value, {access: wrong})))


def unknown_function(draw: st.DrawFn, features: Features) -> Written:
    """`R = relu(A)`"""
    drawn = program(draw, features)
    left, value = sides(drawn)
    name, reads_one = draw(st.sampled_from(["relu", "Sqrt", "Sum", "SIN", "tanh2"])), pretty(reads(drawn)[0])
    more = draw(st.sampled_from(["", ", 2", f", {reads_one}"]))
    call = draw(st.sampled_from([f"{name}({reads_one}{more})", f"{name}(2 * {reads_one})", f"{name}(({reads_one}))"]))
    return write_program(drawn, source=f"{left}{value} + {call}")


PARTNER = (
    "expected '[,)>]', but found|"
    "expected ('=' or a reduction assignment|an operator or the end of the text), but found '[,)]'"
)
MASK = (
    "expected ('>'|the name of a tensor|an index variable|a number, a tensor access or a parenthesis|"
    "'=' or a reduction assignment), but found '.+'"
)
INDEX = "an index is a variable, but found '.+'"
TEXTS = {
    "a character that no token has": Mistake(ParseError, r"unexpected character ['\"]", illegal_character),
    "a parenthesis without its partner": Mistake(ParseError, PARTNER, unbalanced_parentheses),
    "an operator without an operand": Mistake(
        ParseError,
        "expected a number, a tensor access or a parenthesis, but found (the end of the text|'[*)]')",
        missing_operand,
    ),
    "two operands without an operator": Mistake(
        ParseError, r"expected an operator or the end of the text, but found '\w+'", missing_operator
    ),
    "a text that ends before its value": Mistake(
        ParseError, "expected .*, but found the end of the text", truncated_text
    ),
    "an expression nested too deep": Mistake(ParseError, r"the expression is nested more than \d+ deep", too_deep),
    "a function with another number of arguments": Mistake(
        ParseError, r"\w takes \d arguments?, but \d (is|are) given", number_of_arguments
    ),
    "a reduction over no variable": Mistake(
        ParseError, "reduces an expression over one index variable", bare_reduction
    ),
    "an unknown reduction assignment": Mistake(
        ParseError, r"expected '=' or a reduction assignment, but found '(-|/|\w+)'", unknown_update
    ),
    "a comparison in place of an assignment": Mistake(
        ParseError, "expected a number, a tensor access or a parenthesis, but found '='", comparison
    ),
    "a number too large to represent": Mistake(ParseError, "the number is too large", large_number),
    "a mask that is no access in angle brackets": Mistake(ParseError, MASK, open_mask, ("masks",)),
    "a function that there is not": Mistake(ParseError, r"\w+ is not a function", unknown_function),
    "an index that is no variable": Mistake(ParseError, INDEX, index_that_is_no_name),
}
