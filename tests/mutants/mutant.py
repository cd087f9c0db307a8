"""A mutant: a small change of meaning in gnomon's own text, that some test must notice."""

from __future__ import annotations

from msgspec import Struct


class Mutant(Struct, frozen=True):
    """Replace `find`, which stands exactly once in `file`, by `replace`: then `meaning` happens, in words.

    `tests` are the files, or tests of them, that should fail then. `equivalent` says why none can, if that is shown.
    """

    id: str
    file: str
    find: str
    replace: str
    meaning: str
    tests: tuple[str, ...]
    equivalent: str | None = None

    @property
    def area(self) -> str:
        """The area that the mutant belongs to: `lattice` of `lattice.3`."""
        return self.id.partition(".")[0]

    def applied(self, text: str) -> str:
        """The text of the file with the change made. Raises ValueError if the place is not unique."""
        if text.count(self.find) != 1:
            raise ValueError(f"{self.id}: {self.find!r} stands {text.count(self.find)} times in {self.file}, not once")
        return text.replace(self.find, self.replace)
