"""Character ranges of highlighted words."""

from qe_desktop.corpus.text_spans import HighlightSpan, highlight_spans


def test_range_after_a_shared_character_has_its_own_strength():
    # the three dots share one character, which the first of them highlights lightly
    spans = highlight_spans("…x", [".", ".", ".", "x"], [1, 2, 2, 2], strong=2)
    assert spans == (HighlightSpan(0, 1, strong=False), HighlightSpan(1, 2, strong=True))
