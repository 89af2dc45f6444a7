"""The files that a command reads: one segment a line, in a folder of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Corpus, QeError, TextRole
from qe_desktop.formats.writing import write_text
from qe_desktop.highlights.commands.command import MT, MT_TOKENS, OUT, SOURCE, SOURCE_TOKENS, QeCommand
from qe_desktop.highlights.sides import Side
from qe_desktop.wording import tr

_BREAKS = re.compile("[\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]")
"""What some programs take for the end of a line: a blank stands in its place, so that each segment stays one line."""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What a command is given: the files by their places, the MT, its lines as given, and what is said of them.

    `as_tokens` says that the lines are tokens with blanks between them, even where a text as written is there.
    """

    files: dict[str, str]
    out: Path
    mt: Side
    lines: list[str]
    as_tokens: bool
    notes: tuple[str, ...]


def give(command: QeCommand, corpus: Corpus, folder: Path) -> Given:
    """Write what a command reads into a folder. QeError where the corpus has no source or MT that it asks for."""
    mt, source = Side.of(corpus, TextRole.MT), Side.of(corpus, TextRole.SOURCE)
    if mt is None or mt.tokens is None:
        message = tr("a QE system needs an MT whose words it can tag")
        raise QeError(message, hint=tr("Open the MT."))
    texts = {
        MT: mt.lines,
        MT_TOKENS: list(mt.tokens.lines()),
        SOURCE: None if source is None else source.lines,
        SOURCE_TOKENS: None if source is None or source.tokens is None else list(source.tokens.lines()),
    }
    files = {OUT: str(folder / "out")}
    asked = [place for place in texts if "{" + place + "}" in command.line]
    for place in asked:
        lines = texts[place]
        if lines is None:
            message = tr("{name} asks for the source, and there is none", name=command.name)
            raise QeError(message, hint=tr("Open the source, or leave {source} out of the command."))
        path = folder / f"{place}.txt"
        write_text(path, "".join(f"{_one_line(line)}\n" for line in lines))
        files[place] = str(path)
    as_tokens = command.takes_tokens
    lines = list(map(_one_line, mt.tokens.lines() if as_tokens else mt.lines))
    return Given(files, folder / "out", mt, lines, as_tokens, (_said(mt, as_tokens=as_tokens),))


def _one_line(line: str) -> str:
    return _BREAKS.sub(" ", line)


def _said(mt: Side, *, as_tokens: bool) -> str:
    """Which text was given."""
    written = sum(mt.written)
    if as_tokens or not written:
        return tr("the MT was given as its tokens")
    if written == len(mt.written):
        return tr("the MT was given as written")
    return tr(
        "the MT was given as written, but for {n:,} {n:segment|segments} whose tokens are of another text",
        "", len(mt.written) - written,
    )  # fmt: skip
