"""Which words two texts do not share: the fewest word edits between them, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.levels.translations.markings.marks import (
    Against,
    Form,
    Mark,
    Marking,
    Marks,
    Sign,
    in_order,
    of_nearest,
)
from qe_desktop.levels.translations.markings.steps import LONGEST, Signs, step_marks
from qe_desktop.levels.translations.markings.words import words
from qe_desktop.wording import tr

REPLACED = Sign(Form.DASHED, tr("other word"))
ADDED = Sign(Form.DOUBLE, tr("only here"))
MISSING = Sign(Form.TICK, tr("not here"))


def marks(against: Against) -> Marks:
    """The words of a text that the nearest of the others has otherwise or not at all, and where it lacks some.

    Case counts. Words are cut as people read them.
    """
    from qe_desktop.levels.translations.markings.keeping import most_kept

    texts = (against.text, *against.others)
    spans = dict(zip(texts, words(texts), strict=True))
    if not against.others or max(map(len, spans.values())) > LONGEST:
        return ()
    tokens = {text: [text[start:end] for start, end in found] for text, found in spans.items()}
    nearest = of_nearest(lambda one, other: _distance(tokens[one], tokens[other]), against)
    one, other = against.text, against.others[nearest]
    found = most_kept(tokens[one], tokens[other])
    signs = Signs(REPLACED, ADDED, MISSING)
    return in_order(step_marks(found, one, spans[one], other, spans[other], nearest, signs))


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(one, other))


def say(mark: Mark, names: Sequence[str]) -> str:
    """A difference in words."""
    name = names[mark.texts[0]]
    if mark.sign is REPLACED:
        return tr("{name} has “{word}” in its place", name=name, word=mark.other)
    if mark.sign is MISSING:
        return tr("{name} has “{words}” here", name=name, words=mark.other)
    return tr("not in {name}", name=name)


DIFFERENCES = Marking(
    "differences",
    tr("differences"),
    tr("Words that are written otherwise, are only here, or are missing here, beside the other text"),
    (REPLACED, ADDED, MISSING),
    marks,
    say,
    ("chrF",),
)
