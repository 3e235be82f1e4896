"""Del código de un artículo de Wikipedia a su prosa: sin plantillas, tablas, listas ni notas."""

import html
import re

# El orden importa: lo que va entre marcas desaparece antes de mirar qué queda.
_HIDDEN = re.compile(
    r"<!--.*?-->|<ref[^>]*?/>|"
    r"<(ref|math|gallery|timeline|syntaxhighlight|source|score|code|pre)\b.*?</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_TABLE = re.compile(r"\{\|(?:(?!\{\||\|\}).)*\|\}", re.DOTALL)
_LINK = re.compile(r"\[\[([^\[\]]*)\]\]")
_OUTSIDE = re.compile(r"\[(?:https?:)?//[^\s\]]*\s*([^\]]*)\]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_NOT_PROSE = re.compile(r"^(?:[*#:;|!=]|\{\||\|\}|__[A-Z]+__|-{4}).*$", re.MULTILINE)
_CLOSING = re.compile(
    r"^==+\s*(?:Referencias|Notas|Notas y referencias|Véase también|Bibliografía|"
    r"Enlaces externos)\s*==+\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_MEDIA = ("archivo", "imagen", "file", "image", "categoría", "category")
_SPACES = re.compile(r"[^\S\n]+")


def prose(wikitext: str) -> str:
    """Los párrafos de un artículo, uno por línea, tal como se leen.

    Se pierden los títulos de las secciones, las listas, las tablas y lo que escriben las
    plantillas; y todo desde las referencias, que cierran el artículo.
    """
    text = _until_stable(_HIDDEN, "", html.unescape(wikitext))
    text = _CLOSING.split(text, maxsplit=1)[0]
    text = _until_stable(_TABLE, "", _until_stable(_TEMPLATE, "", text))
    text = _until_stable(_LINK, _link_text, text)
    text = _TAG.sub("", _OUTSIDE.sub(r"\1", text)).replace("'''", "").replace("''", "")
    lines = (_SPACES.sub(" ", line).strip() for line in _NOT_PROSE.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def _until_stable(pattern: re.Pattern, replacement, text: str) -> str:
    """Cambia también lo que está dentro de otro igual: en cada vuelta, lo más hondo."""
    while True:
        text, count = pattern.subn(replacement, text)
        if not count:
            return text


def _link_text(found: re.Match) -> str:
    """Lo que se lee de un enlace: su texto, su destino o, si es una foto, nada."""
    parts = found[1].split("|")
    namespace = parts[0].partition(":")[0].strip().lower()
    return "" if namespace in _MEDIA and ":" in parts[0] else parts[-1]
