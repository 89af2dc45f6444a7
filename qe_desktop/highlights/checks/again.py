"""Why the system of checks marks a place, where its reasons were not kept: found out again, of one segment.

Projects keep tags and which checks made them. The same checks on the same MT find the same; where they do not, since
they are others in this version, nothing is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, Reasons, TextColumn, TextRole
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.highlights.checks.check import Check
from qe_desktop.highlights.checks.pairing import Pairing
from qe_desktop.highlights.checks.registry import CHECKS
from qe_desktop.highlights.checks.running import NAME, checks_noted
from qe_desktop.highlights.checks.same_sources import same_source
from qe_desktop.highlights.sides import Side
from qe_desktop.highlights.tagging import Mark, tagged_layers

_ROLES = (TextRole.SOURCE, TextRole.MT, TextRole.RAW_SOURCE, TextRole.RAW_MT)


def reasons_of(corpus: Corpus, key: LayerKey, segment: int) -> Reasons | None:
    """The reasons of a layer: those that it has, or of a segment those that checks find again; None where it is none
    that checks of this program made.
    """
    layer = corpus.layers.get(key)
    if layer is None or layer.reasons is not None or not _is_ours(layer):
        return None if layer is None else layer.reasons
    found = _found(corpus, _checks_of(layer), segment).get(key.kind)
    tags = layer.tags[segment]
    held = () if found is None else found.by_segment.get(0, ())
    marked = tuple(one for one in held if one.place < len(tags) and tags[one.place])
    return Reasons({segment: marked} if marked else {})


def _is_ours(layer: Layer) -> bool:
    key = layer.key
    return key.provenance is Provenance.SYSTEM and key.name == NAME and layer.origin == NAME and key.kind.is_tags


def _checks_of(layer: Layer) -> tuple[Check, ...]:
    names = checks_noted(layer.notes)
    return tuple(check for check in CHECKS if check.name in names)


def _found(corpus: Corpus, checks: tuple[Check, ...], segment: int) -> Mapping[Kind, Reasons]:
    """What checks say of the MT of a segment as it was loaded, as reasons of the only segment of a corpus."""
    texts = {role: TextColumn.of([corpus.texts[role][segment]]) for role in _ROLES if role in corpus.texts}
    one = Corpus("one", 1, texts, eos=corpus.eos, language_pair=corpus.language_pair, languages=corpus.languages)
    mt, source = Side.of(one, TextRole.MT), Side.of(one, TextRole.SOURCE)
    if mt is None or mt.tokens is None or source is None:
        return {}
    given = Pairing(corpus).pair(segment, corpus.mt_line(segment))
    pair = given._replace(
        source=source.lines[0], mt=mt.lines[0], written=mt.written[0], source_written=source.written[0]
    )
    others = _Loaded(corpus)
    marks = [Mark(0, one.span, one.reason, one.of_source) for check in checks for one in check.at(pair, others)]
    layers = tagged_layers(one, marks, NAME, mt, source)
    return {layer.key.kind: layer.reasons for layer in layers if layer.reasons is not None}


class _Loaded:
    """What checks ask of the other segments, as they were loaded."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def has_of_itself(self, word: str) -> bool:
        """Taken to be none: where the word is marked it was none, and elsewhere no reason is given."""
        return False

    def usual(self, segment: int, text: str) -> tuple[int, str] | None:
        """The usual translation of this segment's source, where this text is another."""
        same = same_source(self._corpus, segment).tolist()
        texts = {one: text_of_line(self._corpus.mt_line(one)) for one in same}
        counts = Counter(plain for one in texts.values() if (plain := " ".join(one.split())))
        if len(counts) < 2:
            return None
        usual = max(counts, key=counts.__getitem__)
        if usual == " ".join(text.split()):
            return None
        return next((one, other) for one, other in texts.items() if " ".join(other.split()) == usual)
