"""Term of the glossary, its groups, the terms of metrics, and the search for terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qe_desktop.i18n.messages import tr

TAGS, REVIEW, SCORES, RATINGS = tr("Tags"), tr("Texts and review"), tr("Scores"), tr("Ratings")
"""Headings under which terms are listed."""
METRICS = tr("Metrics")
"""Heading under which metrics are listed; their definitions are the help texts of the metrics."""


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """Term of the glossary with its id, name and meaning (`text`); `group` is the heading under which it is listed."""

    id: str
    name: str
    text: str
    group: str


def metric_terms() -> list[GlossaryTerm]:
    """Return a term for each metric of all levels; the meaning of the term is the help text of the metric."""
    # imported here because the window opens before metrics are needed
    from qe_desktop.levels import all_levels

    metrics = {metric.name: metric for level in all_levels() for metric in level.metrics.values()}
    return [GlossaryTerm(name, name, metric.help(signed=False), METRICS) for name, metric in metrics.items()]


def matching_terms(terms: Iterable[GlossaryTerm], text: str) -> list[GlossaryTerm]:
    """Return the terms that contain every word of `text`, in any case.

    Terms with all these words in their names come first; otherwise, the order of `terms` is kept.
    """
    words = text.casefold().split()
    matches = [term for term in terms if all(word in f"{term.name} {term.text}".casefold() for word in words)]
    return sorted(matches, key=lambda term: not all(word in term.name.casefold() for word in words))
