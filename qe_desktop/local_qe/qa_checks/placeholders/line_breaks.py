r"""Check for line breaks and escapes such as `\n` that only one of the texts has at its beginning or end."""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_ESCAPES = (r"\r\n", r"\n", r"\t")


def line_break_issues(source: str, mt: str) -> Iterator[QaIssue]:
    """Yield an issue for each line break that only one of the texts has at its beginning or end."""
    if mt.startswith(LINE_BREAK) is not source.startswith(LINE_BREAK):
        yield QaIssue((0, 0), tr("only one of source and target begins with a line break"))
    if mt.endswith(LINE_BREAK) is not source.endswith(LINE_BREAK):
        yield QaIssue((len(mt), len(mt)), tr("only one of source and target ends with a line break"))


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    # breaks of PO targets are checked by the rules of gettext
    if pair.file_format != "po" and pair.file_format:
        yield from line_break_issues(source, mt)
    if "\\" not in source and "\\" not in mt:
        return
    for escape in _ESCAPES:
        if mt.startswith(escape) is not source.startswith(escape):
            yield QaIssue((0, 0), tr("only one of source and target begins with {escape}", escape=escape))
            break
    for escape in _ESCAPES:
        if mt.endswith(escape) is not source.endswith(escape):
            yield QaIssue((len(mt), len(mt)), tr("only one of source and target ends with {escape}", escape=escape))
            break


CHECK = Check.of_each(
    "line-breaks",
    tr("Leading and trailing line breaks"),
    tr(r"A line break, or the escape \n or \t, at the beginning or end of only one of source and target."),
    _find,
)
