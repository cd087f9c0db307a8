"""Obligations: statements with an id, each with a function that tries to prove it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from .verdict import Verdict


class Obligation(Struct, frozen=True):
    """A statement to be proved.

    `id` is made of words with points between them, the first of which names the family: `levels.compressed.ordered`.
    `statement` says in words what holds. `rules` are the rules of docs/spec that it proves something of, by name. What
    is `slow`, more than two seconds or so, is left out of the quick profile.
    """

    id: str
    statement: str
    prove: Callable[[], Verdict]
    rules: tuple[str, ...] = ()
    slow: bool = False

    def is_in(self, prefix: str) -> bool:
        """Whether the id is one of a family's, or this very one.

        >>> from gnomon.properties.proofs.verdict import Proved
        >>> Obligation("levels.dense.full", "", Proved).is_in("levels.dense")
        True
        """
        return self.id == prefix or self.id.startswith(f"{prefix}.")
