"""Los apartados de una página, con lo que ocupan más o menos.

El navegador no compone los que quedan lejos de lo que se ve (`content-visibility`), y una página de
miles de etiquetas se abre antes. Mientras tanto les reserva este alto, para que la barra de
desplazamiento no mienta.
"""

import re

TAG = re.compile(r"<section\b(?P<inside>[^>]*)>|</section>")
CODE = re.compile(r"<pre>(.*?)</pre>", re.DOTALL)
HEIGHT = re.compile(r'<img [^>]*\bheight="(\d+)"')
UNREAD = re.compile(r"<(script|style|math)\b.*?</\1>|<pre>.*?</pre>|<[^>]+>", re.DOTALL)
LINE, FORMULA, FRAME = 20, 90, 60  # píxeles de un renglón de código, de una fórmula y de un marco


def size(text: str) -> str:
    """Lo que ocupa un apartado: píxeles que no dependen del ancho y letras, que sí."""
    blocks = CODE.findall(text)
    fixed = sum(FRAME + LINE * block.count("\n") for block in blocks)
    fixed += FORMULA * text.count("katex-display") + sum(map(int, HEIGHT.findall(text)))
    return f"--fijo:{fixed};--letras:{len(UNREAD.sub('', text))}"


def sized_sections(text: str) -> str:
    """La página con el tamaño de sus apartados de segundo nivel."""
    depth, opened, marks = 0, None, []
    for tag in TAG.finditer(text):
        if tag["inside"] is not None:
            depth += 1
            opened = tag if depth == 2 else opened
            continue
        if depth == 2:
            marks.append((opened, size(text[opened.end() : tag.start()])))
        depth -= 1
    for tag, style in reversed(marks):
        named = f'<section class="lejos" style="{style}"{tag["inside"]}>'
        text = text[: tag.start()] + named + text[tag.end() :] if "class=" not in tag[0] else text
    return text
