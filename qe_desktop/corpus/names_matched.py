"""Systems that a file of scores or ratings calls otherwise than the corpus does: who is who, one to one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

Held = TypeVar("Held")


@dataclass(frozen=True, slots=True)
class NamesMatched:
    """What systems of a file are called in the corpus: `names` by the file's names, None for what is left out.

    A name that is not among them stays as it is, unless another one of the file was matched with it: then nobody says
    whose it is, and it is left out. ValueError where two are matched with one.
    """

    names: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        taken = [name for name in self.names.values() if name is not None]
        if len(set(taken)) < len(taken):
            raise ValueError("two names are matched with one")
        object.__setattr__(self, "names", MappingProxyType(dict(self.names)))

    def __bool__(self) -> bool:
        return bool(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamesMatched) and dict(self.names) == dict(other.names)

    def __hash__(self) -> int:
        return hash(frozenset(self.names.items()))

    def among(self, given: Iterable[str]) -> dict[str, str]:
        """What each of a file's names is here, in their order; never two the same. Those left out are missing."""
        given = list(given)
        taken = {self.names[name] for name in given if name in self.names}
        found = {}
        for name in given:
            here = self.names.get(name, None if name in taken else name)
            if here is not None:
                found[name] = here
        return found

    def renamed(self, held: Mapping[str, Held]) -> dict[str, Held]:
        """What a file holds by its names, by the names here."""
        return {here: held[name] for name, here in self.among(held).items()}

    def otherwise(self, given: Iterable[str]) -> dict[str, str]:
        """The file's names by those here, where they differ."""
        return {here: name for name, here in self.among(given).items() if here != name}


AS_GIVEN = NamesMatched()
"""Systems are called as the file calls them."""


def left_unmatched(
    given: Collection[str], systems: Collection[str], matched: NamesMatched
) -> tuple[list[str], list[str]]:
    """The file's names that are no system here, but for those left out, and the systems that it has nothing of."""
    there = matched.among(given)
    own = [name for name in given if name in there and there[name] not in systems]
    return own, [name for name in systems if name not in there.values()]
