"""Hacer trabajar a la pieza de quien construye: la clase pasa a ser una función de datos a datos.

Corre donde está la pieza, sea el cuaderno o el recinto en el que se corrige, y no sabe qué se
espera de ella. Lo que impide hacerla trabajar también se devuelve como dato: una queja.
"""

import inspect
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

Starts = dict[str, tuple[float, float]]  # de cada parámetro, en qué valor y con qué desviación
COMPLAINT, GRADIENT = "queja", "gradiente"
# Hacen de un golpe lo que hay que construir.
FORBIDDEN_CALLS = {
    "rms_norm", "layer_norm", "scaled_dot_product_attention", "multi_head_attention_forward",
    "gru", "gru_cell", "lstm", "lstm_cell",
}  # fmt: skip
COUNTED = "num_batches_tracked"
KEPT = ("running_mean", "running_var")  # lo que una norma por lotes guarda sin aprenderlo
NORMS = (nn.LayerNorm, "layer_norm")  # lo que se admite donde las normas no se construyen
FORBIDDEN_LAYERS = (
    nn.LayerNorm, nn.RMSNorm, nn.MultiheadAttention, nn.Transformer, nn.TransformerEncoder,
    nn.TransformerDecoder, nn.TransformerEncoderLayer, nn.TransformerDecoderLayer,
    nn.RNNBase, nn.RNNCellBase,
)  # fmt: skip


class _Watch(TorchFunctionMode):
    """Apunta las funciones de PyTorch que no se podían usar."""

    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        """Deja pasar la llamada y, si es de las prohibidas, la apunta."""
        name = getattr(function, "__name__", "")
        if name in FORBIDDEN_CALLS and name not in self.found:
            self.found.append(name)
        return function(*args, **(kwargs or {}))


class CannotWork(Exception):
    """La pieza no se deja construir; `complaint` dice por qué, como dato."""

    def __init__(self, kind: str, **facts: object):
        super().__init__(kind)
        self.complaint = {COMPLAINT: kind, **facts}


def build(
    answer: object,
    sizes: dict,
    weights: dict[str, Tensor],
    allowed: tuple = (),
    starts: Starts | None = None,
) -> nn.Module:
    """El módulo de una clase, con esos pesos. Errores: `CannotWork`.

    `allowed` son las piezas hechas que se admiten; `starts`, en qué valor y con qué
    desviación empieza cada parámetro. Entre los pesos puede haber lo que un módulo guarda sin
    aprenderlo, como la media de una norma por lotes.
    """
    if not (isinstance(answer, type) and issubclass(answer, nn.Module)):
        raise CannotWork("no-es-modulo", tipo=type(answer).__name__, clase=isinstance(answer, type))
    try:
        inspect.signature(answer).bind(*sizes.values())
    except TypeError:
        raise CannotWork("constructor", pedido=[*sizes]) from None
    try:
        module = answer(*sizes.values())
    except AttributeError as error:
        if "before Module.__init__() call" in str(error):
            raise CannotWork("sin-super") from None
        raise
    if not hasattr(module, "_parameters"):
        raise CannotWork("sin-super")
    kept = [(name, value) for name, value in module.named_buffers() if name.endswith(KEPT)]
    own = {name: list(value.shape) for name, value in [*module.named_parameters(), *kept]}
    if own != {name: list(value.shape) for name, value in weights.items()}:
        raise CannotWork("parametros", tuyos=own)
    # La cuenta de lotes de una norma por lotes la pone PyTorch, y no hay peso que le toque.
    saved = [n for n in module.state_dict() if n not in weights and not n.endswith(COUNTED)]
    if saved:  # no es un parámetro más, pero los pesos del curso no se cargarían
        raise CannotWork("guardado", cual=saved[0], bufer=saved[0] in dict(module.named_buffers()))
    frozen = [name for name, value in module.named_parameters() if not value.requires_grad]
    if frozen:
        raise CannotWork("congelado", cual=frozen[0])
    for name, (value, deviation) in (starts or {}).items():
        if not _starts_at(module.get_parameter(name).detach(), value, deviation):
            raise CannotWork("comienzo", cual=name, valor=value, desviacion=deviation)
    borrowed = [type(part).__name__ for part in module.modules() if _is_ready_made(part, allowed)]
    if borrowed:
        raise CannotWork("prohibida", cual=borrowed[0])
    module.load_state_dict({name: value.clone() for name, value in weights.items()}, strict=False)
    return module.eval()


def _starts_at(own: Tensor, value: float, deviation: float) -> bool:
    """Si un parámetro recién creado está donde debe; al azar, con el margen de unos pocos."""
    if not deviation:
        return torch.allclose(own, torch.full_like(own, value), rtol=1e-5, atol=0.0)
    return 0.5 * deviation < float((own - value).square().mean().sqrt()) < 1.6 * deviation


def _is_ready_made(part: nn.Module, allowed: tuple) -> bool:
    if type(part) in allowed:
        return False
    home = type(part).__module__
    ours = home.startswith("tfcourse.") and not home.startswith("tfcourse.projects.lent")
    return ours or isinstance(part, FORBIDDEN_LAYERS)


def drive(
    use: Callable[..., object],
    allowed: tuple = (),
    starts: Starts | None = None,
) -> Callable[[object], Callable]:
    """De cómo se usa un módulo, `use(módulo, *entradas)`, a cómo se hace trabajar a su clase.

    `allowed` son las piezas ya hechas que se admiten, y las funciones que ellas usan; `starts`,
    en qué valor y con qué desviación empieza cada parámetro, si el enunciado lo dice.
    """

    def driver(answer: object) -> Callable:
        def work(sizes: dict, weights: dict[str, Tensor], *inputs):
            plain = {name: size for name, size in sizes.items() if name != GRADIENT}
            try:
                module = build(answer, plain, weights, allowed, starts)
                return _worked(module, use, inputs, allowed, gradient=GRADIENT in sizes)
            except CannotWork as stopped:
                return stopped.complaint

        return located(work, getattr(answer, "forward", None))

    return driver


def located(work: Callable, own: object) -> Callable:
    """`work`, que dice venir de `own`: así un error se sitúa en el código de quien responde."""
    if inspect.isfunction(own):
        work.__wrapped__ = own
    work.__signature__ = inspect.signature(lambda *arguments: None)
    return work


def _worked(
    module: nn.Module, use: Callable, inputs: tuple, allowed: tuple, gradient: bool
) -> object:
    floats = [x.clone().requires_grad_() if _is_float(x) else x for x in inputs]
    with _Watch() as watch:
        found = use(module, *floats)
    for name in watch.found:
        if name not in allowed:
            raise CannotWork("prohibida", cual=name)
    if not gradient:
        return _detached(found)
    outputs = [value for value in _tensors(found) if _is_float(value)]
    learned = dict(module.named_parameters())
    leaves = [x for x in floats if _is_float(x)] + [*learned.values()]
    if outputs and leaves:
        names = [f"la entrada {n}" for n, x in enumerate(floats, start=1) if _is_float(x)]
        lost = _lost(outputs, leaves, [*names, *learned])
        if lost:
            raise CannotWork("sin-gradiente", de=lost[:5])
    return _detached(found)


def _lost(outputs: list[Tensor], leaves: list[Tensor], names: list[str]) -> list[str]:
    """Los nombres de lo que no recibe gradiente."""
    alive = [value for value in outputs if value.requires_grad]
    if not alive:
        return names
    grads = torch.autograd.grad(sum(v.sum() for v in alive), leaves, allow_unused=True)
    return [name for name, grad in zip(names, grads, strict=True) if grad is None]


def _is_float(value: object) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _tensors(value: object) -> list[Tensor]:
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _tensors(item)]
    return [value] if isinstance(value, Tensor) else []


def _detached(value: object) -> object:
    if isinstance(value, Tensor):
        return value.detach()
    if isinstance(value, dict):
        return {name: _detached(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_detached(item) for item in value])
    return value


def needed(module: object, method: str) -> Callable:
    """Un método de la pieza. Errores: `CannotWork` si no lo tiene."""
    if not callable(getattr(module, method, None)):
        raise CannotWork("sin-metodo", cual=method)
    return getattr(module, method)


def parts(found: object, count: int, name: str) -> tuple:
    """Las cosas que devuelve un método. Errores: `CannotWork` si no son tantas."""
    if not isinstance(found, (tuple, list)) or len(found) != count:
        raise CannotWork("cuantas", **how_many(found, count, name))
    return tuple(found)


def how_many(found: object, count: int, name: str) -> dict[str, object]:
    """Los datos de la queja de quien no devuelve tantas cosas como se piden."""
    own = len(found) if isinstance(found, (tuple, list)) else 1
    return {"cual": name, "piden": count, "son": own}


def ready_optimizers() -> None:
    """Crea un optimizador de balde, fuera de todo límite de tiempo: el primero tarda mucho más."""
    torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.0)
