"""Texts of the list of QA check results: its title, and what is shown instead of an empty list."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.qa_checks.check import Check
from qe_desktop.local_qe.qa_checks.runner import CHECKS
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.inspect.qa_results.qa_result_list import QaResultList
from qe_desktop.ui.widgets.placeholder_page import EmptyState

NOT_CHECKABLE = EmptyState(
    tr("Nothing to check"), tr("QA checks compare targets with their sources. Open files that have both."), icon=""
)
RUNNING = EmptyState(tr("Checking all targets…"), "", icon="")
OUTDATED = EmptyState(
    tr("Targets, checks or word lists have changed"), tr("Select “Check again” to check all targets."), icon=""
)


def no_problem_state(segments: int, checks: Sequence[Check], without_list: Collection[str] = ()) -> EmptyState:
    """Return the text for a run without results: what was checked, and what was not.

    `without_list` are the names of the checks whose word list is not selected.
    """
    names = {check.name for check in checks}
    ran = [check.title for check in checks if check.name not in without_list]
    off = [check.title for check in CHECKS if check.name not in names]
    texts = [
        tr("{n:,} {n:segment was|segments were} checked for: {checks}.", "", segments, checks=join_localized(", ", ran))
    ]
    if off:
        texts.append(tr("Turned off: {checks}.", checks=join_localized(", ", off)))
    if not names.isdisjoint(without_list):
        texts.append(tr("To check terms or forbidden words, select your lists in Preferences ▸ QA checks."))
    return EmptyState(tr("No check found a problem"), join_localized(" ", texts), icon="")


def failed_state(error: QeError) -> EmptyState:
    """Return the text for a failed run: where the error is, what is wrong, and what to do."""
    return EmptyState(tr("The QA checks could not run"), error.line(), icon="error")


def summary_text(results: QaResultList, *, outdated: bool) -> str:
    """Return the title of the list: the number of results, or that they are out of date."""
    if outdated:
        key = shortcut_text("inspect.next-found")
        return tr("Out of date: press {key} to check again", key=key) if key else tr("Out of date")
    if results.total > len(results.findings):
        return tr("The first {n:,} of {total:,} QA check results", "", len(results.findings), total=results.total)
    if not results.findings:
        return tr("No QA check results")
    segments = results.count_segments()
    return tr(
        "{n:,} QA check {n:result|results} in {segments:,} {segments:segment|segments}", "", len(results.findings),
        segments=segments,
    )  # fmt: skip
