"""Los archivos de un capítulo nuevo, a partir de las plantillas de esta carpeta.

Cada uno señala lo que le falta con las palabras de `TO_WRITE`, y solo con ellas.
"""

import re
from pathlib import Path
from string import Template

import nbformat
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tfcourse.exercises.masters import METADATA
from tfcourse.files import write_atomically
from tfcourse.notebook import FIRST_CELL_TAGS, first_cell, repository_url
from workshop.new_chapter import index
from workshop.new_chapter.chapter import NewChapter
from workshop.notebooks import Chapter, book_chapters, clean
from workshop.student_notebooks import student_notebook_text

TEMPLATES = Path(__file__).parent / "templates"
TO_WRITE = "Por escribir:"
IMPORTS = re.compile(r"^from tfcourse.+(?:\nfrom tfcourse.+)*", re.MULTILINE)

# Dónde va cada archivo → la plantilla de la que sale; los huecos son los del capítulo.
FILES = {
    "tfcourse/{wing}/{room}/__init__.py": "room",
    "tfcourse/{wing}/{room}/recipe.py": "recipe",
    "tfcourse/bank/{room}/__init__.py": "bank",
    "tests/{wing}/{room}/__init__.py": "empty",
    "tests/{wing}/{room}/test_recipe.py": "test_recipe",
    "tests/claims/test_{slug}.py": "test_claims",
    "tests/exercises/wrong_answers/{room}.py": "wrong_answers",
    "tests/exercises/statement_readers/{room}.py": "statement_readers",
    "tests/palabras/{slug}.txt": "empty",
}
INDEXES = {
    "_toc.yml": index.with_chapter_in_toc,
    "chapters/mapa.yml": index.with_chapter_in_map,
    "README.md": index.with_chapter_in_readme,
}


def add_chapter(root: Path, chapter: NewChapter) -> tuple[list[Path], list[Path]]:
    """Crea los archivos de un capítulo y lo apunta en los índices; devuelve unos y otros.

    Errores: `ValueError` si algo no cuadra o un archivo ya está; entonces no se escribe nada.
    """
    previous = chapter.place(root)
    created = chapter_files(root, chapter, previous)
    if there := [str(path) for path in created if (root / path).exists()]:
        raise ValueError(f"ya existe {', '.join(there)}: bórralo o elige otro nombre")
    changed = {
        Path(name): rewrite((root / name).read_text(encoding="utf-8"), chapter, previous)
        for name, rewrite in INDEXES.items()
    }
    for path, text in (created | changed).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(root / path, text)
    return list(created), list(changed)


def chapter_files(root: Path, chapter: NewChapter, previous: Chapter) -> dict[Path, str]:
    """Lo que se crea: cada archivo y su texto."""
    page = Path(f"chapters/{previous.part}/{chapter.slug}.ipynb")
    exercises = f"{chapter.slug}_ejercicios.ipynb"
    words = _words(root, chapter, page)
    master = _notebook(_filled("exercises", words), root)
    notebooks = {
        page: _cleaned(_notebook(_filled("page", words), root)),
        page.parent / "maestros" / exercises: nbformat.writes(master) + "\n",
        page.parent / exercises: student_notebook_text(master),
    }
    names = vars(chapter)
    return notebooks | {
        Path(path.format(**names)): _filled(template, words) for path, template in FILES.items()
    }


def _words(root: Path, chapter: NewChapter, page: Path) -> dict[str, str]:
    """Con qué se rellenan las plantillas."""
    owner = repository_url(root).removeprefix("https://github.com/")
    return {
        "slug": chapter.slug,
        "title": chapter.title,
        "question": chapter.question,
        "wing": chapter.wing,
        "room": chapter.room,
        "page": page.relative_to("chapters").as_posix(),
        "needed": _needed(root, chapter) or "saber Python",
        "colab": f"https://colab.research.google.com/github/{owner}/blob/main/{page.as_posix()}",
    }


def _needed(root: Path, chapter: NewChapter) -> str:
    """Los capítulos en los que se apoya, enlazados por su nombre corto."""
    parts = yaml.safe_load((root / "chapters/mapa.yml").read_text(encoding="utf-8"))["partes"]
    short = {c["slug"]: c["corto"] for part in parts for c in part["capitulos"]}
    folders = {c.slug: c.part for c in book_chapters(root)}
    return ", ".join(
        f"[capítulo {short[slug]}](../{folders[slug]}/{slug}.ipynb)" for slug in chapter.requires
    )


def _filled(template: str, words: dict[str, str]) -> str:
    """El texto de una plantilla, con sus huecos rellenos."""
    text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    return IMPORTS.sub(_sorted_lines, Template(text).substitute(words))


def _sorted_lines(found: re.Match) -> str:
    """Las líneas de un bloque, por orden alfabético: el del ala depende de cómo se llame."""
    return "\n".join(sorted(found[0].split("\n")))


def _notebook(text: str, root: Path) -> nbformat.NotebookNode:
    """Un cuaderno a partir de su plantilla: cada celda empieza por `%% clase nombre etiquetas`."""
    cells = []
    for part in text.split("\n%% ")[1:]:
        head, _, source = part.partition("\n")
        kind, name, *tags = head.split()
        if name == "preparacion":
            source, tags = first_cell(root), FIRST_CELL_TAGS
        make = new_code_cell if kind == "code" else new_markdown_cell
        metadata = {"tags": list(tags)} if tags else {}
        cells.append(make(source.strip("\n"), id=name, metadata=metadata))
    return new_notebook(cells=cells, metadata=METADATA)


def _cleaned(notebook: nbformat.NotebookNode) -> str:
    """El cuaderno como lo dejaría «make ejecutar», pero sin salidas."""
    clean(notebook)
    return nbformat.writes(notebook) + "\n"
