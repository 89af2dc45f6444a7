import pytest

from qe_desktop.corpus import Fault, QeError, SourceLocation, raise_for_rows


def test_error_line_has_location_and_hint():
    error = QeError("it is wrong.", hint="Mend it.", place=SourceLocation("a.tags", 7))
    assert error.line() == str(error) == "a.tags:7: it is wrong. Mend it."
    assert QeError("wrong").line() == "wrong."


def test_faults_beyond_the_tenth_are_counted():
    faults = [Fault(SourceLocation("a", line), f"bad {line}") for line in range(1, 14)]
    error = QeError("bad 1", faults=faults, hint="Mend them.")
    assert len(error.faults) == 10
    assert error.more == 3
    assert error.place == SourceLocation("a", 1)
    assert error.line() == "a:1: bad 1 (and 12 more locations). Mend them."


def test_only_the_first_faults_are_built():
    built_lines = []

    def fault(line):
        built_lines.append(line)
        return Fault(SourceLocation("a", line), f"bad {line}")

    raise_for_rows([], fault, "Mend them.")
    with pytest.raises(QeError, match=r"a:1: bad 1 \(and 499 more locations\). Mend them.") as caught:
        raise_for_rows(range(1, 501), fault, "Mend them.")
    assert caught.value.more == 490
    assert built_lines == list(range(1, 11))


def test_error_line_contains_no_line_break():
    assert "\n" not in QeError("two\nlines", place=SourceLocation("a\nb")).line()


def test_error_line_is_bounded_and_keeps_location_and_hint():
    """A name or a cell can have 100 kB."""
    error = QeError('"' + "x" * 100_000 + '" is not OK or BAD', hint="Mend it.", place=SourceLocation("a.tags", 7))
    line = error.line()
    assert len(line) < 1_000
    assert line.startswith('a.tags:7: "xxx')
    assert line.endswith('x" is not OK or BAD. Mend it.')
    assert len(QeError("wrong", place=SourceLocation("f" * 100_000, 3)).line()) < 1_000
    assert len(str(Fault(SourceLocation("a"), "m" * 100_000))) < 1_000


def test_error_line_escapes_control_characters():
    line = QeError("\x1b[2Jcleared\r\x9b", place=SourceLocation("a\x1b]0;b\x07"), hint="\u202etxt").line()
    assert line == r"a\x1b]0;b\x07: \x1b[2Jcleared\r\x9b. \u202etxt"
