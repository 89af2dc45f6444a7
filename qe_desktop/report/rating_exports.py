"""Export of ratings and results to files, with rater and time where the format can hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.corpus import QeError, Ratings
from qe_desktop.escaping import dumps_json
from qe_desktop.formats.atomic_write import write_text
from qe_desktop.formats.ratings import write_ratings
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.project.events import RATINGS_EXPORTED
from qe_desktop.ratings.blinding import DisplayNames, blind_ratings, write_campaign_journal

if TYPE_CHECKING:
    from qe_desktop.project.store import Project
    from qe_desktop.ratings.results.result_types import RatingResults


@dataclass(frozen=True, slots=True)
class RatingExport:
    """Export format: its name, label, file suffix, description and subject.

    `subject` is "ratings", "journal" (the events of one campaign) or "results".
    """

    name: str
    title: str
    suffix: str
    description: str
    subject: str = "ratings"


_CSV = tr("CSV: a table with commas between the columns, for spreadsheets.")
_TSV = tr("TSV: a table with tabs between the columns, for spreadsheets.")
_JSONL = tr("JSON Lines: a text file for programs, with one JSON object per line.")
EXPORTS = (
    RatingExport(
        "jsonl", tr("all ratings, JSON Lines"), "jsonl",
        " ".join((tr("All ratings and comments, one per line, with rater and time."), _JSONL)),
    ),
    RatingExport(
        "long", tr("all ratings, one per row (CSV)"), "csv",
        " ".join((tr("One rating per row, with rater and time."), _CSV)),
    ),
    RatingExport(
        "wide", tr("values, one column per rater (CSV)"), "csv",
        " ".join((tr("Values on scales: one row per item, one column per rater."), _CSV)),
    ),
    RatingExport(
        "wmt", tr("rankings, WMT CSV"), "csv",
        " ".join((tr("Pairwise judgements in the format published by WMT, with rater and time."), _CSV)),
    ),
    RatingExport(
        "journal", tr("journal of the campaign, JSON Lines"), "jsonl",
        " ".join((tr("Every event, including undone ones."), _JSONL)), "journal",
    ),
    RatingExport(
        "totals", tr("system statistics (TSV)"), "tsv",
        " ".join((tr("One row per system: statistics, and intervals of means."), _TSV)), "results",
    ),
    RatingExport(
        "report", tr("all results (JSON)"), "json",
        " ".join((tr("Systems, clusters, agreement, raters, notes."), tr("JSON: a text file for programs."))),
        "results",
    ),
)  # fmt: skip


def available_exports(view: CampaignView, *, scored: bool, ranked: bool) -> list[RatingExport]:
    """Return the export formats for a view with ratings on scales (`scored`), rankings (`ranked`) or both."""
    fits = {"wide": scored, "wmt": ranked, "journal": view.campaign is not None}
    return [export for export in EXPORTS if fits.get(export.name, True)]


def write_rating_export(
    export: RatingExport,
    path: Path,
    view: CampaignView,
    project: Project | None,
    source: Callable[[], Ratings],
    results: Callable[[], RatingResults | None],
) -> tuple[str, ...]:
    """Write an export, log it if the project is writable, and return notes on data that the format cannot hold.

    Blinded systems are written with their blind names. Call this on a worker thread. Raises QeError if the file cannot
    be written, if the format cannot hold the ratings, or if the campaign or the results to write are missing.
    """
    names: DisplayNames = view.names or {}
    notes: tuple[str, ...] = ()
    if export.subject == "journal":
        if view.design is None or project is None:
            raise QeError(tr("a journal contains one campaign only"), hint=tr("Select a campaign first."))
        write_campaign_journal(path, view.design, project.events(view.uid), names)
    elif export.subject == "results":
        _write_results(export, path, results())
    else:
        notes = write_ratings(
            blind_ratings(source(), names, view.letter_campaign) if names else source(), path, export.name
        )
    details = {"campaign": view.uid, "file": str(path), "form": export.name, "blind": bool(view.names)}
    if project is not None and not project.read_only:
        project.log(RATINGS_EXPORTED, details)
    return notes


def _write_results(export: RatingExport, path: Path, results: RatingResults | None) -> None:
    # lazy import: the window lists the formats, and significance tests are slow to import
    from qe_desktop.report.rating_json import ratings_json
    from qe_desktop.report.rating_report import totals_table

    if results is None:
        raise QeError(tr("there are no results yet"), hint=tr("Rate some items first."))
    if export.name == "totals":
        write_text(path, totals_table(results).tsv())
    else:
        write_text(path, dumps_json(to_english(ratings_json(results)), indent=1) + "\n")
