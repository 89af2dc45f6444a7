"""Validation of the settings of a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from qe_desktop.corpus import CAMPAIGN_JOINER, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.screen_drafts import Translations, displayed_texts
from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ratings.protocols import Protocol, get_protocol

MIN_EQUAL_SHARE = 0.9
"""Minimum share of segments, 0..1, in which a translation must equal the reference to count as the reference."""


class ReferenceNotConfirmedError(QeError):
    """Error raised if `system` seems to be the reference, which may be rated only if the owner confirms it."""

    def __init__(self, system: str) -> None:
        super().__init__(
            tr("“{name}” seems to be the reference", name=system),
            hint=tr("Remove it from the systems, or confirm that the reference is to be rated."),
        )
        self.system = system


def check_setup(
    campaign: Campaign,
    setup: CampaignSetup,
    passages: Mapping[int, Passage],
    translations: Translations,
    *,
    reference_rated: bool = False,
) -> None:
    """Raise QeError for the first problem found in the settings.

    A system whose translations seem to be the reference (see `is_reference`) is a problem, unless `reference_rated` is
    set and the reference is not displayed. If it would help to set `reference_rated`, the error is a
    ReferenceNotConfirmedError.
    """
    protocol = get_protocol(campaign.protocol)
    _check_raters(setup)
    _check_systems(setup, protocol, translations)
    _check_numbers(setup, protocol)
    _check_segments(setup, translations)
    _check_translations(setup, translations)
    if not protocol.target_only:
        _check_passages(campaign.basis, setup, passages)
    _check_reference(campaign, setup, passages, translations, reference_rated=reference_rated)
    if campaign.by_document and not any(
        passages[segment].document for segment in setup.segments if segment in passages
    ):
        raise QeError(
            tr("the selected segments have no document information"),
            hint=tr("Open the corpus with its documents, or rate single segments."),
        )


def _check_raters(setup: CampaignSetup) -> None:
    if not setup.raters:
        raise QeError(tr("a campaign needs raters"), hint=tr("Add at least one rater."))
    if any(not name.strip() for name in setup.raters):
        raise QeError(tr("a rater has no name"), hint=tr("Name every rater."))
    name, times = _most_common(setup.raters)
    if times > 1:
        raise QeError(
            tr("{n} raters are named “{name}”", "", times, name=name),
            hint=tr("Use a different name for every rater."),
        )


def _check_systems(setup: CampaignSetup, protocol: Protocol, translations: Translations) -> None:
    name, times = _most_common(setup.systems)
    if times > 1:
        raise QeError(
            tr("{n} systems are named “{name}”", "", times, name=name),
            hint=tr("Use a different name for every system."),
        )
    _check_enough(len(setup.systems), protocol)
    unknown = next((name for name in setup.systems if name not in translations), None)
    if unknown is not None:
        raise QeError(
            tr("there is no translation by “{name}”", name=unknown),
            hint=tr("Add its translation, or remove the system."),
        )
    name_with_joiner = next((name for name in setup.systems if protocol.compares and CAMPAIGN_JOINER in name), None)
    if name_with_joiner is not None:
        raise QeError(
            tr(
                "the system name “{name}” contains “{sign}”, which joins the names of systems with identical output",
                name=name_with_joiner,
                sign=CAMPAIGN_JOINER,
            ),
            hint=tr("Rename the system."),
        )


def _check_enough(systems: int, protocol: Protocol) -> None:
    minimum = protocol.outputs[0]
    if systems >= minimum:
        return
    if minimum == 1:
        raise QeError(
            tr("{protocol} needs a system, but none is selected", protocol=protocol.title), hint=tr("Select a system.")
        )
    raise QeError(
        tr(
            "{protocol} needs at least {least} {least:system|systems}, but only {n} {n:is|are} selected",
            "",
            systems,
            protocol=protocol.title,
            least=minimum,
        )
        if systems
        else tr("{protocol} needs at least {n} systems, but none are selected", "", minimum, protocol=protocol.title),
        hint=tr("Select at least {n} systems.", "", minimum),
    )


def _check_numbers(setup: CampaignSetup, protocol: Protocol) -> None:
    for share, message in (
        (setup.overlap, tr("the overlap is {share:g}", share=setup.overlap)),
        (setup.repeats, tr("the share of repeats is {share:g}", share=setup.repeats)),
        (setup.controls, tr("the share of quality-control items is {share:g}", share=setup.controls)),
    ):
        if not 0 <= share <= 1:
            raise QeError(message, hint=tr("Use a share from 0 to 1."))
    minimum = protocol.outputs[0]
    if protocol.compares and not minimum <= setup.per_screen:
        raise QeError(
            tr("an item with {n} {n:output|outputs} cannot be ranked", "", setup.per_screen),
            hint=tr("Use at least {n} {n:output|outputs} per item.", "", minimum),
        )
    if setup.training < 0:
        raise QeError(tr("a campaign cannot have {n} training items", "", setup.training), hint=tr("Use 0 or more."))
    if setup.seed < 0:
        raise QeError(tr("the seed is {seed}", seed=setup.seed), hint=tr("Use a whole number of 0 or more."))


def _check_segments(setup: CampaignSetup, translations: Translations) -> None:
    if not setup.segments:
        raise QeError(tr("the campaign has no segments"), hint=tr("Select at least one segment."))
    sizes = {name: len(translations[name]) for name in setup.systems}
    if len(set(sizes.values())) > 1:
        shortest, longest = sorted(sizes, key=lambda name: sizes[name])[:: len(sizes) - 1]
        raise QeError(
            tr(
                "“{name}” has {n:,} {n:segment|segments}, but “{other}” has {size:,}",
                "",
                sizes[shortest],
                name=shortest,
                other=longest,
                size=sizes[longest],
            ),
            hint=tr("All systems must have a translation of every segment."),
        )
    size = min(sizes.values())
    outside = next((segment for segment in setup.segments if not 0 <= segment < size), None)
    if outside is not None:
        raise QeError(
            tr("there is no segment {number:,}", number=outside + 1),
            hint=tr("Segments are numbered from 1 to {last:,}.", last=size),
        )
    if len(set(setup.segments)) < len(setup.segments):
        repeated = Counter(setup.segments).most_common(1)[0][0]
        raise QeError(
            tr("segment {number:,} is selected more than once", number=repeated + 1),
            hint=tr("Select each segment once."),
        )


def _check_translations(setup: CampaignSetup, translations: Translations) -> None:
    for name in setup.systems:
        empty = [segment for segment in setup.segments if not translations[name][segment].strip()]
        if empty:
            first, more = empty[0] + 1, len(empty) - 1
            raise QeError(
                tr(
                    "“{name}” has no translation of segment {number:,} or of {n:,} more {n:segment|segments}",
                    "",
                    more,
                    name=name,
                    number=first,
                )
                if more
                else tr("“{name}” has no translation of segment {number:,}", name=name, number=first),
                hint=tr("Complete the file, or remove the system or the segments without a translation."),
            )


def _check_passages(basis: EvaluationBasis, setup: CampaignSetup, passages: Mapping[int, Passage]) -> None:
    selected = [(segment, passages.get(segment, Passage(-1))) for segment in setup.segments]
    empty = [segment for segment, passage in selected if not passage.source.strip()]
    if basis is not EvaluationBasis.REFERENCE and empty:
        first, more = empty[0] + 1, len(empty) - 1
        raise QeError(
            tr(
                "segment {number:,} and {n:,} more {n:segment|segments} have no source to compare with",
                "",
                more,
                number=first,
            )
            if more
            else tr("segment {number:,} has no source to compare with", number=first),
            hint=tr(
                "Open the corpus with its source, remove segments without a source, or judge against the reference."
            ),
        )
    empty = [segment for segment, passage in selected if not passage.reference.strip()]
    if basis is not EvaluationBasis.SOURCE and empty:
        first, more = empty[0] + 1, len(empty) - 1
        raise QeError(
            tr(
                "segment {number:,} and {n:,} more {n:segment|segments} have no reference to compare with",
                "",
                more,
                number=first,
            )
            if more
            else tr("segment {number:,} has no reference to compare with", number=first),
            hint=tr(
                "Open the corpus with its reference, remove segments without a reference, or judge against the source."
            ),
        )


def is_reference(translation: Sequence[str], references: Mapping[int, str]) -> bool:
    """Return whether a translation equals the reference in at least `MIN_EQUAL_SHARE` of the segments.

    `references` are the reference texts, keyed by segment. Segments with an empty reference are ignored, as are
    differences in whitespace. Returns False if all references are empty.
    """
    tokenized_references = [(segment, words) for segment, text in references.items() if (words := text.split())]
    equal_count = sum(translation[segment].split() == words for segment, words in tokenized_references)
    return bool(tokenized_references) and equal_count >= MIN_EQUAL_SHARE * len(tokenized_references)


def _check_reference(
    campaign: Campaign,
    setup: CampaignSetup,
    passages: Mapping[int, Passage],
    translations: Translations,
    *,
    reference_rated: bool,
) -> None:
    references = {segment: passages[segment].reference for segment in setup.segments if segment in passages}
    is_reference_shown = displayed_texts(campaign)[1]
    for name in setup.systems if is_reference_shown or not reference_rated else ():
        if is_reference(translations[name], references):
            if not is_reference_shown:
                raise ReferenceNotConfirmedError(name)
            raise QeError(
                tr("“{name}” seems to be the reference", name=name),
                hint=tr("Remove it from the systems: it would be compared with itself."),
            )


def _most_common(names: Sequence[str]) -> tuple[str, int]:
    return Counter(names).most_common(1)[0] if names else ("", 0)
