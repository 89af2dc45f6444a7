"""Which of the languages with scripts of many characters a text is in: Chinese, Japanese or Korean, by its letters."""

from __future__ import annotations

import re
from collections.abc import Iterable

SAMPLE = 500
"""Lines of a column that are counted, spread over all of it."""
CHARACTERS = 300
"""Characters of one line that are counted."""
MIN_SHARE = 0.2
"""The share of Han, kana and Hangul among the letters above which a text is in one of these languages."""
MIN_KANA = 0.2
"""The share of kana among these characters above which a text is Japanese; Chinese has them in a few names."""

_HAN = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7fb\uffa1-\uffdc]")


def cjk_language(lines: Iterable[str]) -> str:
    """Return `zh`, `ja` or `ko` where more than a fifth of the letters are Han, kana or Hangul, else an empty string.

    >>> cjk_language(["他说：“BLEU 是 0。”"])
    'zh'
    >>> cjk_language(["犬が公園を走る。"]), cjk_language(["개가 달린다."]), cjk_language(["Tokyo (東京) is far."])
    ('ja', 'ko', '')
    """
    text = "".join(line[:CHARACTERS] for line in lines)
    han, kana, hangul = (len(script.findall(text)) for script in (_HAN, _KANA, _HANGUL))
    characters = han + kana + hangul
    if not characters or characters <= MIN_SHARE * sum(map(str.isalpha, text)):
        return ""
    if 2 * hangul > characters:
        return "ko"
    return "ja" if kana > MIN_KANA * characters else "zh"
