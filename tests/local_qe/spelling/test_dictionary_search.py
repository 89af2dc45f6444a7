"""Search for dictionaries, and selection of the dictionary for a language."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.local_qe.spelling.dictionaries import dictionary_folders, find_dictionary, list_dictionaries
from tests.local_qe.spelling.tiny_dictionary import write_dictionary


@pytest.mark.parametrize(
    ("language", "names", "expected"),
    [
        ("de-AT", ["de_CH", "de_DE", "de_AT"], "de_AT"),
        ("de-AT", ["de", "de_CH", "de_DE"], "de_DE"),
        ("de-AT", ["de_CH", "de"], "de"),
        ("de-AT", ["de_CH"], "de_CH"),
        ("de_at", ["de-AT"], "de-AT"),
        ("de", ["de_AT", "de_DE_frami"], "de_DE_frami"),
        ("en", ["en_AU", "en_US", "en_GB"], "en_US"),
        ("en-GB", ["en_US", "en_GB"], "en_GB"),
        ("pt-PT", ["pt_BR", "pt_PT"], "pt_PT"),
        ("iw", ["he_IL"], "he_IL"),
        ("no", ["nb_NO"], "nb_NO"),
        ("sr-Latn-RS", ["sr", "sr_Latn"], "sr_Latn"),
        ("sr-Latn", ["sr"], None),
        ("de", ["hyph_de_DE", "nl_NL"], None),
        ("", ["de_DE"], None),
        ("not a language", ["de_DE"], None),
    ],
)
def test_the_nearest_region_is_used(tmp_path, language, names, expected):
    for name in names:
        write_dictionary(tmp_path, name)
    dictionary = find_dictionary(language, [tmp_path])
    assert (None if dictionary is None else dictionary.name) == expected


def test_the_first_of_equal_dictionaries_is_used(tmp_path):
    for folder in ("own", "system"):
        write_dictionary(tmp_path / folder, "de_DE")
    dictionary = find_dictionary("de", [tmp_path / "own", tmp_path / "system"])
    assert dictionary is not None
    assert dictionary.path.parent.name == "own"


def test_incomplete_and_special_files_are_left_out(tmp_path):
    write_dictionary(tmp_path, "de_DE").with_suffix(".aff").unlink()
    (tmp_path / "en_US.dic").mkdir()
    write_dictionary(tmp_path, "fr").with_suffix(".txt").write_text("")
    assert [item.name for item in list_dictionaries([tmp_path, tmp_path / "missing"])] == ["fr"]


HOME_FOLDERS = {
    "linux": [
        ".local/share/hunspell", ".config/libreoffice/4/user/uno_packages/cache/uno_packages/x.tmp_/dict-de.oxt",
        ".config/libreoffice/4/user/uno_packages/cache/uno_packages/y.tmp_/dict-sv.oxt/dictionaries",
    ],
    "darwin": [
        "Library/Spelling",
        "Library/Application Support/LibreOffice/4/user/uno_packages/cache/uno_packages/x.tmp_/dict-de.oxt",
    ],
    "win32": [
        "Roaming/hunspell", "Local/enchant/hunspell",
        "Roaming/LibreOffice/4/user/uno_packages/cache/uno_packages/x.tmp_/dict-de.oxt",
        "Programs/LibreOffice/share/extensions/dict-de", "Programs/LibreOffice 26.2/share/extensions/dict-en",
    ],
}  # fmt: skip


@pytest.mark.parametrize("platform", HOME_FOLDERS)
def test_the_usual_folders_of_each_system_are_searched(tmp_path, platform):
    expected = [tmp_path / folder for folder in HOME_FOLDERS[platform]]
    for folder in expected:
        folder.mkdir(parents=True)
    environ = {
        "APPDATA": str(tmp_path / "Roaming"), "LOCALAPPDATA": str(tmp_path / "Local"),
        "PROGRAMFILES": str(tmp_path / "Programs"),
    }  # fmt: skip
    folders = dictionary_folders(tmp_path / "data", platform, environ, tmp_path)
    assert set(expected) <= set(folders)


def test_the_users_folder_comes_first_then_those_named_by_hunspells_variable(tmp_path):
    for name in ("data/dictionaries", "named", "share/hunspell", "share/myspell/dicts"):
        (tmp_path / name).mkdir(parents=True)
    environ = {"DICPATH": str(tmp_path / "named"), "XDG_DATA_DIRS": str(tmp_path / "share")}
    folders = [
        folder.relative_to(tmp_path).as_posix()
        for folder in dictionary_folders(tmp_path / "data", "linux", environ, tmp_path)
        if folder.is_relative_to(tmp_path)
    ]
    assert folders == ["data/dictionaries", "named", "share/hunspell", "share/myspell", "share/myspell/dicts"]


def test_a_folder_that_cannot_be_read_is_left_out(tmp_path):
    write_dictionary(tmp_path / "a")
    assert len(list_dictionaries([Path("/proc/1/nothing"), tmp_path / "a"])) == 1
