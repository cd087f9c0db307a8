"""Contributions: what a component is made of, through workspaces, as one number.

Every position of every operand has a random weight. An assignment contributes the product of the weights of what it
reads, as often as it reads it, where a component of a workspace weighs as much as its contributions together, and a
component's number is the sum of its contributions: a polynomial in weights, evaluated modulo a prime. Two executions
with the same numbers have multiplied the same positions as often, or else their polynomials differ and agree by a
chance of about one in 10^17.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct, field

PRIME = 2**61 - 1
Coordinates = tuple[int, ...]


class Contributions(Struct):
    """The numbers of the components of every tensor that is written, by coordinates.

    Components are `blurred` whose numbers tell nothing, since fills were computed with.
    """

    sums: dict[str, dict[Coordinates, int]] = field(default_factory=dict)
    weights: dict[tuple[str, int], int] = field(default_factory=dict)
    blurred: dict[str, set[Coordinates]] = field(default_factory=dict)

    def renew(self, workspace: str) -> None:
        """Forget what a workspace is made of: it is filled anew."""
        self.sums[workspace] = {}
        self.blurred[workspace] = set()

    def blur(self, tensor: str, at: Coordinates) -> None:
        """Tell nothing of a component from now on."""
        self.blurred.setdefault(tensor, set()).add(at)

    def is_blurred(self, tensor: str, at: Coordinates) -> bool:
        """Whether the number of a component tells nothing."""
        return at in self.blurred.get(tensor, ())

    def add(self, tensor: str, at: Coordinates, product: int) -> None:
        """Contribute a product to a component."""
        held = self.sums.setdefault(tensor, {})
        held[at] = (held.get(at, 0) + product) % PRIME

    def store(self, tensor: str, at: Coordinates, product: int) -> None:
        """Make a product the only contribution to a component."""
        self.sums.setdefault(tensor, {})[at] = product % PRIME

    def component(self, workspace: str, at: Coordinates) -> int:
        """What a component of a workspace weighs: where it has no contributions, nothing is multiplied."""
        return self.sums.get(workspace, {}).get(at, 1)

    def position(self, operand: str, p: int) -> int:
        """The weight of a position, the same in every execution.

        >>> Contributions().position("A", 3) == Contributions().position("A", 3) != Contributions().position("A", 4)
        True
        """
        if (operand, p) not in self.weights:
            drawn = blake2b(f"{operand} {p}".encode(), digest_size=8).digest()
            self.weights[operand, p] = int.from_bytes(drawn, "big") % (PRIME - 1) + 1
        return self.weights[operand, p]

    def derive(self, name: str, operand: str, origins: Mapping[int, Sequence[int]]) -> None:
        """Give each position of what an operand has become the weight of the positions that have become it."""
        own = Contributions()
        for p, places in origins.items():
            self.weights[name, p] = sum(own.position(operand, q) for q in places) % PRIME

    def first_difference(self, other: Contributions, tensor: str) -> Coordinates | None:
        """The least coordinates at which a tensor is made of something else in another execution; None if nowhere."""
        ours, theirs = self.sums.get(tensor, {}), other.sums.get(tensor, {})
        told = (
            at
            for at in ours.keys() | theirs.keys()
            if not (self.is_blurred(tensor, at) or other.is_blurred(tensor, at))
        )
        return min((at for at in told if ours.get(at) != theirs.get(at)), default=None)
