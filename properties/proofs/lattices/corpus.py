"""The corpus: statements whose loops are proved, by name, and the programs of the conformance suite by chapter.

The statements by hand are those of the papers, of the golden kernels and of the tests of lattices: unions,
intersections, located operands, whole extents, masks, semirings, workspaces, tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from ....generator.runtime.request import make_request
from ....reference.algebra.semirings import Semiring
from ....reference.notation.text import Text, as_text
from ....reference.schedule.application import apply_schedule
from ....reference.statement.statement import Program
from ...conformance.suite import RULES, suite
from ...specification.rules import chapter_of


class Given(Struct, frozen=True):
    """An expression, how its operands are stored where they are not dense, and how its result is.

    The format of the result may also be among the others, under its name, unless it has previous contents.
    """

    expression: str | Text
    formats: Mapping[str, str] = field(default_factory=dict)
    out: str | None = None
    semiring: str | Semiring | None = None
    schedule: str | None = None
    convert: str | None = None

    def __str__(self) -> str:
        stored = [f"{name} {text}" for name, text in self.formats.items()]
        stored += [] if self.out is None else [f"result {self.out}"]
        ring = "" if self.semiring is None else f" in {self.semiring}"
        tiles = "" if self.schedule is None else f" by {self.schedule}"
        return f"{self.expression}{ring}{tiles}" + (f" ({', '.join(stored)})" if stored else "")

    def program(self) -> Program:
        """The statement, for operands of any extents."""
        text, formats = as_text(self.expression), dict(self.formats)
        own = formats.get(text.target.tensor)
        request = make_request(
            text,
            text.of_operands(formats) if self.out is None else formats,
            out=own if self.out is None else self.out,
            semiring=self.semiring,
            convert=self.convert,
            schedule=self.schedule,
        )
        return apply_schedule(request.program, request.schedule)


MATRIX, VECTOR = {"A": "CSR", "B": "CSR"}, {"x": "s", "y": "s"}
THREE, SPMV = {"x": "s", "y": "s", "z": "s"}, "y(i) = A(i,j) * x(j)"
MTTKRP, SPGEMM = "C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", "C(i,j) = A(i,k) * B(k,j)"
STATEMENTS = {
    "spmv": Given(SPMV, {"A": "CSR"}),
    "spmv.coo": Given(SPMV, {"A": "COO"}),
    "spmv.dcsr": Given(SPMV, {"A": "DCSR"}),
    "spmv.dia": Given(SPMV, {"A": "DIA"}),
    "spmv.ell": Given(SPMV, {"A": "ELL"}),
    "spmv.bcsr": Given(SPMV, {"A": "BCSR(3,3)"}),
    "spmv.rows": Given(SPMV, {"A": "CSR"}, schedule="split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)"),
    "spmv.nonzeros": Given(SPMV, {"A": "CSR"}, schedule="collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,16)"),
    "spmspv": Given(SPMV, {"A": "CSR", "x": "s"}, "s"),
    "spmspv.columns": Given(SPMV, {"A": "CSC", "x": "s"}, schedule="split(j,j0,j1,32)"),
    "spmm": Given(SPGEMM, {"A": "CSR"}),
    "spgemm": Given(SPGEMM, MATRIX, "CSR"),
    "spgemm.outer": Given(SPGEMM, {"A": "CSC", "B": "CSR"}, "CSR"),
    "spgemm.masked": Given("C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", {**MATRIX, "M": "CSR"}, "CSR"),
    "spgemm.complement": Given("C(i,j)<!M(i,j)> = A(i,k) * B(k,j)", {**MATRIX, "M": "CSR"}, "CSR"),
    "spgemm.plus_pair": Given(SPGEMM, MATRIX, "CSR", "plus_pair"),
    "add": Given("C(i,j) = A(i,j) + B(i,j)", MATRIX, "CSR"),
    "add.coo": Given("C(i,j) = A(i,j) + B(i,j)", {"A": "COO", "B": "COO"}, "COO"),
    "add.csr_coo": Given("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "COO"}),
    "add.fused": Given("C(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "COO", "B": "COO"}, "COO"),
    "scale.coo": Given("C(i,j) = A(i,j) * 2", {"A": "COO"}, "COO"),
    "add.three": Given("a(i) = x(i) + y(i) + z(i)", THREE, "s"),
    "subtract": Given("a(i) = x(i) - y(i)", VECTOR, "s"),
    "multiply": Given("C(i,j) = A(i,j) * B(i,j)", MATRIX, "CSR"),
    "multiply.csr_coo": Given("C(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "COO"}),
    "multiply.hashed": Given("a = x(i) * y(i)", {"x": "HashVector", "y": "HashVector"}),
    "multiply.unordered": Given("a = x(i) * y(i)", {"x": "compressed(nonunique,unordered)", "y": "s"}),
    "multiply.fused": Given("a = x(i) * y(i)", {"x": "compressed(nonunique)"}),
    "sum_of_products": Given("a(i) = (x(i) + y(i)) * z(i)", THREE, "s"),
    "four": Given("a(i) = (x(i) + y(i)) * (z(i) + w(i))", {**THREE, "w": "s"}, "s"),
    "plus_one": Given("a(i) = x(i) + 1", {"x": "s"}),
    "cosine": Given("a(i) = cos(x(i)) * y(i)", {"x": "s"}),
    "quotient": Given("a(i) = x(i) / y(i)", VECTOR, "s"),
    "maximum": Given("y(i) max= A(i,j)", {"A": "CSR"}),
    "minimum": Given("y(i) min= A(i,j) + x(j)", {"A": "CSR"}),
    "truth": Given("a(i) = or(x(i), and(y(i), z(i)))", THREE, "s"),
    "masked": Given("a(i)<m(i)> = x(i)", {"x": "s", "m": "s"}, "s"),
    "masked.complement": Given("a(i)<!m(i)> = x(i)", {"x": "s", "m": "s"}, "s"),
    "masked.structure": Given("a(i)<!$m(i)> = x(i) + y(i)", {**VECTOR, "m": "s"}, "s"),
    "updated": Given("y(i) += A(i,j) * x(j)", {"A": "CSR", "y": "s"}, "s"),
    "updated.masked": Given("C(i,j)<M(i,j)> += A(i,k) * B(k,j)", {**MATRIX, "C": "CSR", "M": "CSR"}, "CSR"),
    "filled": Given("a(i) = x(i) * y(i)", {"x": "s", "y": "s"}, "s", "max_times"),
    "shortest_paths": Given(SPMV, {"A": "CSR", "x": "s"}, "s", "min_plus"),
    "reachability": Given(SPMV, {"A": "CSR", "x": "s"}, "s", "or_and"),
    "residual": Given("y(i) = b(i) - A(i,j) * x(j)", {"A": "CSR"}),
    "sddmm": Given("C(i,j) = B(i,j) * (D(i,k) * E(k,j))", {"B": "CSR", "E": "Dense(1,0)"}, "CSR"),
    "ttv": Given("C(i,j) = A(i,j,k) * x(k)", {"A": "CSF"}, "DCSR"),
    "mttkrp": Given(MTTKRP, {"A": "CSF"}),
    "mttkrp.coo": Given(MTTKRP, {"A": "COO"}),
    "mttkrp.five": Given(
        "C(i,r) = A(i,j,k,l,m) * D(j,r) * E(k,r) * F(l,r) * G(m,r)", {"A": ",".join(["compressed"] * 5)}
    ),
    "diagonal": Given("d(i) = A(i,i)", {"A": "CSR"}),
    "graph_and_features": Given("C(i,j) = A(i,k) * B(k,j) + A(i,j)", MATRIX, "CSR"),
}


def chapters() -> tuple[str, ...]:
    """The chapters of the specification about which the conformance suite has programs."""
    return tuple(dict.fromkeys(chapter_of(rule.id) for rule in RULES))


def conformance(chapter: str) -> Iterator[tuple[str, Program]]:
    """The programs that the conformance suite has about a chapter, each once, with its expression."""
    about = [c.problem for c in suite() if chapter_of(c.rule) == chapter and not c.refused]
    for problem in {id(p): p for p in about}.values():
        yield problem.source, problem.ready.program
