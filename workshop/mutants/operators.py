"""Los cambios que se le pueden hacer a un módulo: uno por operador, constante, opción o llamada.

Se cambia el texto, no el árbol, para que el mutante se lea como lo escribiría una persona. No se
tocan los docstrings, las anotaciones, los mensajes de error, las decoraciones ni las tablas de
tamaños.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

BINARY = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
COMPARED = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">=")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
BOOLEAN = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
PAIRS = (
    ("sum", "mean"), ("min", "max"), ("amin", "amax"), ("argmin", "argmax"), ("any", "all"),
    ("sin", "cos"), ("floor", "ceil"), ("zeros", "ones"), ("zeros_", "ones_"), ("triu", "tril"),
    ("softmax", "log_softmax"), ("zeros_like", "ones_like"), ("new_zeros", "new_ones"),
)  # fmt: skip
CALLED = {a: b for a, b in PAIRS} | {b: a for a, b in PAIRS}
BUILTIN = {"min", "max", "any", "all"}
# Llamadas en las que el orden de los dos primeros da igual, o cambiarlo es un error de tipos.
SYMMETRIC = {
    "isinstance", "getattr", "hasattr", "setattr", "max", "min", "maximum", "minimum", "logaddexp",
    "allclose", "equal", "transpose", "swapaxes", "register_buffer", "register_parameter",
    "replace",
}  # fmt: skip
DEFENSIVE = {"strict"}  # `zip(…, strict=True)`: un seguro, no una conducta
# Los tamaños de los modelos se eligen: una prueba de la tabla no haría más que copiarla.
TABLES = {"VARIANTS"}
TYPES = {"Callable", "Tensor", "tuple", "list", "dict"}
Span = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Mutant:
    """Un cambio: el módulo, su línea, el texto de antes y de después, y el archivo entero."""

    path: str
    kind: str
    line: int
    column: int
    before: str
    after: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Lo que lo identifica aunque el archivo se mueva: el módulo y los dos textos."""
        return self.path, self.before, self.after


def mutants(path: str, source: str) -> list[Mutant]:
    """Todos los mutantes de un módulo, en el orden de sus líneas y sin repetir."""
    found = {mutant.source: mutant for mutant in _Reader(path, source).all()}
    return sorted(found.values(), key=lambda m: (m.line, m.column, m.after))


class _Reader:
    """Recorre un módulo y propone sus cambios."""

    def __init__(self, path: str, source: str):
        self.path, self.source = path, source.encode()
        self.tree = ast.parse(source)
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def all(self) -> Iterator[Mutant]:
        for node in self._kept(self.tree):
            for kind, span, text in self._changes(node):
                yield self._mutant(kind, span, text)

    def _kept(self, node: ast.AST) -> Iterator[ast.AST]:
        """El nodo y los de dentro, sin lo que no se toca."""
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not self._untouchable(child, node):
                    yield from self._kept(child)

    def _untouchable(self, node: ast.AST, parent: ast.AST) -> bool:
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return True
        if isinstance(node, ast.keyword) and node.arg in DEFENSIVE:
            return True
        in_module = isinstance(parent, ast.Module) and isinstance(node, ast.Assign)
        return in_module and (_names_table(node) or _is_type(node.value))

    def _changes(self, node: ast.AST) -> Iterator[tuple[str, Span, str]]:
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            yield from self._operator("operador", node.left, node.right, *BINARY[type(node.op)])
        elif isinstance(node, ast.AugAssign) and type(node.op) in BINARY:
            old, new = BINARY[type(node.op)]
            yield from self._operator("operador", node.target, node.value, old + "=", new + "=")
        elif isinstance(node, ast.Compare):
            yield from self._comparisons(node)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from self._operator("lógica", left, right, *BOOLEAN[type(node.op)])
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
            yield "signo", _span(node), self._text(_span(node.operand))
        elif isinstance(node, ast.Constant):
            yield from _constants(node)
        elif isinstance(node, ast.Call):
            yield from self._calls(node)
        elif isinstance(node, ast.If | ast.IfExp):
            yield "condición", _span(node.test), f"not ({self._text(_span(node.test))})"
        elif isinstance(node, ast.Continue):
            yield "salto", _span(node), "break"
        elif self._can_go(node):
            yield "quitada", _span(node), "pass"

    def _can_go(self, node: ast.AST) -> bool:
        """Si es una llamada suelta; sin la de `super()` no habría módulo que probar."""
        alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        return alone and not self._text(_span(node)).startswith("super()")

    def _comparisons(self, node: ast.Compare) -> Iterator[tuple[str, Span, str]]:
        sides = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            old, others = COMPARED[type(op)]
            for new in others:
                yield from self._operator("comparación", left, right, old, new)

    def _operator(
        self, kind: str, left: ast.AST, right: ast.AST, old: str, new: str
    ) -> Iterator[tuple[str, Span, str]]:
        """Cambia lo que hay entre dos operandos, si el operador está ahí una sola vez."""
        span = _span(left)[1], _span(right)[0]
        between = self._text(span)
        if between.count(old) == 1 and "#" not in between:
            yield kind, span, between.replace(old, new)

    def _calls(self, node: ast.Call) -> Iterator[tuple[str, Span, str]]:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in CALLED and (isinstance(node.func, ast.Attribute) or name in BUILTIN):
            line, column = _span(node.func)[1]
            yield "función", ((line, column - len(name)), (line, column)), CALLED[name]
        if len(node.args) < 2 or name in SYMMETRIC:
            return
        first, second = node.args[:2]
        one, two = self._text(_span(first)), self._text(_span(second))
        if one != two and not any(isinstance(arg, ast.Starred) for arg in (first, second)):
            between = self._text((_span(first)[1], _span(second)[0]))
            yield "orden", (_span(first)[0], _span(second)[1]), two + between + one

    def _offset(self, place: tuple[int, int]) -> int:
        return self.starts[place[0] - 1] + place[1]

    def _text(self, span: Span) -> str:
        return self.source[self._offset(span[0]) : self._offset(span[1])].decode()

    def _mutant(self, kind: str, span: Span, text: str) -> Mutant:
        (first, column), (last, _) = span
        start, stop = self._offset(span[0]), self._offset(span[1])
        changed = self.source[:start] + text.encode() + self.source[stop:]
        top, bottom = self.starts[first - 1], self.starts[last]
        grown = len(text.encode()) - (stop - start)
        before, after = self.source[top:bottom], changed[top : bottom + grown]
        return Mutant(
            self.path, kind, first, column, _one_line(before), _one_line(after), changed.decode()
        )


def _names_table(node: ast.Assign) -> bool:
    return any(isinstance(name, ast.Name) and name.id in TABLES for name in node.targets)


def _is_type(value: ast.AST) -> bool:
    """Si es un alias de tipos: `Mask = Bool[Tensor, "B L"] | None`."""
    names = {getattr(node, "id", "") for node in ast.walk(value)}
    return isinstance(value, ast.Subscript | ast.BinOp) and bool(names & TYPES)


def _constants(node: ast.Constant) -> Iterator[tuple[str, Span, str]]:
    value = node.value
    if isinstance(value, bool):
        yield "opción", _span(node), str(not value)
    elif isinstance(value, int):
        yield "constante", _span(node), str(value + 1)
        if value > 0:
            yield "constante", _span(node), str(value - 1)
    elif isinstance(value, float):
        yield "constante", _span(node), repr(2 * value if value else 1.0)


def _span(node: ast.AST) -> Span:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _one_line(text: bytes) -> str:
    return " ".join(text.decode().split())
