"""Mutants of what is claimed and compared, and of what is run for that."""

from __future__ import annotations

from mutant import Mutant

UNROLLING = "properties/programs/unrolling.py"
CLAIM = "properties/differential/claim.py"

COMPARED = ("tests/properties/differential/test_procedures.py",)
UNROLLED = ("tests/properties/programs/test_unrolling.py",)
CLAIMS = ("tests/properties/differential/test_claim.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "procedure.19",
        "properties/differential/procedures.py",
        "        self.reports.append(report)\n",
        "        self.reports = [report]\n",
        "the last step alone is reported",
        COMPARED,
    ),
    Mutant(
        "procedure.27",
        UNROLLING,
        "except (DtypeError, MeaningError, SemiringError):",
        "except (DtypeError, SemiringError):",
        "a step that has no meaning on its data is a problem",
        UNROLLED,
    ),
    Mutant(
        "procedure.28",
        UNROLLING,
        "        except Exception as error:\n            self.problems.append(problem)\n",
        "        except Exception as error:\n",
        "a step that the reference breaks down on is no problem",
        UNROLLED,
    ),
    Mutant(
        "lowering.66",
        "properties/differential/check.py",
        "if wrong is not None:",
        "if False:",
        "a band or a diagonal may hold any cells beside the structure",
        ("tests/properties/differential/test_check.py::test_cells_that_complete_nothing_are_found",),
    ),
    Mutant(
        "phases.2",
        "properties/machine/parallel.py",
        "team.waits = True",
        "team.waits = False",
        "what one thread makes for all belongs to it",
        ("tests/properties/machine/test_fault.py",),
    ),
    Mutant(
        "denotation.53",
        CLAIM,
        "if claim.typed and claim.dtype != resolved.dtype:",
        "if False:",
        "a claim may have any dtype",
        CLAIMS,
    ),
    Mutant(
        "denotation.54",
        CLAIM,
        "held[i] = DUPLICATES.compute(held[i], value) if i in held else value",
        "held[i] = value",
        "of duplicates of a claim the last counts",
        CLAIMS,
    ),
)
