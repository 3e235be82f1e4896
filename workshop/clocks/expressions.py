"""Lo que vale una expresión: si depende de un reloj, y qué parte de ella."""

import ast
from collections.abc import Sequence

from workshop.clocks.values import Box, Function, depends, element, inside, join

# Llamadas que leen un reloj, o que entrenan mientras dure.
CLOCKS = {
    "perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "monotonic",
    "monotonic_ns", "thread_time", "cpu_times", "elapsed_time", "CpuSeconds",
}  # fmt: skip
# Lo mismo, con nombres que solo son de un reloj detrás de su módulo.
EXACT_CLOCKS = {"time.time", "time.time_ns", "os.times"}
# Lo que apunta cuánto se tardó.
MEASURED = {
    "history.seconds", "measure.seconds", "cost.seconds", "outcome.seconds", "outcome.latency",
    "ru_utime", "ru_stime",
}  # fmt: skip
# Métodos que meten algo en la colección que los llama.
PUTTERS = {"append", "add", "extend", "insert", "update", "setdefault"}


def dotted(node: ast.expr) -> str:
    """El nombre con puntos de una expresión, hasta donde lo tiene: `run.history.seconds`."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


class Expressions:
    """Calcula lo que se sabe de cada expresión, con los nombres que se conocen."""

    def value(self, node: ast.AST) -> object:
        """Lo que se sabe de una expresión."""
        return getattr(self, f"of_{type(node).__name__}", self.of_other)(node)

    @staticmethod
    def root(node: ast.expr) -> str | None:
        """El nombre del que cuelga `a[i].b(c)[j]`: a."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        return node.id if isinstance(node, ast.Name) else None

    def element(self, node: ast.expr) -> object:
        """Cada uno de los elementos que se recorren."""
        if not isinstance(node, ast.Call):
            return element(self.value(node))
        name = dotted(node.func).rpartition(".")[2] or getattr(node.func, "attr", "")
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if name == "zip" and not starred:
            return tuple(self.element(argument) for argument in node.args)
        if name == "enumerate":
            return (False, self.element(node.args[0]))
        if name in ("sorted", "reversed", "list", "tuple", "set") and node.args:
            return self.element(node.args[0])
        if name in ("items", "values", "keys") and isinstance(node.func, ast.Attribute):
            each = inside(self.value(node.func.value))
            return {"items": (False, each), "values": each, "keys": False}[name]
        return element(self.value(node))

    def of_other(self, node: ast.AST) -> object:
        """Cualquier otra expresión depende de lo que dependan sus partes."""
        return any([depends(self.value(child)) for child in ast.iter_child_nodes(node)])

    def of_Name(self, node: ast.Name) -> object:
        """Un nombre."""
        return self.names.get(node.id, False)

    def of_Attribute(self, node: ast.Attribute) -> object:
        """Un atributo: el de un módulo, el que apunta un tiempo o el de algo que depende de uno."""
        if isinstance(node.value, ast.Name) and node.value.id in self.modules:
            known = self.library.names(self.modules[node.value.id])
            if node.attr in known:
                return known[node.attr]
        names = {node.attr, ".".join(dotted(node).rsplit(".", 2)[-2:])}
        return depends(self.value(node.value)) or (self.real and bool(MEASURED & names))

    def of_Tuple(self, node: ast.Tuple) -> object:
        """Una tupla, parte a parte."""
        return tuple(self.value(part) for part in node.elts)

    def of_List(self, node: ast.List | ast.Set) -> object:
        """Una lista o un conjunto: se junta lo que tiene."""
        return Box(self._any_of(node.elts))

    of_Set = of_List

    def of_Dict(self, node: ast.Dict) -> object:
        """Un diccionario: se junta lo que tiene, sin las claves."""
        return Box(self._any_of(node.values), is_table=True)

    def _any_of(self, parts: Sequence[ast.expr]) -> object:
        each = False
        for part in parts:
            each = join(each, self.value(part))
        return each

    def of_IfExp(self, node: ast.IfExp) -> object:
        """Un valor u otro."""
        return join(self.value(node.body), self.value(node.orelse))

    def of_Subscript(self, node: ast.Subscript) -> object:
        """Un elemento: el de una tupla, si se sabe cuál; y de un capítulo, lo que deja su celda."""
        value, key = self.value(node.value), getattr(node.slice, "value", None)
        if dotted(node.value) == "chapter" and isinstance(key, str):
            return self.chapter.get(key, False) if self.real else False
        if isinstance(value, tuple) and isinstance(key, int) and -len(value) <= key < len(value):
            return value[key]
        return value if isinstance(node.slice, ast.Slice) else inside(value)

    def of_NamedExpr(self, node: ast.NamedExpr) -> object:
        """Un `:=`."""
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def of_Lambda(self, node: ast.Lambda) -> object:
        """Una función sin nombre: sus argumentos no se conocen."""
        inner = self.inner()
        inner.names |= {argument.arg: False for argument in node.args.args}
        return Function(inner.value(node.body))

    def of_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> object:
        """Una lista por comprensión."""
        return Box(self._comprehension(node.generators, [node.elt]))

    of_SetComp = of_GeneratorExp = of_ListComp

    def of_DictComp(self, node: ast.DictComp) -> object:
        """Un diccionario por comprensión."""
        parts = [node.key, node.value]
        return Box(self._comprehension(node.generators, parts), is_table=True)

    def _comprehension(self, generators, parts: Sequence[ast.expr]) -> object:
        inner = self.inner()
        for generator in generators:
            inner.bind(generator.target, inner.element(generator.iter))
        return [inner.value(part) for part in parts][-1]

    def of_Call(self, node: ast.Call) -> object:
        """Una llamada: a un reloj, a una función ya leída o a otra cualquiera."""
        values = [self.value(part) for part in (*node.args, *(k.value for k in node.keywords))]
        timed = any([depends(value) for value in values])
        name = dotted(node.func).rpartition(".")[2] or getattr(node.func, "attr", "")
        if name in CLOCKS or dotted(node.func) in EXACT_CLOCKS:
            return self.real
        if name.startswith("assert_"):
            self.check(node, timed)
        function = self.value(node.func)
        if name in PUTTERS and isinstance(node.func, ast.Attribute):
            for value in values if timed and (owner := self.root(node.func)) else ():
                self.put(owner, value)
            return function
        if isinstance(function, Function) and not timed:
            return function.returns if self.real else False
        # Un objeto que lleva un tiempo no depende de él: sus atributos se miran aparte.
        is_class = name[:1].isupper()
        return (timed and not is_class) or depends(function)
