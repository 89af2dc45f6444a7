"""A translator's file that is given where a corpus is opened: it is named, and how its texts come out of it."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import assemble, plan
from tests.formats.bilingual.samples import FOLDER, NAMES


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("table")])
def test_it_says_how_its_texts_come_out(name):
    with pytest.raises(QeError, match=r"a translator's file \(.+\), and no corpus") as refused:
        assemble(*plan([FOLDER / name]))
    assert refused.value.hint == f"Take its texts out with: qe-desktop convert {name} FOLDER"
    assert str(refused.value.place).endswith(name)


def test_what_is_none_of_them_is_nothing_to_load(tmp_path):
    (tmp_path / "notes.xml").write_text("<notes/>")
    with pytest.raises(QeError, match="nothing to load"):
        assemble(*plan([tmp_path / "notes.xml"]))
