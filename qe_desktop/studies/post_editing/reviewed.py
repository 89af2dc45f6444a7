"""The segments that were reviewed: the MT as it was, the post-edit, who made it, and what QE systems said of the MT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, Provenance, QeError, TagColumn, TextColumn, TextRole, View, offsets_of
from qe_desktop.corpus.aligned import places_of
from qe_desktop.corpus.jobs import Status
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.formats.bilingual.lines import BREAK
from qe_desktop.formats.bilingual.target_words import Spans, cut_of, lying_on
from qe_desktop.formats.bilingual.words import words_of
from qe_desktop.studies.post_editing.doubts import Better, Doubt, doubts_of
from qe_desktop.wording import tr

Ints = NDArray[np.int64]
DONE = (Status.EDITED, Status.CONFIRMED)
"""What counts as reviewed: a segment that is rejected has no post-edit, one that is locked was not worked on."""


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """`k` reviewed segments of a corpus of `size`; `segments` are their numbers from 0, shape (k,), ascending.

    `mt` and `post_edit` hold their words, cut by one rule, `sources`, `mts` and `post_edits` the texts as people read
    them, without codes. `people` says who touched each last, empty where nobody knows. `highlights` are the tags of the
    words of the MT by QE systems, and `doubts` how much they doubt each segment, by the systems' names. `from_files`
    says that the post-edits came as a text and not from a review; then all count as confirmed.
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
    """What was reviewed of a view: segments that were edited or confirmed in it; where there are none, those of the
    post-edit that files brought.

    `better` says of systems' scores of segments which are the better ones (`doubts`). QeError where there is no MT, or
    nothing was reviewed.
    """
    corpus = view.corpus
    mt = corpus.text(TextRole.MT)
    if mt is None:
        message = tr("there is no MT, so there are no post-edits of it")
        raise QeError(message, hint=tr("Give the MT with its post-edit, or open a translator's file."))
    # where a file says that it was confirmed before, its target is not known to have been MT
    here = np.zeros(corpus.size, bool)
    here[[*view.review.targets, *view.review.statuses]] = True
    segments = np.flatnonzero(np.isin(view.statuses(), DONE) & here)
    given = corpus.text(TextRole.POST_EDIT)
    from_files = not len(segments) and given is not None and not corpus.eos
    if from_files:
        segments = np.arange(corpus.size)
    if not len(segments):
        hint = tr("Edit or confirm a segment first, or give a text of post-edits (.pe) beside the MT.")
        raise QeError(tr("no segment was reviewed"), hint=hint)
    numbers = segments.tolist()
    highlights = {name: taken(tags, segments) for name, tags in highlights_of(view).items()}
    if from_files and given is not None:
        after, tokens = [given[number] for number in numbers], given
        words = mt if len(numbers) == corpus.size else TextColumn.of([mt[number] for number in numbers])
    else:
        after = [plain(view.target(number)) for number in numbers]
        cut = cut_of(corpus)
        tokens = TextColumn.of([" ".join(text[low:high] for low, high in cut(text)) for text in after])
        words, highlights = _in_words(corpus, numbers, cut, highlights)
    return Reviewed(
        corpus.name,
        corpus.size,
        segments.astype(np.int64),
        words,
        tokens,
        tuple(plain(corpus.source_line(number)) for number in numbers),
        tuple(plain(corpus.mt_line(number)) for number in numbers),
        tuple(after),
        tuple(view.review.people.get(number, "") for number in numbers),
        tuple(Status.CONFIRMED if from_files else Status(one) for one in view.statuses()[segments].tolist()),
        tuple("" if corpus.documents is None else corpus.documents.name(number) for number in numbers),
        highlights,
        {name: one.taken(segments) for name, one in doubts_of(view, better).items()},
        corpus.language_pair,
        from_files,
    )


def _word_count(text: str) -> int:
    return sum(1 for low, high in words_of(text) if any(map(str.isalnum, text[low:high])))


def plain(line: str) -> str:
    """A line with codes (`corpus.Job`) as the text alone, its line breaks as blanks."""
    return text_of_line(line).replace(BREAK, " ")


def _in_words(
    corpus: Corpus, segments: Sequence[int], cut: Callable[[str], Spans], highlights: Mapping[str, TagColumn]
) -> tuple[TextColumn, dict[str, TagColumn]]:
    """The MT of segments in words that are cut as its post-edits are, and highlights of its tokens as those of words.

    Where the tokens are not those of the text they stay, and are what the post-edit is held against.
    """
    lines: list[str] = []
    tags: dict[str, list[list[int]]] = {name: [] for name in highlights}
    for place, segment in enumerate(segments):
        text, own = plain(corpus.mt_line(segment)), corpus.tokens(TextRole.MT, segment)
        if corpus.eos and own:
            own.pop()
        tokens = places_of(own, text)
        words = None if tokens is None else cut(text)
        lines.append(" ".join(own if words is None else [text[low:high] for low, high in words]))
        for name, column in highlights.items():
            held = column[place].tolist()
            tags[name].append(held if tokens is None or words is None else lying_on(held, tokens, words))
    return TextColumn.of(lines), {name: TagColumn.of(found) for name, found in tags.items()}


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
