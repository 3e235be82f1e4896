"""Respuestas de código que se parecen: por su estructura, no por su texto.

De cada respuesta se toma su árbol sintáctico sin nombres, sin comentarios y sin textos, se parte en
trozos y se mira cuáles comparten dos personas y casi nadie más. Lo que escribe media clase (la
solución habitual, la cabecera, un idioma de PyTorch) no pesa nada. Basado en la idea de las huellas
de documentos: S. Schleimer, D. Wilkerson y A. Aiken, «Winnowing», SIGMOD 2003.
"""

import ast
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from html import escape
from itertools import combinations

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.guard import READING_SECONDS, OutOfBounds, bounded, clean
from tfcourse.teaching.pages import page
from tfcourse.teaching.results import current_results

SIZE = 6  # nodos seguidos de cada trozo
MIN_RARE = 4.0  # lo que deben pesar los trozos que comparten: unos pocos que casi nadie escribe
MIN_LIKENESS = 0.6
MAX_NODES, MAX_PAIRS = 5_000, 100
COMMON, CROWD = 0.25, 30  # lo que escribe más de esta parte de la clase, o más gente, no cuenta
LIMITS = (
    "Parecerse no es copiar. En un ejercicio corto hay pocas maneras de escribir lo mismo, y quien "
    "estudia junto, sigue el mismo ejemplo de clase o corrige el mismo error se parece sin copiar. "
    "Tampoco se ve todo: cambiar el orden de dos líneas independientes o escribir lo mismo de otra "
    "manera rebaja el parecido. Esta lista dice qué mirar; qué ha pasado lo dice hablar con ellos."
)


@dataclass(frozen=True)
class Pair:
    """Dos respuestas parecidas a un ejercicio: cuánto y cuánto pesa lo que comparten."""

    exercise: str
    one: str
    other: str
    likeness: float
    rare: float


def shape(source: str) -> list[str]:
    """Los nodos del árbol de un código, en orden; los nombres, por su turno de aparición.

    Vacío si no se puede leer. Dos códigos que solo cambian nombres, comentarios, textos o espacios
    dan lo mismo.
    """
    try:
        with bounded(READING_SECONDS / 4):
            tree = ast.parse(source)
            nodes: list[str] = []
            _walk(tree, nodes, {})
            return nodes
    except (OutOfBounds, Exception):
        return []


def _walk(node: ast.AST, nodes: list[str], names: dict[str, int]) -> None:
    if len(nodes) >= MAX_NODES or _is_text(node):
        return
    label = type(node).__name__
    if isinstance(node, ast.Name | ast.arg):
        name = node.id if isinstance(node, ast.Name) else node.arg
        label += str(names.setdefault(name, len(names)))
    elif isinstance(node, ast.Attribute):
        label += node.attr
    elif isinstance(node, ast.Constant):
        label += "texto" if isinstance(node.value, str | bytes) else repr(node.value)[:20]
    nodes.append(label)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr_context):
            _walk(child, nodes, names)


def _is_text(node: ast.AST) -> bool:
    """Una cadena suelta: un docstring o un comentario escrito así."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def pieces(nodes: list[str]) -> Counter:
    """Los trozos de un código. Los nombres se numeran de nuevo en cada uno: da igual el orden."""
    return Counter(_renumbered(nodes[i : i + SIZE]) for i in range(len(nodes) - SIZE + 1))


def _renumbered(piece: list[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    return tuple(
        f"nombre{seen.setdefault(label, len(seen))}"
        if label.startswith(("Name", "arg")) and label[-1].isdigit()
        else label
        for label in piece
    )


def similar(answers: dict[str, str], exercise: str) -> list[Pair]:
    """Las parejas que se parecen, de más a menos; `answers` es el código de cada persona."""
    found = {who: pieces(shape(source)) for who, source in answers.items()}
    found = {who: own for who, own in found.items() if own}
    owners: dict[tuple, list[str]] = defaultdict(list)
    for who, own in found.items():
        for piece in own:
            owners[piece].append(who)
    top = max(2, min(CROWD, COMMON * len(found)))
    weight = {
        piece: math.log(len(found) / len(who)) if len(who) <= top else 0.0
        for piece, who in owners.items()
    }
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for piece, who in owners.items():
        if weight[piece]:
            for pair in combinations(sorted(who), 2):
                shared[pair] += weight[piece]
    whole = {who: sum(weight[piece] for piece in own) for who, own in found.items()}
    pairs = [
        Pair(exercise, one, other, rare / (whole[one] + whole[other] - rare), rare)
        for (one, other), rare in shared.items()
        if rare >= MIN_RARE
    ]
    close = [pair for pair in pairs if pair.likeness >= MIN_LIKENESS]
    return sorted(close, key=lambda p: (-p.likeness, -p.rare, p.one))[:MAX_PAIRS]


def class_pairs(course: Course, assignment: Assignment) -> tuple[list[Pair], dict[str, dict]]:
    """Las parejas de una clase, ejercicio por ejercicio, y los resultados por persona.

    Los de un mismo grupo entregan lo mismo: cuenta uno. Errores: `ValueError` si no hay con quién
    comparar.
    """
    results = current_results(course, assignment)
    if len(results) < 2:
        raise ValueError(f"en «{assignment.name}» no hay dos entregas corregidas que comparar")
    by_owner = {assignment.owner(result["student"]): result for result in results}
    people = {result["student"]: result for result in by_owner.values()}
    pairs = []
    for item in assignment.items:
        answers = {
            who: code
            for who, result in people.items()
            if (code := result.get("answers", {}).get(f"{item.id}-respuesta"))
        }
        pairs += similar(answers, item.id)
    return pairs, people


def likeness_page(assignment: Assignment, pairs: list[Pair], people: dict[str, dict]) -> str:
    """La página, con los dos códigos de cada pareja, uno debajo de otro."""
    parts = [f"<h1>{escape(assignment.title)}: respuestas que se parecen</h1>", f"<p>{LIMITS}</p>"]
    for pair in pairs:
        share = f"{100 * pair.likeness:.0f} % de lo poco común"
        parts.append(f"<article><h2>{escape(pair.exercise)}: {share}</h2>")
        for who in (pair.one, pair.other):
            code = people[who]["answers"][f"{pair.exercise}-respuesta"]
            name = escape(clean(people[who]["full_name"], 120))
            parts.append(f"<h3>{name}</h3><pre>{escape(code)}</pre>")
        parts.append("</article>")
    if not pairs:
        parts.append("<p>Ninguna pareja se parece más de lo que se parecen todas.</p>")
    return page(f"{assignment.title}: parecidos", "\n".join(parts))
