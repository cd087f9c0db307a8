"""Tables about storage: level functions are shown as they stand, and every declaration has its row."""

from __future__ import annotations

import re

from gnomon.properties.specification.level_tables import ACCESS, ASSEMBLY, CAPABILITIES, level_functions, protocol
from gnomon.properties.specification.tables import TABLES
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.restricted import LEVEL_FUNCTIONS
from gnomon.reference.storage.format import SHORT


def test_level_functions_are_those_of_the_capabilities() -> None:
    for kind in LEVELS:
        offered = [capability for capability in CAPABILITIES.values() if isinstance(kind(), capability)]
        asked = [function for capability in offered for function in protocol(capability)]
        found = dict(level_functions(kind.name))
        assert set(asked) <= set(found)
        assert all(re.match(rf"def {name}\(self", source) for name, source in found.items())


def test_the_interface_has_every_level_function() -> None:
    listed = [row[1].strip("`") for row in TABLES["level-interface"]().rows]
    assert sorted(listed) == sorted(LEVEL_FUNCTIONS)


def test_definitions_are_there_for_what_is_offered() -> None:
    for table, capabilities in (("level-access", ACCESS), ("level-assembly", ASSEMBLY)):
        found = [(row[0].strip("`"), row[1].strip("`")) for row in TABLES[table]().rows]
        assert found == [
            (kind.name, name)
            for kind in LEVELS
            for capability in capabilities.values()
            if isinstance(kind(), capability)
            for name in protocol(capability)
        ]


def test_definitions_are_those_of_the_source() -> None:
    access = {(row[0], row[1]): row[2] for row in TABLES["level-access"]().rows}
    assembly = {(row[0], row[1]): row[2] for row in TABLES["level-assembly"]().rows}
    assert access["`dense`", "`locate`"] == "`return (p * self.N + i[-1], True)`"
    assert access["`hashed`", "`locate`"].count("<br>") == 7
    assert assembly["`dense`", "`insert_coord`"] == "nothing"
    assert assembly["`hashed`", "`wider`"] == "`return {'W': 2 * self.W}`"


def test_forms_of_text_have_their_rows() -> None:
    assert [row[0].strip("`") for row in TABLES["letters"]().rows] == list(SHORT)
    assert ("`u`", "`compressed(nonunique)`") in TABLES["letters"]().rows
    assert ("`complex`", "2", "`float64`, `float64`") in TABLES["matrix-market"]().rows
    assert ("`bsr`", "`BCSR(b,c)`") in TABLES["scipy"]().rows
    assert {"Choice", "Coordinate"} <= {row[0] for row in TABLES["restricted-expressions"]().rows}
    assert next(row[0] for row in TABLES["restricted-statements"]().rows) == "Assign"
