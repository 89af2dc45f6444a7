"""What stands around the table of findings: what they are of, what its lines and signs mean, and what is lacking."""

from __future__ import annotations

from qe_desktop.outgoing import label
from qe_desktop.report.comparisons import reach_note
from qe_desktop.report.findings import legend, notes
from qe_desktop.report.findings_files import usual_by
from qe_desktop.ui.scores.findings.rows import AVERAGE
from qe_desktop.ui.scores.findings.values import Found
from qe_desktop.wording import side_by_side, tr


def described(found: Found, metric: str, *, of_folder: bool, stale: bool) -> str:
    """What the findings are of, in one line."""
    pairs = found.findings.pairs
    if len(pairs) == 1:
        size = pairs[0].scoring.level.reported(pairs[0].scoring)
        parts = [tr("{pair}: {size}", pair=pairs[0].name, size=size)]
    else:
        parts = [tr("{metric} in {n} {n:language pair|language pairs}", "", len(pairs), metric=metric)]
    if of_folder:
        parts.append(tr("of the files in {folder}", folder=label(found.title)))
    if stale:
        parts.append(tr("before the last edits"))
    return side_by_side(" · ", parts)


def warning_of(found: Found) -> str:
    """What keeps tests from finding anything, of the first pair where something does; empty where nothing does."""
    missed = (
        side_by_side(": ", (pair.name, note))
        for pair in found.findings.pairs
        for one in pair.comparisons
        if (note := reach_note(one))
    )
    return next(missed, "")


def remarks_of(found: Found, metric: str, order: str) -> list[str]:
    """What numbers, ranks, lines and bold type mean, and what a reader must know."""
    findings = found.findings.led_by(metric)
    tested = any(pair.tested(metric) is not None for pair in findings.pairs)
    said = [side_by_side(" ", legend(findings, usual_by(findings)))]
    if tested and order != AVERAGE:
        said.append(tr("Lines stand between clusters of {pair}.", pair=order))
    if any(pair.comparisons for pair in findings.pairs):
        said.append(tr("Bold: no system is significantly better."))
    return [side_by_side(" ", said), *found.remarks, *notes(findings)]
