"""The spell checker with a real Hunspell process and a tiny dictionary."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.local_qe.spelling import hunspell_process, spell_checker
from qe_desktop.local_qe.spelling.hunspell_process import HunspellProcess
from qe_desktop.local_qe.spelling.spell_checker import SpellChecker, checked_words, open_checker
from tests.local_qe.spelling.tiny_dictionary import use_only_own_dictionaries, write_dictionary


@pytest.fixture
def checker(tmp_path, monkeypatch) -> Iterator[SpellChecker]:
    use_only_own_dictionaries(monkeypatch)
    write_dictionary(tmp_path / "dictionaries")
    spell_checker = open_checker("de-AT", tmp_path)
    assert isinstance(spell_checker, SpellChecker)
    yield spell_checker
    spell_checker.close()


def find_misspelled_words(checker: SpellChecker, text: str) -> list[str]:
    words = checked_words(text)
    checker.check(checker.known_misspellings(words).unchecked)
    result = checker.known_misspellings(words)
    assert result.unchecked == ()
    return [text[start:stop] for start, stop in result.spans]


def test_words_compounds_and_parts_of_words(checker):
    assert checker.name == "de_DE"
    assert find_misspelled_words(checker, "Der grühne Apfel ist gesund und 3 Apfl.") == ["grühne", "Apfl"]
    assert find_misspelled_words(checker, "Haustür Haustühr Türhaus") == ["Haustühr"]
    assert find_misspelled_words(checker, "Arbeits- und Adresse; Arbeits und vis-à-vis") == ["Arbeits"]
    assert find_misspelled_words(checker, "l’homme d’home") == ["d’home"]
    assert find_misspelled_words(checker, "日本語 Ελλάδα") == ["Ελλάδα"]


def test_results_are_cached(checker, monkeypatch):
    find_misspelled_words(checker, "Der grühne Apfel")
    monkeypatch.setattr(HunspellProcess, "check", lambda *_: pytest.fail("asked again"))
    assert find_misspelled_words(checker, "Apfel Der grühne") == ["grühne"]


def test_suggestions_keep_the_apostrophe(checker):
    assert "grüne" in checker.suggest("grühne")
    assert checker.suggest("qqqqqqqqqq") == ()
    assert len(checker.suggest("di")) <= spell_checker.MAX_SUGGESTIONS


def test_words_that_the_user_added_are_correct(checker, tmp_path):
    assert find_misspelled_words(checker, "Wortzähler") == ["Wortzähler"]
    checker.add("Wortzähler")
    assert find_misspelled_words(checker, "Wortzähler") == []
    again = open_checker("de", tmp_path)
    assert isinstance(again, SpellChecker)
    assert find_misspelled_words(again, "Wortzähler") == []
    again.close()


def test_a_stopped_check_keeps_its_results(checker, monkeypatch):
    monkeypatch.setattr(spell_checker, "BLOCK_WORDS", 1)
    words, calls = checked_words("Der grühne Apfel"), iter((None, None))

    def watch() -> None:
        try:
            next(calls)
        except StopIteration:
            raise InterruptedError from None

    with pytest.raises(InterruptedError):
        checker.check([word.forms for word in words], watch)
    assert checker.known_misspellings(words).unchecked == (("Apfel",),)


def test_an_encoding_without_a_letter(tmp_path):
    process = HunspellProcess(write_dictionary(tmp_path, encoding="iso8859-1"))
    assert process.check([("grüne",), ("Ελλάδα",), ("日本",)]) == [True, False, False]
    assert process.suggest("Ελλάδα") == ()
    process.close()


def test_other_threads_run_while_hunspell_works(tmp_path):
    process = HunspellProcess(write_dictionary(tmp_path))
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    for word in ("Hausttürhausstürhaus", "grühneApfelgesundStrase"):
        process.suggest(word)
    stop.set()
    thread.join()
    assert counted[0] > 1
    process.close()


@pytest.mark.parametrize("ending", ["close", "kill"])
def test_an_ended_process_causes_an_error_without_waiting(tmp_path, ending):
    process = HunspellProcess(write_dictionary(tmp_path))
    if ending == "close":
        process.close()
        process.close()
    else:
        process._process.kill()
        process._process.wait()
    with pytest.raises(QeError, match="the spell checker has stopped") as caught:
        process.check([("der",)])
    assert caught.value.hint.startswith("Turn spell checking on again.")
    process.close()


def test_a_process_that_does_not_answer_is_ended(tmp_path, monkeypatch):
    slow = tmp_path / "slow.py"
    slow.write_text("import time; print('{\"ready\": true}', flush=True); time.sleep(600)")
    monkeypatch.setattr(hunspell_process, "_WORKER", slow)
    monkeypatch.setattr(hunspell_process, "REPLY_TIMEOUT_SECONDS", 0.1)
    process = HunspellProcess(write_dictionary(tmp_path))
    with pytest.raises(QeError, match="does not respond"):
        process.suggest("der")
    assert process._process.returncode is not None


@pytest.mark.parametrize(
    ("output", "hint"),
    [
        ("", "Turn spell checking on again"),
        ("nonsense", "Turn spell checking on again"),
        ("[]", "Turn spell checking on again"),
        ('{"error": "no such flag"}', "Replace or remove the dictionary"),
    ],
)
def test_a_worker_that_fails_is_an_error_that_names_the_dictionary(tmp_path, monkeypatch, output, hint):
    broken = tmp_path / "broken.py"
    broken.write_text(f"print({output!r})")
    monkeypatch.setattr(hunspell_process, "_WORKER", broken)
    with pytest.raises(QeError, match=r"de_DE\.dic") as caught:
        HunspellProcess(write_dictionary(tmp_path))
    assert caught.value.hint.startswith(hint)


def test_a_process_that_cannot_be_started_is_not_a_fault_of_the_dictionary(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "absent"))
    with pytest.raises(QeError, match="the spell checker cannot be started") as caught:
        HunspellProcess(write_dictionary(tmp_path))
    assert "dictionary" not in caught.value.hint


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(QeError, match="cannot be used"):
        HunspellProcess(tmp_path / "de_DE.dic")


def test_the_process_ends_with_the_program(tmp_path):
    """A killed program leaves no process behind, because its end of the pipe is closed."""
    dictionary = write_dictionary(tmp_path)
    code = (
        "import os, sys; from pathlib import Path; from qe_desktop.local_qe.spelling.hunspell_process import *\n"
        "process = HunspellProcess(Path(sys.argv[1])); print(process._process.pid, flush=True); os._exit(9)"
    )
    result = subprocess.run([sys.executable, "-c", code, str(dictionary)], capture_output=True, text=True)
    pid = int(result.stdout)

    def runs() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        # a process that has ended may remain until its parent notices
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"

    deadline = time.monotonic() + 60
    while runs() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not runs()


def test_no_module_of_the_current_folder_is_imported(tmp_path, monkeypatch):
    dictionary = write_dictionary(tmp_path / "data")
    (tmp_path / "hunspell.py").write_text("raise SystemExit(1)")
    (tmp_path / "json.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    process = HunspellProcess(dictionary)
    assert process.check([("der",)]) == [True]
    process.close()


@pytest.mark.parametrize(
    ("language", "text"),
    [("", "target language is unknown"), ("ja", "no spaces"), ("fr", "Hunspell dictionary for fr")],
)
def test_a_missing_checker_is_explained_in_plain_text(tmp_path, monkeypatch, language, text):
    monkeypatch.setattr(spell_checker, "dictionary_folders", lambda _: [])
    reason = open_checker(language, tmp_path)
    assert isinstance(reason, str)
    assert reason.startswith("Spell checking is off: ")
    assert text in reason


def test_without_the_library_spelling_is_off(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "hunspell", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "not installed" in str(open_checker("de", tmp_path))
