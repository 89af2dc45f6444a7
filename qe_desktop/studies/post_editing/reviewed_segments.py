"""The segments that were reviewed: the MT as it was, the post-edit, who made it, and what QE systems said of the MT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, Provenance, QeError, TagColumn, TextColumn, TextRole, View, offsets_of
from qe_desktop.corpus.aligned import Places, places_of
from qe_desktop.corpus.jobs import Status
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.formats.bilingual.lines import BREAK
from qe_desktop.formats.bilingual.target_words import Spans, cut_of, lying_on
from qe_desktop.formats.bilingual.words import words_of
from qe_desktop.studies.post_editing.doubts import Better, Doubt, doubts_of
from qe_desktop.studies.post_editing.known import Known
from qe_desktop.wording import tr

Ints = NDArray[np.int64]
Cut = Callable[[str], Spans]
DONE = (Status.EDITED, Status.CONFIRMED)
"""What counts as reviewed: a segment that is rejected has no post-edit, one that is locked was not worked on."""


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """`k` reviewed segments of a corpus of `size`; `segments` are their numbers from 0, shape (k,), ascending.

    `mt` and `post_edit` hold their words, cut by one rule, `sources`, `mts` and `post_edits` the texts as people read
    them, without codes. `people` says who touched each last, empty where nobody knows. `highlights` are the tags of the
    words of the MT by QE systems, and `doubts` how much they doubt each segment, by the systems' names. `from_files`
    says that the post-edits came as a text and not from a review; then all count as confirmed. `source_words` are how
    many words each source has as it is read, the MT where there is no source, shape (k,): as translators are paid for
    them, what has neither a letter nor a digit is no word.
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
    source_words: Ints
    language_pair: str = ""
    from_files: bool = False
    languages: tuple[str, str] = ("", "")

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Which post-edits are another text than the MT, shape (k,): also where TER counts no edit, as of “sie” and
        “Sie”. Texts from files are compared word by word, for they may be tokenised.
        """
        if self.from_files:
            return np.asarray([self.mt.tokens(one) != self.post_edit.tokens(one) for one in range(len(self))], bool)
        return np.asarray([mt != after for mt, after in zip(self.mts, self.post_edits, strict=True)], bool)


class KnownTexts:
    """What was looked up of the texts of single segments, for the next time."""

    def __init__(self) -> None:
        self.read = Known[tuple[str, str], _Read]()
        self.cut = Known[tuple[str, str, str, Cut], _InWords]()


def reviewed_in(view: View, better: Better = None, known: KnownTexts | None = None) -> Reviewed:
    """What was reviewed of a view: segments that were edited or confirmed in it; where there are none, those of the
    post-edit that files brought.

    `better` says of systems' scores of segments which are the better ones (`doubts`). Texts that are `known` are not
    looked through again. QeError where there is no MT, or nothing was reviewed.
    """
    corpus = view.corpus
    mt = corpus.text(TextRole.MT)
    if mt is None:
        message = tr("there is no MT, so there are no post-edits of it")
        raise QeError(message, hint=tr("Give the MT with its post-edit, or open a translator's file."))
    # where a file says that it was confirmed before, its target is not known to have been MT, unless it has that too
    here = np.full(corpus.size, corpus.job is not None and corpus.job.loaded is not None)
    here[[*view.review.targets, *view.review.statuses]] = True
    segments = np.flatnonzero(np.isin(view.statuses(), DONE) & here)
    given = corpus.text(TextRole.POST_EDIT)
    from_files = not len(segments) and given is not None and not corpus.eos
    if from_files:
        segments = np.arange(corpus.size)
    if not len(segments):
        hint = tr("Edit or confirm a segment first, or give a text of post-edits (.pe) beside the MT.")
        raise QeError(tr("no segment was reviewed"), hint=hint)
    numbers, known = segments.tolist(), known or KnownTexts()
    highlights = {name: taken(tags, segments) for name, tags in highlights_of(view).items()}
    if from_files and given is not None:
        after, tokens = [given[number] for number in numbers], given
        words = mt if len(numbers) == corpus.size else TextColumn.of([mt[number] for number in numbers])
    else:
        cut = cut_of(corpus)
        targets = [(corpus.mt_line(one), mt[one], view.target(one), cut) for one in numbers]
        found = known.cut.of(targets, lambda some: [_in_words(*one) for one in some])
        after = [one.after for one in found]
        tokens, words = TextColumn.of([one.tokens for one in found]), TextColumn.of([one.words for one in found])
        highlights = {name: _lying(column, found) for name, column in highlights.items()}
    read = known.read.of([(corpus.source_line(one), corpus.mt_line(one)) for one in numbers], _read)
    with_sources = any(one.source for one in read)
    return Reviewed(
        corpus.name,
        corpus.size,
        segments.astype(np.int64),
        words,
        tokens,
        tuple(one.source for one in read),
        tuple(one.mt for one in read),
        tuple(after),
        tuple(view.review.people.get(number, "") for number in numbers),
        tuple(Status.CONFIRMED if from_files else Status(one) for one in view.statuses()[segments].tolist()),
        tuple("" if corpus.documents is None else corpus.documents.name(number) for number in numbers),
        highlights,
        {name: one.taken(segments) for name, one in doubts_of(view, better).items()},
        np.asarray([one.count if one.source or not with_sources else 0 for one in read], np.int64),
        corpus.language_pair,
        from_files,
        corpus.source_and_target(),
    )


def _word_count(text: str) -> int:
    return sum(1 for low, high in words_of(text) if any(map(str.isalnum, text[low:high])))


def plain(line: str) -> str:
    """A line with codes (`corpus.Job`) as the text alone, its line breaks as blanks."""
    return text_of_line(line).replace(BREAK, " ")


@dataclass(frozen=True, slots=True)
class _Read:
    """Source and MT of a segment as people read them, and how many words the source has, or the MT without one."""

    source: str
    mt: str
    count: int


def _read(lines: Sequence[tuple[str, str]]) -> list[_Read]:
    texts = [(plain(source), plain(mt)) for source, mt in lines]
    return [_Read(source, mt, _word_count(source or mt)) for source, mt in texts]


@dataclass(frozen=True, slots=True)
class _InWords:
    """A segment's post-edit as it is read, its words and those of the MT with blanks between them; `places` are those
    of the MT's tokens and words, None where they are the same, so that tags of tokens are tags of words.
    """

    after: str
    tokens: str
    words: str
    places: tuple[Places, Spans] | None


def _in_words(mt: str, own: str, target: str, cut: Cut) -> _InWords:
    """MT and post-edit in words, cut by one rule, of the MT's line, its own tokens, and the line of the target.

    Where the tokens are not those of the text they stay, and are what the post-edit is held against.
    """
    after, text, tokens = plain(target), plain(mt), TextColumn.of([f"{own} "]).tokens(0)
    theirs = " ".join(after[low:high] for low, high in cut(after))
    places = places_of(tokens, text)
    if places is None:
        return _InWords(after, theirs, " ".join(tokens), None)
    words = cut(text)
    same = list(places) == words
    return _InWords(after, theirs, " ".join(text[low:high] for low, high in words), None if same else (places, words))


def _lying(column: TagColumn, found: Sequence[_InWords]) -> TagColumn:
    """Tags of the MT's tokens as those of its words."""
    if all(one.places is None for one in found):
        return column
    return TagColumn.of(
        [
            column[place].tolist() if one.places is None else lying_on(column[place].tolist(), *one.places)
            for place, one in enumerate(found)
        ]
    )


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
