"""Layers of gold tags and HTER that are computed from a corpus's post-edit by the rules of WMT18 and can be removed."""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr

POST_EDIT_FORM = "post-edit"
"""`Layer.form` of layers that were computed from the post-edit instead of loaded from a file."""
GOLD_NAME, HTER_NAME = "gold", "hter"
"""Names of the computed layers of tags and of HTER; layers loaded from files have the same names."""
TAGS_SHARE = 0.5
"""Fraction of the progress assigned to tags; the rest is assigned to HTER."""

_TAGS_ORIGIN = tr("post-edit (TER alignment without shifts)")
_HTER_ORIGIN = tr("post-edit (TER with shifts, capped at 1)")
_SOURCE_NOTE = tr("the source is aligned with the MT only, so omissions do not make source words BAD")


def missing_gold_kinds(corpus: Corpus) -> tuple[Kind, ...]:
    """Return the kinds of gold layers that are missing and can be computed from the post-edit.

    Kinds of tags are included only if the corpus has no gold tags. The result is empty if the corpus has no MT or no
    post-edit, or if it has `<EOS>` tags, for which the rules of WMT18 are not defined.
    """
    if corpus.eos or not corpus.size or corpus.text(TextRole.MT) is None or corpus.text(TextRole.POST_EDIT) is None:
        return ()
    kinds: list[Kind] = []
    if not any(corpus.gold(kind) for kind in Kind if kind.is_tags):
        kinds += [Kind.WORDS, Kind.GAPS]
        if corpus.text(TextRole.SOURCE) is not None and corpus.alignments is not None:
            kinds.append(Kind.SOURCE)
    if corpus.gold(Kind.SCORES) is None:
        kinds.append(Kind.SCORES)
    return tuple(kinds)


def existing_gold_layers(corpus: Corpus) -> list[LayerKey]:
    """Return the keys of the layers in `corpus` that were computed from the post-edit."""
    return [key for key, layer in corpus.layers.items() if layer.form == POST_EDIT_FORM]


def post_edit_caution(corpus: Corpus) -> str:
    """Return a warning if the MT or the post-edit used to compute gold is not tokenized, or else an empty string."""
    from qe_desktop.metrics.tags.post_edit_tags import untokenized_note

    texts = (corpus.text(TextRole.MT), corpus.text(TextRole.POST_EDIT))
    return untokenized_note(*(text for text in texts if text is not None))


def gold_from_post_edit(corpus: Corpus, on_progress: OnProgress) -> tuple[Layer, ...]:
    """Compute layers of the kinds that `missing_gold_kinds` returns.

    `on_progress` receives the fraction done. It may raise an exception to stop the computation.
    """
    mt, post_edit = corpus.text(TextRole.MT), corpus.text(TextRole.POST_EDIT)
    if mt is None or post_edit is None:
        return ()
    return tuple(_layers(corpus, mt, post_edit, missing_gold_kinds(corpus), on_progress))


def _layers(
    corpus: Corpus, mt: TextColumn, post_edit: TextColumn, kinds: tuple[Kind, ...], on_progress: OnProgress
) -> Iterator[Layer]:
    from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, segment_hter, source_tags

    notes = tuple(filter(None, [post_edit_caution(corpus)]))
    if Kind.WORDS in kinds:
        tags = compare_post_edits(mt, post_edit, lambda share: on_progress(share * TAGS_SHARE))
        yield Layer(_key(Kind.WORDS), tags.words, _TAGS_ORIGIN, POST_EDIT_FORM, notes)
        yield Layer(_key(Kind.GAPS), tags.gaps, _TAGS_ORIGIN, POST_EDIT_FORM, notes)
        source, links = corpus.text(TextRole.SOURCE), corpus.alignments
        if Kind.SOURCE in kinds and source is not None and links is not None:
            column = source_tags(tags, source, links)
            yield Layer(_key(Kind.SOURCE), column, _TAGS_ORIGIN, POST_EDIT_FORM, (_SOURCE_NOTE, *notes))
    if Kind.SCORES in kinds:
        start = TAGS_SHARE if Kind.WORDS in kinds else 0.0
        rates = segment_hter(mt, post_edit, on_progress=lambda share: on_progress(start + share * (1 - start)))
        rates.flags.writeable = False
        yield Layer(_key(Kind.SCORES), rates, _HTER_ORIGIN, POST_EDIT_FORM, notes)


def _key(kind: Kind) -> LayerKey:
    return LayerKey(Provenance.GOLD, HTER_NAME if kind is Kind.SCORES else GOLD_NAME, kind)
