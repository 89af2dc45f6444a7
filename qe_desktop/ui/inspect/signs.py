"""Which signs can be on screen in list and reader, and what they mean there: what the legend explains."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from qe_desktop.corpus import Job, Kind, Provenance, TextRole, View
from qe_desktop.corpus.agreement import Agreement, are_several
from qe_desktop.outgoing import within
from qe_desktop.wording import listed, tr


class Sign(enum.Enum):
    """What is drawn."""

    WORD = "word"
    """A BAD word in the text."""
    WORD_LIGHT = "light"
    """A word that only some call BAD."""
    BAD = "BAD"
    HIT = "hit"
    FALSE_ALARM = "false alarm"
    MISS = "miss"
    GAP = "gap"
    PROBABILITY = "probability"
    EDITED = "edited"
    REPLACED = "replaced"
    NEW = "new"
    REMOVED = "removed"
    FOUND = "found"
    DOUBT = "doubt"
    """A word of a target that only some doubt."""
    TAKEN_OUT = "taken out"
    PUT_IN = "put in"
    """What a target lacks of its MT, and has beyond it."""
    CHECKED = "checked"
    """Where a check finds something in the target that is typed."""
    CODE = "code"


CODE = "⟨".encode()
"""What a code begins with in a line."""
LOOKED_AT = 1 << 20
"""Bytes of a job's texts that are looked at for codes, for that must not take long."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign, what it means here in a word or two, and the term of the glossary that says more."""

    sign: Sign
    text: str
    term: str
    dotted: bool = False
    """The words are those of the source."""
    threshold: float | None = None
    """Where on its scale a probability becomes BAD."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a view does not say: the thresholds in force, by system, and whether there are edits, found text, targets
    that are reviewed, and one in which checks find something.
    """

    agreement: Agreement
    thresholds: Mapping[str, float]
    edited: bool = False
    found: bool = False
    reviewing: bool = False
    checked: bool = False


def entries_of(view: View | None, kind: Kind, seen: Seen) -> tuple[Entry, ...]:
    """The signs that may be on screen while tags of a kind are looked at; empty where there is nothing to explain."""
    if view is None:
        return ()
    found = [*_of_words(view, kind, seen), *_of_tracks(view, kind), *_of_probabilities(view, kind, seen)]
    if seen.edited:
        found.append(Entry(Sign.EDITED, tr("edited"), "edited"))
    if TextRole.MT in view.corpus.texts and TextRole.POST_EDIT in view.corpus.texts:
        found.append(Entry(Sign.REPLACED, tr("replaced"), "replaced"))
        found.append(Entry(Sign.NEW, tr("new"), "new"))
        found.append(Entry(Sign.REMOVED, tr("removed"), "removed"))
    if seen.reviewing:
        found += _of_targets(view)
    if seen.checked:
        found.append(Entry(Sign.CHECKED, tr("found by checks"), "checked"))
    if seen.found:
        found.append(Entry(Sign.FOUND, tr("found"), "found"))
    return tuple(found)


def _of_targets(view: View) -> Iterator[Entry]:
    """What is marked in a target that is corrected, and in what it has otherwise than its MT."""
    if sum(key.provenance is Provenance.SYSTEM for key in view.tracks(Kind.WORDS)) > 1:
        yield Entry(Sign.DOUBT, tr("doubted by some"), "agreement")
    yield Entry(Sign.TAKEN_OUT, tr("taken out"), "taken-out")
    yield Entry(Sign.PUT_IN, tr("put in"), "put-in")
    if view.corpus.job is not None and _has_codes(view.corpus.job):
        yield Entry(Sign.CODE, tr("code"), "code")


def _has_codes(job: Job) -> bool:
    """Whether texts of a job have codes; who has them begins with them early on."""
    return any(text.data.find(CODE, 0, LOOKED_AT) >= 0 for text in (job.sources, job.targets))


def _of_words(view: View, kind: Kind, seen: Seen) -> Iterator[Entry]:
    """The words marked in the text: as the reference says, or as enough of the systems do."""
    one = Kind.SOURCE if kind is Kind.SOURCE else Kind.WORDS
    reference, dotted = view.reference(one), one is Kind.SOURCE
    tracks = [key for key in view.tracks(one) if key != reference]
    if reference is not None:
        gold = reference.provenance is Provenance.GOLD
        text = tr("BAD in gold") if gold else tr("BAD by {person}", person=within(reference.name))
        yield Entry(Sign.WORD, text, "gold" if gold else "layer", dotted=dotted)
        if view.is_whole(reference):
            return
    if are_several(view, one):
        yield Entry(Sign.WORD, tr("BAD by all {n}", "", len(tracks)), "agreement", dotted=dotted)
        agreement = seen.agreement.among(len(tracks))
        if agreement is not Agreement.ALL:
            text = tr("by some") if agreement is Agreement.ANY else tr("by most")
            yield Entry(Sign.WORD_LIGHT, text, "agreement", dotted=dotted)
    elif tracks:
        yield Entry(Sign.WORD, tr("BAD word"), "bad", dotted=dotted)


def _of_tracks(view: View, kind: Kind) -> Iterator[Entry]:
    """The rows under the words, and gaps."""
    kinds = (Kind.SOURCE,) if kind is Kind.SOURCE else (Kind.WORDS, Kind.GAPS)
    held = [key for one in kinds for key in view.shown(one) if view.reference(one) not in (None, key)]
    if held:
        yield Entry(Sign.HIT, tr("hit"), "hit")
        yield Entry(Sign.FALSE_ALARM, tr("false alarm"), "false-alarm")
        yield Entry(Sign.MISS, tr("miss"), "miss")
    if any(view.shown(one) and (not held or not _holds(view, one)) for one in kinds if one is not Kind.GAPS):
        yield Entry(Sign.BAD, tr("BAD"), "bad")
    if Kind.GAPS in kinds and view.shown(Kind.GAPS):
        yield Entry(Sign.GAP, tr("gap"), "gap")


def _holds(view: View, kind: Kind) -> bool:
    """Whether there is a reference, and in every segment."""
    reference = view.reference(kind)
    return reference is not None and view.is_whole(reference)


def _of_probabilities(view: View, kind: Kind, seen: Seen) -> Iterator[Entry]:
    names = [layer.key.name for layer in view.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)]
    if kind is Kind.SOURCE or not names:
        return
    above = {name: seen.thresholds[name] for name in names if name in seen.thresholds}
    if not above:
        yield Entry(Sign.PROBABILITY, tr("P(BAD) from 0 to 1"), "probability")
    elif len(set(above.values())) == 1:
        threshold = next(iter(above.values()))
        text = tr("P(BAD), BAD above {threshold:.2f}", threshold=threshold)
        yield Entry(Sign.PROBABILITY, text, "threshold", threshold=threshold)
    else:
        each = [f"{threshold:.2f} ({within(name)})" for name, threshold in above.items()]
        yield Entry(Sign.PROBABILITY, tr("P(BAD), BAD above {thresholds}", thresholds=listed(each)), "threshold")
