"""What a session adds to what a view shows: thresholds in force, and whether anything was edited."""

from __future__ import annotations

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.corpus.agreement import Agreement
from qe_desktop.project import Session
from qe_desktop.ui.inspect.signs import Seen


def seen_in(
    session: Session | None, agreement: Agreement, *, found: bool, reviewing: bool = False, checked: bool = False
) -> Seen:
    """For the legend; `found` says that text was searched for, `reviewing` that targets are corrected, `checked` that
    checks mark one.
    """
    if session is None:
        return Seen(agreement, {}, found=found)
    systems = [layer.key.name for layer in session.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)]
    thresholds = {
        name: session.threshold(name)
        for name in systems
        if session.from_probabilities(LayerKey(Provenance.SYSTEM, name, Kind.WORDS))
    }
    edited = session.edited_tags() > 0
    return Seen(agreement, thresholds, edited=edited, found=found, reviewing=reviewing, checked=checked)
