"""Gold that is computed from the post-edit of an open corpus, by the rules of WMT18: layers that can come and go."""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.tags.tag_rows import OnRowsProgress

POST_EDIT_FORM = "post-edit"
"""The form of layers that no file brought: they were made here."""
GOLD_NAME, HTER_NAME = "gold", "hter"
"""What these layers are called, as those of a file would be."""
TAGS_SHARE = 0.5
"""The part of the work that tags take; HTER takes the rest."""

_TAGS_ORIGIN = tr("post-edit (TER alignment without shifts)")
_HTER_ORIGIN = tr("post-edit (TER with shifts, 1 at most)")
_SOURCE_NOTE = tr("the alignments are of the MT, so no source word is BAD for what is missing there")


def kinds_to_make(corpus: Corpus) -> tuple[Kind, ...]:
    """The kinds of gold that the post-edit can give and that are not there: tags where there are none of any kind.

    Nothing without MT and post-edit, nor where words have a tag of `<EOS>`, for which these rules know none.
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
    """The layers that were made of the post-edit and are there now."""
    return [key for key, layer in corpus.layers.items() if layer.form == POST_EDIT_FORM]


def gold_from_post_edit(corpus: Corpus, watch: OnRowsProgress) -> tuple[Layer, ...]:
    """The layers of `kinds_to_make`; `watch` hears the share of the work that is done, and may raise to stop."""
    mt, post_edit = corpus.text(TextRole.MT), corpus.text(TextRole.POST_EDIT)
    if mt is None or post_edit is None:
        return ()
    return tuple(_layers(corpus, mt, post_edit, kinds_to_make(corpus), watch))


def _layers(
    corpus: Corpus, mt: TextColumn, post_edit: TextColumn, kinds: tuple[Kind, ...], watch: OnRowsProgress
) -> Iterator[Layer]:
    from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, segment_hter, source_tags

    if Kind.WORDS in kinds:
        found = compare_post_edits(mt, post_edit, lambda share: watch(share * TAGS_SHARE))
        yield Layer(_key(Kind.WORDS), found.words, _TAGS_ORIGIN, POST_EDIT_FORM)
        yield Layer(_key(Kind.GAPS), found.gaps, _TAGS_ORIGIN, POST_EDIT_FORM)
        source, links = corpus.text(TextRole.SOURCE), corpus.alignments
        if Kind.SOURCE in kinds and source is not None and links is not None:
            column = source_tags(found, source, links)
            yield Layer(_key(Kind.SOURCE), column, _TAGS_ORIGIN, POST_EDIT_FORM, (_SOURCE_NOTE,))
    if Kind.SCORES in kinds:
        done = TAGS_SHARE if Kind.WORDS in kinds else 0.0
        rates = segment_hter(mt, post_edit, watch=lambda share: watch(done + share * (1 - done)))
        rates.flags.writeable = False
        yield Layer(_key(Kind.SCORES), rates, _HTER_ORIGIN, POST_EDIT_FORM)


def _key(kind: Kind) -> LayerKey:
    return LayerKey(Provenance.GOLD, HTER_NAME if kind is Kind.SCORES else GOLD_NAME, kind)
