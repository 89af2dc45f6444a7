"""Why a file does not join a corpus, in words."""

from __future__ import annotations

from qe_desktop.corpus import Kind, LayerKey
from qe_desktop.formats.roles import Role
from qe_desktop.wording import tr


def name_taken(role: Role, name: str) -> str:
    """Two files of a role have one name."""
    if role is Role.REFERENCE:
        return tr("there is already a reference {name}", name=name)
    return tr("there is already a translation by {name}", name=name)


def other_eos(eos: bool) -> str:
    """A file has values for `<EOS>`, or has none, and the others are not like that."""
    if eos:
        return tr("its lines have one value more than the MT has tokens (for <EOS>), the other files none")
    return tr(
        "its lines have one value for each token, the other files one value more than the MT has tokens (for <EOS>)"
    )


def there_already(key: LayerKey) -> str:
    """A layer is there twice."""
    return {
        Kind.WORDS: tr("{name} has words already", name=key.name),
        Kind.GAPS: tr("{name} has gaps already", name=key.name),
        Kind.SOURCE: tr("{name} has source already", name=key.name),
        Kind.PROBABILITIES: tr("{name} has probabilities already", name=key.name),
        Kind.SCORES: tr("{name} has scores already", name=key.name),
    }[key.kind]
