"""Mutants of index variables as values, and of masks that are expressions."""

from __future__ import annotations

from mutant import Mutant

COORDINATES = "reference/notation/coordinates.py"
TEXT = "reference/notation/text.py"
PARSER = "reference/notation/parser.py"
PRINTER = "reference/notation/printer.py"
OPERANDS = "reference/files/operands.py"
WELLFORMED = "reference/notation/wellformed.py"
KNOWN = ("tests/generator/runtime/test_coordinates.py",)
DENOTE = "reference/denotation/denote.py"
MEANING = "reference/denotation/meaning.py"
PRESENCE = "reference/loops/presence.py"
SUBSTITUTION = "reference/statement/substitution.py"
LOWERING = "reference/statement/lowering.py"
VALUES = "generator/values/values.py"
STORING = "generator/statements/storing.py"

PLACES = "reference/notation/places.py"
POSITIONAL = "reference/algebra/positional.py"
PLACED = ("tests/reference/notation/test_places.py",)

TESTS = ("tests/reference/notation/test_coordinates.py",)

NAMED = ("tests/reference/notation/test_printer.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "printer.1",
        PRINTER,
        ' and not number(value).startswith(("-", "("))',
        "",
        "signs before a literal that has one are printed deeper than they may be read",
        NAMED,
    ),
    Mutant(
        "coordinate.1",
        COORDINATES,
        "return replace(e, indices=(name,))",
        "return e",
        "an index variable as a value is a scalar that has to be given",
        TESTS,
    ),
    Mutant(
        "coordinate.2",
        COORDINATES,
        "mask = a.mask if a.mask is None else replace(a.mask, value=with_coordinates(a.mask.value, known))",
        "mask = a.mask",
        "a mask does not know coordinates",
        TESTS,
    ),
    Mutant(
        "coordinate.3",
        TEXT,
        "if found.setdefault(name, extent) != extent:",
        "if found.setdefault(name, extent) < extent:",
        "a name may have a shorter extent in a later reduction",
        TESTS,
    ),
    Mutant(
        "coordinate.4",
        TEXT,
        "if variable in other.indices:",
        "if True:",
        "the extent of a coordinate is that of any operand",
        TESTS,
    ),
    Mutant(
        "coordinate.5",
        PARSER,
        'bare = self.tokens.next.kind == "name" and self.tokens.following == ","',
        "bare = True",
        "a variable in parentheses is reduced over",
        TESTS,
    ),
    Mutant(
        "coordinate.6",
        PRINTER,
        "if operator.reduction is not None and isinstance(args[0], Access) and is_coordinate(args[0]):",
        "if False:",
        "a function of a coordinate is printed as a reduction",
        TESTS,
    ),
    Mutant(
        "coordinate.7",
        OPERANDS,
        "if name in operands and not (is_given and np.array_equal(np.asarray(given), np.arange(extent))):",
        "if False:",
        "what is given for a coordinate is silently another value",
        TESTS,
    ),
    Mutant(
        "coordinate.8",
        WELLFORMED,
        "if isinstance(e, Reduce):",
        "if False:",
        "a mask that reduces gets as far as the loops",
        TESTS,
    ),
    Mutant(
        "coordinate.9",
        DENOTE,
        "held = self.expression(mask.value, where)",
        "held = replace(self.expression(mask.value, where), state=State.PRESENT)",
        "a mask holds what it computes where its operands are missing",
        TESTS,
    ),
    Mutant(
        "coordinate.10",
        MEANING,
        "return not m.undecided and alike and apart_from_zero(m)",
        "return not m.undecided and apart_from_zero(m)",
        "of a mask that chooses one choice alone counts",
        TESTS,
    ),
    Mutant(
        "coordinate.11",
        PRESENCE,
        "admitted = mask is None or mask.complement or survey(mask.value, open_, background).present",
        "admitted = mask is None or survey(mask.value, open_, background).present",
        "a complement admits only what the mask holds",
        TESTS,
    ),
    Mutant(
        "coordinate.12",
        SUBSTITUTION,
        "if mask is not None and isinstance(mask.value, Fill):\n        if not mask.complement:",
        "if mask is not None and isinstance(mask.value, Fill):\n        if not (mask.complement or mask.value.value):",
        "a missing mask admits where its constant is not zero",
        TESTS,
    ),
    Mutant(
        "coordinate.13",
        LOWERING,
        "return replace(a.mask, value=elaborate(rename_accesses(a.mask.value, own)))",
        "return replace(a.mask, value=rename_accesses(a.mask.value, own))",
        "the operators of a mask meet arguments of several dtypes",
        TESTS,
    ),
    Mutant(
        "coordinate.14",
        VALUES,
        "if isinstance(positions, At) and access.tensor in frame.tensors.coordinates:",
        "if False:",
        "kernels load coordinates from an array",
        TESTS,
    ),
    Mutant(
        "coordinate.15",
        STORING,
        "held = logic.both(there, held)",
        "held = held",
        "C reads a mask where its operands are missing",
        TESTS,
    ),
    Mutant(
        "coordinate.16",
        "generator/runtime/coordinates.py",
        "0 <= number.real < self.extent and number.real == int(number.real)",
        "0 <= number.real < self.extent",
        "coordinates hold what lies between them",
        KNOWN,
    ),
    Mutant(
        "coordinate.17",
        "generator/runtime/kernel.py",
        "        if isinstance(value, Coordinates):\n            return value, slot.coordinates(value)\n",
        "        if isinstance(value, Coordinates):\n            return value, slot.array(np.arange(value.extent))\n",
        "a vector of coordinates is made for each call",
        TESTS,
    ),
    Mutant(
        "coordinate.18",
        "generator/runtime/operand.py",
        "if self.absent is not None and value.holds(self.absent):",
        "if self.absent is None and value.holds(0):",
        "coordinates may be what stands for absent elsewhere",
        ("tests/reference/notation/test_places.py", *TESTS),
    ),
    Mutant(
        "place.1",
        PLACES,
        "e.args[place.side], e.args[1 - place.side]",
        "e.args[0], e.args[1]",
        "the place is always that of the left operand",
        PLACED,
    ),
    Mutant(
        "place.2",
        PLACES,
        "own = 1 if is_row else 0",
        "own = 0",
        "a vector on the left of a matrix is a column",
        PLACED,
    ),
    Mutant(
        "place.3",
        PLACES,
        "is_row = place.side == 0 and ",
        "is_row = ",
        "a vector on the right of a matrix is a row",
        PLACED,
    ),
    Mutant(
        "place.4",
        PLACES,
        "indices[place.mode], (indices[place.mode],)",
        "indices[0], (indices[0],)",
        "the place is always a row",
        PLACED,
    ),
    Mutant(
        "place.5",
        PLACES,
        "Literal(place.origin)",
        "Literal(2)",
        "counted from two",
        PLACED,
    ),
    Mutant(
        "place.6",
        PLACES,
        "(Apply(pair, inner, span=e.span),)",
        "(inner[0],)",
        "the right operand need not be present",
        PLACED,
    ),
    Mutant(
        "place.7",
        PLACES,
        "structural(semiring.plain_add, PAIR)",
        "structural(ADD, PAIR)",
        "operands are absent as in sums",
        PLACED,
    ),
    Mutant(
        "place.8",
        POSITIONAL,
        "commutative=False",
        "distributes_over=frozenset({'add', 'min'})",
        "sums move through a product that is a place",
        PLACED,
    ),
    Mutant(
        "place.9",
        "reference/notation/resolution.py",
        "converted = frozenset[np.dtype]() if operator.constant else ",
        "converted = ",
        "an operand of a place must not hold what is absent elsewhere",
        PLACED,
    ),
    Mutant(
        "place.10",
        "reference/notation/text.py",
        "return self if placed == self.ring else replace(self, ring=placed)",
        "return self if placed is None else replace(self, ring=placed)",
        "a text keeps places in a semiring without",
        PLACED,
    ),
    Mutant(
        "place.11",
        "reference/procedure/syntax.py",
        "return self.text.in_ring(self.semiring)",
        "return self.text",
        "a step of a procedure does not know places",
        PLACED,
    ),
    Mutant(
        "name.1",
        PARSER,
        '(self.tokens.next.text == "inf" and self.tokens.following != "(")',
        'self.tokens.next.text == "inf"',
        "a tensor that is called inf has no negative",
        NAMED,
    ),
    Mutant(
        "name.2",
        PRINTER,
        "is_bare = not access.indices and access.tensor not in CONSTANTS",
        "is_bare = not access.indices",
        "a scalar that is called inf is printed as a number",
        NAMED,
    ),
)
