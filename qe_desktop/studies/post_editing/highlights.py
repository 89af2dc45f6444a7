"""Usefulness of highlights: precision, recall and lifts over characters of the MT (QE4PE, Sarti et al. 2025).

An MT character is *edited* (E) if its word is not aligned to an identical word of the post-edit, by the WMT18 tagging
rules (`metrics.tags.post_edit_tags`). It is *highlighted* (H) if a system tagged its word BAD. Only the characters of
words are counted, not spaces. Insertions between MT words do not count as edits of MT characters.

Random highlights cover as many words of each segment as the highlights of the system. If a system highlights k of the n
words of a segment, random highlights cover each word with probability k/n; the expected counts are computed in closed
form. A system that only detects the right segments is therefore no better than random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import EOS, Kind, Provenance, TagColumn, TextRole, View
from qe_desktop.corpus.columns import Floats, Ints, segment_sums
from qe_desktop.corpus.tag_voting import FULL_MARK, VotingRule, count_voters, marking_layers, segment_marks
from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights, highlight_spans
from qe_desktop.significance import MIN_UNITS, BootstrapWeights, percentile_intervals_ignoring_nan
from qe_desktop.studies.post_editing.reviewed_segments import ReviewedEdits, line_text

COLUMNS = ("both", "edited", "highlighted", "neither")
"""Kinds of characters: edited and highlighted, only edited, only highlighted, neither."""
HIGHLIGHT_STATISTIC_NAMES = ("precision", "recall", "lift_e", "lift_h")
"""Names of P(E|H), P(H|E), P(E|H)/P(E|¬H) and P(H|E)/P(H|¬E) of characters; E is edited, H is highlighted."""


@dataclass(frozen=True, slots=True, eq=False)
class HighlightStatistics:
    """Highlights of a system compared with the edits.

    `rows` (k, 4) are the character counts of each of the k segments, in the order of `COLUMNS`; `random` (k, 4) are the
    counts expected for random highlights. `values` (4,) are the statistics named in `HIGHLIGHT_STATISTIC_NAMES`,
    computed from the sums of `rows`; `of_random` (4,) are the same statistics, computed from the sums of `random`.
    Undefined statistics are NaN. `intervals` (4, 2) are 95% bootstrap intervals of `values` over segments.
    `precision_gain` is the gain in precision over random highlights, and `precision_gain_interval` is its 95% interval.
    Intervals based on fewer than `MIN_UNITS` segments are NaN.
    """

    name: str
    rows: Floats
    random: Floats
    values: Floats
    of_random: Floats
    intervals: Floats
    precision_gain: float
    precision_gain_interval: tuple[float, float]

    @property
    def edited(self) -> float:
        """Share of MT characters that are edited; NaN if the MT is empty."""
        return _share(self.rows[:, :2].sum(), self.rows.sum())

    @property
    def highlighted(self) -> float:
        """Share of MT characters that are highlighted; NaN if the MT is empty."""
        return _share(self.rows[:, ::2].sum(), self.rows.sum())


def highlight_statistics(
    name: str, tags: TagColumn, edited: ReviewedEdits, draws: BootstrapWeights
) -> HighlightStatistics:
    """Return the statistics of a system's BAD words, compared with the edits.

    Raises ValueError if the numbers of tags and of MT words differ in a segment.
    """
    if not np.array_equal(tags.offsets, edited.words.offsets):
        raise ValueError("a system must have a tag for each word of the MT")
    rows, random = character_rows(tags, edited), random_rows(tags, edited)
    resampled = np.full((5, draws.rounds), np.nan)
    for first, weights in draws.weight_blocks(len(rows)) if len(rows) else ():
        result = statistics_of_totals(weights @ rows)
        resampled[:4, first : first + len(weights)] = result.T
        resampled[4, first : first + len(weights)] = result[:, 0] - statistics_of_totals(weights @ random)[:, 0]
    ends = percentile_intervals_ignoring_nan(resampled)
    ends[_bases(rows) < MIN_UNITS] = np.nan
    figures, of_random = statistics_of_totals(rows.sum(axis=0)), statistics_of_totals(random.sum(axis=0))
    # an undefined statistic has no interval, even if it is defined on some resamples
    ends[:4][np.isnan(figures)] = np.nan
    return HighlightStatistics(
        name, rows, random, figures, of_random, ends[:4],
        float(figures[0] - of_random[0]), (float(ends[4, 0]), float(ends[4, 1])),
    )  # fmt: skip


def character_rows(tags: TagColumn, edited: ReviewedEdits) -> Floats:
    """Return the number of characters of each kind (`COLUMNS`) in each segment, shape (segments, 4)."""
    e, h = edited.words.values > 0, tags.values > 0
    flat = np.stack([e & h, e & ~h, ~e & h, ~e & ~h], axis=-1) * edited.characters[:, None].astype(np.float64)
    return np.asarray(segment_sums(flat, tags.offsets), np.float64)


def random_rows(tags: TagColumn, edited: ReviewedEdits) -> Floats:
    """Return the expected `character_rows` of random highlights, shape (segments, 4).

    Random highlights cover as many words of each segment as the BAD tags in `tags`.
    """
    e = edited.words.values > 0
    weights = edited.characters.astype(np.float64)
    of_edited = segment_sums(np.where(e, weights, 0.0), tags.offsets)
    of_others = segment_sums(np.where(e, 0.0, weights), tags.offsets)
    share = segment_sums(tags.values.astype(np.float64), tags.offsets) / np.maximum(1, tags.lengths())
    return np.stack([share * of_edited, (1 - share) * of_edited, share * of_others, (1 - share) * of_others], axis=-1)


def statistics_of_totals(totals: Floats) -> Floats:
    """Return the statistics named in `HIGHLIGHT_STATISTIC_NAMES`, shape (…, 4).

    `totals` (…, 4) are sums of the rows of `character_rows`. A statistic is NaN if one of its denominators is 0.
    """
    overlap, edited, highlighted, neither = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = overlap / (overlap + highlighted), overlap / (overlap + edited)
        edited_unhighlighted_rate, highlighted_unedited_rate = (
            edited / (edited + neither),
            highlighted / (highlighted + neither),
        )
        lift_e = np.where(edited_unhighlighted_rate > 0, precision / edited_unhighlighted_rate, np.nan)
        lift_h = np.where(highlighted_unedited_rate > 0, recall / highlighted_unedited_rate, np.nan)
    return np.stack([precision, recall, lift_e, lift_h], axis=-1)


def _bases(rows: Floats) -> Ints:
    """Return the number of segments that each statistic and the gain in precision are based on, shape (5,).

    A statistic is based on the segments in which its denominator is not 0. If it has two denominators, the smaller
    number of segments is returned. With a single segment, all resamples would be identical.
    """
    overlap, edited, highlighted, neither = rows.T
    in_h, in_e, in_rest, in_kept = (
        np.count_nonzero(item)
        for item in (overlap + highlighted, overlap + edited, edited + neither, highlighted + neither)
    )
    return np.asarray([in_h, in_e, min(in_h, in_rest), min(in_e, in_kept), in_h], np.int64)


def _share(part: float, total: float) -> float:
    return float(part / total) if total else float("nan")


def displayed_marks(view: View, segment: int, agreement: VotingRule) -> DisplayedHighlights:
    """Return the displayed highlights of MT words as character ranges of the MT.

    The result is `NO_HIGHLIGHTS` if the segment has no tags or if its tags come from an annotator.
    """
    reference, marks = view.reference_at(Kind.WORDS, segment), segment_marks(view, Kind.WORDS, segment, agreement)
    if marks is None or (reference is not None and reference.provenance is Provenance.PERSON):
        return NO_HIGHLIGHTS
    keys = marking_layers(view, Kind.WORDS, segment)
    voters = count_voters(view, keys)
    tokens = view.corpus.tokens(TextRole.MT, segment)
    if view.corpus.eos and tokens[-1:] == [EOS]:
        tokens.pop()
    return DisplayedHighlights(
        tuple(key.name for key in keys),
        str(agreement.for_system_count(voters)) if voters > 1 else "",
        highlight_spans(line_text(view.corpus.mt_line(segment)), tokens, marks.tolist(), strong=FULL_MARK),
    )
