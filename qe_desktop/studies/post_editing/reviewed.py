"""The segments that were reviewed: the MT as it was, the post-edit, who made it, and what QE systems said of the MT."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, Provenance, QeError, TagColumn, TextColumn, TextRole, View, offsets_of
from qe_desktop.corpus.jobs import Status
from qe_desktop.formats.bilingual.words import words_of
from qe_desktop.studies.post_editing.doubts import Better, Doubt, doubts_of
from qe_desktop.wording import tr

Ints = NDArray[np.int64]
DONE = (Status.EDITED, Status.CONFIRMED)
"""What counts as reviewed: a segment that is rejected has no post-edit, one that is locked was not worked on."""
_CODES = re.compile("⟨⟨|⟨/?[0-9]{1,6}⟩|⟨[0-9]{1,6}/⟩")


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """`k` reviewed segments of a corpus of `size`; `segments` are their numbers from 0, shape (k,), ascending.

    `mt` and `post_edit` hold their tokens, `sources`, `mts` and `post_edits` the texts as people read them, without
    codes. `people` says who touched each last, empty where nobody knows. `highlights` are the tags of the words of the
    MT by QE systems, and `doubts` how much they doubt each segment, by the systems' names. `from_files` says that the
    post-edits came as a text and not from a review; then all count as confirmed.
    """

    name: str
    size: int
    segments: Ints
    mt: TextColumn
    post_edit: TextColumn
    sources: tuple[str, ...]
    mts: tuple[str, ...]
    post_edits: tuple[str, ...]
    people: tuple[str, ...]
    statuses: tuple[Status, ...]
    documents: tuple[str, ...]
    highlights: Mapping[str, TagColumn]
    doubts: Mapping[str, Doubt]
    language_pair: str = ""
    from_files: bool = False

    def __len__(self) -> int:
        return len(self.segments)

    def source_words(self) -> Ints:
        """How many words each source has as it is read, the MT where there is no source; shape (k,). As translators are
        paid for them: what has neither a letter nor a digit is no word.
        """
        texts = self.sources if any(self.sources) else self.mts
        return np.fromiter((_word_count(text) for text in texts), np.int64, len(texts))


def reviewed_in(view: View, better: Better = None) -> Reviewed:
    """What was reviewed of a view: segments that are edited or confirmed; where there are none, those of the post-edit
    that files brought.

    `better` says of systems' scores of segments which are the better ones (`doubts`). QeError where there is no MT, or
    nothing was reviewed.
    """
    corpus = view.corpus
    mt = corpus.text(TextRole.MT)
    if mt is None:
        message = tr("there is no MT, so there are no post-edits of it")
        raise QeError(message, hint=tr("Give the MT with its post-edit, or open a translator's file."))
    segments = np.flatnonzero(np.isin(view.statuses(), DONE))
    given = corpus.text(TextRole.POST_EDIT)
    from_files = not len(segments) and given is not None and not corpus.eos
    if from_files:
        segments = np.arange(corpus.size)
    if not len(segments):
        hint = tr("Edit or confirm a segment first, or give a text of post-edits (.pe) beside the MT.")
        raise QeError(tr("no segment was reviewed"), hint=hint)
    numbers = segments.tolist()
    if from_files and given is not None:
        after, tokens = [given[number] for number in numbers], given
    else:
        after = [plain(view.target(number)) for number in numbers]
        cut = (tokens_of(corpus, number, text) for number, text in zip(numbers, after, strict=True))
        tokens = TextColumn.of([" ".join(words) for words in cut])
    return Reviewed(
        corpus.name,
        corpus.size,
        segments.astype(np.int64),
        mt if len(numbers) == corpus.size else TextColumn.of([mt[number] for number in numbers]),
        tokens,
        tuple(plain(corpus.source_line(number)) for number in numbers),
        tuple(plain(corpus.mt_line(number)) for number in numbers),
        tuple(after),
        tuple(view.review.people.get(number, "") for number in numbers),
        tuple(Status.CONFIRMED if from_files else Status(one) for one in view.statuses()[segments].tolist()),
        tuple("" if corpus.documents is None else corpus.documents.name(number) for number in numbers),
        {name: taken(tags, segments) for name, tags in highlights_of(view).items()},
        {name: one.taken(segments) for name, one in doubts_of(view, better).items()},
        corpus.language_pair,
        from_files,
    )


def _word_count(text: str) -> int:
    return sum(1 for low, high in words_of(text) if any(map(str.isalnum, text[low:high])))


def plain(line: str) -> str:
    """A line with codes (`corpus.Job`) as the text alone, its line breaks as blanks."""
    return _CODES.sub(lambda found: "⟨" if found[0] == "⟨⟨" else "", line).replace("\u2028", " ")


def tokens_of(corpus: Corpus, segment: int, text: str) -> list[str]:
    """The tokens of a post-edit, cut as those of the MT are: by the rule of translators' files where the MT's tokens
    are what it makes of the MT as written, else at blanks.
    """
    tokens = corpus.tokens(TextRole.MT, segment)
    before = plain(corpus.mt_line(segment))
    cut = [before[low:high] for low, high in words_of(before)]
    if corpus.job is not None or (TextRole.RAW_MT in corpus.texts and cut == tokens):
        return [text[low:high] for low, high in words_of(text)]
    return text.split()


def highlights_of(view: View) -> dict[str, TagColumn]:
    """The tags of the MT's words by each system, as edited and at their thresholds; without a tag of `<EOS>`."""
    found: dict[str, TagColumn] = {}
    for key in view.tracks(Kind.WORDS):
        if key.provenance is Provenance.SYSTEM:
            tags = view.tags(key)
            found[key.name] = tags.without_last() if view.corpus.eos else tags
    return found


def taken(column: TagColumn, segments: Ints) -> TagColumn:
    """The tags of some segments."""
    lengths = column.lengths()[segments]
    offsets = offsets_of(lengths)
    places = np.arange(offsets[-1]) + np.repeat(column.offsets[:-1][segments] - offsets[:-1], lengths)
    return TagColumn(column.values[places], offsets)
