"""Personal word lists for spelling: one text file per language, with one word per line."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.languages import parse_language
from qe_desktop.formats.atomic_write import make_folder, write_text
from qe_desktop.formats.files import display_name, open_regular
from qe_desktop.i18n.messages import tr

WORD_LIST_FOLDER = "spelling"
"""Name of the folder for word lists in the user's data folder."""
MAX_LIST_BYTES = 1 << 24


class PersonalWords:
    """List of the words that the user added for a language; all regions of the language share one list.

    Other programs may edit the file of the list; it is therefore read again before a word is added.
    """

    def __init__(self, data_folder: Path, language: str) -> None:
        """Read the list; if its file does not exist, the list is empty.

        Raises QeError if the file cannot be read or is too large.
        """
        self.path = data_folder / WORD_LIST_FOLDER / f"{parse_language(language).language or 'und'}.txt"
        self._words: dict[str, str] = {}
        self._read()

    def __contains__(self, word: str) -> bool:
        """Return whether the list has the word, in any letter case."""
        return _key(word) in self._words

    def __len__(self) -> int:
        return len(self._words)

    def add(self, word: str) -> None:
        """Add a word and write the sorted list.

        Raises QeError, and adds nothing, if the list cannot be read or written.
        """
        self._read()
        words = {**self._words, _key(word): unicodedata.normalize("NFC", word.strip())}
        make_folder(self.path.parent)
        write_text(self.path, "".join(f"{words[key]}\n" for key in sorted(words)))
        self._words = words

    def _read(self) -> None:
        if not self.path.exists():
            self._words = {}
            return
        with open_regular(self.path) as file:
            data = file.read(MAX_LIST_BYTES + 1)
        if len(data) > MAX_LIST_BYTES:
            message = tr("the word list has more than {n:,} bytes", "", MAX_LIST_BYTES)
            raise QeError(message, hint=tr("Shorten or remove it."), place=SourceLocation(display_name(self.path)))
        lines = data.decode("utf-8-sig", "replace").splitlines()
        self._words = {_key(line): line.strip() for line in lines if line.strip()}


def _key(word: str) -> str:
    return unicodedata.normalize("NFC", word.strip()).casefold()
