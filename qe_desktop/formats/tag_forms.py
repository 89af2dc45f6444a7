"""Writing tags in each form that tag lines have."""

from __future__ import annotations

from pathlib import Path

from qe_desktop.corpus import Place, QeError, TagColumn
from qe_desktop.formats.forms import interleave
from qe_desktop.formats.opening import shown_name
from qe_desktop.formats.tag_lines import write_tag_lines
from qe_desktop.wording import tr


def write_tags(path: Path, column: TagColumn, *, gaps: TagColumn | None = None) -> None:
    """Write tags one segment a line, all of it or nothing; with `gaps` by turns with the words, as 2n+1.

    Columns of words, words with <EOS>, gaps and source tokens are written as they are. QeError where `gaps` does not
    have one tag more than `column` in each segment, or the file cannot be written.
    """
    if gaps is None:
        write_tag_lines(path, column)
        return
    try:
        both = interleave(column, gaps)
    except ValueError:
        message = tr("the gaps are not one more than the words in each segment")
        raise QeError(message, hint=tr("Give words and gaps of the same MT."), place=Place(shown_name(path))) from None
    write_tag_lines(path, both)
