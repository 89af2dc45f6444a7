"""Hypothesis strategies for lines with special cases of tokenizers, and for texts of several lines."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = (
    *"ab A.,5-&<'(\t",
    "the cat", " sat", " on", " the", " mat", "1,234.56", "10-year", "...", ".5", "5.", "-", "&quot;", "&amp;lt;",
    "<skipped>", "<SKIPPED>", "é", "ÄΣ", "İ", "ß", "我喜欢", "。", "\u00a0", "\u2028", "\x85", "👍🏽", "\u0301", "e.g.",
)  # fmt: skip
lines = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
plain = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=9).map(" ".join)


@st.composite
def system_and_references(draw, line=plain, max_references=3, max_segments=6, min_segments=1):
    """Draw a system and its references with the same number of lines; some lines are empty."""
    segments = draw(st.integers(min_segments, max_segments))
    references = draw(st.integers(1, max_references))
    text = st.lists(line, min_size=segments, max_size=segments)
    return draw(text), [draw(text) for _ in range(references)]
