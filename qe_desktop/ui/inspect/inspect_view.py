"""Views of the Inspect area: the translator's view of a bilingual file, and the evaluation view of any corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from qe_desktop.corpus import Corpus, Kind, Provenance, TextRole
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES

_FLAG_KINDS = frozenset((Kind.WORDS, Kind.GAPS, Kind.SOURCE, Kind.PROBABILITIES))
POST_EDIT_GROUP = tr("Post-edit")
"""Heading of the commands for translators."""
_POST_EDITS = frozenset((TextRole.POST_EDIT, TextRole.RAW_POST_EDIT))


@dataclass(frozen=True, slots=True)
class InspectView:
    """View of the Inspect area; each part of the area reads the fields that concern it.

    All parts read layers only from the corpus that `corpus_to_show` returns, so that they need not check whether the
    view shows gold.
    """

    all_layers: bool
    """Whether gold, annotation layers, post-edits and other translations are shown in addition to system layers."""
    tag_rows: bool
    """Whether a row of tags is shown below the words for each layer, in addition to the marks on the words."""
    tag_editing: bool
    """Whether the user can select the kind of tags and edit tags."""
    disagreement: bool
    """Whether differences between layers are counted and can be used to filter and sort the segment list."""
    score_panel: bool
    """Whether scores against a reference are shown next to the segments."""
    flag_wording: bool
    """Whether the interface calls BAD words “flagged” and the current translation “target”."""
    flag_reasons: bool
    """Whether the reasons for flags are listed below the texts of a segment."""
    hidden_commands: frozenset[str] = frozenset()
    """Ids of commands that the view hides."""
    leading_group: str = ""
    """Group whose commands are listed first; empty for none."""
    command_texts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Texts that replace the default texts of commands, by command id."""

    def corpus_to_show(self, corpus: Corpus) -> Corpus:
        """Return the corpus if `all_layers` is set, otherwise a corpus with only its source, MT and system layers.

        This limited corpus also contains the gold tags if no system has tags or probabilities.
        """
        return corpus if self.all_layers else _flagged_corpus(corpus)


def _flagged_corpus(corpus: Corpus) -> Corpus:
    """Return a corpus with only source, MT and system layers; gold tags only if no system has tags or probabilities."""
    provenances = {Provenance.SYSTEM}
    if not any(key.provenance is Provenance.SYSTEM and key.kind in _FLAG_KINDS for key in corpus.layers):
        provenances.add(Provenance.GOLD)
    layers = {
        key: layer
        for key, layer in corpus.layers.items()
        if key.provenance in provenances and (key.provenance is Provenance.SYSTEM or key.kind in _FLAG_KINDS)
    }
    texts = {role: column for role, column in corpus.texts.items() if role not in _POST_EDITS}
    return replace(corpus, texts=texts, layers=layers, translations={}, references={}, metric_scores={})


EVALUATION_VIEW = InspectView(
    all_layers=True,
    tag_rows=True,
    tag_editing=True,
    disagreement=True,
    score_panel=True,
    flag_wording=False,
    flag_reasons=False,
)
TRANSLATOR_VIEW = InspectView(
    all_layers=False,
    tag_rows=False,
    tag_editing=False,
    disagreement=False,
    score_panel=False,
    flag_wording=True,
    flag_reasons=True,
    hidden_commands=frozenset(
        (
            "edit.own-layer",
            "edit.post-edit-gold",
            "inspect.next-disputed", "inspect.previous-disputed", "inspect.only-disputed",
            "inspect.toggle", "inspect.lock", "inspect.kind", "inspect.panel",
            "inspect.translations", "inspect.marking", "inspect.base", "inspect.all-translations",
            "inspect.mark-usual", *(f"inspect.mark-{name}" for name in DIFF_STYLES),
        )
    ),
    leading_group=POST_EDIT_GROUP,
    command_texts=MappingProxyType(
        {
            "inspect.next-bad": tr("Next flagged word"),
            "inspect.previous-bad": tr("Previous flagged word"),
            "inspect.only-bad": tr("Only flagged, unfinished segments"),
            "inspect.agreement": tr("Next voting rule: flagged by any system, a majority or all"),
            "inspect.explain": tr("Explain the flags of a word"),
            "inspect.copy": tr("Copy the segment with its flags as TSV"),
        }
    ),
)  # fmt: skip
