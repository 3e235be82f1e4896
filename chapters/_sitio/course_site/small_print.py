"""La letra más pequeña de una figura, leída en el código que la dibuja.

En la imagen ya no hay letra, sino píxeles: lo que mide cada una lo dice la celda, y lo que la celda
llama. Los exponentes de una escala logarítmica, que van a siete décimas, no se cuentan.
"""

import ast
from collections.abc import Iterator
from functools import cache

from course_site.chapters import ROOT

# La de `tfcourse.plots.STYLE`, en puntos, y los píxeles de un punto en una figura guardada.
DEFAULT, PIXELS_PER_POINT = 10.0, 110 / 72
NAMES = {"fontsize", "labelsize", "title_fontsize"}
# Donde «size» es la letra, y no lo que mide otra cosa.
TEXTS = {"text", "annotate", "draw_node", "draw_flow", "set_title", "draw_boxes"}
LEAST = 4.0  # por debajo, es una marca y no una letra
Sizes = dict[str, tuple[set[float], set[str]]]


def called(node: ast.Call) -> str:
    """El nombre de lo que se llama, sin lo que va delante del punto."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def in_call(node: ast.Call) -> list[ast.AST]:
    """Las letras que se piden al llamar a una función."""
    names = NAMES | {"size"} if called(node) in TEXTS else NAMES
    return [word.value for word in node.keywords if word.arg in names]


def in_dict(node: ast.Dict) -> list[ast.AST]:
    """Las letras de un diccionario de opciones."""
    pairs = zip(node.keys, node.values, strict=True)
    return [value for name, value in pairs if getattr(name, "value", None) in NAMES]


def by_default(node: ast.FunctionDef) -> list[ast.AST]:
    """La letra de una función que dibuja, si no se le dice otra."""
    if node.name not in TEXTS:
        return []
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return [value for arg, value in pairs if arg.arg in NAMES | {"size"}]


WHERE = {ast.Call: in_call, ast.Dict: in_dict, ast.FunctionDef: by_default}


def written(tree: ast.AST) -> Iterator[float]:
    """Los tamaños de letra que dice un trozo de código."""
    for node in ast.walk(tree):
        for value in WHERE[type(node)](node) if type(node) in WHERE else ():
            if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                yield float(value.value)


def names_in(tree: ast.AST) -> set[str]:
    """Los nombres que usa un trozo de código."""
    nodes = list(ast.walk(tree))
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    return found | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def functions(code: str) -> Sizes:
    """De cada función de un archivo, su letra y los nombres que usa."""
    return {
        node.name: (set(written(node)), names_in(node))
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.FunctionDef)
    }


@cache
def package_functions() -> Sizes:
    """Las funciones del paquete que dibujan."""
    found: Sizes = {}
    paths = {*(ROOT / "tfcourse/plots").glob("*.py"), *(ROOT / "tfcourse").rglob("plots.py")}
    for path in sorted(paths):
        found |= functions(path.read_text(encoding="utf-8"))
    return found


def without_magics(code: str) -> str:
    """El código sin las líneas que solo entiende un cuaderno."""
    kept = (line for line in code.splitlines() if not line.lstrip().startswith(("%", "!")))
    return "\n".join(kept)


def smallest_points(cell: str, earlier: Sizes) -> float:
    """Los puntos de la letra más pequeña de una celda; `earlier`, las funciones del cuaderno."""
    tree = ast.parse(without_magics(cell))
    known = package_functions() | earlier
    sizes, seen, pending = {DEFAULT, *written(tree)}, set(), names_in(tree) & set(known)
    while pending:
        name = pending.pop()
        seen.add(name)
        sizes |= known[name][0]
        pending |= (known[name][1] & set(known)) - seen
    return min(size for size in sizes if size >= LEAST)
