"""Texts of a review as HTML, with language, inline codes, flagged words and changes; text from files is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from qe_desktop.corpus import Corpus
from qe_desktop.corpus.languages import (
    MAX_DIRECTION_LINES,
    Direction,
    language_direction,
    majority_direction,
    parse_language,
)
from qe_desktop.escaping import escape_html
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, split_line, strip_codes
from qe_desktop.i18n.messages import tr
from qe_desktop.project.review.target_changes import ChangeKind, ChangeRun
from qe_desktop.report.review.review_segments import FlaggedSpan

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
