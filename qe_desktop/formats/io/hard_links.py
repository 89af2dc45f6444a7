"""Other hard links to replaced files. Such links keep the old content, because only one name is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr

_hard_links: ContextVar[dict[Path, int] | None] = ContextVar("hard_links", default=None)


def count_hard_links(path: Path) -> int:
    """Return the number of hard links to a file in addition to `path`; 0 if it cannot be determined.

    These links keep the old content if `path` is replaced.
    """
    try:
        return path.stat().st_nlink - 1
    except OSError:
        return 0


def hard_links_text(links: int, file: str) -> str:
    """Return a note about the other hard links to a file that was replaced; `links` must be at least 1."""
    return tr(
        "{n:,} other hard {n:link|links} to {file} still {n:has|have} the old content.", "", links, file=file,
    )  # fmt: skip


@contextmanager
def collect_hard_links() -> Iterator[dict[Path, int]]:
    """Collect the files that are replaced in this context and have other hard links, with the number of those links."""
    links: dict[Path, int] = {}
    token = _hard_links.set(links)
    try:
        yield links
    finally:
        _hard_links.reset(token)


@contextmanager
def collect_hard_link_notes() -> Iterator[list[str]]:
    """Collect notes about replaced files that have other hard links, one note per file.

    The notes are added to the list when the context ends without an error.
    """
    notes: list[str] = []
    with collect_hard_links() as links:
        yield notes
    notes += [hard_links_text(number, escape_label(path.name)) for path, number in links.items()]


def record_hard_links(target: Path, links: int) -> None:
    """Record that a file with `links` other hard links was replaced, if the current context collects such files."""
    collected = _hard_links.get()
    if links > 0 and collected is not None:
        collected[target] = links
