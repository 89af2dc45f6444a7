"""Reports on a review as files: an HTML page and job statistics. To add one, add a line to `REVIEW_EXPORTS`.

The HTML page has no scripts and loads no other files. It is written segment by segment, to save memory in large jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from qe_desktop.corpus import Corpus, View
from qe_desktop.corpus.languages import (
    MAX_DIRECTION_LINES,
    Direction,
    language_direction,
    majority_direction,
    parse_language,
)
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.escaping import encode_utf8, escape_html
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, split_line, strip_codes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.qa_checks.live_checks import check_layers
from qe_desktop.project.review.target_changes import ChangeKind, ChangeRun
from qe_desktop.report.render.output_formats import CONTENT_POLICY
from qe_desktop.report.render.tables import format_cell
from qe_desktop.report.reviewed_job import (
    FlaggedSpan,
    JobStatistics,
    ReviewSegment,
    job_statistics,
    review_segments,
    write_statistics,
)

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
    """Write the review page, which has no scripts and loads no files, as UTF-8; return the number of segments.

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


MAX_LANGUAGE_CHARS = 35
"""Maximum length, in characters, of a language tag in the HTML (RFC 5646, section 4.4.1)."""


class TextAttributes:
    """HTML attributes for the language and direction of sources and targets.

    If the direction of a language is not known, it is determined from a sample of the texts in that language.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._sample = range(0, corpus.size, max(1, corpus.size // MAX_DIRECTION_LINES))
        self._sources: dict[str, str] = {}
        self._targets: dict[str, str] = {}

    def source_of(self, segment: int) -> str:
        """Return the HTML attributes of the source of a segment."""
        corpus = self._corpus
        return self._attributes(self._sources, segment, corpus.source_language_of, corpus.source_line)

    def target_of(self, segment: int) -> str:
        """Return the HTML attributes of the target of a segment."""
        corpus = self._corpus
        return self._attributes(self._targets, segment, corpus.target_language_of, corpus.mt_line)

    def _attributes(
        self, cache: dict[str, str], segment: int, language_of: Callable[[int], str], line_of: Callable[[int], str]
    ) -> str:
        language = language_of(segment)
        if language not in cache:
            sample = (number for number in self._sample if language_of(number) == language)
            cache[language] = language_attributes(language, (strip_codes(line_of(number)) for number in sample))
        return cache[language]


def language_attributes(language: str, sample: Iterable[str]) -> str:
    """Return the HTML attributes of texts in a language: `dir` and, if `language` is a language tag, `lang`.

    If the direction of the language is not known, `dir` is the direction of most letters in `sample`.
    """
    direction = language_direction(language)
    if direction is Direction.NONE:
        direction = majority_direction(sample)
    named = bool(parse_language(language).language) and len(language) <= MAX_LANGUAGE_CHARS
    return f'lang="{escape_html(language.replace("_", "-"))}" dir="{direction}"' if named else f'dir="{direction}"'


_BREAK = '<span class="code">↵</span><br>'
Insertion = tuple[int, str]
"""Offset in a text, and HTML to insert there."""


def escape_text(text: str) -> str:
    """Return a text from a file as escaped HTML, with a visible sign for each line break."""
    return _BREAK.join(map(escape_html, text.replace("\r\n", "\n").replace("\n", LINE_BREAK).split(LINE_BREAK)))


def line_markup(line: str, flagged: Sequence[FlaggedSpan] = ()) -> str:
    """Return a line with codes as HTML in which flagged words are marked.

    `flagged` has the offsets of flagged words in the text of the line without codes.
    """
    text, codes = _text_and_codes(line)
    parts, offset = [], 0
    for start, stop, strong in flagged:
        if start < offset or stop > len(text):
            continue
        # codes between words are not flagged
        parts.append(_insert(text[offset:start], codes, offset, end=start + 1))
        title = escape_html(tr("Flagged") if strong else tr("Flagged by some of the QE systems"))
        kind = "strong" if strong else "weak"
        parts.append(f'<mark class="{kind}" title="{title}">{_insert(text[start:stop], codes, start)}</mark>')
        offset = stop
    parts.append(_insert(text[offset:], codes, offset, end=len(text) + 1))
    return "".join(parts)


def changes_markup(changes: Iterable[ChangeRun], target: str) -> str:
    """Return the changes from an MT to `target` as HTML; `target` is a line with codes.

    Removed words are in `del` elements, added words in `ins` elements. A moved block is in a `del` element at its old
    position and in an `ins` element at its new position; both have the number of the block.
    """
    text, codes = _text_and_codes(target)
    parts, offset = [], 0
    for run in changes:
        if run.kind is ChangeKind.REMOVED:
            parts.append(_change("del", escape_text(run.text), run.move))
            continue
        content = _insert(run.text, codes, offset)
        offset += len(run.text)
        parts.append(content if run.kind is ChangeKind.KEPT else _change("ins", content, run.move))
    parts.append(_insert(text[offset:], codes, offset, end=len(text) + 1))
    return "".join(parts)


def _change(element: str, content: str, move: int) -> str:
    if not move:
        return f"<{element}>{content}</{element}>"
    title = escape_html(tr("Moved block {number}", number=move))
    return f'<{element} class="moved" title="{title}">{content}<sup>{move}</sup></{element}>'


def _text_and_codes(line: str) -> tuple[str, list[Insertion]]:
    """Return the text of a line without codes, and the codes as insertions into this text, last code first."""
    pieces, codes, offset = [], [], 0
    for piece in split_line(line):
        if isinstance(piece, str):
            pieces.append(piece)
            offset += len(piece)
        else:
            codes.append((offset, f'<span class="code">{escape_html(piece.display_text)}</span>'))
    return "".join(pieces), codes[::-1]


def _insert(text: str, codes: list[Insertion], start: int, end: int | None = None) -> str:
    """Return `text`, which begins at offset `start` of a line, as HTML with the codes before offset `end` inserted.

    By default, `end` is the offset of the end of `text`. The inserted codes are removed from `codes`, in which the last
    code of the line comes first.
    """
    stop = start + len(text) if end is None else end

    def parts() -> Iterator[str]:
        at = 0
        while codes and codes[-1][0] < stop:
            offset, markup = codes.pop()
            yield escape_text(text[at : offset - start])
            yield markup
            at = offset - start
        yield escape_text(text[at:])

    return "".join(parts())


@dataclass(frozen=True, slots=True)
class ReviewExport:
    """Report on a review: `display_name` is the name shown to users, `suffix` the end of the report's file name.

    `write` writes the report and returns the number of segments.
    """

    name: str
    display_name: str
    suffix: str
    write: Callable[[View, BinaryIO, OnProgress | None], int]


REVIEW_EXPORTS: tuple[ReviewExport, ...] = (
    ReviewExport("review-page", tr("review with changes, HTML page"), ".html", write_review_page),
    ReviewExport("statistics", tr("job statistics, TSV"), ".statistics.tsv", write_statistics),
)


def review_export_for(path: Path) -> ReviewExport | None:
    """Return the report whose suffix is at the end of a file name, ignoring case; None if there is no such report."""
    return next((export for export in REVIEW_EXPORTS if path.name.lower().endswith(export.suffix)), None)


def write_review(view: View, export: ReviewExport, path: Path, on_progress: OnProgress | None = None) -> int:
    """Write a report to a file atomically, and return the number of segments.

    As in the view for translators, a word that a QA check of this program flags is always marked, regardless of the
    votes of QE systems. Raises QeError if the file cannot be written; exceptions raised by `on_progress` are passed on.
    """
    checks = check_layers(view.corpus)
    with atomic_write(path) as file:
        return export.write(view.with_corpus(view.corpus, checks) if checks else view, file, on_progress)
