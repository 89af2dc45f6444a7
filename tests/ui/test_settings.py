"""The settings: defaults, storage, invalid values, recent paths, and special files."""

import os
from pathlib import Path

import pytest

from qe_desktop.ui.settings import MAX_RECENT, SettingField, Settings


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "own.ini")


def setting_fields():
    return {name: option for name, option in vars(Settings).items() if isinstance(option, SettingField)}


def test_settings_file_is_named_by_the_environment():
    assert Settings().path() == os.environ["QE_DESKTOP_SETTINGS"]


@pytest.mark.parametrize("name", setting_fields())
def test_every_default_is_valid_and_documented(name):
    option = setting_fields()[name]
    assert option.allowed(option.default)
    assert option.__doc__


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "dark"),
        ("text_size", 150),
        ("reduced_motion", True),
        ("alpha", 0.01),
        ("person", 'Žofia, 王; "x" [1]\n%'),
        ("recent_paths", ["/a,b", "/c d"]),
        ("columns", {"scores": ["MCC", "F1-mult"], "systems": []}),
        ("shortcuts", {"edit.find": []}),
    ],
)
def test_values_are_restored_from_the_file(path, name, value):
    first = Settings(path)
    setattr(first, name, value)
    first.save()
    assert getattr(Settings(path), name) == value


def test_change_is_signalled_once(path, qtbot):
    settings = Settings(path)
    with qtbot.waitSignal(settings.changed) as blocker:
        settings.decimals = 4
    assert blocker.args == ["view/decimals"]
    with qtbot.assertNotEmitted(settings.changed):
        settings.decimals = 4


@pytest.mark.parametrize("broken", ['"mauve"', "17", "not json", "[1", "true", '{"a": 1}'])
def test_invalid_values_in_the_file_are_replaced_by_valid_ones(path, broken):
    settings = Settings(path)
    for option in setting_fields().values():
        settings._file.setValue(option.key, broken)
    settings.save()
    reloaded = Settings(path)
    for name, option in setting_fields().items():
        value = getattr(reloaded, name)
        assert type(value) is type(option.default)
        assert option.allowed(value)


def test_invalid_value_raises_value_error(path):
    settings = Settings(path)
    with pytest.raises(ValueError, match="mauve"):
        settings.theme = "mauve"


def test_recent_paths_are_limited_and_omit_deleted_files(path, tmp_path):
    settings = Settings(path)
    files = [tmp_path / f"{number}.txt" for number in range(MAX_RECENT + 3)]
    for file in files:
        file.touch()
        settings.add_recent(str(file))
    settings.add_recent(str(files[5]))
    assert settings.existing_recent_paths()[0] == str(files[5])
    assert len(settings.existing_recent_paths()) == MAX_RECENT == len(set(settings.existing_recent_paths()))
    files[5].unlink()
    assert str(files[5]) not in settings.existing_recent_paths()
    settings.forget_recent(str(files[6]))
    assert str(files[6]) not in settings.existing_recent_paths()


def test_states_are_stored_as_bytes(path):
    settings = Settings(path)
    settings.save_state("window", b"\x00\xff\x01")
    assert settings.state("window") == b"\x00\xff\x01"
    assert settings.state("unknown") == b""
    settings.write("state-1/window", "no base64!")
    assert settings.state("window") == b""


def test_unknown_user_has_an_empty_name(path, monkeypatch):
    def unknown():
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", unknown)
    assert Settings(path).person == ""


def test_unwritable_file_raises_no_error(tmp_path):
    (tmp_path / "file").touch()
    settings = Settings(str(tmp_path / "file" / "settings.ini"))
    settings.decimals = 2
    settings.save()
    assert settings.decimals == 2
    assert not Path(settings.path()).exists()


def test_device_as_settings_file_is_kept_and_stores_nothing(tmp_path):
    """`QE_DESKTOP_SETTINGS=/dev/null` disables the storage of settings."""
    pipe = tmp_path / "pipe.ini"
    os.mkfifo(pipe)
    settings = Settings(str(pipe))
    settings.theme = "dark"
    settings.save()
    assert settings.theme == "dark"
    assert pipe.is_fifo()
    assert Settings(str(pipe)).theme == "system"


def test_symbolic_link_to_the_file_is_kept(tmp_path):
    (tmp_path / "real.ini").write_text("")
    (tmp_path / "link.ini").symlink_to("real.ini")
    settings = Settings(str(tmp_path / "link.ini"))
    settings.theme = "dark"
    settings.save()
    assert (tmp_path / "link.ini").is_symlink()
    assert Settings(str(tmp_path / "real.ini")).theme == "dark"
