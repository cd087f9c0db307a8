"""Judgements: every refusal of the table of invalid schedules is confirmed, known to be stricter, or one of form."""

from __future__ import annotations

import re

import gnomon as gn
import pytest
from depth import DEEP
from gnomon.generator.runtime.request import make_request
from gnomon.properties.proofs.schedules.schedule_inputs import Question
from gnomon.properties.proofs.schedules.schedule_judgement import FORM, STRICTER, Asked
from gnomon.properties.proofs.schedules.schedules import ask
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.properties.strategies.invalid_schedules import PROGRAMS, SCHEDULED
from gnomon.reference.errors import GnomonError, ScheduleError
from gnomon.reference.notation.text import as_text
from gnomon.reference.schedule.commands import EFFECTS
from gnomon.reference.schedule.schedule import as_schedule

REFUSED = [(program, text) for _, texts in SCHEDULED.values() for program, text in texts]
FORMAL = 30
"""How many of them cannot be applied at all."""
FIRST = [texts[0] for _, texts in SCHEDULED.values()]
"""One for each reason."""


def last(program: str, schedule: str) -> Asked | None:
    """What is asked of the last command; None if one cannot be applied."""
    source, formats, out = PROGRAMS[program]
    request = make_request(source, formats, out=out)
    question = Question(request.text, formats, out)
    try:
        return list(ask(request.program, as_schedule(schedule), question))[-1]
    except ScheduleError:
        return None


@pytest.mark.parametrize(("program", "schedule"), REFUSED if DEEP else FIRST)
def test_a_refusal_is_confirmed_or_known_to_be_stricter_or_one_of_form(program: str, schedule: str) -> None:
    each = last(program, schedule)
    if each is None:
        return
    assert each.refusals and not each.disagreements
    refused = [j for j in each.judgements if j.refusal is not None]
    confirmed = [j for j in refused if isinstance(j.verdict(), Refuted)]
    assert confirmed or all(j.stricter for j in refused)
    for shown in (j.shown for j in confirmed if j.shown is not None):
        assert not re.search(r"Attribute|Type|Key|Value|Index|Internal", shown.found.partition("Error")[0])
        assert not re.search(r"object has|object at 0x|\w+Error", shown.found.partition("Error: ")[2])
        if "Error: " in shown.found:
            with pytest.raises(GnomonError):
                eval(shown.program(), {"gn": gn})
        else:
            eval(shown.program(), {"gn": gn})


def test_few_refusals_are_of_form() -> None:
    assert sum(last(*each) is None for each in REFUSED) == FORMAL < len(REFUSED) * 2 // 3


def test_a_refutation_names_the_input_the_values_and_the_refusal() -> None:
    each = last("rows", "parallelize(j,CPUThread,NoRaces)")
    assert each is not None
    (races,) = (j for j in each.judgements if j.key == "parallelize.no_races")
    verdict = races.verdict()
    assert isinstance(verdict, Refuted)
    assert list(dict(verdict.counterexample)) == ["input", "with the schedule", "without", "values", "refused"]
    assert "j = " in dict(verdict.counterexample)["values"]


@pytest.mark.every(2)
@pytest.mark.parametrize(
    "schedule",
    [
        "pos(j,p,A(i,j)),split(p,p0,p1,16),parallelize(p0,CPUThread,NoRaces)",
        "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,16),parallelize(p0,CPUThread,NoRaces)",
        "split(j,j0,j1,8),split(j0,j00,j01,4),parallelize(j00,CPUThread,NoRaces)",
        "divide(j,j0,j1,6),parallelize(j0,CPUThread,NoRaces)",
    ],
)
def test_races_between_large_tiles_are_shown_by_a_row_that_reaches_into_a_second(schedule: str) -> None:
    source, formats = "y(i) = A(i,j) * x(j)", {"A": "CSR"}
    request = make_request(source, formats)
    each = list(ask(request.program, as_schedule(schedule), Question(as_text(source), formats)))[-1]
    (races,) = (j for j in each.judgements if j.key == "parallelize.no_races")
    verdict = races.verdict()
    assert isinstance(verdict, Refuted)
    call = dict(verdict.counterexample)["input"]
    assert schedule in call and len(call) < 1000
    with pytest.raises(ScheduleError, match="both write"):
        eval(call, {"gn": gn})


def test_tiles_that_no_small_operand_fills_are_left() -> None:
    each = last("rows", "pos(j,p,A(i,j)),split(p,p0,p1,1000000),parallelize(p0,CPUThread,NoRaces)")
    assert each is not None and list(each.extents_of_tiles()) == []


def test_what_goes_wrong_is_blamed_on_what_fails() -> None:
    """The order of storage is what goes wrong, not the order of the reduction; the command is given to the program
    without the workspace through which its result is assembled."""
    each = last("product", "reorder(k,i)")
    assert each is not None
    found = {j.condition.name: (j.solver, j.verdict()) for j in each.judgements}
    assert found["distributes"] == (Proved(), Proved())
    assert isinstance(found["located"][1], Refuted) and found["appended"][1] == Proved()


def test_every_name_is_one_of_a_rule() -> None:
    names = {p.name for effect in EFFECTS.values() for p in effect.preconditions}
    names |= {"searched", "merging", "no_races", "unit", "dependent", "located", "counted", "appended"}
    assert {key.rpartition(".")[2] for key in STRICTER} <= names
    assert set(FORM) <= names
