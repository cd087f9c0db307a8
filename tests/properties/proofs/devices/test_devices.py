"""The golden kernels whose threads meet are those of which it is asked that they do."""

from gnomon.generator.ir.ir import Function
from gnomon.properties.programs.kernels import ON_DEVICES
from gnomon.properties.proofs.devices.devices import (
    FILLING,
    LISTING,
    MEETING,
    obligations,
    parts_of,
    read_texts,
    threads_of,
)
from gnomon.properties.proofs.devices.fills import iterations
from gnomon.properties.proofs.devices.two_threads import TwoThreads
from gnomon.properties.proofs.devices.uniformity import lanes_of, meetings


def meets(kernel: Function) -> bool:
    """Whether threads of a kernel meet anywhere."""
    threads = threads_of(kernel)
    groups = (threads, *lanes_of(kernel.body))
    return any(True for n in groups for _ in meetings(kernel.body, TwoThreads(threads, n)))


def test_every_kernel_whose_threads_meet_is_asked() -> None:
    meet = [n for n in ON_DEVICES if any(map(meets, parts_of(n).kernels))]
    assert [n for n in ON_DEVICES if list(iterations(read_texts(n)))] == list(FILLING)
    assert sorted(MEETING) == sorted(meet)
    assert len(list(obligations())) == 5 + len(LISTING) + len(MEETING) + 3 * len(ON_DEVICES) + len(FILLING)
