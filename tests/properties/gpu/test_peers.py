"""Libraries that compute on GPUs too, where there is none."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from gnomon.properties.gpu.cases import on_tensor
from gnomon.properties.gpu.peers import AbsentError, dense_products, whatever_fails, with_cupy, with_torch

CASE = next(case for case in on_tensor("one", np.zeros((3, 1), int), np.ones(1), (2, 2, 2)) if case.kernel == "MTTKRP")


@pytest.mark.parametrize("peer", [with_cupy, with_torch])
def test_peers_that_are_not_there_say_so(peer) -> None:
    with pytest.raises(AbsentError, match=r"not installed|no such kernel|finds no GPU"):
        peer(CASE)


def test_what_a_peer_does_ends_no_benchmark() -> None:
    with pytest.raises(AbsentError, match=r"^MemoryError: out of memory$"), whatever_fails():
        raise MemoryError("out of memory\nby far")


@pytest.mark.parametrize("shape", [(3,), (3, 5)])
def test_cusparse_is_called_by_each_algorithm(shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions of cuSPARSE take a handle, which operands are transposed, a factor and two operands, a factor and the
    result, the type of numbers, the algorithm, and a buffer."""
    calls: list[tuple[object, ...]] = []

    def size(*args: object) -> int:
        return 100 + int(str(args[-1]))

    def described(*args: object) -> SimpleNamespace:
        return SimpleNamespace(desc=getattr(args[0], "shape", args[0]))

    cusparse = SimpleNamespace(
        spMV_bufferSize=size, spMM_bufferSize=size, spMV=lambda *args: calls.append(args),
        spMM=lambda *args: calls.append(args), createDnMat=lambda rows, columns, *_: (rows, columns), dnMatGet=None,
        destroyDnMat=None,
    )  # fmt: skip
    descriptor = SimpleNamespace(create=described)
    descriptors = SimpleNamespace(DnVecDescriptor=descriptor, SpMatDescriptor=descriptor, DnMatDescriptor=described)
    monkeypatch.setitem(sys.modules, "cupy_backends", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "cupy_backends.cuda", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "cupy_backends.cuda.libs", SimpleNamespace(cusparse=cusparse))
    monkeypatch.setitem(sys.modules, "cupyx", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "cupyx.cusparse", descriptors)

    def array(shape: tuple[int, ...], at: int = 0) -> SimpleNamespace:
        return SimpleNamespace(shape=shape, ndim=len(shape), data=SimpleNamespace(ptr=at))

    cupy = SimpleNamespace(
        cuda=SimpleNamespace(device=SimpleNamespace(get_cusparse_handle=lambda: "handle")), int8="int8",
        zeros=lambda shape: array(shape), empty=lambda size, _: array((size,), size),
    )  # fmt: skip
    for compute in dense_products(cupy, array((4, 3)), array(shape)):
        compute()
    result = (4, *shape[1:])
    for found, algorithm in zip(calls, (0, 2, 3) if len(shape) == 1 else (0, 4, 6), strict=True):
        head, (_, a, b, _, c, kind, chosen, buffer) = found[:-8], found[-8:]
        assert head == ("handle", *(0,) * len(shape)) and (a, b, c) == ((4, 3), shape, result)
        assert (kind, chosen, buffer) == (1, algorithm, 100 + algorithm)
