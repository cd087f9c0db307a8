"""The prover: many obligations at once, of which those that fail, crash or hang prove nothing and stop nothing."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from gnomon.properties.proofs.catalogue import catalogue
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.prover import Outcome, Report, attempt_here, choose_obligations, in_order, outcomes, prove
from gnomon.properties.proofs.topic import BranchedStatement, LevelFormat, Rules, ScheduledStatement, Topic
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted, Unknown
from gnomon.reference.errors import DisagreementError, GnomonError

TOPIC = '''
"""Obligations of which some are trouble."""
import os, time
from dataclasses import dataclass
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.verdict import Proved, Refuted

def crashes():
    os._exit(1)

def hangs():
    time.sleep(100)

def fails():
    raise ValueError("no such number")

@dataclass(frozen=True)
class Trouble:
    def obligations(self):
        functions = {"a.fine": Proved, "a.crashes": crashes, "b.fails": fails, "b.hangs": hangs, "c.fine": Proved}
        return tuple(Obligation(id, "something", f) for id, f in functions.items())
'''


@pytest.fixture
def trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "trouble_topic.py").write_text(TOPIC)
    monkeypatch.syspath_prepend(tmp_path)
    import trouble_topic  # type: ignore[import-not-found]

    return trouble_topic.Trouble()


def test_trouble_is_unknown_and_the_rest_goes_on(trouble: Any) -> None:
    all_ = trouble.obligations()
    report = in_order(all_, outcomes(trouble, all_, workers=2, limit=2))
    assert [o.id for o in report.outcomes] == [o.id for o in all_]
    found = {o.id: o.verdict for o in report.outcomes}
    assert found["a.fine"] == found["c.fine"] == Proved()
    assert isinstance(found["a.crashes"], Unknown)
    assert found["b.hangs"] == Unknown("no answer in 2 s")
    assert found["b.fails"] == Unknown("the attempt failed: ValueError: no such number")


def test_processes_find_what_this_one_finds() -> None:
    topic = LevelFormat("gnomon.reference.levels.dense:Dense")
    some = choose_obligations(topic.obligations(), ["levels.dense"], quick=True)
    far = {o.id: o.verdict for o in outcomes(topic, some, workers=2)}
    assert far == {o.id: attempt_here(o).verdict for o in some}


@pytest.mark.parametrize(
    "topic",
    [
        Rules(),
        LevelFormat("a:B"),
        ScheduledStatement("y(i) = x(i)", (("x", "CSR"),), "split(i,i0,i1,4)", "min_plus", None),
        BranchedStatement("y(i) = x(i)", (), "I <= J", "min_plus", "auto"),
    ],
    ids=lambda topic: type(topic).__name__,
)
def test_topics_travel_to_processes(topic: Topic) -> None:
    assert pickle.loads(pickle.dumps(topic)) == topic


def test_ids_name_families_and_single_obligations() -> None:
    assert {o.id.split(".")[1] for o in choose_obligations(catalogue(), ["operators.min"])} == {"min"}
    assert len(choose_obligations(catalogue(), ["operators.add.commutative.integers"])) == 1
    assert len(choose_obligations(catalogue(), [])) == len(catalogue())
    with pytest.raises(GnomonError, match=r"no obligation is called 'operators.mi'") as error:
        choose_obligations(catalogue(), ["operators.mi"])
    assert "operators" in str(error.value.hint)


def test_quick_leaves_out_what_is_slow() -> None:
    both = [Obligation("a", "", Proved), Obligation("b", "", Proved, slow=True)]
    assert [o.id for o in choose_obligations(both, [], quick=True)] == ["a"]


def test_every_id_is_there_once_and_of_words() -> None:
    ids = [o.id for o in catalogue()]
    assert len(set(ids)) == len(ids)
    assert all(part.isidentifier() or part.isalnum() for id in ids for part in id.split("."))


def test_what_is_refuted_is_raised_with_its_counterexample() -> None:
    wrong = Obligation("a.wrong", "one is two", lambda: Refuted((("one", "1"),)))
    with pytest.raises(DisagreementError, match=r"a\.wrong is refuted: one is two\none: 1"):
        prove([Obligation("a.fine", "", Proved), wrong])


def test_what_is_bounded_or_unknown_does_not_count_as_proved() -> None:
    report = prove([Obligation("a", "", lambda: Bounded("to 4")), Obligation("b", "", lambda: Unknown("time"))])
    assert report.counts() == {"bounded": 1, "unknown": 1}
    assert str(report) == "2 obligations: 1 bounded, 1 unknown"


def test_an_outcome_as_json() -> None:
    found = Outcome("a", "says", Refuted((("x", "1"), ("y", "2"))), 0.12345).as_json()
    assert found == {"id": "a", "statement": "says", "status": "refuted", "detail": "x = 1, y = 2", "seconds": 0.123}
    assert Report(()).counts() == {}
