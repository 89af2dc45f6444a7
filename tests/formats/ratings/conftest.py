"""Fixtures of the tests of rating files."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.ratings import read_ratings


@pytest.fixture
def read_error(write):
    """Return a function that writes a file and returns the error of reading it, which has a location in the file."""

    def read(content, name="ratings.csv", **options) -> QeError:
        path = write(name, content)
        with pytest.raises(QeError) as caught:
            read_ratings(path, **options)
        assert caught.value.place is not None
        assert caught.value.place.file == str(path)
        assert caught.value.hint
        return caught.value

    return read
