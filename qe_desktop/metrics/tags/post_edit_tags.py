"""Tags and HTER from translations and their post-edits, by the rules of WMT18 and later.

Tokens are separated by spaces. MT and post-edit are aligned as tercom does without shifts, ignoring case. An MT token
is OK if it is aligned to an identical token (including case), and a gap is BAD if tokens are missing in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import AlignmentColumn, QeError, TagColumn, TextColumn
from qe_desktop.corpus.columns import Floats, Ints, RaggedColumn, offsets_from_lengths
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.ter.edit_distance import DELETION, INSERTION, MATCH, SUBSTITUTION, trace_edits
from qe_desktop.metrics.ter.shifts import shift_tokens
from qe_desktop.metrics.ter.ter_edits import token_edit_rows
from qe_desktop.metrics.ter.ter_tokens import encode_letters
from qe_desktop.metrics.text.tokenization import LANGUAGE_NAMES
from qe_desktop.metrics.text.tokenized_pairs import TokenColumn, Vocabulary

SEGMENTS_PER_BLOCK = 1024
"""Number of segments that are processed together."""
NO_LINK = -1
"""Value that replaces the index of a missing token in a pair of aligned tokens."""
CHARACTER_TOKENS = ("zh", "ja")
"""Languages in which each character is a token in bilingual files (`formats.bilingual.word_tokenization`)."""


def untokenized_note(*texts: TextColumn) -> str:
    """Return a caution if a text lacks spaces between words.

    Parameters
    ----------
    *texts
        MT and post-edits.

    Returns
    -------
    str
        Localized caution; empty if no text lacks spaces.

    Examples
    --------
    >>> untokenized_note(TextColumn.of(["犬 が 公園 を 走る 。"]))
    ''
    """
    language = next((language for text in texts if (language := text.unspaced_language())), "")
    if not language:
        return ""
    if language in CHARACTER_TOKENS:
        return tr(
            "The {language} text is not tokenized, so HTER and tags treat text between spaces as one word. Tokenize it "
            "first, or open it as a bilingual file.",
            language=LANGUAGE_NAMES[language],
        )
    return tr(
        "The {language} text is not tokenized, so HTER and tags treat text between spaces as one word. Tokenize it "
        "first.",
        language=LANGUAGE_NAMES[language],
    )


@dataclass(frozen=True, slots=True, eq=False)
class PostEditResult:
    """Tags of the MT, and alignment of MT and post-edit, for all segments.

    Attributes
    ----------
    words, gaps
        Tags of the MT tokens, and of the positions before, between and after them.
    pairs
        Indices of aligned tokens in MT and post-edit, in text order, shape (pairs, 2); `NO_LINK` for a missing token.
    """

    words: TagColumn
    gaps: TagColumn
    pairs: RaggedColumn[np.int32]


def compare_post_edits(mt: TextColumn, post_edit: TextColumn, on_progress: OnProgress | None = None) -> PostEditResult:
    """Return the tags of all MT tokens and gaps, and the alignment of MT and post-edit.

    Parameters
    ----------
    mt, post_edit
        Tokenized texts, one line per segment.
    on_progress
        Progress callback, called with the completed share (0 to 1); may raise an exception to stop.

    Returns
    -------
    PostEditResult
        Tags by the rules of WMT18 and later, and the alignment.

    Raises
    ------
    ValueError
        If the numbers of segments differ.
    """
    words, gaps, pairs = [np.zeros(0, np.uint8)], [np.zeros(0, np.uint8)], [np.zeros((0, 2), np.int32)]
    counts = [np.zeros(0, np.int64)]
    for block in _blocks(mt, post_edit, on_progress):
        result = _pairs(block)
        lengths = np.array([len(item) for item in result], np.int64)
        block_pairs = np.concatenate(result)
        tags, missing = _tags(block, block_pairs, lengths)
        words.append(tags)
        gaps.append(missing)
        pairs.append(block_pairs)
        counts.append(lengths)
    tokens = mt.token_counts()
    return PostEditResult(
        TagColumn(np.concatenate(words), offsets_from_lengths(tokens)),
        TagColumn(np.concatenate(gaps), offsets_from_lengths(tokens + 1)),
        RaggedColumn(np.concatenate(pairs), offsets_from_lengths(np.concatenate(counts))),
    )


def segment_hter(
    mt: TextColumn, post_edit: TextColumn, *, capped: bool = True, on_progress: OnProgress | None = None
) -> Floats:
    """Return the case-insensitive HTER of each segment: edits and shifts per post-edit token (Snover et al. 2006).

    Parameters
    ----------
    mt, post_edit
        Tokenized texts, one line per segment.
    capped
        Whether values above 1 become 1, as in WMT's files (Specia et al. 2018).
    on_progress
        Progress callback, called with the completed share (0 to 1); may raise an exception to stop.

    Returns
    -------
    ndarray
        HTER, at least 0, shape (segments,); 1 if only the post-edit is empty, 0 if both texts are empty.

    Raises
    ------
    ValueError
        If the numbers of segments differ.
    """
    results = [np.zeros(0)]
    for block in _blocks(mt, post_edit, on_progress):
        edits, _, length = token_edit_rows(block.mt, [block.post_edit]).T
        results.append(np.divide(edits, length, out=(edits > 0).astype(np.float64), where=length > 0))
    rates = np.concatenate(results)
    return np.minimum(rates, 1.0) if capped else rates


def source_tags(
    result: PostEditResult, source: TextColumn, links: AlignmentColumn, links_to: Literal["MT", "post-edit"] = "MT"
) -> TagColumn:
    """Return the tags of all source tokens, given the alignment with the MT or the post-edit.

    A source token is BAD if it is aligned to an MT token that is replaced in the post-edit, or to a post-edit token
    that replaces a different MT token or is missing in the MT. This is the "normal" rule of WMT18's tools; extra MT
    tokens do not make source tokens BAD.

    Parameters
    ----------
    result
        Tags and alignment of MT and post-edit.
    source
        Tokenized source.
    links
        Word alignment of the source with the MT or the post-edit.
    links_to
        Text with which `links` align the source: "MT" or "post-edit". With "MT", tokens that are missing in the MT have
        no effect.

    Returns
    -------
    TagColumn
        Tags of the source tokens.

    Raises
    ------
    QeError
        If a link points beyond the tokens of a segment.
    ValueError
        If the numbers of segments differ.
    """
    if not len(result.words) == len(source) == len(links):
        raise ValueError("tags, source and alignments must have the same number of segments")
    target_tags = _replaced_tokens(result) if links_to == "MT" else _replaced_or_missing_tokens(result)
    source_offsets = offsets_from_lengths(source.token_counts())
    lengths = links.lengths()
    source_indices = links.values[:, 0] + np.repeat(source_offsets[:-1], lengths)
    target_indices = links.values[:, 1] + np.repeat(target_tags.offsets[:-1], lengths)
    is_out_of_range = (source_indices >= np.repeat(source_offsets[1:], lengths)) | (
        target_indices >= np.repeat(target_tags.offsets[1:], lengths)
    )
    if is_out_of_range.any():
        segment = int(np.searchsorted(links.offsets, np.argmax(is_out_of_range), side="right"))
        raise QeError(
            tr("segment {segment:,} has a word alignment to a token that does not exist", segment=segment),
            hint=tr("Compute the word alignments from the tokenized source and target texts."),
        )
    tags = np.zeros(source_offsets[-1], np.uint8)
    tags[source_indices[target_tags.values[target_indices] > 0]] = 1
    return TagColumn(tags, source_offsets)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Tokens of a block of segments: in lower case for the alignment, and as written for the tags."""

    mt: TokenColumn
    post_edit: TokenColumn
    cased_mt: TokenColumn
    cased_post_edit: TokenColumn


def _blocks(mt: TextColumn, post_edit: TextColumn, on_progress: OnProgress | None) -> Iterator[_Block]:
    if len(mt) != len(post_edit):
        raise ValueError("MT and post-edit must have the same number of lines")
    for first in range(0, len(mt), SEGMENTS_PER_BLOCK):
        last = min(len(mt), first + SEGMENTS_PER_BLOCK)
        yield _block(*([text.tokens(segment) for segment in range(first, last)] for text in (mt, post_edit)))
        if on_progress is not None:
            on_progress(last / len(mt))


def _block(mt: list[list[str]], post_edit: list[list[str]]) -> _Block:
    vocabulary = Vocabulary()
    cased = [vocabulary.tokens(text) for text in (mt, post_edit)]
    lower: dict[str, int] = {}
    without_case = np.array([lower.setdefault(word.lower(), len(lower)) for word in vocabulary.words()], np.int64)
    return _Block(*(TokenColumn(without_case[text.codes], text.offsets) for text in cased), *cased)


def _pairs(block: _Block) -> list[NDArray[np.int32]]:
    """Return the pairs of aligned tokens of each segment, as in `PostEditResult.pairs`."""
    segments = len(block.mt.offsets) - 1
    mt, post_edit = encode_letters([block.mt, block.post_edit], 0, segments).lines
    results = []
    for mt_line, post_edit_line in zip(mt, post_edit, strict=True):
        is_same = mt_line == post_edit_line
        operations = MATCH * len(mt_line) if is_same else trace_edits(mt_line, post_edit_line).operations
        letter = np.frombuffer(operations.encode(), np.uint8)
        has_mt, has_post_edit = letter != ord(INSERTION), letter != ord(DELETION)
        pairs = np.stack([np.cumsum(has_mt), np.cumsum(has_post_edit)], axis=-1) - 1
        pairs[~has_mt, 0] = NO_LINK
        pairs[~has_post_edit, 1] = NO_LINK
        results.append(pairs.astype(np.int32))
    return results


def _tags(block: _Block, pairs: NDArray[np.int32], lengths: Ints) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the tags of the MT tokens and of the gaps in a block; `lengths` is the number of pairs of each segment."""
    mt_index, post_edit_index = pairs[:, 0], pairs[:, 1]
    in_mt, in_both = mt_index != NO_LINK, (mt_index != NO_LINK) & (post_edit_index != NO_LINK)
    segment = np.repeat(np.arange(len(lengths)), lengths)
    is_same = np.zeros(len(pairs), bool)
    mt_indices = (mt_index + block.mt.offsets[segment])[in_both]
    post_edit_indices = (post_edit_index + block.post_edit.offsets[segment])[in_both]
    is_same[in_both] = block.cased_mt.codes[mt_indices] == block.cased_post_edit.codes[post_edit_indices]
    words = (~is_same[in_mt]).astype(np.uint8)
    # a segment has one more gap than tokens, so gap offsets advance by one more per segment
    before = np.cumsum(in_mt) - in_mt + segment
    gaps = np.zeros(len(words) + len(lengths), np.uint8)
    gaps[before[~in_mt]] = 1
    return words, gaps


def _replaced_tokens(result: PostEditResult) -> TagColumn:
    """Return the tags of the MT tokens: BAD for tokens that a different token replaces in the post-edit."""
    mt_pairs = result.pairs.values[result.pairs.values[:, 0] != NO_LINK]
    return TagColumn(result.words.values * (mt_pairs[:, 1] != NO_LINK), result.words.offsets)


def _replaced_or_missing_tokens(result: PostEditResult) -> TagColumn:
    """Return the tags of the post-edit tokens.

    A token is BAD if it replaces a different MT token or is missing in the MT.
    """
    in_mt, in_post_edit = (result.pairs.values != NO_LINK).T
    bad = np.ones(len(in_mt), np.uint8)
    bad[in_mt] = result.words.values
    counts = np.bincount(
        np.repeat(np.arange(len(result.pairs)), result.pairs.lengths())[in_post_edit], minlength=len(result.pairs)
    )
    return TagColumn(bad[in_post_edit], offsets_from_lengths(counts))


def count_edits(mt: TextColumn, post_edit: TextColumn, on_progress: OnProgress | None = None) -> Floats:
    """Return the number of edits of each kind in each segment, ignoring case (Snover et al. 2006).

    Parameters
    ----------
    mt, post_edit
        Tokenized texts, one line per segment.
    on_progress
        Progress callback, called with the completed share (0 to 1); may raise an exception to stop.

    Returns
    -------
    ndarray
        Numbers of insertions (tokens missing in the MT), deletions (extra tokens in the MT), substitutions and
        shifts, shape (segments, 4).

    Raises
    ------
    ValueError
        If the numbers of segments differ.
    """
    counts = np.zeros((len(mt), 4))
    segment = 0
    for block in _blocks(mt, post_edit, on_progress):
        result = encode_letters([block.mt, block.post_edit], 0, len(block.mt.counts))
        for mt_line, post_edit_line, shared in zip(*result.lines, result.shared[1].tolist(), strict=True):
            if mt_line != post_edit_line:
                counts[segment] = _count(mt_line, post_edit_line, shared)
            segment += 1
    return counts


def _count(mt: str, post_edit: str, shared: int) -> tuple[int, int, int, int]:
    result = shift_tokens(mt, post_edit, max(len(mt), len(post_edit)) - shared)
    counted = result.trace.operations.count
    return counted(INSERTION), counted(DELETION), counted(SUBSTITUTION), len(result.shifts)


MAX_COMPARED_WORDS = 1000
"""Maximum number of words of each compared text; aligning more words would noticeably delay typing."""


@dataclass(frozen=True, slots=True, eq=False)
class TargetEdits:
    """Edits that turn an MT into a target.

    Attributes
    ----------
    words, gaps
        Tags of the MT words (1: changed or deleted), and of the positions before, between and after them (1: words are
        missing).
    pairs
        Indices of aligned words in MT and target, shape (pairs, 2); `NO_LINK` for a missing word.
    hter
        HTER, 0 to 1, as in WMT's files.
    """

    words: NDArray[np.uint8]
    gaps: NDArray[np.uint8]
    pairs: NDArray[np.int32]
    hter: float

    @property
    def edited_word_count(self) -> int:
        """Number of MT words changed or deleted."""
        return int(self.words.sum())

    @property
    def inserted_word_count(self) -> int:
        """Number of target words without an aligned MT word."""
        return int((self.pairs[:, 0] == NO_LINK).sum())

    def unchanged_words(self) -> list[tuple[int, int]]:
        """Return the pair of indices (MT, target) of each unchanged word, in text order."""
        return [
            (first, second)
            for first, second in self.pairs.tolist()
            if min(first, second) >= 0 and not self.words[first]
        ]


def compute_target_edits(mt: Sequence[str], target: Sequence[str]) -> TargetEdits | None:
    """Return the edits that turn an MT into its target.

    Parameters
    ----------
    mt, target
        Words of each text; no word may contain a space.

    Returns
    -------
    TargetEdits or None
        Tags, alignment and HTER; None if one of the texts has more than `MAX_COMPARED_WORDS` words.
    """
    if max(len(mt), len(target)) > MAX_COMPARED_WORDS:
        return None
    if list(mt) == list(target):
        indices = np.arange(len(mt), dtype=np.int32)
        no_tags = np.zeros(2 * len(mt) + 1, np.uint8)
        return TargetEdits(no_tags[: len(mt)], no_tags[len(mt) :], np.stack([indices, indices], axis=-1), 0.0)
    mt_column, target_column = TextColumn.of([" ".join(mt)]), TextColumn.of([" ".join(target)])
    result = compare_post_edits(mt_column, target_column)
    rate = float(segment_hter(mt_column, target_column)[0])
    return TargetEdits(result.words[0], result.gaps[0], result.pairs[0], rate)
