"""The golden kernels whose threads meet are those of which it is asked that they do."""

from gnomon.properties.programs.kernels import ON_DEVICES, request_on_device
from gnomon.properties.proofs.devices.devices import FILLING, MEETING, functions_of, obligations, parts_of
from gnomon.properties.proofs.devices.fills import iterations
from gnomon.properties.proofs.devices.uniformity import meetings


def test_every_kernel_whose_threads_meet_is_asked() -> None:
    meet = [n for n in ON_DEVICES if any(list(meetings(k.body, w)) for k in parts_of(n).kernels for w in (False, True))]
    assert [n for n in ON_DEVICES if list(iterations(functions_of(request_on_device(n))))] == list(FILLING)
    assert sorted(MEETING) == sorted(meet)
    assert len(list(obligations())) == 2 + len(MEETING) + 3 * len(ON_DEVICES) + len(FILLING)
