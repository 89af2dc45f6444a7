"""What is highlighted in the MT of a segment while a person works on it."""

from __future__ import annotations

from qe_desktop.corpus import EOS, Kind, Provenance, TextRole, View
from qe_desktop.corpus.agreement import FULL, Agreement, markers, marks_of
from qe_desktop.corpus.highlighted import NOTHING, Highlighted, stretches_of
from qe_desktop.studies.post_editing.reviewed import plain


def highlighted(view: View, segment: int, agreement: Agreement) -> Highlighted:
    """The marks of the MT's words as they are shown, in characters of the MT as it is read; nothing where nobody tagged
    them, or where a person's own tags are what marks them.
    """
    reference, marks = view.reference_at(Kind.WORDS, segment), marks_of(view, Kind.WORDS, segment, agreement)
    if marks is None or (reference is not None and reference.provenance is Provenance.PERSON):
        return NOTHING
    keys = markers(view, Kind.WORDS, segment)
    tokens = view.corpus.tokens(TextRole.MT, segment)
    if view.corpus.eos and tokens[-1:] == [EOS]:
        tokens.pop()
    return Highlighted(
        tuple(key.name for key in keys),
        str(agreement.among(len(keys))) if len(keys) > 1 else "",
        stretches_of(plain(view.corpus.mt_line(segment)), tokens, marks.tolist(), strong=FULL),
    )
