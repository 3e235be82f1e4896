"""Un solo archivo de estilo, sin las reglas del tema que ninguna página usa.

El tema trae un armazón entero (Bootstrap) del que el curso gasta una décima parte. Aquí se juntan
los estilos en el orden en que el tema los carga y se quitan las reglas cuyas clases no aparecen en
ninguna página ni en ningún guion.
"""

import re
from pathlib import Path

import tinycss2

NAME = "_static/curso.css"
# El tema enlaza estos dos desde su plantilla, antes que los demás.
FIRST = ("_static/basic.css", "_static/styles/pydata-sphinx-theme.css")
DATA = ("buscar/", "glosario.js")
# Los atributos, los guiones y el estado de las figuras, que crean elementos.
NAMES = re.compile(r'(?:class|id)="([^"]*)"|<script[^>]*>(.*?)</script>', re.DOTALL)
NESTED = ("media", "supports", "layer")
# Lo que va dentro de :not(), :is()… no exige que la clase exista.
FUNCTION = re.compile(r":[\w-]+\([^()]*\)")
LIST = re.compile(r":is\(([^()]*)\)")
CLASS_OR_ID = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")


def bundle(folder: Path, names: list[str]) -> None:
    """Escribe en `folder` el archivo único, hecho con los que se nombran y por su orden."""
    words = vocabulary(folder)
    text = "".join((folder / name).read_text(encoding="utf-8") for name in (*FIRST, *names))
    (folder / NAME).write_text(purge(text, words), encoding="utf-8")


def vocabulary(folder: Path) -> set[str]:
    """Toda clase o identificador posible: los de las páginas y cualquier palabra de los guiones."""
    pages = (path.read_text(encoding="utf-8") for path in folder.rglob("*.html"))
    names = (name for text in pages for pair in NAMES.findall(text) for name in pair)
    # El índice del buscador y el glosario son textos, no guiones.
    scripts = (p for p in folder.rglob("*.js") if not any(name in p.as_posix() for name in DATA))
    texts = (*names, *(path.read_text(encoding="utf-8") for path in scripts))
    return {word for text in texts for word in re.findall(r"[\w-]+", text)}


def purge(text: str, words: set[str]) -> str:
    """Las reglas de un estilo que pueden alcanzar a algún elemento."""
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    return "".join(kept(rule, words) for rule in rules)


def kept(rule, words: set[str]) -> str:
    """Una regla con los selectores que sirven; vacía si ninguno sirve."""
    if rule.type == "qualified-rule":
        selectors = split_selectors(tinycss2.serialize(rule.prelude))
        useful = [one for each in selectors for one in spread(each) if can_match(one, words)]
        content = compact(tinycss2.serialize(rule.content))
        return f"{','.join(useful)}{{{content}}}\n" if useful and content else ""
    if rule.type != "at-rule" or rule.at_keyword == "charset":
        return ""
    prelude, content = tinycss2.serialize(rule.prelude), rule.content
    if content is None:
        return rule.serialize()
    if rule.at_keyword in NESTED:
        inner = purge(tinycss2.serialize(content), words)
        return f"@{rule.at_keyword}{prelude}{{{inner}}}\n" if inner else ""
    text = compact(tinycss2.serialize(content))
    # Los iconos son nuestros: no hace falta la letra de la que los sacaba el tema.
    foreign = rule.at_keyword == "font-face" and "FontAwesome" in re.sub(r"\W", "", text)
    return "" if foreign else f"@{rule.at_keyword}{prelude}{{{text}}}\n"


def split_selectors(text: str) -> list[str]:
    """Los selectores de una regla: las comas de dentro de un paréntesis no separan."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def spread(selector: str) -> list[str]:
    """El mismo selector sin listas `:is(…)`, que el navegador prueba con cada elemento.

    Con la etiqueta o la clase a la vista lo prueba solo con los suyos. Si las opciones no pesan
    igual, la lista se queda detrás, porque la regla pesa lo que la mayor de ellas.
    """
    for match in LIST.finditer(selector):
        before, after = selector[: match.start()], selector[match.end() :]
        options = split_selectors(match[1])
        nested = before.count("(") != before.count(")")
        starts = not before or before[-1] in " >+~"
        if nested or not starts or any(re.search(r"[ >+~]", option) for option in options):
            continue
        if len({weight(option) for option in options}) == 1:
            heads = [before + option for option in options]
        else:
            heads = [f"{before}:where({option}){match[0]}" for option in options]
        return [head + tail for head in heads for tail in (spread(after) if after else [""])]
    return [selector]


def weight(selector: str) -> tuple[int, ...]:
    """Lo que pesa un selector sin paréntesis: identificadores, clases y etiquetas."""
    return tuple(len(re.findall(kind, selector)) for kind in (r"#", r"[.:\[]", r"(?:^|[ >+~])\w"))


def can_match(selector: str, words: set[str]) -> bool:
    """Si todas las clases que el selector exige existen en el sitio."""
    while (bare := FUNCTION.sub("", selector)) != selector:
        selector = bare
    return all(name in words for name in CLASS_OR_ID.findall(selector))


def compact(text: str) -> str:
    """El mismo texto sin comentarios ni sangrías."""
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).strip()
