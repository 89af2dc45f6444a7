"""List of the QA check results of a corpus in text order, with table rows, title and placeholders.

A `QaResultList` is immutable and may be created on any thread.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.qa_checks.check import Check
from qe_desktop.local_qe.qa_checks.check_results import QaResult, qa_result_position
from qe_desktop.local_qe.qa_checks.runner import CHECKS
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.widgets.placeholder_page import EmptyState
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, table_row, text_column

MAX_RESULTS = 100_000
"""Maximum number of results in a list."""
CONTEXT_CHARS, MAX_EXCERPT_CHARS = 30, 160
"""Maximum numbers of characters in an excerpt: before the result, and in total."""
ResultPosition = tuple[int, int, int, str]
"""Sort key of a result, as returned by `qa_result_position`."""
NOT_CHECKABLE = EmptyState(
    tr("Nothing to check"), tr("QA checks compare targets with their sources. Open files that have both."), icon=""
)
RUNNING = EmptyState(tr("Checking all targets…"), "", icon="")
OUTDATED = EmptyState(tr("No up-to-date results"), tr("Select “Check again” to check all targets."), icon="")


def target_excerpt(result: QaResult) -> str:
    """Return the part of the target around a result, on one line."""
    text = result.target.replace(LINE_BREAK, " ")
    start = max(0, min(result.span[0], len(text)) - CONTEXT_CHARS)
    if start:
        # begin with a whole word, unless the text has no spaces there
        start = max(start, text.find(" ", start, start + CONTEXT_CHARS) + 1)
    end = start + MAX_EXCERPT_CHARS
    return "".join(["…" if start else "", text[start:end], "…" if end < len(text) else ""])


def _target_cell(result: QaResult) -> TableCell:
    return TableCell(target_excerpt(result), result.target.replace(LINE_BREAK, "\n"))


def _segment_name(result: QaResult) -> str:
    """Return the name of a segment; a number alone is formatted as everywhere in the window."""
    number = result.segment + 1
    return f"{number:,}" if result.id == str(number) else result.id


COLUMNS: tuple[TableColumn, ...] = (
    text_column(tr("Segment"), tr("Number of the segment, with its file if several files are open"), _segment_name),
    text_column(tr("Check"), tr("QA check that reports the problem"), lambda row: row.title),
    text_column(tr("Problem"), tr("Problem with the target"), lambda row: row.message, is_wide=True),
    text_column(tr("Target"), tr("Part of the target that contains the problem"), _target_cell, is_wide=True),
)

ResultRow = tuple[TableCell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QaResultList:
    """Results in text order, and the table row of each; `total` also counts results beyond `MAX_RESULTS`."""

    items: tuple[QaResult, ...] = ()
    rows: tuple[ResultRow, ...] = ()
    total: int = 0

    @classmethod
    def of(cls, results: Sequence[QaResult]) -> QaResultList:
        """Return the list of `results`, which must be in text order."""
        listed = tuple(results[:MAX_RESULTS])
        return cls(listed, tuple([table_row(COLUMNS, result) for result in listed]), len(results))

    def with_segments(self, segments: Iterable[int], results: Sequence[QaResult]) -> QaResultList:
        """Return a list in which `results` replace all previous results of `segments`."""
        merged, rows = list(self.items), list(self.rows)
        removed = 0
        for segment in segments:
            start, stop = (side(merged, segment, key=lambda row: row.segment) for side in (bisect_left, bisect_right))
            removed += stop - start
            del merged[start:stop], rows[start:stop]
        for result in results:
            index = bisect_right(merged, qa_result_position(result), key=qa_result_position)
            merged.insert(index, result)
            rows.insert(index, table_row(COLUMNS, result))
        return QaResultList(tuple(merged), tuple(rows), self.total - removed + len(results))

    def of_check(self, check: str) -> QaResultList:
        """Return the results of the check with the name `check`, or all results if the name is empty."""
        if not check:
            return self
        indices = [index for index, result in enumerate(self.items) if result.check == check]
        results = tuple([self.items[index] for index in indices])
        return QaResultList(results, tuple([self.rows[index] for index in indices]), len(indices))

    def counts(self) -> dict[tuple[str, str], int]:
        """Return the number of results of each check, by name and title of the check, largest number first."""
        return dict(Counter((result.check, result.title) for result in self.items).most_common())

    def count_segments(self) -> int:
        """Return the number of segments with results."""
        return len({result.segment for result in self.items})

    def first_row_from(self, position: tuple[int | str, ...]) -> int:
        """Return the index of the first row at or after `position`, or `len(items)` if there is none.

        `position` is a `ResultPosition` or the beginning of one, such as (segment,).
        """
        return bisect_left(self.items, position, key=qa_result_position)


def no_problem_state(segments: int, checks: Sequence[Check], without_list: Collection[str] = ()) -> EmptyState:
    """Return the placeholder for a run without results, which states the checks that ran and those that did not.

    `segments` is the number of checked segments. `without_list` contains the names of the checks that did not run
    because no word list is selected for them.
    """
    names = {check.name for check in checks}
    if not names:
        return EmptyState(
            tr("All QA checks are turned off"), tr("Turn on the checks you need in Preferences ▸ QA checks."), icon=""
        )
    ran = [check.title for check in checks if check.name not in without_list]
    off = [check.title for check in CHECKS if check.name not in names]
    texts = []
    if ran:
        names_ran = join_localized(", ", ran)
        texts.append(tr("Checks run on {n:,} {n:segment|segments}: {checks}.", "", segments, checks=names_ran))
    if off:
        texts.append(tr("Turned off: {checks}.", checks=join_localized(", ", off)))
    if not names.isdisjoint(without_list):
        texts.append(tr("To check terms or forbidden words, select your lists in Preferences ▸ QA checks."))
    title = tr("No check found a problem") if ran else tr("Nothing was checked")
    return EmptyState(title, join_localized(" ", texts), icon="")


def failed_state(error: QeError) -> EmptyState:
    """Return the placeholder for a failed run, which states where `error` occurred, the problem and the remedy."""
    return EmptyState(tr("The QA checks could not run"), error.line(), icon="error")


def summary_text(results: QaResultList, *, outdated: bool) -> str:
    """Return the title of the list: the number of results, or a note that the results are outdated.

    Empty if an outdated list has no results.
    """
    if outdated and not results.items:
        # the panel explains that there are no up-to-date results
        return ""
    if outdated:
        key = shortcut_text("inspect.next-found")
        return tr("Outdated: press {key} to check again", key=key) if key else tr("Outdated")
    if results.total > len(results.items):
        return tr("The first {n:,} of {total:,} QA check results", "", len(results.items), total=results.total)
    if not results.items:
        return tr("No QA check results")
    segments = results.count_segments()
    return tr(
        "{n:,} QA check {n:result|results} in {segments:,} {segments:segment|segments}", "", len(results.items),
        segments=segments,
    )  # fmt: skip
