"""The text of schedules: what is read, what is refused, and where."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ParseError
from gnomon.reference.schedule.command import FORMS
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.schedule.text import read_schedule
from hypothesis import given
from hypothesis import strategies as st

WRITTEN = [
    "split(i,a,b,2),reorder(b,a)",
    "mask=push,workspaces=both,pos(j,p,A(i,j))",
    "precompute(A(i,j)*x(j),{j},{k},w,Dense)",
    "parallelize(i,CPUThread,NoRaces) unroll(j,4)",
    "loopfuse({0},2,left,T,Dense),convert(B(k,j),{k,j})",
    "bound({0,1},i,b,16,max_exact),hoist(w)",
]


@pytest.mark.parametrize("text", [form.example for form in FORMS.values()])
def test_every_command_is_read_as_it_is_written(text: str) -> None:
    assert [str(c).replace(" ", "") for c in read_schedule(text).commands] == [text]


def test_commands_follow_one_another() -> None:
    names = [c.name for c in read_schedule(" split(i, i0,i1 ,32) ,fuse(i1,j,f)\n reorder(f,i0) ").commands]
    assert names == ["split", "collapse", "reorder"]
    assert read_schedule("") == ((), ())
    assert read_schedule("precompute(x(i),{i},{iw},w,hashed,hashed)").commands[0].args[-1] == "hashed,hashed"
    nameless = read_schedule("precompute(A(i)*x(i),i,iw),precompute(A(i),{i},{v},w)")
    assert [len(c.args) for c in nameless.commands] == [3, 4]
    assert [c.name for c in read_schedule("split(i,a,b,4,up),split(i,c,d,4,Down)").commands] == ["divide", "split"]
    assert str(read_schedule("split(i,a,b,Up,4),split(i,c,d,Down,8)").commands[1]) == "split(i,c,d,8)"


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("splt(i,i0,i1,2)", "splt is not a scheduling command", 0),
        ("split i", r"expected '\('", 0),
        ("split(i,i0,i1,2", r"expected '\)'", 15),
        ("split(i,i0,i1)", "does not take 3 arguments", 0),
        ("split(i,i0,i1,x)", "expected an integer, but found 'x'", 14),
        ("split(i,,i1,2)", "expected a name, but found ''", 8),
        ("reorder(i,j),pos(f,p,A+1)", "expected an operand", 21),
        ("pos(f,p,A(i,)", r"expected '\)'", 13),
        ("pos(f,p,A(i,))", "expected", 12),
        ("parallelize(i,CPU,NoRaces)", "'CPU' is none of CPUThread", 14),
        ("parallelize(i,CPUThread,Racy)", "'Racy' is none of NoRaces", 24),
        ("precompute(A(i),{i j},{k},w)", "expected names in braces", 16),
        ("split(i,i0,i1,2}", "'}' closes nothing", 15),
        ("split()", "does not take 0 arguments", 0),
        ("split(i,i0,i1,Down,Up)", "does not take 5 arguments", 0),
        (
            f"split(i,i0,i1,{'9' * 5000})",
            r"expected an integer of at most 40 digits, but found '99999999999999999999\.\.\.'",
            14,
        ),
        ("42", "expected a command, but found '4'", 0),
        ("msk=push", "msk is no setting", 0),
        ("auto,mask=puhs", "'puhs' is none of push, pull, auto", 10),
        ("mask=", "expected a value of mask", 0),
        ("auto workspaces", "expected a value of workspaces", 5),
        ("mask(push)", "mask is not a scheduling command", 0),
        ("mask=push,workspaces=both,mask=pull", "mask is set twice", 26),
        ("auto,auto", "auto is set twice", 5),
        ("auto=push", "auto takes no value", 0),
        ("unroll(i,2), mask=push", "mask=push stands behind a command", 13),
    ],
)
def test_errors_have_a_caret(text: str, message: str, at: int) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        read_schedule(text)
    assert caught.value.span is not None and caught.value.span.start == at
    assert "^" in str(caught.value)


@pytest.mark.parametrize("before", [0, 1, 7, 40])
@pytest.mark.parametrize("after", [0, 7, 40])
def test_of_long_texts_what_is_around_the_caret_is_shown(before: int, after: int) -> None:
    text = "reorder(i,j)," * before + "splt(i,a,b,2)" + ",reorder(i,j)" * after
    with pytest.raises(ParseError) as caught:
        read_schedule(text)
    _, line, carets, *_ = str(caught.value).splitlines()
    at = carets.index("^")
    assert line[at : len(carets)] == "splt" and len(line) < 175
    shown = line[2:].removeprefix("... ").removesuffix(" ...")
    assert (line.startswith("  ... "), line.endswith(" ...")) == (not text.startswith(shown), not text.endswith(shown))


def test_carets_end_with_the_line_that_is_shown() -> None:
    with pytest.raises(ParseError) as caught:
        read_schedule("x" * 5000 + "(i)")
    message, line, carets, *_ = str(caught.value).splitlines()
    assert message == "xxxxxxxxxxxxxxxxxxxx... is not a scheduling command"
    assert (line, carets) == (f"  {'x' * 160} ...", f"  {'^' * 160}")


@given(st.sampled_from(WRITTEN), st.integers(0, 50), st.integers(0, 3), st.sampled_from([*",(){};=+.'@a9 é", ""]))
def test_damaged_texts_are_refused_with_a_caret_and_a_hint(text: str, at: int, removed: int, written: str) -> None:
    error = refusal(text[:at] + written + text[at + removed :])
    assert error is None or (error.span is not None and error.hint)


def refusal(text: str) -> ParseError | None:
    """The error with which a text is refused, if it is."""
    try:
        read_schedule(text)
    except ParseError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("split(i,a,b,2))", "leave it out, or write a command such as split"),
        ("mask=foo", "write one of mask=push, mask=pull"),
        ("unroll(i,x)", r"write unroll\(i,4\)"),
        ("pos(i,p,A+1)", r"write pos\(i,p,A\(i,j\)\)"),
        ("pos(i,p,A i)", r"write pos\(i,p,A\(i,j\)\)"),
        ("msk=push", "did you mean mask=push"),
        ("mask=pusj", "did you mean push"),
        ("mask", "write one of mask=push, mask=pull, mask=auto"),
        ("mask(push)", "it is a setting: write one of mask=push"),
        ("atuo", "expected '\\(' after|did you mean auto"),
        ("unroll(i,2),mask=push", "write mask=push first: mask=push,unroll"),
    ],
)
def test_hints_say_what_to_write(text: str, hint: str) -> None:
    with pytest.raises(ParseError, match=hint):
        read_schedule(text)


def test_settings_stand_before_commands() -> None:
    written = read_schedule(" mask = push workspaces=none,\nunroll(i,2)")
    assert [str(each) for each in written.settings] == ["mask=push", "workspaces=none"]
    assert [str(each) for each in written.commands] == ["unroll(i,2)"]
    assert [each.span is not None for each in written.settings] == [True, True]
    assert [str(each) for each in read_schedule("auto").settings] == ["auto"]


def test_a_complex_number_is_one_operand() -> None:
    z = gn.tensor([[0, 1]], [1j, 2.0], (3,), "Dense")
    text = "precompute(z(i) + (1.5 + 2.0j),{},{},t)"
    assert str(as_schedule(text)) == str(Schedule().precompute("z(i) + (1.5+2j)", (), (), "t")) == text
    gn.check("y(i) = z(i) + x(i) + (1.5 + 2j)", z=z, x=np.ones(3), schedule=text)


def test_a_scalar_that_is_converted_is_read_as_it_is_printed() -> None:
    part = "int64(int8(not(lt(A(i), int64((B))))) * B)"
    schedule = Schedule().loopfuse((), part, "left", "T")
    assert str(schedule) == f"loopfuse({{}},{part},left,T)" and as_schedule(str(schedule)).commands == schedule.commands
    operands = {name: gn.tensor([[0]], [1], (1,), "dense", dtype="int64") for name in "AR"}
    gn.check("R(i) or= not(lt(A(i), B)) * B", **operands, B=np.int8(3), schedule=str(schedule))


def test_expressions_may_be_as_statements_print_them() -> None:
    text = "precompute(float64(x(j)),{j},{jw},w)"
    assert str(as_schedule(text)) == text
    assert str(Schedule().precompute("float64(x(j))", "j", "jw", "w")) == text


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("parallelize(i,NotParallel,NoRaces)", "leave parallelize out: a loop without it is serial"),
        ("bound(i,100,MaxExact)", r"name the loop that is bounded, b in bound\(i,b,16,max_exact\)"),
        ("assemble(a,Append)", "leave it out: how a result is assembled follows from its format"),
        ("assemble(a,Insert,true)", "leave it out"),
        ("mergeby(i,Gallop)", "leave it out: how a loop merges its operands follows"),
    ],
)
def test_hints_say_what_there_is_instead_of_commands_of_taco(text: str, hint: str) -> None:
    with pytest.raises(ParseError, match=hint):
        read_schedule(text)
