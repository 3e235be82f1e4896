"""Referencia del paquete: sus páginas se escriben solas, leyendo el código, antes de construir.

Las de `chapters/referencia/paquete/` no están en git. En las demás, `:::{la-casa}` se convierte en
los pisos del paquete; `:::{paginas-de-la-referencia}`, en la lista de los grupos de páginas, y
`:::{perfil-completo}`, en los experimentos a escala real.
"""

import re
from pathlib import Path

from course_site.chapters import chapters
from workshop.house.plan import PACKAGE
from workshop.house.reading import House, read_house
from workshop.notebooks import book_notebooks
from workshop.reference.full_page import full_text
from workshop.reference.house_page import house_text
from workshop.reference.plan import groups
from workshop.reference.text import FOLDER, generated_pages, page_link
from workshop.rehearsal.registry import cells_of_runs, every_full_run

MAP = "chapters/mapa.yml"
# Párrafos que los docstrings empiezan siempre igual: en la página llevan su rótulo en negrita.
LABEL = re.compile(r"(?<![\w`«])(Fuente|Errores): ")


def course_house(root: Path) -> House:
    """El paquete y el mapa del repositorio que se construye."""
    return read_house(root / PACKAGE, root / MAP)


def chapter_pages() -> dict[str, str]:
    """La página de cada capítulo del índice, por su nombre."""
    return {slug: chapter.page for slug, chapter in chapters().items()}


def write_reference(app, _config) -> None:
    """Escribe las páginas que cambian y borra las que sobran, antes de que se lea el índice."""
    root = Path(app.srcdir)
    folder = root / FOLDER
    texts = generated_pages(course_house(root), chapter_pages())
    wanted = {folder / f"{name}.md": text for name, text in texts.items()}
    for path in set(folder.rglob("*.md")) - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def fill_blocks(app, docname: str, source: list[str]) -> None:
    """Sustituye los bloques de una página por lo que se calcula del código."""
    root = Path(app.srcdir)
    for name, written in BLOCKS.items():
        mark = f":::{{{name}}}\n:::"
        if docname.startswith("chapters/referencia/") and mark in source[0]:
            source[0] = source[0].replace(mark, written(root))


def _house_block(root: Path) -> str:
    return house_text(course_house(root), chapter_pages())


def _groups_block(root: Path) -> str:
    found = groups(course_house(root))
    return "\n".join(f"- {page_link(group.title, group.name)}" for group in found)


def _full_block(root: Path) -> str:
    shown = cells_of_runs(book_notebooks(root))
    pages = {
        name: str(path.relative_to(root).with_suffix("")) for name, ((path, _), *_) in shown.items()
    }
    return full_text(list(every_full_run().values()), pages)


BLOCKS = {
    "la-casa": _house_block,
    "paginas-de-la-referencia": _groups_block,
    "perfil-completo": _full_block,
}


def mark_generated(_app, pagename: str, _template, context, _doctree) -> None:
    """Dice a la plantilla si la página no está en el repositorio y no se puede proponer en ella."""
    context["generated"] = pagename.startswith(f"{FOLDER}/")


def mark_labels(_app, _what, _name, _obj, _options, lines: list[str]) -> None:
    """Pone en negrita los rótulos de los docstrings y los separa en párrafos."""
    text = LABEL.sub(r"\n\n**\1.** ", "\n".join(lines))
    lines[:] = text.split("\n")


def skip_untold_fields(_app, _what, _name, obj, _skip, _options) -> bool | None:
    """Deja fuera los campos de una tupla con nombres, que solo dicen «Alias for field…»."""
    untold = (getattr(obj, "__doc__", None) or "").startswith("Alias for field number")
    return True if untold else None


def leave_as_text(_app, _env, node, content):
    """Deja sin enlace los tipos de las firmas que no tienen página: los de otras bibliotecas."""
    in_reference = node.get("refdoc", "").startswith("chapters/referencia/")
    return content if in_reference and node.get("reftype") in ("class", "obj", "data") else None


def setup_reference(app) -> None:
    """Conecta el generador con la lectura de las páginas y de los docstrings."""
    # Antes que nadie: sphinx_external_toc busca en ese momento las páginas del índice.
    app.connect("config-inited", write_reference, priority=0)
    app.connect("source-read", fill_blocks)
    app.connect("html-page-context", mark_generated)
    app.connect("autodoc-process-docstring", mark_labels)
    app.connect("autodoc-skip-member", skip_untold_fields)
    app.connect("missing-reference", leave_as_text)
