"""Review as one self-contained HTML page: source, MT with flagged words, target, changes, statuses and notes.

The page has no scripts and loads no other files. It is written segment by segment, to save memory in large jobs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from qe_desktop.corpus import View
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.escaping import encode_utf8, escape_html
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.render.html_page import CONTENT_POLICY
from qe_desktop.report.render.tables import format_cell
from qe_desktop.report.review.job_statistics import JobStatistics, job_statistics
from qe_desktop.report.review.review_markup import TextAttributes, changes_markup, escape_text, line_markup
from qe_desktop.report.review.review_segments import ReviewSegment, review_segments

STATISTICS_SHARE = 0.4
"""Fraction of the total progress that is reached when the statistics have been computed."""
DECIMALS = 3
_STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --line: #d5d9e0; --text: #1b1f27; --muted: #5a6372;
  --bad: #b84700; --bad-fill: #fce3d2; --added: #0b63b0; --added-fill: #dcebf8; --removed: #8a2a23;
  --removed-fill: #fbe5e3; --moved: #6b3fa0; --moved-fill: #ebe3f6; }
@media (prefers-color-scheme: dark) { :root { --page: #14171c; --card: #1d2129; --line: #363d49; --text: #e8ebf0;
  --muted: #a3adbc; --bad: #ff9a5c; --bad-fill: #4a2a16; --added: #6cb6ff; --added-fill: #1b3551; --removed: #ff8a80;
  --removed-fill: #4a1f1c; --moved: #c9a8f5; --moved-fill: #33264a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
.summary { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .25rem 1.5rem; margin: 0; }
.summary div { border-top: 1px solid var(--line); padding: .3rem 0; }
dt, .label { color: var(--muted); font-size: .8125rem; }
.summary dd { margin: 0; font-variant-numeric: tabular-nums; }
.legend, .note, .count { margin: 1rem 0; } .legend > * { margin-inline-end: 1rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0;
  padding: .5rem .9rem .7rem; content-visibility: auto; contain-intrinsic-size: auto 11rem; }
section > header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; font-size: .8125rem;
  color: var(--muted); }
section > header b { color: var(--text); font-size: .9375rem; } .status { margin-inline-start: auto; font-weight: 600; }
.texts { display: grid; grid-template-columns: 1fr 1fr; gap: .4rem 1.5rem; }
.texts p, .notes p { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; } .notes { margin-top: .4rem; }
mark { background: var(--bad-fill); color: inherit; border-bottom: 2px solid var(--bad); }
mark.weak { background: none; border-bottom: 2px dotted var(--bad); }
ins { background: var(--added-fill); text-decoration: underline 2px var(--added); }
del { background: var(--removed-fill); text-decoration: line-through 2px var(--removed); }
ins.moved { background: var(--moved-fill); text-decoration: underline 2px double var(--moved); }
del.moved { background: var(--moved-fill); text-decoration: line-through 2px var(--moved); }
sup { line-height: 0; display: inline-block; }
del + ins { margin-inline-start: .2em; }
.code { color: var(--muted); font-size: .75em; unicode-bidi: isolate; }
body:has(#only-edited:checked) section:not(.edited) { display: none; }
@media (max-width: 44rem) { .texts { grid-template-columns: 1fr; } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; background: none; font-size: 10pt; }
  section { break-inside: avoid; content-visibility: visible; } .filter { display: none; }
  mark, ins, del { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def write_review_page(view: View, file: BinaryIO, on_progress: OnProgress | None = None) -> int:
    """Write the review page of a view as UTF-8, and return the number of segments.

    `on_progress` is a progress callback, which may raise an exception to stop.
    """
    (total, *_) = job_statistics(
        view, None if on_progress is None else lambda share: on_progress(STATISTICS_SHARE * share)
    )
    attributes = TextAttributes(view.corpus)
    file.write(encode_utf8(_head(view, total)))

    def advance(share: float) -> None:
        if on_progress is not None:
            on_progress(STATISTICS_SHARE + (1 - STATISTICS_SHARE) * share)

    document = ""
    for segment in review_segments(view, advance):
        if segment.document != document:
            document = segment.document
            file.write(encode_utf8(f'<h2 dir="auto">{escape_html(document)}</h2>\n'))
        file.write(encode_utf8(segment_markup(segment, attributes)))
    file.write(b"</main>\n</body></html>\n")
    return view.corpus.size


def _head(view: View, total: JobStatistics) -> str:
    title = escape_html(tr("Review of {name}", name=view.corpus.name))
    rows = "".join(
        f"<div><dt>{escape_html(name)}</dt><dd><bdi>{escape_html(value)}</bdi></dd></div>"
        for name, value in summary_items(view, total)
    )
    marks = [
        tr("flagged"),
        tr("flagged by some of the QE systems"),
        tr("removed"),
        tr("added"),
        tr("moved from here"),
        tr("moved to here"),
    ]
    flagged, weak, removed, added, moved, moved_to = map(escape_html, marks)
    legend = (
        f'<mark class="strong">{flagged}</mark> <mark class="weak">{weak}</mark> <del>{removed}</del> '
        f'<ins>{added}</ins> <span><del class="moved">{moved}<sup>1</sup></del> '
        f'<ins class="moved">{moved_to}<sup>1</sup></ins></span>'
    )
    note = escape_html(
        tr(
            "HTER of the reviewed segments: edits, including shifts, per word of the post-edit, ignoring case. Mean: "
            "average of the segments' values, each capped at 1. Pooled: all edits divided by all post-edit words."
        )
    )
    switch = escape_html(tr("Only changed segments"))
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8">'
        f"{CONTENT_POLICY}"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body>\n"
        f'<h1 dir="auto">{title}</h1>\n<dl class="summary">{rows}</dl>\n<p class="legend">{legend}</p>\n'
        f'<p class="note label">{note}</p>\n'
        f'<p class="filter"><label><input type="checkbox" id="only-edited"> {switch}</label></p>\n<main>\n'
    )


def summary_items(view: View, total: JobStatistics) -> list[tuple[str, str]]:
    """Return the name and value of each item in the summary of a job; items without a value are left out."""
    people = dict.fromkeys(filter(None, view.review.people.values()))
    source, targets = view.corpus.source_and_target()[0], view.corpus.target_languages()
    items = [
        (tr("Languages"), " → ".join(filter(None, (source, join_localized(", ", targets))))),
        (tr("Segments"), f"{total.segments:,}"),
        (tr("Source words"), f"{total.source_words:,}"),
        (tr("Repetitions"), _with_words(total.repetitions, total.repeated_words)),
        *((status.display_name, f"{count:,}") for status, count in total.statuses.items() if count),
        (tr("Differ from the MT"), f"{total.edited:,}"),
        (tr("Flagged"), f"{total.flagged:,}"),
        (tr("With notes"), f"{total.notes:,}" if total.notes else ""),
    ]
    if total.reviewed:
        items += [
            (tr("Reviewed"), f"{total.reviewed:,}"),
            (tr("HTER, mean"), format_cell(total.hter, DECIMALS)),
            (tr("HTER, pooled"), format_cell(total.pooled_hter, DECIMALS)),
        ]
    items.append((tr("Post-editors"), join_localized(", ", list(people))))
    return [(name[:1].upper() + name[1:], value) for name, value in items if value]


def _with_words(segments: int, words: int) -> str:
    return tr("{n:,} ({words:,} {words:word|words})", "", segments, words=words)


def segment_markup(segment: ReviewSegment, attributes: TextAttributes) -> str:
    """Return a segment as HTML."""
    of_target = attributes.target_of(segment.number - 1)
    texts = [
        (tr("Source"), attributes.source_of(segment.number - 1), line_markup(segment.source)),
        (tr("MT"), of_target, line_markup(segment.mt, segment.flagged)),
    ]
    if segment.changes is not None:
        texts += [
            (tr("Target"), of_target, line_markup(segment.target)),
            (tr("Changes"), of_target, changes_markup(segment.changes, segment.target)),
        ]
    cells = "".join(
        f'<div><span class="label">{escape_html(name)}</span><p {attribute}>{content}</p></div>'
        for name, attribute, content in texts
    )
    name = f'<span dir="auto">{escape_html(segment.name)}</span>' if segment.name else ""
    person = f'<span dir="auto">{escape_html(segment.person)}</span>' if segment.person else ""
    status = f'<span class="status {segment.status.name.lower()}">{escape_html(segment.status.display_name)}</span>'
    edited = "" if segment.changes is None else ' class="edited"'
    return (
        f'<section id="s{segment.number}"{edited}><header><b>{segment.number:,}</b>{name}{status}{person}</header>'
        f'<div class="texts">{cells}</div>{_notes(segment.file_notes, segment.note)}</section>\n'
    )


def _notes(file_notes: Sequence[str], note: str) -> str:
    notes = [(tr("Note in the file"), text) for text in file_notes] + ([(tr("Note"), note)] if note else [])
    return "".join(
        f'<div class="notes"><span class="label">{escape_html(name)}</span><p dir="auto">{escape_text(text)}</p></div>'
        for name, text in notes
    )
