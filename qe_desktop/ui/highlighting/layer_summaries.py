"""Summaries of the layers that a QE system or the QA checks returned, for the message after a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from qe_desktop.corpus import Kind, Layer, View
from qe_desktop.corpus.progress import OnStep
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check
from qe_desktop.local_qe.qa_checks.check_results import view_qa_results


class CheckSummary(NamedTuple):
    """Message after a run of the QA checks, and the number of results that the list of results shows."""

    text: str
    results: int

    @classmethod
    def of(cls, view: View, layers: Sequence[Layer], checks: Sequence[Check], report: OnStep) -> CheckSummary:
        """Summarize `layers`, which `checks` returned for the MT of a view.

        If any target differs from the MT, all targets are checked instead; the message then agrees with the list of
        results.
        """
        is_edited = any(view.is_edited(segment) for segment in range(view.corpus.size))
        if is_edited:
            results = view_qa_results(view, checks, report=report)
            count, segments = len(results), len({result.segment for result in results})
            if not count:
                return cls(tr("The QA checks returned no results"), 0)
            text = tr(
                "The QA checks returned {n:,} {n:result|results} in {segments:,} {segments:segment|segments}", "",
                count, segments=segments,
            )  # fmt: skip
            return cls(text, count)
        count, segments = _count_results(layers)
        if not count:
            return cls(tr("The QA checks returned no results in the MT"), 0)
        text = tr(
            "The QA checks returned {n:,} {n:result|results} in {segments:,} {segments:segment|segments} of the MT", "",
            count, segments=segments,
        )  # fmt: skip
        return cls(text, count)


def _count_results(layers: Sequence[Layer]) -> tuple[int, int]:
    """Return the number of results of the QA checks in the MT, and the number of segments with results.

    A reason counts once per segment, as in the list of results, even if it concerns several words. Reasons in the
    source count only in segments without reasons in the MT, because most of them belong to a result in the MT.
    """
    results: set[tuple[int, str]] = set()
    for layer in sorted(layers, key=lambda layer: layer.key.kind is Kind.SOURCE):
        marked_segments = {segment for segment, _ in results} if layer.key.kind is Kind.SOURCE else set()
        if layer.reasons is not None:
            results |= {
                (segment, reason.text)
                for segment, reasons in layer.reasons.by_segment.items()
                if segment not in marked_segments
                for reason in reasons
            }
    return len(results), len({segment for segment, _ in results})


def summarize_tags(layers: Sequence[Layer], segments: int) -> str:
    """Return a summary of a system's layers: how many BAD tags, probabilities and segment scores they contain.

    `segments` is the number of segments, which is reported as the number of scores of a score layer.
    """
    parts = []
    for layer in layers:
        kind = layer.key.kind
        if kind.is_tags:
            bad, total = int(layer.tags.values.sum()), len(layer.tags.values)
            parts.append(_TAG_SUMMARIES[kind](bad, total))
        elif kind is Kind.PROBABILITIES:
            parts.append(tr("{n:,} word {n:probability|probabilities}", "", len(layer.numbers.values)))
        else:
            parts.append(tr("{n:,} segment {n:score|scores}", "", segments))
    return ", ".join(parts)


_TAG_SUMMARIES: dict[Kind, Callable[[int, int], str]] = {
    Kind.WORDS: lambda bad, total: tr("{n:,} of {total:,} {total:word|words} {n:is|are} BAD", "", bad, total=total),
    Kind.GAPS: lambda bad, total: tr("{n:,} of {total:,} {total:gap|gaps} {n:is|are} BAD", "", bad, total=total),
    Kind.SOURCE: lambda bad, total: tr(
        "{n:,} of {total:,} source {total:word|words} {n:is|are} BAD", "", bad, total=total
    ),
}
