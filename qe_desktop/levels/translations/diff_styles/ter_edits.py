"""The edits that TER counts: words inserted, deleted, substituted, and blocks shifted (Snover et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.levels.translations.markings.marks import Against, Form, Mark, Marking, Marks, Sign, in_order
from qe_desktop.levels.translations.markings.places import places
from qe_desktop.levels.translations.markings.steps import LONGEST, Signs, step_marks
from qe_desktop.wording import tr

SUBSTITUTED = Sign(Form.DASHED, tr("substituted"))
DELETED = Sign(Form.STRUCK, tr("deleted"))
INSERTED = Sign(Form.TICK, tr("inserted"))
SHIFTED = Sign(Form.WAVED, tr("shifted"))


def marks(against: Against) -> Marks:
    """What turns a text into that of the others which takes the fewest edits, the first of equals.

    Tokens are those of the metric: what stands between blanks, whatever its case, or single characters of Chinese.
    """
    from qe_desktop.metrics.ter.alignment import alignment

    texts = (against.text, *against.others)
    tokens, *others = against.settings.ter_cut(texts)
    if not others or max(map(len, (tokens, *others))) > LONGEST:
        return ()
    found = [alignment(tokens, other) for other in others]
    best = min(range(len(found)), key=lambda number: found[number].edits)
    text, other = against.text, against.others[best]
    signs = Signs(SUBSTITUTED, DELETED, INSERTED, SHIFTED)
    ours, theirs = places(text, tokens), places(other, others[best])
    return in_order(step_marks(found[best], text, ours, other, theirs, best, signs))


def say(mark: Mark, names: Sequence[str]) -> str:
    """An edit in words."""
    name = names[mark.texts[0]]
    if mark.sign is SUBSTITUTED:
        return tr("substituted for “{word}” of {name}", word=mark.other, name=name)
    if mark.sign is INSERTED:
        return tr("“{words}” of {name} would be inserted here", words=mark.other, name=name)
    if mark.sign is DELETED:
        return tr("would be deleted: {name} has nothing in its place", name=name)
    if mark.there:
        return tr("shifted from place {here} to place {there} of {name}", here=mark.here, there=mark.there, name=name)
    return tr("shifted from place {here}", here=mark.here)


EDITS = Marking(
    "edits",
    tr("TER edits"),
    tr("The edits that turn the text into the other one: words substituted, deleted, inserted, and blocks shifted"),
    (SUBSTITUTED, DELETED, INSERTED, SHIFTED),
    marks,
    say,
    ("TER", "WER", "PER"),
)
