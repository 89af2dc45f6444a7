"""What the first rows of tables of segment scores call their columns."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from qe_desktop.corpus import TextRole
from qe_desktop.corpus.text import LF, TAB
from qe_desktop.formats.bilingual.column_names import are_of_job
from qe_desktop.formats.commas import head_with_tabs
from qe_desktop.formats.fields import decoded, unquoted
from qe_desktop.formats.sentences import few
from qe_desktop.wording import tr

SEGMENTS = {
    "seg", "segment", "sid", "segid", "seg_id", "segmentid", "segment_id", "index", "id", "sentid", "sent_id",
    "sentenceid", "sentence_id",
}  # fmt: skip
METHODS = {"metric", "method", "system", "sys"}
PAIRS = {"lp", "langpair", "lang_pair", "languagepair", "language_pair"}
SCORE = {"score"}
GOLDS = {
    "gold", "human", "hter", "da", "mqm", "z_mean", "mean_z", "pet", "per", "post_edit_time", "postedit_time",
}  # fmt: skip
_MEAN = {"mean"}
"""Gold only beside what tells of whom it is the mean: of raters of the texts that stand there."""
_BESIDE_MEAN = {"z_mean", "original", "translation"}
TEXTS = {
    TextRole.SOURCE: ("original", "source", "src"),
    TextRole.MT: ("translation", "target", "tgt", "mt"),
}
"""Texts that stand beside scores."""
_TEXT_WORDS = {word for words in TEXTS.values() for word in words} | {
    "reference", "ref", "pe", "post_edit", "postedit",
}  # fmt: skip
OTHERS = {
    "scores", "z_scores", "rank", "ranks", "document", "doc", "docid", "doc_id", "domain", "type", "n", "count",
    "numannot", "seconds", "duration", "started", "flags", "campaign",
}  # fmt: skip
"""Columns that hold no score of a segment, whatever stands in them."""
_OF_RATERS = re.compile(
    r"(rater|judge|annotator|annot|evaluator|assessor|worker|coder|reviewer|participant|user|login|username)(_\w+|\d+)?"
    r"|(adequacy|fluency)(_\w+)?|.*_(started|seconds|flags|rating_id)|scale|annotype|criterion|role"
)
"""Columns of tables of what people said."""
_NUMBER = re.compile(rb"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*|nan|-?inf(inity)?|na", re.IGNORECASE)
ROWS = 100
"""Rows that tell what a column holds."""


@dataclass(frozen=True, slots=True)
class Header:
    """The columns' names as they are and in small letters joined by underscores, and some rows of as many fields."""

    names: tuple[str, ...]
    plain: tuple[str, ...]
    rows: tuple[tuple[bytes, ...], ...]

    def place(self, words: Collection[str]) -> int | None:
        """The first column that is called by one of these words."""
        return next((place for place, word in enumerate(self.plain) if word in words), None)

    def numeric(self, column: int) -> bool:
        """Whether at least half of what stands in a column are numbers, or what stands for one that is missing.

        A segment of a text may be a number, so that all must be in a column that is called as a text is.
        """
        found = sum(_NUMBER.fullmatch(row[column]) is not None for row in self.rows)
        return found == len(self.rows) or (2 * found >= len(self.rows) and self.plain[column] not in _TEXT_WORDS)

    def unread_notes(self, read: Collection[int | None]) -> tuple[str, ...]:
        """What is to be said of the columns that are not in these places: their names, or else where they stand."""
        others = [place for place in range(len(self.names)) if place not in read]
        named = [self.names[place] for place in others if self.names[place]]
        nameless = [f"{place + 1:,}" for place in others if not self.names[place]]
        notes = []
        if named:
            notes.append(tr("{n:column|columns} not read: {names}", "", len(named), names=few(named)))
        if nameless:
            notes.append(tr(
                "{n:column|columns} {places} {n:has no name and is|have no names and are} not read",
                "", len(nameless), places=few(nameless, joined=True),
            ))  # fmt: skip
        return tuple(notes)

    def texts(self) -> dict[TextRole, int]:
        """The columns of the source and the MT."""
        places = {role: self.place(words) for role, words in TEXTS.items()}
        return {role: place for role, place in places.items() if place is not None and not self.numeric(place)}

    def holds_scores(self, column: int) -> bool:
        """Whether a column, which is not that of the segments, holds scores."""
        return bool(self.names[column]) and self.plain[column] not in OTHERS | PAIRS and self.numeric(column)

    def is_gold(self, column: int) -> bool:
        """Whether the scores in a column are gold."""
        word = self.plain[column]
        return word in GOLDS or (word in _MEAN and bool(_BESIDE_MEAN & set(self.plain)))


def header_of(head: bytes) -> Header | None:
    """The columns that a table's first row names; None where none is of segments, people's ratings are in it, or a
    translator's texts.
    """
    first, _, rest = (head_with_tabs(head) or head).partition(bytes([LF]))
    names = decoded(unquoted(name.strip()) for name in first.rstrip(b"\r").split(bytes([TAB])))
    plain = tuple(re.sub(r"[\s._-]+", "_", name.lower()) for name in names)
    if len(names) < 2 or not SEGMENTS & set(plain) or any(map(_OF_RATERS.fullmatch, plain)):
        return None
    if are_of_job(names):
        return None
    lines = [line.rstrip(b"\r").split(bytes([TAB])) for line in rest.split(bytes([LF]), ROWS)[:ROWS]]
    rows = tuple(tuple(fields) for fields in lines if len(fields) == len(names))
    return Header(names, plain, rows) if rows else None
