"""The golden kernels whose threads meet are those of which it is asked that they do."""

from gnomon.properties.programs.kernels import ON_DEVICES
from gnomon.properties.proofs.devices.devices import MEETING, obligations, parts_of
from gnomon.properties.proofs.devices.uniformity import meetings


def test_every_kernel_whose_threads_meet_is_asked() -> None:
    meet = [n for n in ON_DEVICES if any(list(meetings(k.body, w)) for k in parts_of(n).kernels for w in (False, True))]
    assert sorted(MEETING) == sorted(meet)
    assert len(list(obligations())) == 2 + len(MEETING) + len(ON_DEVICES)
