"""MT that a gold file contains, and the segments that the gold excludes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qe_desktop.corpus import Corpus, Kind, TextColumn, TextRole
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.tags.tag_reader import ParsedTags, TagTexts, fit_word_table
from qe_desktop.formats.tags.wmt23_gold import WMT23_GOLD, mt_for_gold
from qe_desktop.formats.tags.wmt_word_tables import read_word_table


def read_tags_with_text(opened: TextFile, language_pair: str) -> ParsedTags:
    """Read the tags and the MT of a file that contains both.

    Raises QeError as `read_word_table` and `fit_word_table` do.
    """
    return fit_word_table(read_word_table(opened), Kind.WORDS, TagTexts(), language_pair)


def with_embedded_mt(texts: Mapping[TextRole, TextColumn], parsed_tags: ParsedTags) -> dict[TextRole, TextColumn]:
    """Return the texts with the MT of the tag file; the texts are unchanged if `parsed_tags` has no raw MT.

    A loaded MT that equals the raw MT of the file becomes the raw MT, unless a raw MT is also loaded. Any other loaded
    MT remains the MT, but the segments that the file excludes are emptied.
    """
    result, loaded_mt = dict(texts), texts.get(TextRole.MT)
    if parsed_tags.mt is None or parsed_tags.raw_mt is None:
        return result
    if (
        loaded_mt is not None
        and TextRole.RAW_MT not in texts
        and _is_same_text(loaded_mt, parsed_tags.raw_mt, parsed_tags.excluded)
    ):
        result[TextRole.RAW_MT] = loaded_mt
        loaded_mt = None
    if loaded_mt is None:
        result[TextRole.MT] = parsed_tags.mt
        result.setdefault(TextRole.RAW_MT, parsed_tags.raw_mt)
    elif parsed_tags.excluded is not None:
        result[TextRole.MT] = mt_for_gold(parsed_tags.columns[Kind.WORDS], parsed_tags.excluded, loaded_mt)
    return result


def _is_same_text(mt: TextColumn, raw_mt: TextColumn, excluded: Ints | None) -> bool:
    if len(mt) != len(raw_mt):
        return False
    skipped = set() if excluded is None else set(excluded.tolist())
    return all(mt.raw(line) == raw_mt.raw(line) for line in range(len(mt)) if line not in skipped)


def excluded_segments(corpus: Corpus | None) -> Ints | None:
    """0-based numbers of the segments that a WMT23 gold excludes; None if the corpus, its gold or its MT is missing."""
    golds = [] if corpus is None else [layer for layer in corpus.layers.values() if layer.form == WMT23_GOLD.title]
    mt = None if corpus is None else corpus.texts.get(TextRole.MT)
    return np.flatnonzero(mt.token_counts() == 0) if golds and mt is not None else None
