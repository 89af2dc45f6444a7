"""LaTeX of a table, fitted to the page.

A table that is too wide is set in smaller type. If it is still too wide, numbers replace the column names of a system
matrix, and the table is split into as many tabulars as necessary. Widths are computed for Computer Modern, which is
wider than Times. Title and notes are typeset with the table.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from qe_desktop.escaping import elide, escape_invisible, escape_latex
from qe_desktop.i18n.messages import tr
from qe_desktop.report.render.tables import Cell, Table, column_blocks, number_columns

TEXT_WIDTH = 345.0
"""Text width in points of LaTeX's article class, on both A4 and letter paper."""
MAX_PAGE_ROWS = 42
"""Maximum number of table rows per page. The rest of the page is for title and notes."""
HEAD_ROWS = 3
"""Number of rows that the header of a tabular takes up, including the rules."""
MAX_FLOATS = 8
"""Number of floats after which a page break is inserted; LaTeX can hold at most 18 floats that are not yet placed."""
COLUMN_GAP_PT = 8.0
"""Gap between two columns in points."""
MAX_CELL_CHARS = 40
"""Maximum number of characters in a cell; longer texts are elided in the middle."""
MAX_WORD_CHARS, BREAK_CHARS = 24, 12
"""Maximum length, in characters, of words left to TeX's hyphenation; distance between break points in longer words."""
MAX_PART_WIDTH = TEXT_WIDTH / 2
"""Width in points, at a type size of 10 points, up to which a part of a signature is not broken."""
BOLD_WIDTH_SHARE = 0.16
"""Additional width of bold type, as a share of the width of regular type."""
_SIZES = (("", 1.0), (r"\small", 0.925), (r"\footnotesize", 0.85))
"""Commands for type sizes, each with the width of a digit relative to its width at 10 points."""

_WIDTHS = {
    2.8: "!',.:;[]`il|", 3.9: "()tfjrs-I", 5.0: 'ceza? "$*/0123456789\\go{}·○●–', 5.6: "JkqvxySbdhnpu",
    7.1: "Z^~LFEPBCTwR", 7.9: "AHNUVXYDG&+<=>@KOQ_≤≥−±×◐", 10.3: "#%mMW…—",
}  # fmt: skip
"""Characters, keyed by their width in 10-point type (font ecrm1000); widths are in points, rounded up."""
_CHAR_WIDTHS = {character: width for width, characters in _WIDTHS.items() for character in characters}
_DEFAULT_WIDTH, _EAST_ASIAN_WIDTH = 8.0, 11.0

_MATH_SYMBOLS = {
    "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "−": r"$-$", "±": r"$\pm$", "×": r"$\times$", "◐": r"$\odot$",
    "↔": r"$\leftrightarrow$", "α": r"$\alpha$", "…": r"\ldots{}", "|": r"\textbar{}",
}  # fmt: skip


def table_latex(table: Table) -> str:
    """Return a table as `table` environments with escaped text, preceded by a comment on the required preamble."""
    size, blocks = _fit_table(_with_short_cells(table))
    floats = list(_floats(blocks))
    parts = [
        _float(table, size, float_parts, first=index == 0, last=index == len(floats) - 1)
        for index, float_parts in enumerate(floats)
    ]
    for index in range(MAX_FLOATS, len(parts), MAX_FLOATS):
        parts[index] = "\\clearpage\n" + parts[index]
    return _comments(table) + "\n".join(parts)


def table_width_pt(table: Table, size: str = "") -> float:
    """Return the width of a tabular in points; `size` is one of the type sizes in `_SIZES`."""
    return _width(_widths(table), dict(_SIZES)[size])


def _widths(table: Table) -> list[float]:
    """Return the column widths in points, at a type size of 10 points."""
    widths, cells = table.widths(_points), table.cells()
    for row, column in table.best:
        cell = cells[row][column]
        widths[column] = max(widths[column], _points(cell) + BOLD_WIDTH_SHARE * _points(cell.partition(" ")[0]))
    return widths


def _width(columns: Sequence[float], scale: float) -> float:
    return sum(columns) * scale + COLUMN_GAP_PT * (len(columns) - 1)


def _points(text: str) -> float:
    return sum(_CHAR_WIDTHS.get(char) or _unusual_char_width(char) for char in text)


def _unusual_char_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if not character.isprintable():
        # rendered as a numeric code
        return 6 * _DEFAULT_WIDTH
    return _EAST_ASIAN_WIDTH if unicodedata.east_asian_width(character) in "WF" else _DEFAULT_WIDTH


# --- layout


def _with_short_cells(table: Table) -> Table:
    def shorten(cell: Cell) -> Cell:
        return elide(cell, MAX_CELL_CHARS) if isinstance(cell, str) else cell

    rows = tuple(tuple(shorten(cell) for cell in row) for row in table.rows)
    return replace(table, header=tuple(elide(name, MAX_CELL_CHARS) for name in table.header), rows=rows)


def _fit_table(table: Table) -> tuple[str, list[Table]]:
    """Return a type size, and the table split into blocks of columns that fit the page width at this size."""
    natural = _widths(table)
    for size, scale in _SIZES:
        if _width(natural, scale) <= TEXT_WIDTH:
            return size, [table]
    smallest, scale = _SIZES[-1]
    in_numbers = number_columns(table)
    table = in_numbers or table
    columns = [points * scale + COLUMN_GAP_PT for points in _widths(table)]
    # names are in the first block; in a numbered matrix, the other blocks need only numbers
    keys = table.key_columns
    repeated = _points("000") * scale + COLUMN_GAP_PT if in_numbers else sum(columns[:keys])
    blocks = column_blocks(columns, TEXT_WIDTH + COLUMN_GAP_PT, repeated, table.attached, keys)
    parts = [table.select_columns(block) for block in blocks]
    return smallest, [parts[0], *(_drop_row_names(part) if in_numbers else part for part in parts[1:])]


def _drop_row_names(table: Table) -> Table:
    """Replace the row names with row numbers in one block of columns of a numbered matrix."""
    rows = tuple((str(number), *row[1:]) for number, row in enumerate(table.rows, 1))
    return replace(table, header=("", *table.header[1:]), rows=rows)


def _floats(blocks: Sequence[Table]) -> Iterator[list[Table]]:
    """Yield the tables of each page: blocks of columns, each split by rows if it is taller than a page."""
    parts: list[Table] = []
    free_rows = MAX_PAGE_ROWS
    for block in blocks:
        for first in range(0, max(1, len(block.rows)), MAX_PAGE_ROWS):
            part = block.slice_rows(first, first + MAX_PAGE_ROWS)
            if parts and len(part.rows) + HEAD_ROWS > free_rows:
                yield parts
                parts, free_rows = [], MAX_PAGE_ROWS
            parts.append(part)
            free_rows -= len(part.rows) + HEAD_ROWS
    yield parts


# --- output


def _comments(table: Table) -> str:
    texts = [
        _continued_title(table.caption),
        *table.header,
        *_paper_notes(table),
        *(cell for row in table.cells() for cell in row),
    ]
    all_text = "".join(texts)
    special_characters = {
        char for char in all_text if char not in _MATH_SYMBOLS and escape_latex(char) == char and not char.isascii()
    }
    rules, fonts = r"\usepackage{booktabs}", r"\usepackage[T1]{fontenc}"
    has_non_latin = any(ord(letter) > _LATIN for letter in special_characters)
    # XeLaTeX and LuaLaTeX have their own font encoding
    if special_characters and not has_non_latin:
        comments = [
            tr(
                "Needs {fonts} and {rules} in the preamble. The table is at most {points:g}pt wide, the text width "
                    "of the article class.",
                fonts=fonts, rules=rules, points=TEXT_WIDTH,
            )
        ]  # fmt: skip
    else:
        comments = [
            tr(
                "Needs {rules} in the preamble. The table is at most {points:g}pt wide, the text width of the "
                    "article class.",
                rules=rules, points=TEXT_WIDTH,
            )
        ]  # fmt: skip
    if has_non_latin:
        comments.append(tr("Contains non-Latin characters: use XeLaTeX or LuaLaTeX with a font that has them."))
    title = [escape_invisible(table.title)] if table.title else []
    remarks = [escape_invisible(note) for note in table.notes if note in table.comments]
    return "".join(f"% {line}\n" for line in (*title, *comments, *remarks))


def _paper_notes(table: Table) -> list[str]:
    return [note for note in table.notes if note not in table.comments]


_LATIN = 0x17F
"""Last code point that the T1 encoding is expected to cover."""


def _float(table: Table, size: str, parts: Sequence[Table], *, first: bool, last: bool) -> str:
    lines = [r"\begin{table}[htbp]", r"\centering" + size, rf"\setlength{{\tabcolsep}}{{{COLUMN_GAP_PT / 2:g}pt}}"]
    if table.caption:
        caption = _running_text(table.caption if first else _continued_title(table.caption))
        lines.append(rf"\caption{{{caption}}}")
    lines.append("\n\\par\\medskip\n".join(_tabular(part) for part in parts))
    if last and (paper_notes := _paper_notes(table)):
        notes = " \\par\n".join(_running_text(note) for note in paper_notes)
        lines.append(f"\\par\\smallskip\n\\begin{{minipage}}{{\\linewidth}}\\footnotesize\\raggedright\n{notes}")
        lines.append(r"\end{minipage}")
    return "\n".join([*lines, r"\end{table}", ""])


def _continued_title(title: str) -> str:
    return tr("{title} (continued)", title=title)


def _tabular(table: Table) -> str:
    columns = "@{}l" + "r" * (len(table.header) - 1) + "@{}"
    head = " & ".join(_escape(name) for name in table.header)
    lines = [_line(row, table.bold(index)) for index, row in enumerate(table.cells())]
    body = "\n".join(f"\\midrule\n{line}" if index in table.rules else line for index, line in enumerate(lines))
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}"


def _line(cells: Sequence[str], bold: Sequence[bool]) -> str:
    formatted = [_bold(cell) if best else _escape(cell) for cell, best in zip(cells, bold, strict=True)]
    return " & ".join(formatted) + r" \\"


def _bold(text: str) -> str:
    head, space, tail = text.partition(" ")
    return rf"\textbf{{{_escape(head)}}}{space}{_escape(tail)}"


def _escape(text: str) -> str:
    return "".join(_MATH_SYMBOLS.get(char) or escape_latex(char) for char in text)


def _running_text(text: str) -> str:
    """Return escaped running text; signatures can break between their parts, other long words after a few letters."""
    return " ".join(_word(word) for word in text.split())


def _word(word: str) -> str:
    parts = re.findall(r"[^|]*[|]|[^|]+", word)
    if len(word) <= MAX_WORD_CHARS:
        pieces = [word]
    elif len(parts) == 1:
        pieces = _pieces(word)
    else:
        pieces = [piece for part in parts for piece in ([part] if _points(part) <= MAX_PART_WIDTH else _pieces(part))]
    return r"\allowbreak{}".join(_escape(piece) for piece in pieces)


def _pieces(word: str) -> list[str]:
    return [word[start : start + BREAK_CHARS] for start in range(0, len(word), BREAK_CHARS)]
