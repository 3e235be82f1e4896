"""Referencia del paquete: cada página enumera sola los módulos que le tocan.

En una página, `:::{modulos} tfcourse.layers` se convierte, antes de leerla, en una sección
por módulo. Un módulo nuevo aparece sin tocar nada; lo que ninguna página reclama va a la que dice
`:::{modulos} *`.
"""

import ast
import importlib.util
import pkgutil
import re
from functools import cache
from pathlib import Path

PACKAGE = "tfcourse"
BLOCK = re.compile(r"^:::\{modulos\} (?P<patterns>[^\n]+)\n:::$", re.MULTILINE)
INDEX = re.compile(r"^:::\{indice-de-modulos\}\n:::$", re.MULTILINE)
# Párrafos que los docstrings empiezan siempre igual: en la página llevan su rótulo en negrita.
LABEL = re.compile(r"(?<![\w`«])(Fuente|Errores): ")


@cache
def public_modules() -> tuple[str, ...]:
    """Módulos que un lector puede importar.

    Un paquete con `__all__` es una fachada: lo que hay detrás no se documenta por separado.
    """
    root = Path(importlib.util.find_spec(PACKAGE).origin).parent
    return tuple(_public_in(root, PACKAGE))


def _public_in(folder: Path, prefix: str):
    for info in pkgutil.iter_modules([str(folder)]):
        name = f"{prefix}.{info.name}"
        if info.name.startswith("_"):
            continue
        if not info.ispkg or is_facade(folder / info.name):
            yield name
        else:
            yield from _public_in(folder / info.name, name)


def is_facade(package: Path) -> bool:
    """El paquete declara en `__all__` lo único que se usa de él."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    assigned = (node.targets for node in tree.body if isinstance(node, ast.Assign))
    return any(getattr(target, "id", "") == "__all__" for targets in assigned for target in targets)


def modules_for(patterns: str, claimed: set[str]) -> list[str]:
    """Módulos que nombra un bloque: `tfcourse.layers` vale por todos los suyos."""
    if patterns.strip() == "*":
        return [name for name in public_modules() if name not in claimed]
    wanted = patterns.split()
    return [
        name
        for prefix in wanted
        for name in public_modules()
        if name == prefix or name.startswith(f"{prefix}.")
    ]


def claimed_modules(folder: Path) -> set[str]:
    """Los que reclama alguna página por su nombre."""
    blocks = (
        match["patterns"]
        for page in folder.glob("*.md")
        for match in BLOCK.finditer(page.read_text(encoding="utf-8"))
    )
    return {name for patterns in blocks if patterns != "*" for name in modules_for(patterns, set())}


def write_modules(app, docname: str, source: list[str]) -> None:
    """Sustituye los bloques de una página por las secciones de sus módulos."""
    if not docname.startswith("chapters/referencia/"):
        return
    folder = Path(app.srcdir) / "chapters/referencia"
    text = BLOCK.sub(
        lambda m: "\n\n".join(map(_section, modules_for(m["patterns"], claimed_modules(folder)))),
        source[0],
    )
    source[0] = INDEX.sub(lambda _: "\n".join(map(_index_line, public_modules())), text)


def _section(module: str) -> str:
    return f"## `{module}`\n\n```{{eval-rst}}\n.. automodule:: {module}\n```"


def _index_line(module: str) -> str:
    return f"- {{py:mod}}`{module}`: {_first_line(module)}"


def _first_line(module: str) -> str:
    source = Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8")
    line = (ast.get_docstring(ast.parse(source)) or "").split("\n")[0]
    name = line.split(maxsplit=1)[0] if line else ""
    return line[:1].lower() + line[1:] if name[1:].islower() else line


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
    app.connect("source-read", write_modules)
    app.connect("autodoc-process-docstring", mark_labels)
    app.connect("autodoc-skip-member", skip_untold_fields)
    app.connect("missing-reference", leave_as_text)
