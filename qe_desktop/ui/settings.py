"""Settings of the user: one typed object that reads and writes an ini file."""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar, overload

from PySide6.QtCore import QObject, QSettings, QTemporaryDir, Signal

from qe_desktop.ui.project_paths import is_address, join_paths, split_paths

T = TypeVar("T")

FILE_VARIABLE = "QE_DESKTOP_SETTINGS"
"""Environment variable with the path of a settings file that replaces the default file."""
STATE_VERSION = 1
"""Version of stored window geometries and splitter states; incremented when a new window layout makes them invalid."""
MAX_RECENT = 12
TEXT_SIZES = (75, 90, 100, 110, 125, 150, 175, 200)
"""Available text sizes, in percent of the operating system's text size."""
DIRECTIONS = ("auto", "ltr", "rtl")
THEME_KEY, TEXT_SIZE_KEY, MOTION_KEY = "view/theme", "view/text-size", "view/reduced-motion"
"""Settings keys for the appearance; the appearance controller observes these settings."""
HIGHLIGHTS_KEY = "inspect/highlights"
"""Settings key for the highlights; views observe this setting."""
JOURNALS_KEY = "files/journals"
"""Settings key for journals, which are off in private mode; `JournalController` observes this setting."""
EVALUATION_KEY = "inspect/evaluation"
"""Settings key for the view in which bilingual files are shown; `InspectViewController` observes this setting."""
SPELLING_KEY = "inspect/spelling"
"""Settings key for the spell checker; `SpellingController` observes this setting."""
SOURCE_SIDE_BY_SIDE_KEY = "inspect/source-beside"
"""Settings key for the layout of the source; views observe this setting."""


class SettingField(Generic[T]):
    """One setting: its key, its default, and its valid values.

    A value in the file that has the wrong type or is not allowed counts as absent. No old or edited file can therefore
    prevent the program from starting. Assigning a value that is not allowed raises ValueError.
    """

    def __init__(self, key: str, default: T | Callable[[], T], allowed: Callable[[T], bool], doc: str) -> None:
        self.key = key
        self._default = default
        self.allowed = allowed
        self.__doc__ = doc

    @property
    def default(self) -> T:
        """Value that is used if no valid value is stored."""
        return self._default() if callable(self._default) else self._default

    @overload
    def __get__(self, settings: None, owner: type) -> SettingField[T]: ...
    @overload
    def __get__(self, settings: Settings, owner: type) -> T: ...
    def __get__(self, settings: Settings | None, owner: type) -> SettingField[T] | T:
        if settings is None:
            return self
        default = self.default
        value = settings.read(self.key)
        if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        return value if type(value) is type(default) and self.allowed(value) else default

    def __set__(self, settings: Settings, value: T) -> None:
        if not self.allowed(value):
            raise ValueError(f"{value!r} is not a value of {self.key}")
        settings.write(self.key, value)


def _accept_any(value: object) -> bool:
    return True


def _one_of(values: Collection[T]) -> Callable[[T], bool]:
    return values.__contains__


def _in_range(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: bool(low <= value <= high)


def _are_strings(value: list[str]) -> bool:
    return all(isinstance(item, str) for item in value)


def _are_string_lists(value: dict[str, list[str]]) -> bool:
    return all(isinstance(item, list) and _are_strings(item) for item in value.values())


def _are_texts(value: dict[str, str]) -> bool:
    return _are_strings(list(value.values()))


def _are_booleans(value: dict[str, bool]) -> bool:
    return all(isinstance(item, bool) for item in value.values())


def _are_rows(value: list[dict[str, Any]]) -> bool:
    return all(isinstance(row, dict) for row in value)


def _login_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


class Settings(QObject):
    """All stored settings. Assigning to an attribute stores the value and, if it changed, emits `changed(key)`."""

    changed = Signal(str)

    theme = SettingField[str](THEME_KEY, "system", _one_of(("system", "light", "dark", "contrast")), "Colour theme.")
    text_size = SettingField[int](TEXT_SIZE_KEY, 100, _in_range(50, 300), "Text size, in percent of the desktop's.")
    reduced_motion = SettingField[bool](MOTION_KEY, False, _accept_any, "No animations.")
    decimals = SettingField[int]("view/decimals", 3, _in_range(1, 6), "Decimals of scores.")
    columns = SettingField[dict[str, list[str]]]("view/columns", dict, _are_string_lists, "Visible columns, by table.")
    source_direction = SettingField[str](
        "reading/source-direction", "auto", _one_of(DIRECTIONS), "Text direction of the source."
    )
    mt_direction = SettingField[str](
        "reading/mt-direction", "auto", _one_of(DIRECTIONS), "Text direction of the translation."
    )
    source_font = SettingField[str](
        "reading/source-font", "", _accept_any, "Font family of the source; empty: the desktop's."
    )
    mt_font = SettingField[str](
        "reading/mt-font", "", _accept_any, "Font family of the translation; empty: the desktop's."
    )
    highlights = SettingField[bool](
        HIGHLIGHTS_KEY, True, _accept_any, "Words are highlighted, and tags are shown under words."
    )
    spelling = SettingField[bool](
        SPELLING_KEY, True, _accept_any, "Spelling is checked in the target editor, if there is a dictionary."
    )
    identical_segments = SettingField[str](
        "inspect/equal-segments", "ask", _one_of(("ask", "open", "all")),
        "Which segments with the same source get the target of a confirmed segment; ask: a notice offers the choice.",
    )  # fmt: skip
    source_side_by_side = SettingField[bool](
        SOURCE_SIDE_BY_SIDE_KEY, True, _accept_any, "Source and target are side by side, in wide windows."
    )
    marking = SettingField[str](
        "inspect/marking", "", _accept_any, "How translations are compared; empty: as suits the current metric."
    )
    evaluation = SettingField[dict[str, bool]](
        EVALUATION_KEY, dict, _are_booleans, "Whether bilingual files are shown for evaluation, by file format."
    )
    agreement = SettingField[str](
        "inspect/agreement", "majority", _one_of(("any", "majority", "all")),
        "How many of several systems must tag a word BAD for a highlight.",
    )  # fmt: skip
    panel = SettingField[str](
        "inspect/score-panel", "auto", _one_of(("auto", "shown", "hidden")),
        "Whether the scores panel is next to the segments, if there are scores; auto: in wide windows.",
    )  # fmt: skip
    open_folds = SettingField[list[str]](
        "inspect/open-folds", list, _are_strings, "Which texts of a segment are unfolded: post-edit, translations."
    )
    list_columns = SettingField[dict[str, bool]](
        "inspect/list-columns",
        dict,
        _are_booleans,
        "Segment list columns that the user showed or hid.",
    )
    shows_panel_without_scores = SettingField[bool](
        "inspect/panel-without", False, _accept_any, "The panel is shown if there are no scores."
    )
    base = SettingField[str](
        "inspect/base", "", _accept_any, "What translations are compared with; empty: the references."
    )
    all_translations = SettingField[bool]("inspect/all-translations", False, _accept_any, "All translations are shown.")
    record_always = SettingField[bool](
        "inspect/record-always", False, _accept_any, "Recording of edit times and keystrokes starts with the program."
    )
    metric = SettingField[str]("scores/metric", "", _accept_any, "The last metric shown; empty: the level's main one.")
    correction = SettingField[str](
        "scores/correction",
        "bonferroni",
        _one_of(("none", "bonferroni", "holm")),
        "Correction for multiple comparisons.",
    )
    alpha = SettingField[float]("scores/alpha", 0.05, _in_range(1e-6, 0.5), "Significance level.")
    rounds = SettingField[int]("scores/rounds", 10_000, _in_range(100, 10_000_000), "Trials of the randomization test.")
    study_rounds = SettingField[int](
        "scores/study-rounds", 1_000, _in_range(100, 10_000_000), "Resamples and trials of the meta-evaluation."
    )
    seed = SettingField[int]("scores/seed", 1, _in_range(0, 9999), "Random seed.")
    unit = SettingField[str]("scores/unit", "segment", _one_of(("segment", "document")), "Resampling unit.")
    interval_method = SettingField[str](
        "scores/interval-method", "bootstrap", _one_of(("bootstrap", "bca", "fisher")), "Method for 95 % intervals."
    )
    best_first = SettingField[bool]("scores/best-first", True, _accept_any, "The matrix lists the best system first.")
    lower = SettingField[dict[str, bool]](
        "scores/lower", dict, _are_booleans, "Whether lower is better, for each metric from files."
    )
    matches = SettingField[dict[str, str]](
        "scores/matches", dict, _are_texts, "Matched system names, as JSON, by a digest of the names."
    )
    person = SettingField[str](
        "person/name", _login_name, _accept_any, "Name of the user for edits and ratings; the login name at first."
    )
    auto_advance = SettingField[bool](
        "rating/auto-advance", True, _accept_any, "The next item is shown after a rating."
    )
    qe_systems = SettingField[list[dict[str, Any]]](
        "qe/systems", list, _are_rows, "Local QE systems: names and commands."
    )
    disabled_checks = SettingField[list[str]](
        "qe/checks-off", list, _are_strings, "Names of QA checks that are switched off."
    )
    journals = SettingField[bool](
        JOURNALS_KEY, True, _accept_any, "Edits of bilingual files are stored in a journal until they are saved."
    )
    terms_file = SettingField[str](
        "qe/terms-file", "", _accept_any, "Path of the list of terms for QA checks; empty: none."
    )
    forbidden_words_file = SettingField[str](
        "qe/forbidden-words-file", "", _accept_any, "Path of the list of forbidden words for QA checks; empty: none."
    )
    last_folder = SettingField[str]("files/last-folder", "", _accept_any, "Initial folder of file dialogs.")
    trusted_path_digests = SettingField[list[str]](
        "files/job-places", list, _are_strings,
        "Digests, each of a project and a path that it may write, latest first.",
    )  # fmt: skip
    recent_paths = SettingField[list[str]]("files/recent", list, _are_strings, "Recent files, latest first.")
    shortcuts = SettingField[dict[str, list[str]]]("keys/own", dict, _are_string_lists, "Custom shortcuts, by action.")

    def __init__(self, path: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        path = path or os.environ.get(FILE_VARIABLE)
        self._temporary_folder: QTemporaryDir | None = None
        if path and os.path.exists(path) and not os.path.isfile(path):
            # Qt would replace a device with a file and block on a pipe, so such settings are in a temporary file
            self._temporary_folder = QTemporaryDir()
            path = self._temporary_folder.filePath("settings.ini")
        ini = QSettings.Format.IniFormat
        if path:
            self._file = QSettings(path, ini)
        else:
            self._file = QSettings(ini, QSettings.Scope.UserScope, "QE Desktop", "QE Desktop")

    def read(self, key: str) -> Any:
        """Return the stored value of a key; None if no value is stored or the value is not valid JSON."""
        text = self._file.value(key)
        try:
            return None if text is None else json.loads(str(text))
        except ValueError:
            return None

    def write(self, key: str, value: Any) -> None:
        """Store a value that JSON can represent; no signal is emitted if the value is unchanged."""
        text = json.dumps(value, ensure_ascii=False)
        if self._file.value(key) != text:
            self._file.setValue(key, text)
            self.changed.emit(key)

    def path(self) -> str:
        """Return the path of the settings file."""
        return self._file.fileName()

    def save(self) -> None:
        """Write the settings file now; Qt also writes it periodically and at exit."""
        self._file.sync()

    def state(self, name: str) -> bytes:
        """Return a stored window geometry or splitter state; empty if none is stored for `STATE_VERSION`."""
        text = self.read(f"state-{STATE_VERSION}/{name}")
        try:
            return base64.b64decode(text, validate=True) if isinstance(text, str) else b""
        except binascii.Error:
            return b""

    def save_state(self, name: str, state: bytes) -> None:
        """Store a window geometry or splitter state."""
        self.write(f"state-{STATE_VERSION}/{name}", base64.b64encode(state).decode())

    def existing_recent_paths(self) -> list[str]:
        """Remove entries with missing paths from the recent files; return the remaining entries, latest first."""
        existing = [
            path for path in self.recent_paths if is_address(path) or all(map(os.path.exists, split_paths(path)))
        ]
        self.recent_paths = existing
        return existing

    def add_recent(self, *paths: str) -> None:
        """Add a path, several paths opened together, or a server address as the first recent entry.

        A server address must not contain a password.
        """
        added = join_paths(path if is_address(path) else os.path.abspath(path) for path in paths)
        self.recent_paths = [added, *(recent for recent in self.recent_paths if recent != added)][:MAX_RECENT]

    def forget_recent(self, path: str) -> None:
        """Remove an entry from the recent files."""
        self.recent_paths = [recent for recent in self.recent_paths if recent != path]
