"""Runs of matching words that stand in the same order in two texts: the chunks of METEOR (Banerjee and Lavie 2005)."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.levels.translations.markings.marks import Against, Form, Mark, Marking, Marks, Sign, in_order
from qe_desktop.levels.translations.markings.places import places
from qe_desktop.metrics.meteor import matching
from qe_desktop.metrics.texts import translated
from qe_desktop.wording import tr

CHUNK = Sign(Form.BRACKET, tr("chunk"))


def marks(against: Against) -> Marks:
    """One mark a chunk of the matching with the best of the others, the one whose score is highest."""
    if not against.others:
        return ()
    cut = against.cut
    found = matching(translated([against.text], [[other] for other in against.others]), 0, cut)
    other = against.others[found.reference]
    ours, theirs = cut([against.text, other])
    here, there = places(against.text, ours), places(other, theirs)
    chunks: list[list[tuple[int, int]]] = []
    for pair in found.pairs:
        if chunks and (chunks[-1][-1][0] + 1, chunks[-1][-1][1] + 1) == pair:
            chunks[-1].append(pair)
        else:
            chunks.append([pair])
    return in_order([
        Mark(
            here[chunk[0][0]][0], here[chunk[-1][0]][1], CHUNK, other[there[chunk[0][1]][0] : there[chunk[-1][1]][1]],
            (found.reference,), number=len(chunk), here=chunk[0][0] + 1, there=chunk[0][1] + 1,
        )
        for chunk in chunks
    ])  # fmt: skip


def say(mark: Mark, names: Sequence[str]) -> str:
    """A chunk in words."""
    return tr(
        "in a chunk of {n} {n:word|words}, from place {there} of {name} on",
        "", mark.number, there=mark.there, name=names[mark.texts[0]],
    )  # fmt: skip


CHUNKS = Marking(
    "chunks",
    tr("METEOR chunks"),
    tr("Runs of matching words that stand in the same order in the other text; fewer and longer ones are better"),
    (CHUNK,),
    marks,
    say,
    ("METEOR",),
)
