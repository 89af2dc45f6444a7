"""What the program remembers about a person's choices: one typed object over an ini file."""

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
"""The environment variable that names another settings file."""
STATE_VERSION = 1
"""Raised whenever the window is built so differently that remembered sizes no longer fit it."""
MAX_RECENT = 12
TEXT_SIZES = (75, 90, 100, 110, 125, 150, 175, 200)
"""The steps of the text size, in percent."""
DIRECTIONS = ("auto", "ltr", "rtl")
HIGHLIGHTS_KEY = "inspect/highlights"
"""The setting that views listen for who mark doubtful words."""

SOURCE_SIDE_BY_SIDE_KEY = "inspect/source-beside"
"""The setting that the layout of the source is connected to."""


class SettingField(Generic[T]):
    """One setting: where it is kept, its default, and what values it may take.

    A value in the file that is of another type or not allowed counts as absent, so that no old or mended file can
    keep the program from starting.
    """

    def __init__(self, key: str, default: T | Callable[[], T], allowed: Callable[[T], bool], doc: str) -> None:
        self.key = key
        self._default = default
        self.allowed = allowed
        self.__doc__ = doc

    @property
    def default(self) -> T:
        """The value that holds where nothing was chosen."""
        return self._default() if callable(self._default) else self._default

    @overload
    def __get__(self, settings: None, owner: type) -> SettingField[T]: ...
    @overload
    def __get__(self, settings: Settings, owner: type) -> T: ...
    def __get__(self, settings: Settings | None, owner: type) -> SettingField[T] | T:
        if settings is None:
            return self
        default = self.default
        found = settings.read(self.key)
        if isinstance(default, float) and isinstance(found, int) and not isinstance(found, bool):
            found = float(found)
        return found if type(found) is type(default) and self.allowed(found) else default

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
    """Everything remembered from one start to the next. Assign to change; `changed(key)` tells of it."""

    changed = Signal(str)

    theme = SettingField[str]("view/theme", "system", _one_of(("system", "light", "dark", "contrast")), "The colours.")
    text_size = SettingField[int]("view/text-size", 100, _in_range(50, 300), "Percent of the desktop's text size.")
    reduced_motion = SettingField[bool]("view/reduced-motion", False, _accept_any, "Nothing flashes or slides.")
    decimals = SettingField[int]("view/decimals", 3, _in_range(1, 6), "Digits after the point of scores.")
    columns = SettingField[dict[str, list[str]]]("view/columns", dict, _are_string_lists, "Columns shown, by table.")
    source_direction = SettingField[str](
        "reading/source-direction", "auto", _one_of(DIRECTIONS), "How the source runs."
    )
    mt_direction = SettingField[str]("reading/mt-direction", "auto", _one_of(DIRECTIONS), "How the translation runs.")
    source_font = SettingField[str](
        "reading/source-font", "", _accept_any, "Font family of the source; empty: the desktop's."
    )
    mt_font = SettingField[str](
        "reading/mt-font", "", _accept_any, "Font family of the translation; empty: the desktop's."
    )
    highlights = SettingField[bool](
        HIGHLIGHTS_KEY, True, _accept_any, "Doubtful words are marked, and tags stand under words."
    )
    source_beside = SettingField[bool](
        SOURCE_SIDE_BY_SIDE_KEY, True, _accept_any, "The source stands beside the target, in wide windows."
    )
    marking = SettingField[str](
        "inspect/marking", "", _accept_any, "How translations are marked; empty: as their metric counts."
    )
    agreement = SettingField[str](
        "inspect/agreement", "majority", _one_of(("any", "majority", "all")),
        "How many of several systems must call a word BAD before the text marks it.",
    )  # fmt: skip
    panel = SettingField[bool](
        "inspect/panel", True, _accept_any, "The scores stand beside the segments, where there are any."
    )
    panel_without = SettingField[bool]("inspect/panel-without", False, _accept_any, "The same where nothing is scored.")
    base = SettingField[str](
        "inspect/base", "", _accept_any, "What translations are marked against; empty: the references."
    )
    all_translations = SettingField[bool](
        "inspect/all-translations", False, _accept_any, "All translations, however many."
    )
    record_always = SettingField[bool](
        "inspect/record-always", False, _accept_any, "Edit times and keys, from each start on."
    )
    metric = SettingField[str](
        "scores/metric", "", _accept_any, "The metric looked at last; empty: the first there is."
    )
    correction = SettingField[str](
        "scores/correction", "bonferroni", _one_of(("none", "bonferroni", "holm")), "Correction for many comparisons."
    )
    alpha = SettingField[float]("scores/alpha", 0.05, _in_range(1e-6, 0.5), "The level that p-values are held against.")
    rounds = SettingField[int]("scores/rounds", 10_000, _in_range(100, 10_000_000), "Rounds of randomisation.")
    study_rounds = SettingField[int](
        "scores/study-rounds", 1_000, _in_range(100, 10_000_000), "Draws and permutations of metrics beside people."
    )
    seed = SettingField[int]("scores/seed", 1, _in_range(0, 9999), "Seed of the random swaps.")
    unit = SettingField[str]("scores/unit", "segment", _one_of(("segment", "document")), "What is swapped in a round.")
    best_first = SettingField[bool]("scores/best-first", True, _accept_any, "The matrix lists the best system first.")
    lower = SettingField[dict[str, bool]](
        "scores/lower", dict, _are_booleans, "Of metrics from files, whether less is better, as a person said of each."
    )
    matches = SettingField[dict[str, str]](
        "scores/matches", dict, _are_texts, "Systems that were matched, as JSON, by the sets of names."
    )
    person = SettingField[str](
        "person/name", _login_name, _accept_any, "Whose edits and ratings these are; the login name at first."
    )
    auto_advance = SettingField[bool](
        "rating/auto-advance", True, _accept_any, "A rated item makes room for the next by itself."
    )
    qe_systems = SettingField[list[dict[str, Any]]](
        "qe/systems", list, _are_rows, "QE systems of one's own: names and commands."
    )
    checks_off = SettingField[list[str]]("qe/checks-off", list, _are_strings, "Names of checks that are not made.")
    last_folder = SettingField[str]("files/last-folder", "", _accept_any, "Where the file dialogs open.")
    job_places = SettingField[list[str]](
        "files/job-places", list, _are_strings,
        "Digests of projects and the paths that they may write, the latest first.",
    )  # fmt: skip
    recent_paths = SettingField[list[str]]("files/recent", list, _are_strings, "What was opened, the latest first.")
    shortcuts = SettingField[dict[str, list[str]]]("keys/own", dict, _are_string_lists, "Own shortcuts, by action.")

    def __init__(self, path: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        path = path or os.environ.get(FILE_VARIABLE)
        self._for_now: QTemporaryDir | None = None
        if path and os.path.exists(path) and not os.path.isfile(path):
            # Qt would put a file in the place of a device, and wait for ever at a pipe: nothing is remembered there
            self._for_now = QTemporaryDir()
            path = self._for_now.filePath("settings.ini")
        ini = QSettings.Format.IniFormat
        if path:
            self._file = QSettings(path, ini)
        else:
            self._file = QSettings(ini, QSettings.Scope.UserScope, "QE Desktop", "QE Desktop")

    def read(self, key: str) -> Any:
        """The value kept under a key, or None."""
        text = self._file.value(key)
        try:
            return None if text is None else json.loads(str(text))
        except ValueError:
            return None

    def write(self, key: str, value: Any) -> None:
        """Store a value that JSON can represent; no signal is emitted if it is unchanged."""
        text = json.dumps(value, ensure_ascii=False)
        if self._file.value(key) != text:
            self._file.setValue(key, text)
            self.changed.emit(key)

    def path(self) -> str:
        """The file that the settings are kept in."""
        return self._file.fileName()

    def save(self) -> None:
        """Write the file now; it is also written from time to time, and at the end."""
        self._file.sync()

    def state(self, name: str) -> bytes:
        """A remembered geometry or splitter state, empty where there is none of this version."""
        text = self.read(f"state-{STATE_VERSION}/{name}")
        try:
            return base64.b64decode(text, validate=True) if isinstance(text, str) else b""
        except binascii.Error:
            return b""

    def keep_state(self, name: str, state: bytes) -> None:
        """Remember a geometry or splitter state."""
        self.write(f"state-{STATE_VERSION}/{name}", base64.b64encode(state).decode())

    def recent(self) -> list[str]:
        """What was opened and still exists, the latest first; what has vanished is forgotten, but no server."""
        found = [one for one in self.recent_paths if is_address(one) or all(map(os.path.exists, split_paths(one)))]
        self.recent_paths = found
        return found

    def add_recent(self, *paths: str) -> None:
        """Put a path, several that belong together, or the address of a server (without a password), at the top."""
        added = join_paths(path if is_address(path) else os.path.abspath(path) for path in paths)
        self.recent_paths = [added, *(other for other in self.recent_paths if other != added)][:MAX_RECENT]

    def forget_recent(self, path: str) -> None:
        """Take something off the list, as it stands there."""
        self.recent_paths = [other for other in self.recent_paths if other != path]
