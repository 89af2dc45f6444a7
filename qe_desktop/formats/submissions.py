"""Writing word submissions of WMT22: three header lines, then LP, METHOD, MT, segment, word index, word, tag."""

from __future__ import annotations

from pathlib import Path

from qe_desktop.corpus import EOS, Place, QeError, TagColumn, TextColumn, TextRole
from qe_desktop.formats.forms import Counted, Form, form_of
from qe_desktop.formats.opening import shown_name
from qe_desktop.formats.writing import written
from qe_desktop.wording import tr

_NO_PAIR = tr("a submission needs a language pair without tabs and line ends")
_NO_METHOD = tr("a submission needs a method without tabs and line ends")


def write_submission(
    path: Path,
    column: TagColumn,
    mt: TextColumn,
    *,
    language_pair: str,
    method: str,
    header: tuple[str, str, str] = ("0", "0", "0"),
) -> None:
    """Write the word tags of all MT tokens, and of `<EOS>` where there is one tag more, as submitted to WMT22.

    `header` is the size on disk in bytes, the number of parameters and the number of systems that were combined.
    QeError where the tags do not fit the MT, or a name cannot stand in a table.
    """
    for value, message, command_hint in (
        (language_pair, _NO_PAIR, tr("Give it with --language-pair.")),
        (method, _NO_METHOD, tr("Give it with --method.")),
    ):
        if not value or any(mark in value for mark in "\t\n\r"):
            raise QeError(message, hint=tr("Give it first."), command_hint=command_hint)
    name = shown_name(path)
    what_is = Counted(name, lambda line: Place(name, line + 1))
    form_of(column.lengths(), mt.token_counts(), (Form.WORDS, Form.EOS), what_is, TextRole.MT)
    front = f"{language_pair}\t{method}\tMT\t"
    with written(path) as file:
        file.write("".join(f"{line}\n" for line in header).encode())
        for segment in range(len(column)):
            tags, words = column[segment], mt.tokens(segment)
            words += [EOS] * (len(tags) - len(words))
            rows = (
                f"{front}{segment}\t{index}\t{word}\t{'BAD' if tag else 'OK'}\n"
                for index, (word, tag) in enumerate(zip(words, tags, strict=True))
            )
            file.write("".join(rows).encode())
