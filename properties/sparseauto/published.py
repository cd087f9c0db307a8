"""What SparseAuto's evaluation printed (Dias 2024, Tables 3 to 5), by the rows of its Table 2.

Schedules with groups of one cost in brackets; `?` where a number is not in the text that there is. Table 3 was made
with an enumerator that gave some temporaries too many indices, so that counts of other kernels than rows 4, 6 and 7
differ from those of a correct one before the last stage.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Printed(Struct, frozen=True):
    """Schedules left by the stages 1 to 3; seconds of the generation on 16 threads and of these stages; microseconds of
    the stages 4 and 5."""

    left: tuple[str, str, str]
    generation: float
    seconds: tuple[float, float, float]
    microseconds: tuple[float, float]


PUBLISHED: Mapping[int, Printed] = {
    1: Printed(("? (255)", "1 (1)", "1 (1)"), 0.6314, (0.0130, 1.7232, 0.1215), (185.2, 111.1)),
    2: Printed(("? (?)", "224 (43)", "8 (3)"), 10740.5, (167.5, 454.1, 1.5), (265.1, 94.6)),
    3: Printed(("692 (133)", "2 (1)", "2 (1)"), 0.4759, (0.0037, 0.8967, 0.0480), (159.6, 111.3)),
    4: Printed(("128 (34)", "2 (1)", "2 (1)"), 0.0546, (0.0005, 0.0566, 0.0497), (161.6, 125.9)),
    5: Printed(("? (?)", "101 (26)", "16 (3)"), 864.3, (71.9, 25.8, 1.5), (220.3, 209.4)),
    6: Printed(("352 (60)", "3 (1)", "3 (1)"), 0.3046, (0.0062, 0.2382, 0.0500), (158.0, 115.9)),
    7: Printed(("46 (13)", "1 (1)", "1 (1)"), 0.0353, (0.0003, 0.0466, 0.0483), (198.0, 82.3)),
    8: Printed(("? (728)", "5 (2)", "2 (1)"), 4.2, (0.0578, 4.7, 0.1232), (198.0, 101.6)),
}
