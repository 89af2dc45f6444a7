"""Dictionaries for spelling: Hunspell dictionaries found in the folders of programs, and the user's own words."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.languages import LanguageTag, parse_language
from qe_desktop.formats.atomic_write import make_folder, write_text
from qe_desktop.formats.files import display_name, open_regular
from qe_desktop.i18n.messages import tr

USER_FOLDER = "dictionaries"
"""Name of the folder for dictionaries in the user's data folder."""
MAX_DICTIONARY_BYTES = 1 << 28
"""Maximum size of a dictionary file, in bytes; the largest published dictionaries are about 20 MB."""
DEFAULT_REGIONS: Mapping[str, str] = {
    "af": "ZA", "ar": "EG", "be": "BY", "bn": "BD", "ca": "ES", "cs": "CZ", "da": "DK", "el": "GR", "en": "US",
    "et": "EE", "eu": "ES", "fa": "IR", "ga": "IE", "gl": "ES", "gu": "IN", "he": "IL", "hi": "IN", "kk": "KZ",
    "ko": "KR", "nb": "NO", "nn": "NO", "no": "NO", "pt": "BR", "sl": "SI", "sq": "AL", "sr": "RS", "sv": "SE",
    "sw": "TZ", "te": "IN", "uk": "UA", "ur": "PK", "vi": "VN",
}  # fmt: skip
"""Default region of each language whose code differs from the code of the region (CLDR, likely subtags)."""
_ALIASES: Mapping[str, str] = {"iw": "he", "ji": "yi", "in": "id", "no": "nb"}
"""Standard language code for each alternative code."""
_OTHER_FILE_PREFIX = re.compile(r"(?:hyph|th|idx)_(?=[a-z]{2,3}_)", re.IGNORECASE)
"""Pattern of the prefixes of hyphenation and thesaurus files, which may be in the folders of dictionaries."""
_PARTS = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class SpellingDictionary:
    """Dictionary: path of its .dic file (the .aff file is in the same folder), and language tag from the file name."""

    path: Path
    tag: LanguageTag

    @property
    def name(self) -> str:
        """Name of the dictionary's files, without suffix."""
        return self.path.stem


def dictionary_folders(
    data_folder: Path, platform: str = sys.platform, environ: Mapping[str, str] = os.environ, home: Path | None = None
) -> list[Path]:
    """Return the existing folders to search for dictionaries, in search order and without duplicates."""
    home_folder = home if home is not None else Path.home()
    if platform == "win32":
        patterns = _windows_folders(environ)
    elif platform == "darwin":
        patterns = _macos_folders(home_folder)
    else:
        patterns = _linux_folders(environ, home_folder)
    dicpath_folders = [Path(part) for part in environ.get("DICPATH", "").split(os.pathsep) if part]
    folders = [
        data_folder / USER_FOLDER,
        *dicpath_folders,
        *(path for pattern in patterns for path in _expand(Path(pattern))),
    ]
    return [path for path in dict.fromkeys(folders) if _is_folder(path)]


def _windows_folders(environ: Mapping[str, str]) -> Iterator[str]:
    for variable in ("APPDATA", "LOCALAPPDATA"):
        if environ.get(variable):
            yield f"{environ[variable]}/hunspell"
            yield f"{environ[variable]}/enchant/hunspell"
            yield f"{environ[variable]}/LibreOffice/*/user/{_EXTENSIONS}"
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)"):
        if environ.get(variable):
            yield f"{environ[variable]}/LibreOffice*/share/extensions/dict-*"


def _macos_folders(home: Path) -> Iterator[str]:
    yield from (f"{home}/Library/Spelling", "/Library/Spelling")
    yield from ("/opt/homebrew/share/hunspell", "/usr/local/share/hunspell")
    yield f"{home}/Library/Application Support/LibreOffice/*/user/{_EXTENSIONS}"
    yield "/Applications/LibreOffice.app/Contents/Resources/extensions/dict-*"


def _linux_folders(environ: Mapping[str, str], home: Path) -> Iterator[str]:
    user = environ.get("XDG_DATA_HOME") or f"{home}/.local/share"
    shared = environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for data in (user, *shared.split(":"), "/usr/local/share", "/usr/share"):
        if data:
            yield from (f"{data}/hunspell", f"{data}/myspell", f"{data}/myspell/dicts")
    yield f"{environ.get('XDG_CONFIG_HOME') or f'{home}/.config'}/libreoffice/*/user/{_EXTENSIONS}"
    for program in ("/usr/lib/libreoffice", "/usr/lib64/libreoffice", "/opt/libreoffice*"):
        yield f"{program}/share/extensions/dict-*"


_EXTENSIONS = "uno_packages/cache/uno_packages/*/*.oxt"
"""Pattern of the folders of installed extensions, relative to the folder `user` of a LibreOffice profile."""


def _expand(pattern: Path) -> Iterator[Path]:
    """Yield the folders that match a pattern, sorted, each followed by its subfolder `dictionaries`."""
    parts = pattern.parts
    first = next((index for index, part in enumerate(parts) if "*" in part), len(parts))
    root = Path(*parts[:first])
    with suppress(OSError):
        folders = sorted(root.glob("/".join(parts[first:]))) if first < len(parts) else [root]
        for folder in folders:
            yield from (folder, folder / USER_FOLDER)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def list_dictionaries(folders: Sequence[Path]) -> list[SpellingDictionary]:
    """Return the dictionaries in the folders, in the order of `folders` and sorted by name within each folder.

    Files that cannot be used are left out.
    """
    dictionaries = []
    for folder in folders:
        with suppress(OSError):
            for path in sorted(folder.iterdir()):
                tag = _language_of(path)
                if tag.language and _is_usable(path) and _is_usable(path.with_suffix(".aff")):
                    dictionaries.append(SpellingDictionary(path, tag))
    return dictionaries


def _language_of(path: Path) -> LanguageTag:
    """Return the language tag in the name of a .dic file, such as `de_DE_frami.dic` or `sr-Latn.dic`.

    The tag is empty if the file is not a dictionary or its name has no language.
    """
    if path.suffix.lower() != ".dic" or _OTHER_FILE_PREFIX.match(path.stem):
        return LanguageTag()
    parts = _PARTS.findall(path.stem)
    # further parts name a variant, in any form
    tags = (parse_language("-".join(parts[:count])) for count in range(min(3, len(parts)), 0, -1))
    tag = next((tag for tag in tags if tag.language), LanguageTag())
    return tag._replace(language=_ALIASES.get(tag.language, tag.language))


def _is_usable(path: Path) -> bool:
    return path.is_file() and path.stat().st_size <= MAX_DICTIONARY_BYTES


def find_dictionary(language: str, folders: Sequence[Path]) -> SpellingDictionary | None:
    """Return the best dictionary for a language tag, or None if there is none for the language and script.

    Dictionaries of the requested region come first, then those of the default region, those without a region, and those
    of other regions. For de-AT, the order is de_AT, de_DE, de, de_CH. If several dictionaries have the same rank, the
    one with the shortest name is returned (de_DE, not de_DE_frami). If their names are equally long, the first one in
    the order of `folders` is returned.
    """
    requested = parse_language(language)
    requested = requested._replace(language=_ALIASES.get(requested.language, requested.language))
    default_region = DEFAULT_REGIONS.get(requested.language, requested.language.upper())
    regions = list(dict.fromkeys(filter(None, (requested.region, default_region))))
    candidates = [
        dictionary
        for dictionary in list_dictionaries(folders)
        if dictionary.tag.language == requested.language and dictionary.tag.script == requested.script
    ]

    def rank(dictionary: SpellingDictionary) -> tuple[int, int]:
        region = dictionary.tag.region
        order = regions.index(region) if region in regions else len(regions) + bool(region)
        return order, len(dictionary.name)

    return min(candidates, key=rank, default=None) if requested.language else None


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
