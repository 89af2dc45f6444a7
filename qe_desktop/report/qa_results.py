"""Results of QA checks as TSV for scripts and spreadsheets, and as an HTML page to read and print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from qe_desktop.corpus import Corpus
from qe_desktop.corpus.text import Span
from qe_desktop.escaping import escape_html
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check_results import QaResult
from qe_desktop.report.render.output_formats import CONTENT_POLICY
from qe_desktop.report.render.tables import Table
from qe_desktop.report.review_reports import TextAttributes

TSV_HEADER = ("segment", "id", "check", "message", "source", "target")
MAX_TEXT_CHARS = 2_000
"""Maximum number of characters of a source or target on the HTML page."""
_AUTO = 'dir="auto"'
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 90em; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .3em .6em; text-align: start; vertical-align: top; border-bottom: 1px solid #8886; }
td.text { overflow-wrap: anywhere; width: 33%; white-space: pre-wrap; }
mark { background: #ffb000; color: #000; text-decoration: underline; }
@media (prefers-color-scheme: dark) { body { background: #1b1d20; color: #e6e6e6; } }
"""


def qa_results_tsv(results: Sequence[QaResult]) -> str:
    """Return the results as tab-separated values, one line per result.

    Segment numbers are 1-based, and texts are escaped for spreadsheets.
    """
    rows = tuple(
        (row.segment + 1, row.id, row.check, row.message, _lines(row.source), _lines(row.target)) for row in results
    )
    return Table("", TSV_HEADER, rows).tsv()


def _lines(text: str) -> str:
    return text.replace(LINE_BREAK, "\n")


def qa_results_html(results: Sequence[QaResult], title: str, note: str = "", corpus: Corpus | None = None) -> str:
    """Return results as a self-contained HTML page without scripts; all texts are escaped.

    `note` is a remark on the results, such as how many were left out. `corpus` provides the languages of the texts;
    without `corpus`, the browser determines the writing direction of each text.
    """
    attributes = None if corpus is None else TextAttributes(corpus)
    counts = Counter(result.title for result in results)
    summary = "".join(f"<li>{escape_html(name)}: {count:,}</li>" for name, count in counts.most_common())
    head = [tr("Segment"), tr("Check"), tr("Problem"), tr("Source"), tr("Target")]
    header = "".join(f'<th scope="col">{escape_html(name)}</th>' for name in head)
    rows = "\n".join([_row(result, attributes) for result in results])
    no_problem = tr("No check found a problem.")
    none = "" if results else f"<p>{escape_html(no_problem)}</p>"
    remark = f"<p>{escape_html(note)}</p>" if note else ""
    table = f"<table><thead><tr>{header}</tr></thead><tbody>\n{rows}\n</tbody></table>" if results else ""
    meta = f'<meta charset="utf-8">{CONTENT_POLICY}<title>{escape_html(title)}</title><style>{_STYLE}</style>'
    body = f'<h1 dir="auto">{escape_html(title)}</h1>{none}{remark}<ul>{summary}</ul>\n{table}'
    return f"<!doctype html>\n<html><head>{meta}</head>\n<body>\n{body}\n</body></html>\n"


def _row(result: QaResult, attributes: TextAttributes | None) -> str:
    cells = "".join(f'<td dir="auto">{escape_html(text)}</td>' for text in (result.id, result.title, result.message))
    spans = () if result.span[0] == result.span[1] else (result.span,)
    source, target = _text(result.source, result.source_spans), _text(result.target, spans)
    of_source = _AUTO if attributes is None else attributes.source_of(result.segment)
    of_target = _AUTO if attributes is None else attributes.target_of(result.segment)
    return f'<tr>{cells}<td class="text" {of_source}>{source}</td><td class="text" {of_target}>{target}</td></tr>'


def _text(text: str, spans: Sequence[Span]) -> str:
    """Return a text as HTML with its `spans` marked; a text longer than `MAX_TEXT_CHARS` is truncated."""
    pieces: list[str] = []
    position, end = 0, min(len(text), MAX_TEXT_CHARS)
    for start, stop in sorted(spans):
        start, stop = max(start, position), min(stop, end)
        if start < stop:
            pieces += [_escape(text[position:start]), f"<mark>{_escape(text[start:stop])}</mark>"]
            position = stop
    return "".join([*pieces, _escape(text[position:end]), "…" if end < len(text) else ""])


def _escape(text: str) -> str:
    return "<br>".join(escape_html(line) for line in text.split(LINE_BREAK))
