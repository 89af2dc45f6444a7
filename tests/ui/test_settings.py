import os
from pathlib import Path

import pytest

from qe_desktop.ui.settings import MAX_RECENT, SettingField, Settings


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "own.ini")


def options():
    return {name: option for name, option in vars(Settings).items() if isinstance(option, SettingField)}


def test_the_file_is_the_one_that_the_environment_names():
    assert Settings().path() == os.environ["QE_DESKTOP_SETTINGS"]


@pytest.mark.parametrize("name", options())
def test_every_default_is_allowed_and_told_of(name):
    option = options()[name]
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
def test_values_survive_the_file(path, name, value):
    first = Settings(path)
    setattr(first, name, value)
    first.save()
    assert getattr(Settings(path), name) == value


def test_a_change_is_told_once(path, qtbot):
    settings = Settings(path)
    with qtbot.waitSignal(settings.changed) as told:
        settings.decimals = 4
    assert told.args == ["view/decimals"]
    with qtbot.assertNotEmitted(settings.changed):
        settings.decimals = 4


@pytest.mark.parametrize("broken", ['"mauve"', "17", "not json", "[1", "true", '{"a": 1}'])
def test_a_mended_file_keeps_nobody_from_starting(path, broken):
    settings = Settings(path)
    for option in options().values():
        settings._file.setValue(option.key, broken)
    settings.save()
    again = Settings(path)
    for name, option in options().items():
        value = getattr(again, name)
        assert type(value) is type(option.default)
        assert option.allowed(value)


def test_a_value_that_is_not_allowed_is_refused(path):
    settings = Settings(path)
    with pytest.raises(ValueError, match="mauve"):
        settings.theme = "mauve"


def test_recent_paths_are_bounded_and_forget_what_vanished(path, tmp_path):
    settings = Settings(path)
    files = [tmp_path / f"{number}.txt" for number in range(MAX_RECENT + 3)]
    for file in files:
        file.touch()
        settings.add_recent(str(file))
    settings.add_recent(str(files[5]))
    assert settings.recent()[0] == str(files[5])
    assert len(settings.recent()) == MAX_RECENT == len(set(settings.recent()))
    files[5].unlink()
    assert str(files[5]) not in settings.recent()
    settings.forget_recent(str(files[6]))
    assert str(files[6]) not in settings.recent()


def test_states_are_kept_as_bytes(path):
    settings = Settings(path)
    settings.keep_state("window", b"\x00\xff\x01")
    assert settings.state("window") == b"\x00\xff\x01"
    assert settings.state("unknown") == b""
    settings.write("state-1/window", "no base64!")
    assert settings.state("window") == b""


def test_a_user_without_a_name_has_an_empty_one(path, monkeypatch):
    def unknown():
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", unknown)
    assert Settings(path).person == ""


def test_a_file_that_cannot_be_written_is_no_reason_to_stop(tmp_path):
    (tmp_path / "file").touch()
    settings = Settings(str(tmp_path / "file" / "settings.ini"))
    settings.decimals = 2
    settings.save()
    assert settings.decimals == 2
    assert not Path(settings.path()).exists()


def test_a_device_in_the_place_of_the_file_stays_one_and_remembers_nothing(tmp_path):
    """`QE_DESKTOP_SETTINGS=/dev/null` is how one says that nothing shall be remembered."""
    pipe = tmp_path / "pipe.ini"
    os.mkfifo(pipe)
    settings = Settings(str(pipe))
    settings.theme = "dark"
    settings.save()
    assert settings.theme == "dark"
    assert pipe.is_fifo()
    assert Settings(str(pipe)).theme == "system"


def test_a_link_to_the_file_stays_one(tmp_path):
    (tmp_path / "real.ini").write_text("")
    (tmp_path / "link.ini").symlink_to("real.ini")
    settings = Settings(str(tmp_path / "link.ini"))
    settings.theme = "dark"
    settings.save()
    assert (tmp_path / "link.ini").is_symlink()
    assert Settings(str(tmp_path / "real.ini")).theme == "dark"
