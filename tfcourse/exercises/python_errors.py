"""Traducción de los errores de Python y de PyTorch a un diagnóstico en español."""

import inspect
import linecache
import re
import traceback
from collections.abc import Callable
from difflib import get_close_matches

from tfcourse.exercises.describe import arguments_text, describe, shorten
from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.exercises.markers import BLANK_MESSAGE
from tfcourse.exercises.student import Outcome, StoppedByChecker


def diagnose_error(outcome: Outcome, function: Callable) -> Diagnosis:
    """Diagnóstico de una llamada que terminó en error."""
    error, message = outcome.error, _message(outcome.error)
    if isinstance(error, StoppedByChecker):
        return Diagnosis(error.key, error.reason, location=_location(error, function))
    if isinstance(error, NotImplementedError) and message in ("", BLANK_MESSAGE):
        likely = (
            f"{BLANK_MESSAGE.lower()}: sustituye por tu código la línea que empieza por `raise`"
        )
        return Diagnosis("sin-escribir", likely)
    rule = re.match(r"regla ([a-z-]+): (.+)", message, flags=re.DOTALL)
    if rule:  # `BrokenRule`, de aquí o del proceso en que corre la respuesta
        return Diagnosis(rule[1], rule[2], location=_location(error, function))
    key, likely = _explain(error, message, outcome)
    original = f"{type(error).__name__}: {shorten(' '.join(message.split()))}".rstrip(": ")
    return Diagnosis(key, likely, location=_location(error, function), original=original)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # una excepción propia con un __str__ roto
        return ""


def _location(error: BaseException, function: Callable) -> str | None:
    """Línea del código de quien responde en la que saltó el error, con su texto."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return None
    lines = [
        number
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == code.co_filename
    ]
    if not lines:
        return None
    text = linecache.getline(code.co_filename, lines[-1]).strip()
    return f"línea {lines[-1]}: `{text}`" if text else f"línea {lines[-1]}"


def _explain(error: BaseException, message: str, outcome: Outcome) -> tuple[str, str]:
    for pattern, key, text in _BY_MESSAGE:
        found = re.search(pattern, message, flags=re.DOTALL)
        if found:
            shapes = arguments_text(outcome.arguments)
            return key, text.format(*found.groups(), shapes=shapes or "ningún tensor")
    for kind, explain in _BY_TYPE.items():
        if isinstance(error, kind):
            return explain(error)
    return "error", f"tu función se ha detenido con un error de tipo {type(error).__name__}"


_SHAPES = "dos tensores no encajan{detail}. Tu función recibió: {{shapes}}. "
_ALIGN = "Alinea las formas por la derecha y mira qué eje falta (`x[:, None]`) o cuál sobra"
_TRANSPOSE = "En `A @ B`, el último eje de A mide lo mismo que el penúltimo de B: ¿falta una `.T`?"

_BY_MESSAGE = (
    (
        r"return_types\.(?:max|min|sort|topk|median|mode|kthvalue|cummax|cummin)",
        "valores-e-indices",
        "operas con la pareja que da `.max(dim)`, `.min(dim)`, `.sort(dim)` o `.topk(k)`: los "
        "valores y sus índices. Quédate con `.values` o usa `.amax(dim)`, que da solo los valores",
    ),
    (
        r"view size is not compatible",
        "sin-contiguo",
        "`.view` no sirve aquí: después de un `transpose`, un `permute` o un `.T` los números ya "
        "no están seguidos en memoria. Usa `.reshape(...)`, que los recoloca si hace falta",
    ),
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\).*dimension (\d+)",
        "formas",
        _SHAPES.format(detail=": en el eje {2}, uno mide {0} y el otro {1}") + _ALIGN,
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "formas",
        _SHAPES.format(detail=" al multiplicar: ({0}, {1}) por ({2}, {3})") + _TRANSPOSE,
    ),
    (
        r"batch[12] |size mismatch, got|Expected size for first two|inconsistent tensor size"
        r"|both arguments to (?:linear|matmul)|[12]D tensors expected",
        "formas",
        _SHAPES.format(detail=" al multiplicar") + _TRANSPOSE,
    ),
    (
        r"Sizes of tensors must match except in dimension (\d+)",
        "formas",
        _SHAPES.format(detail=" al concatenar por el eje {0}") + "Los demás ejes deben coincidir",
    ),
    (
        r"einsum\(\)",
        "formas",
        _SHAPES.format(detail=" en `einsum`") + "Una letra por eje, la misma para ejes iguales",
    ),
    (
        r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
        "formas",
        _SHAPES.format(detail=": uno tiene {0} ejes y el otro {1}") + _ALIGN,
    ),
    (
        r"shape '(\[.*?\])' is invalid for input of size (\d+)",
        "formas",
        "has pedido la forma {0} para un tensor de {1} números y no caben. Tu función recibió: "
        "{shapes}",
    ),
    (
        r"must match the existing size|shape mismatch|broadcast",
        "formas",
        _SHAPES.format(detail="") + _ALIGN,
    ),
    (
        r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got "
        r"(-?\d+)\)",
        "eje-inexistente",
        "has pedido el eje {2} y ese tensor solo tiene ejes entre {0} y {1}. Tu función recibió: "
        "{shapes}",
    ),
    (
        r"too many indices for tensor of dimension (\d+)",
        "eje-inexistente",
        "usas más índices que ejes: ese tensor tiene {0}. Tu función recibió: {shapes}",
    ),
    (
        r"can't allocate memory|unable to allocate|Unable to allocate",
        "memoria-agotada",
        "tu función pide más memoria de la que hay. Tu función recibió: {shapes}",
    ),
    (
        r"leaf Variable that requires grad",
        "modifica-entradas",
        "modificas una entrada en el sitio (una operación con guion bajo final, `+=` o "
        "`x[...] = ...`): trabaja sobre un tensor nuevo",
    ),
    (
        r"Can't call numpy\(\)|can't convert .* to numpy",
        "numpy",
        "conviertes a NumPy un tensor con gradiente: si aquí no hace falta, quítalo antes con "
        "`.detach()`; si hace falta, haz la cuenta con `torch`",
    ),
    (
        r"[Ee]xpected.*(?:scalar type|dtype).*(?:but found|but got|to have the same)|same dtype"
        r"|not implemented for '(?:Bool|Long|Int)'|must be bool|boolean mask|bool tensor",
        "tipos-mezclados",
        "mezclas tensores cuyos números son de tipos distintos, o el tipo no admite esa "
        "operación: conviértelos con `.to(x.dtype)` o, si es una máscara, usa `masked_fill`",
    ),
    (
        r"Boolean value of Tensor with more than one value",
        "condicion-con-tensor",
        "usas un tensor entero como condición de un `if` o un `while`: usa `torch.where`, "
        "`masked_fill` o di `.any()` o `.all()`",
    ),
    (
        r"Expected all tensors to be on the same device",
        "dispositivo",
        "mezclas tensores de la CPU y de la GPU: crea los nuevos con `x.new_zeros(...)` o "
        "`device=x.device`",
    ),
    (
        r"(?:too many|not enough) values to unpack",
        "desempaquetado",
        "separas un resultado en un número de variables que no es el suyo: mira su forma o cuántos "
        "valores devuelve. Tu función recibió: {shapes}",
    ),
    (
        r"missing (\d+) required positional argument|takes .* positional argument",
        "argumentos",
        "llamas a una función con un número de argumentos que no es el suyo",
    ),
)  # fmt: skip


def _unknown_name(error: NameError) -> tuple[str, str]:
    name = getattr(error, "name", None) or "ese nombre"
    if isinstance(error, UnboundLocalError):
        return "nombre", "usas una variable antes de darle un valor dentro de tu función"
    close = get_close_matches(name, _names_in_sight(error), n=1)
    tip = f"¿querías decir `{close[0]}`?" if close else "¿te falta un `import` o definirlo antes?"
    return "nombre", f"usas `{name}` y no está definido: {tip}"


def _names_in_sight(error: BaseException) -> list[str]:
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return [name for name in frames[-1].f_locals if not name.startswith("_")] if frames else []


def _unknown_attribute(error: AttributeError) -> tuple[str, str]:
    name = getattr(error, "name", None)
    owner = describe(getattr(error, "obj", None))
    if name is None:
        return "atributo", "usas un atributo o un método que no existe"
    return "atributo", f"usas `.{name}` y no existe: lo que hay delante es {owner}"


def _fixed(key: str, likely: str) -> Callable[[BaseException], tuple[str, str]]:
    return lambda error: (key, likely)


_BY_TYPE = {
    NameError: _unknown_name,
    AttributeError: _unknown_attribute,
    IndexError: _fixed("indice", "usas un índice que se sale del tensor o de la lista"),
    KeyError: _fixed("clave", "buscas en un diccionario una clave que no está"),
    ZeroDivisionError: _fixed("division-por-cero", "divides entre cero"),
    RecursionError: _fixed("recursion", "tu función se llama a sí misma sin fin"),
    MemoryError: _fixed("memoria-agotada", "tu función pide más memoria de la que hay"),
    ImportError: _fixed("import", "intentas importar algo que no está instalado o no existe"),
    AssertionError: _fixed("aserto", "no se cumple un `assert` de tu código"),
    TypeError: _fixed("tipos", "una operación recibe un valor de un tipo que no admite"),
    NotImplementedError: _fixed("tipos-mezclados", "esa operación no admite números de ese tipo"),
    ValueError: _fixed("valor", "una operación recibe un valor que no admite"),
    SystemExit: _fixed("exit", "tu función llama a `exit`: en un cuaderno usa `return`"),
    KeyboardInterrupt: _fixed("interrumpido", "la comprobación se ha interrumpido"),
}
