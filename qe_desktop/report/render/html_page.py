"""Tables and charts as one self-contained HTML page; text from files is escaped."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.escaping import escape_html
from qe_desktop.report.render.tables import Table

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
table { border-top: 2px solid; border-bottom: 2px solid; }
th, td { padding: .2em .8em; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead tr, tr.line { border-top: 1px solid; } thead tr { border-bottom: 1px solid; border-top: 0; }
caption { text-align: left; font-weight: 600; padding: 1.2em 0 .4em; }
figure { margin: 2em 0; } figcaption, .note { max-width: 60em; }
div { overflow-x: auto; }
@media (prefers-color-scheme: dark) { body { background: #1b1d20; color: #e6e6e6; } }
"""
_ALLOWED = "default-src 'none'; style-src 'unsafe-inline'"
_NOTHING_ELSE = f'<meta http-equiv="Content-Security-Policy" content="{_ALLOWED}">'
"""Content security policy: no scripts, no external resources."""


def html_page(title: str, tables: Sequence[Table], pictures: Sequence[str] = ()) -> str:
    """Return an HTML page of tables with notes, and of SVG charts generated here."""
    body = [f"<h1>{escape_html(title)}</h1>", *(_table(table) for table in tables)]
    body += [f"<figure>{picture}</figure>" for picture in pictures]
    head = f'<meta charset="utf-8">{_NOTHING_ELSE}<title>{escape_html(title)}</title><style>{_STYLE}</style>'
    return f"<!doctype html>\n<html><head>{head}</head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col" dir="auto">{escape_html(name)}</th>' for name in table.header)
    rows = "\n".join(
        _row(row, table.bold(place), lined=place in table.rules) for place, row in enumerate(table.cells())
    )
    caption = f'<caption dir="auto">{escape_html(table.caption)}</caption>' if table.caption else ""
    notes = "".join(f'<p class="note" dir="auto">{escape_html(note)}</p>' for note in table.notes)
    return f"<div><table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>{notes}"


def _row(cells: Sequence[str], bold: Sequence[bool], *, lined: bool) -> str:
    name, *others = (_bold(cell) if best else escape_html(cell) for cell, best in zip(cells, bold, strict=True))
    line = ' class="line"' if lined else ""
    return f'<tr{line}><td dir="auto">{name}</td>' + "".join(f"<td>{cell}</td>" for cell in others) + "</tr>"


def _bold(cell: str) -> str:
    head, space, rest = cell.partition(" ")
    return f"<b>{escape_html(head)}</b>{space}{escape_html(rest)}"
