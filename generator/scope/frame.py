"""The frame of a kernel function: one function being written, of a program, over tensors."""

from __future__ import annotations

from msgspec import Struct

from ...reference.errors import InternalError
from ...reference.statement.relation import Rank, Same, Split
from ...reference.storage.coordinate_map import Mode
from ..ir import ir
from ..ir.ir import Expr, Int
from ..ir.routine import Routine
from ..ir.vocabulary import Purpose
from .facts import Facts
from .tensors import Tensors


class Frame(Struct, frozen=True):
    """One function being written, for a purpose. `sharing` is how OpenMP schedules loops on threads; `checks`: integers
    that overflow are reported."""

    facts: Facts
    routine: Routine
    tensors: Tensors
    purpose: Purpose
    sharing: str
    checks: bool

    @property
    def is_structural(self) -> bool:
        """Whether what is being written finds out which components there are, and computes no values."""
        return self.purpose in ("assemble", "count")

    def wants(self, name: str) -> bool:
        """Whether anybody asks for the values of a tensor that is written."""
        return not self.is_structural or name in self.facts.deciding_workspaces

    def is_sparse(self, name: str) -> bool:
        """Whether a parameter is an operand that keeps which of its components are there."""
        return name != self.facts.result and bool(self.tensors.layouts[name].index)

    def dimension(self, variable: str) -> Expr:
        """The extent of an original variable: what a schedule says, which has been checked, or where it is found."""
        exact = self.facts.exact(variable)
        return self.measure(variable) if exact is None else exact

    def measure(self, variable: str) -> Expr:
        """The extent of an original variable, from an operand that has it or from what a format derives it from."""
        relation = self.facts.provenance.format_relation_of(variable)
        match relation:
            case Rank(tensor=tensor, level=level):
                return self.tensors.extent(tensor, level)
            case Same(original=original):
                return self.dimension(original)
            case Split(inner=inner, factor=factor) if inner == variable:
                return Int(factor)
            case _:
                pass
        for access in self.facts.accesses:
            for k, term in enumerate(self.facts.formats[access.tensor].map.terms):
                if isinstance(term, Mode) and access.indices[term.mode] == variable:
                    return self.tensors.extent(access.tensor, k)
        if isinstance(relation, Split):
            return ir.floordiv(ir.add(self.dimension(relation.parent), Int(relation.factor - 1)), Int(relation.factor))
        for access in self.facts.accesses:
            if variable in access.indices:
                mode = access.indices.index(variable)
                place = f"{self.tensors.parameters[access.tensor]}->shape[{mode}]"
                return self.tensors.once(variable, f"{variable}_dimension", place)
        indexed = {v for access in self.facts.accesses for v in access.indices}
        other = next((v for v in self.facts.alike(variable) if v in indexed), None)
        if other is None:
            raise InternalError(f"no operand has the variable {variable}")
        return self.dimension(other)
