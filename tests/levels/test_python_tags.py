"""Tags that do not match the gold's segments and words have the same error message from files and from Python."""

from __future__ import annotations

import pytest

from qe_desktop.cli.main import main
from qe_desktop.corpus import QeError
from qe_desktop.levels.words.tag_inputs import tags_from_python
from qe_desktop.levels.words.tag_level import WORD_LEVEL

GOLD = [["OK", "BAD"], ["OK"], ["OK", "OK", "BAD"]]


@pytest.mark.parametrize(
    ("system", "segment", "says"),
    [
        (GOLD[:2], None, "2 segments, but the gold has 3"),
        ([*GOLD, ["OK"]], None, "4 segments, but the gold has 3"),
        ([GOLD[0], ["OK", "OK"], GOLD[2]], 1, "2 tags, but the gold has 1"),
        ([["OK"], GOLD[1], ["BAD"]], 0, "1 tag, but the gold has 2 (and 1 more location)"),
    ],
)
def test_files_and_python_values_have_the_same_errors(tmp_path, capsys, system, segment, says):
    with pytest.raises(QeError) as caught:
        tags_from_python(WORD_LEVEL, GOLD, {"S": system})
    assert says in caught.value.line()
    assert str(caught.value.place) == "systems['S']" + ("" if segment is None else f"[{segment}]")
    files = [tmp_path / "gold.tags", tmp_path / "S.tags"]
    for path, tags in zip(files, (GOLD, system), strict=True):
        path.write_text("".join(f"{' '.join(line)}\n" for line in tags))
    assert main(["score", "words", "--gold", str(files[0]), "--system", str(files[1])]) == 2
    err = capsys.readouterr().err
    line = min(len(system), len(GOLD)) if segment is None else segment
    assert err.startswith(f"qe-desktop: error: {files[1]}:{line + 1}: {says}")
    assert f"the gold is {files[0]}" in err.lower()
