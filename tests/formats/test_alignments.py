import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.formats import open_file
from qe_desktop.formats.alignments import read_alignments

pairs = st.lists(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 120)), max_size=6), min_size=1, max_size=8)


@given(pairs)
@settings(max_examples=60, deadline=None)
def test_alignments_are_read(tmp_path_factory, segments):
    path = tmp_path_factory.mktemp("links") / "x"
    path.write_text("".join(" ".join(f"{i}-{j}" for i, j in segment) + "\n" for segment in segments))
    column = read_alignments(open_file(path))
    assert [[tuple(pair) for pair in column[segment].tolist()] for segment in range(len(column))] == segments


@pytest.mark.parametrize("token", ["1", "-", "1-", "-1", "1-2-3", "a-b", "1–2", "1-2,", "99999999999999999-1", "1.5-2"])
def test_invalid_pairs_are_refused_with_their_line(write, token):
    path = write("x", f"0-0 1-1\n0-0 {token} 2-2\n")
    with pytest.raises(QeError) as caught:
        read_alignments(open_file(path))
    assert (caught.value.place.file, caught.value.place.line) == (str(path), 2)
    assert "not a pair" in caught.value.message
