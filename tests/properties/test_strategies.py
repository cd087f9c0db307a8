"""What the strategies draw: always valid, and the rare cases among it."""

from gnomon.properties.problem import Problem
from gnomon.properties.strategies import formats, problems, tensors
from gnomon.reference.parser import parse
from gnomon.reference.reductions import explicit
from gnomon.reference.tensor import Tensor
from hypothesis import find, given, settings
from hypothesis import strategies as st


@given(st.integers(0, 3).flatmap(lambda n: tensors((3,) * n)))
def test_tensors_are_valid(tensor: Tensor) -> None:
    tensor.validate()
    assert tensor.shape == (3,) * tensor.order


@given(problems())
def test_problems_parse_and_have_explicit_sums(drawn: Problem) -> None:
    assignment = parse(drawn.source)
    assert explicit(assignment) == assignment
    hash(assignment)


def test_rare_cases_are_found() -> None:
    many = settings(max_examples=4000, database=None)
    find(tensors((3, 3)), lambda t: any(v == 0 for _, v in t.entries()), settings=many)
    find(tensors((3, 3)), lambda t: len({i for i, _ in t.entries()}) < t.nnz, settings=many)
    find(problems(), lambda d: "<!$" in d.source, settings=many)
    find(problems(), lambda d: 0 in next(iter(d.operands.values())).shape, settings=many)
    find(formats(2), lambda f: f.map.has_rank, settings=many)
    assert find(tensors((3, 3)), lambda t: t.nnz == 1, settings=many).nnz == 1
