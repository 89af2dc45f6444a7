"""One-to-one matching of system names in score or rating files with the systems of the corpus."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from qe_desktop.corpus.columns import Floats

Keyed = TypeVar("Keyed")


@dataclass(frozen=True, slots=True)
class SystemNameMapping:
    """Mapping of the system names in a file to those of the corpus; None for systems that are left out.

    A name that is missing from `names` stays unchanged, unless another name in the file is mapped to it: such an
    ambiguous name is left out. Raises ValueError if two names are mapped to the same corpus name.
    """

    names: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        corpus_names = [name for name in self.names.values() if name is not None]
        if len(set(corpus_names)) < len(corpus_names):
            raise ValueError("two names are mapped to the same name")
        object.__setattr__(self, "names", MappingProxyType(dict(self.names)))

    def __bool__(self) -> bool:
        return bool(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SystemNameMapping) and dict(self.names) == dict(other.names)

    def __hash__(self) -> int:
        return hash(frozenset(self.names.items()))

    def map_names(self, names: Iterable[str]) -> dict[str, str]:
        """Map names in a file to distinct corpus names, in order; names that the mapping leaves out are omitted."""
        names = list(names)
        matched_names = {self.names[name] for name in names if name in self.names}
        mapped = {}
        for name in names:
            corpus_name = self.names.get(name, None if name in matched_names else name)
            if corpus_name is not None:
                mapped[name] = corpus_name
        return mapped

    def rename_systems(self, content: Mapping[str, Keyed]) -> dict[str, Keyed]:
        """Return file content keyed by the corpus names of the systems, without systems that the mapping leaves out."""
        return {corpus_name: content[name] for name, corpus_name in self.map_names(content).items()}

    def original_names(self, names: Iterable[str]) -> dict[str, str]:
        """Map corpus names to the names in the file, for systems whose two names differ."""
        return {corpus_name: name for name, corpus_name in self.map_names(names).items() if corpus_name != name}


IDENTITY_MAPPING = SystemNameMapping()
"""Identity mapping: all names stay as in the file."""


def unmatched_names(
    names: Collection[str], systems: Collection[str], matched: SystemNameMapping
) -> tuple[list[str], list[str]]:
    """Names in a file that are neither matched with one of `systems` nor left out, and systems without a match."""
    corpus_names = matched.map_names(names)
    unmatched = [name for name in names if name in corpus_names and corpus_names[name] not in systems]
    return unmatched, [name for name in systems if name not in corpus_names.values()]


_LANGUAGE_PAIR = re.compile(r"(?:^[a-z]{2,3}-[a-z]{2,3}(?=[\W_])|(?<=[\W_])[a-z]{2,3}-[a-z]{2,3}$)")
_SEPARATORS = re.compile(r"[\W_]+")
MIN_SIMILARITY_PERCENT = 45.0
"""Minimum similarity (0 to 100) for a proposed match."""
MAX_COMPARED_CHARS = 200
"""Maximum number of characters of a name that are compared; names in files may be of any length."""


@dataclass(frozen=True, slots=True)
class ProposedName:
    """System proposed for a name; `is_guess` is true if it was selected only by similarity."""

    system: str
    is_guess: bool


def normalize_name(name: str) -> str:
    """Normalize a name: strip a language pair at either end, apply NFKC, fold case, keep only letters and digits.

    >>> normalize_name("Online_A.en-de")
    'onlinea'
    """
    return "".join(_words(name))


def _words(name: str) -> list[str]:
    text = unicodedata.normalize("NFKC", name[:MAX_COMPARED_CHARS]).casefold()
    # case folding may produce characters that compose again
    text = unicodedata.normalize("NFKC", text)
    return [word for word in _SEPARATORS.split(_LANGUAGE_PAIR.sub("", text)) if word]


def propose_systems(names: Sequence[str], systems: Sequence[str]) -> dict[str, ProposedName]:
    """Propose at most one system for each name in a file, and each system for at most one name.

    Equal names are matched first, then names whose normalized forms are equal and unique. The remaining names are
    matched in the order of their similarity; these proposals are guesses. Proposals are in the order of matching.
    """
    proposals = {name: ProposedName(name, is_guess=False) for name in names if name in set(systems)}
    unmatched, unmatched_systems = _remaining_names(names, systems, proposals)
    name_counts = Counter(map(normalize_name, unmatched))
    system_counts = Counter(map(normalize_name, unmatched_systems))
    system_by_key = {normalize_name(name): name for name in unmatched_systems}
    for name in unmatched:
        key = normalize_name(name)
        if key and name_counts[key] == system_counts[key] == 1:
            proposals[name] = ProposedName(system_by_key[key], is_guess=False)
    unmatched, unmatched_systems = _remaining_names(names, systems, proposals)
    for name, system in _most_similar_pairs(unmatched, unmatched_systems):
        proposals[name] = ProposedName(system, is_guess=True)
    return proposals


def nearest_name(name: str, names: Sequence[str]) -> str:
    """Best match for a name among `names`; empty if none is similar."""
    proposal = propose_systems([name], names).get(name)
    return "" if proposal is None else proposal.system


def _remaining_names(
    names: Collection[str], systems: Collection[str], proposals: dict[str, ProposedName]
) -> tuple[list[str], list[str]]:
    matched_systems = {proposal.system for proposal in proposals.values()}
    unmatched = [name for name in dict.fromkeys(names) if name not in proposals]
    return unmatched, [name for name in dict.fromkeys(systems) if name not in matched_systems]


def _most_similar_pairs(unmatched: Sequence[str], systems: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of a name and a similar system, most similar first; each name and system is in at most one pair."""
    unmatched, systems = (
        [name for name in unmatched if normalize_name(name)],
        [name for name in systems if normalize_name(name)],
    )
    if not unmatched or not systems:
        return []
    similarities = _similarity([_words(name) for name in unmatched], [_words(name) for name in systems])
    rows: dict[str, str] = {}
    used_columns: set[int] = set()
    for index in np.argsort(-similarities, axis=None, kind="stable").tolist():
        row, column = divmod(index, len(systems))
        if similarities[row, column] < MIN_SIMILARITY_PERCENT:
            break
        if unmatched[row] not in rows and column not in used_columns:
            rows[unmatched[row]] = systems[column]
            used_columns.add(column)
    return list(rows.items())


def _similarity(unmatched: Sequence[Sequence[str]], systems: Sequence[Sequence[str]]) -> Floats:
    """Similarity of names, 0 to 100, shape (unmatched, systems): mean of a character-based and a word-based score."""
    # rarely needed, and slow to import
    from rapidfuzz import fuzz
    from rapidfuzz.process import cdist

    by_chars = cdist(["".join(words) for words in unmatched], ["".join(words) for words in systems], scorer=fuzz.ratio)
    words = cdist(
        [" ".join(words) for words in unmatched], [" ".join(words) for words in systems], scorer=fuzz.token_set_ratio
    )
    return np.asarray((by_chars.astype(np.float64) + words) / 2)


class MatchReason(enum.Enum):
    """Reason why a name is matched with a system or not matched."""

    SAME = "same"
    NORMALIZED = "normalized"
    """Equal after normalization (`normalize_name`)."""
    GUESS = "guess"
    SELECTED = "selected"
    """Selected by the user."""
    NONE = "none"
    """Not matched; the name is unchanged."""
    LEFT_OUT = "left-out"


@dataclass(frozen=True, slots=True)
class SystemNameDraft:
    """Draft of the matches between the names in a file (`names`) and the `systems` of the corpus.

    `matches` maps each name to a system, or to None if the name is left out; unmatched names are not in it.
    `confirmed` contains the names that the user matched, left out or kept unchanged. `guesses` contains the names
    whose proposed match is uncertain.
    """

    names: tuple[str, ...]
    systems: tuple[str, ...]
    matches: Mapping[str, str | None]
    confirmed: frozenset[str] = frozenset()
    guesses: frozenset[str] = frozenset()

    @classmethod
    def create(cls, names: Sequence[str], systems: Sequence[str], matched: SystemNameMapping) -> SystemNameDraft:
        """Return a draft with the matches of `matched` or, if that mapping is empty, with proposed matches."""
        if matched:
            corpus_names = matched.map_names(names)
            matches = {
                name: corpus_names.get(name)
                for name in names
                if name not in corpus_names or corpus_names[name] in systems
            }
            confirmed = frozenset(name for name in matches if name in matched.names)
            return cls(tuple(names), tuple(systems), matches, confirmed)
        proposals = propose_systems(names, systems)
        guesses = frozenset(name for name, proposal in proposals.items() if proposal.is_guess)
        return cls(
            tuple(names),
            tuple(systems),
            {name: proposal.system for name, proposal in proposals.items()},
            guesses=guesses,
        )

    def with_match(self, name: str, system: str | None) -> SystemNameDraft:
        """Return a draft in which a name is matched with a system, or left out if `system` is None.

        The previous match of the system is removed. Another name that equals the name of the system is left out. Each
        unmatched name that equals the name of another system is matched with that system, or left out if that system is
        already matched.
        """
        chosen = {other_name: match for other_name, match in self.matches.items() if match is None or match != system}
        for other_name in self.names:
            # otherwise another name that equals the name of the system would remain matched with it
            if other_name == system and other_name != name:
                chosen[other_name] = None
        chosen[name] = system
        matched = set(chosen.values())
        for other_name in self.names:
            if other_name in self.systems and other_name not in chosen:
                chosen[other_name] = None if other_name in matched else other_name
        return replace(self, matches=chosen, confirmed=self.confirmed | {name}, guesses=self.guesses - {name})

    def with_unchanged_name(self, name: str) -> SystemNameDraft:
        """Return a draft that keeps a name unchanged; a name that equals a system name is matched with that system."""
        if name in self.systems:
            return self.with_match(name, name)
        chosen = {other_name: match for other_name, match in self.matches.items() if other_name != name}
        return replace(self, matches=chosen, confirmed=self.confirmed | {name}, guesses=self.guesses - {name})

    def match_reason(self, name: str) -> MatchReason:
        """Reason why a name is matched with a system or not matched."""
        if name not in self.matches:
            return MatchReason.NONE
        if self.matches[name] is None:
            return MatchReason.LEFT_OUT
        if self.matches[name] == name:
            return MatchReason.SAME
        return (
            MatchReason.SELECTED
            if name in self.confirmed
            else MatchReason.GUESS
            if name in self.guesses
            else MatchReason.NORMALIZED
        )

    def matched_name(self, system: str) -> str:
        """Name in the file that is matched with a system; empty if there is none."""
        return next((name for name, match in self.matches.items() if match == system), "")

    def mapping(self) -> SystemNameMapping:
        """Mapping of the names that are left out or differ from the names of their systems."""
        return SystemNameMapping({name: match for name, match in self.matches.items() if match != name})

    def find_unmatched(self) -> tuple[list[str], list[str]]:
        """Names that are neither matched nor left out, and systems without a matched name."""
        names, systems = unmatched_names(self.names, self.systems, self.mapping())
        return names, systems
