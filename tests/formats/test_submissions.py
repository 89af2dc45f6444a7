import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, QeError, TagColumn, TextColumn
from qe_desktop.formats import read_tags, write_submission, write_tags

lines = st.lists(
    st.lists(
        st.tuples(st.sampled_from(["der", "Straße", "&amp;", "日本", "<EOS>", "a\u00a0b"]), st.integers(0, 1)),
        min_size=1,
    ),
    min_size=1,
    max_size=6,
)


@given(lines)
@settings(max_examples=40, deadline=None)
def test_written_submission_is_read_back(tmp_path_factory, segments):
    path = tmp_path_factory.mktemp("submission") / "mine.txt"
    mt = TextColumn.of([" ".join(word for word, _ in segment) for segment in segments])
    tags = TagColumn.of([[tag for _, tag in segment] for segment in segments])
    write_submission(path, tags, mt, language_pair="en-de", method="mine")
    read = read_tags(path, Kind.WORDS, mt=mt, language_pair="en-de")
    assert read.columns[Kind.WORDS] == tags
    assert read.notes == ()


def test_submission_rows_are_written_in_the_wmt_format(tmp_path):
    path = tmp_path / "x"
    tags = TagColumn.of([[0, 1], [1, 0]])
    write_submission(path, tags, TextColumn.of(["a", "b"]), language_pair="en-de", method="m", header=("1", "2", "3"))
    assert path.read_text().splitlines() == [
        *"123",
        "en-de\tm\tMT\t0\t0\ta\tOK",
        "en-de\tm\tMT\t0\t1\t<EOS>\tBAD",
        "en-de\tm\tMT\t1\t0\tb\tBAD",
        "en-de\tm\tMT\t1\t1\t<EOS>\tOK",
    ]


@pytest.mark.parametrize(("pair", "method"), [("", "m"), ("en-de", ""), ("en-de", "a\tb"), ("en\nde", "m")])
def test_missing_or_invalid_names_are_refused(tmp_path, pair, method):
    with pytest.raises(QeError, match="a submission requires"):
        write_submission(tmp_path / "x", TagColumn.of([[0]]), TextColumn.of(["a"]), language_pair=pair, method=method)
    assert list(tmp_path.iterdir()) == []


def test_mismatched_tags_are_not_written(tmp_path):
    with pytest.raises(QeError, match="line 1 has 3 tags"):
        write_submission(tmp_path / "x", TagColumn.of([[0] * 3]), TextColumn.of(["a"]), language_pair="a", method="b")
    with pytest.raises(QeError, match="one more gap than words"):
        write_tags(tmp_path / "x", TagColumn.of([[0]]), gaps=TagColumn.of([[0]]))
    assert list(tmp_path.iterdir()) == []


def test_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.tags"
    path.write_text("OK\n")
    path.chmod(0o640)
    monkeypatch.setattr(
        "qe_desktop.formats.tags.tag_lines.tag_line_bytes", lambda *_: (_ for _ in ()).throw(OSError(28, "full"))
    )
    with pytest.raises(QeError, match="full"):
        write_tags(path, TagColumn.of([[1]]))
    assert path.read_text() == "OK\n"
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    write_tags(path, TagColumn.of([[1]]))
    assert path.read_text() == "BAD\n"
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["missing/x.tags", "."])
def test_unwritable_path_is_reported(tmp_path, name):
    with pytest.raises(QeError, match=r"cannot be written|this is a folder") as caught:
        write_tags(tmp_path / name, TagColumn.of([[1]]))
    assert caught.value.place.file == str(tmp_path / name)
