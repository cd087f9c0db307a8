"""Texts that are no schedules, and commands that no program takes."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.errors import GnomonError, ParseError, ScheduleError
from ...reference.statement.statement import indices
from ..programs.features import Features
from .invalid_program import Mistake, Written, plain_program, reads, write_program

NEEDS = ("schedules",)

UNREADABLE = {
    "an unknown command": (
        "is not a scheduling command",
        ("tile({i},u,v,4)", "Split({i},u,v,4)", "vectorize({i})", "spilt({i},u,v,2)"),
    ),
    "something that is no command": (
        "expected a command, but found '.'",
        ("({i},u,v,4)", "4", ";", "unroll({i},2);", "unroll({i},2),,", "-unroll({i},2)", "pos({i},p,{A})()"),
    ),
    "a command without arguments in parentheses": (
        r"expected '\(' after \w+",
        ("split", "unroll {i},2", "reorder {i}", "unroll[{i},2]"),
    ),
    "a command with another number of arguments": (
        r"\w+ does not take \d arguments?",
        (
            "split({i},u,v)",
            "divide({i},u,v,4,4)",
            "collapse({i},u)",
            "pos({i},p)",
            "coord({i})",
            "bound({i},u,4)",
            "unroll({i})",
            "parallelize({i},CPUThread)",
            "precompute({A},q)",
            "unroll()",
        ),
    ),
    "a bracket without its partner in a command": (
        r"expected '\)'$|'[)}]' closes nothing",
        (
            "split({i},u,v,4",
            "unroll({i},2}}",
            "precompute({A},{{{i}),{{q}},t)",
        ),
    ),
    "an argument that is no name": (
        "expected a name, but found '",
        ("split({i},0,v,4)", "split({i}+1,u,v,4)", "collapse({i},u,)", "unroll(2,{i})"),
    ),
    "an argument that is no integer": (
        "expected an integer, but found '",
        ("split({i},u,v,two)", "unroll({i},1.5)", "divide({i},u,v,{i})", "unroll({i},)"),
    ),
    "an argument that is no list of names": (
        "expected names in braces, but found '",
        ("precompute({A},{{1}},{{q}},t)", "precompute({A},{{{i}}},{{q,}},t)"),
    ),
    "a path that is none": (
        "expected a path, but found '",
        ("split({{x}},{i},u,v,2)", "unroll({{0,}},{i},2)", "loopfuse({{-1}},1,left)", "reorder({{{i}}},{i})"),
    ),
    "a side that is none": (
        r"'\w+' is none of left, right",
        ("loopfuse({{}},1,up)", "loopfuse({{}},1,Left)"),
    ),
    "an unknown parallel unit or race strategy": (
        r"'\w+' is none of (CPUThread|NoRaces), ",
        (
            "parallelize({i},Thread,NoRaces)",
            "parallelize({i},CPUThread,Races)",
            "parallelize({i},cputhread,NoRaces)",
            "parallelize({i},NoRaces,CPUThread)",
        ),
    ),
    "a part that is no expression": (
        "expected a number, a tensor access or a parenthesis, but found",
        (
            "precompute({A}*,{{{i}}},{{q}},t)",
            "precompute(+,{{{i}}},{{q}},t)",
        ),
    ),
    "positions of what is no operand": (
        r"expected an operand such as A\(i,j\), but found '",
        ("pos({i},p,2)", "pos({i},p,{A}*2)", "pos({i},p,-{A})"),
    ),
}
"""What messages say, and texts that are refused before they meet a program; `i` is a variable of it, `A` an access."""

UNSET = {
    "an unknown setting": (
        r"\w+ is no setting",
        ("masks=push", "workspace=none,unroll({i},2)", "schedule = auto"),
    ),
    "a value that a setting does not have": (
        r"'\w+' is none of (push, pull, auto|none, output, both)",
        ("mask=pushed", "mask=none", "workspaces=all", "auto,workspaces=Output"),
    ),
    "a setting without a value": (
        r"expected a value of \w+",
        ("mask", "workspaces=", "mask=auto,workspaces"),
    ),
    "a setting that is set twice": (
        r"\w+ is set twice",
        ("mask=auto,mask=auto", "auto,auto", "workspaces=both mask=auto workspaces=none"),
    ),
    "a setting behind a command": (
        r"[\w=]+ stands behind a command",
        ("split({i},u,v,2),mask=auto", "split({i},u,v,2) auto", "split({i},u,v,4),workspaces=both"),
    ),
}
"""What messages say, and texts whose settings are refused."""

REFUSED = {
    "a loop that does not exist": (
        "no loop runs over zz",
        (
            "split({z},u,v,4)",
            "divide({z},u,v,4)",
            "collapse({i},{z},f)",
            "coord({z},c)",
            "pos({z},p,{A})",
            "reorder({z},{i})",
            "unroll({z},2)",
            "bound({z},b,4,max_constraint)",
            "parallelize({z},CPUThread,Atomics)",
        ),
    ),
    "a path that leads nowhere": (
        r"the path \{[\d,]+\} leads nowhere",
        (
            "split({{7}},{i},u,v,2)",
            "loopfuse({{0,0,0,0,0,0,0}},1,left)",
            "precompute({{9,9}},{A},{{}},{{}},t)",
        ),
    ),
    "a section without the loop": (
        r"the section \{\} has no loop over zz",
        ("split({{}},{z},u,v,2)", "unroll({{}},{z},2)", "reorder({{}},{z},{i})"),
    ),
    "operands that cannot part": (
        "cannot part at|is one operand|it branches",
        ("loopfuse({{}},0,left)", "loopfuse({{}},99,right)"),
    ),
    "a name that is in use": (
        r"the name \w+ is already in use",
        (
            "split({i},{i},v,2)",
            "split({i},u,R,2)",
            "divide({i},u,{T},2)",
            "split({i},u,u,2)",
            "bound({i},{i},1,min_constraint)",
            "precompute({A},{{{i}}},{{u}},{T})",
            "unroll({i},2),split({i},u,{i},2)",
        ),
    ),
    "a size of a command that is not positive": (
        r"is (0|-\d+), but must be a positive integer",
        (
            "split({i},u,v,0)",
            "split({i},u,v,-3)",
            "divide({i},u,v,0)",
            "unroll({i},0)",
            "unroll({i},-1)",
            "bound({i},b,0,divisible)",
        ),
    ),
    "a size larger than any loop": (
        r"is [1-9]\d{6,}, but (must be|may be at most)",
        ("split({i},u,v,4611686018427387905)", "divide({i},u,v,1000001)", "bound({i},b,4611686018427387905,divisible)"),
    ),
    "an unroll factor too large": (
        r"the unroll factor is \d+, but may be at most",
        ("unroll({i},65)", "unroll({i},1000)"),
    ),
    "an unknown kind of bound": (
        "a bound of kind '.+' is not known",
        ("bound({i},b,4,exact)", "bound({i},b,4,max)", "bound({i},b,4,MAX_EXACTLY)"),
    ),
    "a reorder of fewer than two loops": (
        "reorder needs two or more different variables, but has",
        ("reorder({i})", "reorder({i},{i})", "reorder()"),
    ),
    "coordinates of a loop over coordinates": (
        "coord needs positions, but .* counts coordinates",
        ("coord({i},c)", "split({i},u,v,2),coord(u,c)"),
    ),
    "a command on an unrolled loop": (
        "is unrolled: its loop cannot be transformed any more",
        ("unroll({i},2),split({i},u,v,2)", "unroll({i},2),unroll({i},2)"),
    ),
    "a precompute with other numbers of old and new names": (
        r"precompute has \d variables? and \d new names?",
        (
            "precompute({A},{{{i}}},{{u,v}},t)",
            "precompute({A},{{{i},z}},{{u}},t)",
        ),
    ),
    "a part that is not computed": (
        "is not computed anywhere",
        ("precompute({A}*{A}*7.25,{{{i}}},{{q}},t)", "precompute(X,{{{i}}},{{q}},t)"),
    ),
    "positions of an operand that the loop does not read": (
        r"the loop over \w+ does not read",
        ("pos({i},p,X({i}))", "pos({i},p,{T}(zz))"),
    ),
}
"""What messages say, and commands that no program takes; `z` is a variable that it lacks, `T` a tensor."""


def fill_in(draw: st.DrawFn, features: Features, text: str) -> tuple[Written, str, list[str]]:
    """A program, a text with its names, and commands that it takes."""
    drawn = plain_program(draw, features)
    loops = list(dict.fromkeys(indices(drawn.ready.lowered.statement)))
    chosen = draw(st.sampled_from(loops))
    access = draw(st.sampled_from(reads(drawn)))
    shown = f"{access.tensor}({','.join(access.indices)})"
    schedule = text.format(i=chosen, z="zz", A=shown, T=access.tensor)
    return write_program(drawn), schedule, [f"unroll({v},2)" for v in loops if v != chosen]


def before(draw: st.DrawFn, features: Features, text: str) -> Written:
    """A text that is refused on any program; now and then after a command that is not."""
    written, schedule, legal = fill_in(draw, features, text)
    first = draw(st.sampled_from(["", *(f"{each}{sign}" for each in legal for sign in (",", " ", ", "))]))
    return replace(written, schedule=first + schedule)


def behind(draw: st.DrawFn, features: Features, text: str) -> Written:
    """A text whose settings are refused on any program; now and then with a command behind it."""
    written, schedule, legal = fill_in(draw, features, text)
    return replace(written, schedule=",".join([schedule, *draw(st.sampled_from([[], *([each] for each in legal)]))]))


def on_any(
    error: type[GnomonError], says: str, texts: tuple[str, ...], write: Callable[..., Written] = before
) -> Mistake:
    """A schedule that any program refuses."""
    return Mistake(error, says, lambda draw, features: write(draw, features, draw(st.sampled_from(texts))), NEEDS)


COMMANDS = {
    **{mistake: on_any(ParseError, says, texts) for mistake, (says, texts) in UNREADABLE.items()},
    **{mistake: on_any(ParseError, says, texts, behind) for mistake, (says, texts) in UNSET.items()},
    **{mistake: on_any(ScheduleError, says, texts) for mistake, (says, texts) in REFUSED.items()},
}
