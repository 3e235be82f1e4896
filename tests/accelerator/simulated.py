"""Un acelerador de mentira: encuentra en una máquina sin GPU lo que en una GPU se rompería.

Sus tensores dicen vivir en «sim:0», calculan en la CPU y se niegan a mezclarse con los de la CPU,
como los de CUDA: ni operaciones entre dispositivos, ni un tensor de la CPU indexado por uno de
aquí, ni `.numpy()` sin `.cpu()`, ni un generador de azar del otro lado. Se apoya en el motor en
Python que PyTorch da para `PrivateUse1`, que es experimental: por eso vive en las pruebas.
"""

import copy
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn
from torch.utils._mode_utils import no_dispatch
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "sim"
CPU = torch.device("cpu")
LIBRARIES: list[torch.library.Library] = []  # si se sueltan, PyTorch olvida lo registrado

# Lo único que lleva números de un lado a otro.
_MAY_CROSS = {
    "aten::_to_copy", "aten::copy_", "aten::_copy_from", "aten::_local_scalar_dense",
}  # fmt: skip
# En CUDA los índices pueden estar en la CPU, pero no al revés.
_INDEXING = {"aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_",
             "aten::_unsafe_index", "aten::_unsafe_index_put"}  # fmt: skip
# Además de las que van elemento a elemento, admiten un número suelto de la CPU.
_TAKES_A_NUMBER = {"aten::masked_fill", "aten::masked_fill_", "aten::fill_", "aten::fill",
                   "aten::index_fill", "aten::index_fill_"}  # fmt: skip
# Piden en la CPU, también con una GPU, el argumento que se dice.
_WANTS_ON_CPU = {"aten::_pack_padded_sequence": 1, "aten::_pad_packed_sequence": 1}
_LENGTHS_ANYWHERE = {"aten::_ctc_loss", "aten::_ctc_loss_backward",
                     "aten::_pack_padded_sequence_backward"}  # fmt: skip


class SimTensor(Tensor):
    """Un tensor que dice estar en «sim» y guarda sus números en uno de la CPU, `inner`."""

    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, inner: Tensor):
        made = Tensor._make_wrapper_subclass(
            cls, inner.size(), strides=inner.stride(), storage_offset=inner.storage_offset(),
            dtype=inner.dtype, device=simulated_device(), requires_grad=False,
        )  # fmt: skip
        made.inner = inner
        return made

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return _run(func, args, kwargs or {})

    def __repr__(self, **_):
        return f"{repr(self.inner)[:-1]}, device='{NAME}:0')"

    def __format__(self, spec):
        return format(self.inner, spec) if self.dim() == 0 else object.__format__(self, spec)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            twin = SimTensor(copy.deepcopy(self.inner.detach(), memo))
            twin.__dict__.update({k: v for k, v in vars(self).items() if k != "inner"})
            memo[id(self)] = twin.requires_grad_(self.requires_grad)
        return memo[id(self)]

    def tolist(self):
        return self.inner.tolist()

    def item(self):
        return self.inner.item()

    def data_ptr(self):
        return self.inner.data_ptr()

    def untyped_storage(self):
        return self.inner.untyped_storage()

    def numpy(self, *_, **__):
        raise TypeError(
            f"can't convert {NAME}:0 device type tensor to numpy. Use Tensor.cpu() to copy the "
            "tensor to host memory first."
        )


_GENERATORS: dict[int, torch.Generator] = {}  # los de «sim», por su dirección: no se sueltan


class SimGenerator(torch.Generator):
    """Un generador de azar de «sim»: sus números los saca uno de la CPU."""

    def __init__(self, *_):
        _GENERATORS[self._cdata] = self

    @property
    def device(self):
        """Dónde sirve."""
        return simulated_device()


def _is_ours(generator: torch.Generator) -> bool:
    # PyTorch envuelve el generador otra vez al despachar: el objeto cambia y la dirección no.
    return generator._cdata in _GENERATORS


@cache
def simulated_device() -> torch.device:
    """El acelerador de mentira; la primera vez da de alta sus operaciones en este proceso."""
    register("PrivateUse1", {
        "empty.memory_format": _empty, "empty_strided": _empty_strided, "_copy_from": _copy_from,
        "_local_scalar_dense": lambda x: _unwrapped(x).item(),
    })  # fmt: skip
    register("PrivateUse1", {name: _made_on_the_cpu(name) for name in _RESIZED_BY_PYTORCH})
    register("AutogradPrivateUse1", {
        "_thnn_fused_lstm_cell": _lstm_cell, "_thnn_fused_gru_cell": _gru_cell,
        "ctc_loss.Tensor": _ctc_loss,
    })  # fmt: skip
    _keep_parameters_when_moved()
    _watch_generators()
    return torch.device(NAME, 0)


class _Backend:
    """Lo que PyTorch pregunta a `torch.sim`."""

    is_available = is_initialized = staticmethod(lambda: True)
    is_bf16_supported = staticmethod(lambda *_: True)
    current_device = staticmethod(lambda: 0)
    device_count = staticmethod(lambda: 1)
    _is_in_bad_fork = staticmethod(lambda: False)
    manual_seed = manual_seed_all = staticmethod(lambda seed: None)
    synchronize = empty_cache = staticmethod(lambda *_: None)
    get_amp_supported_dtype = staticmethod(lambda: [torch.bfloat16, torch.float16])
    get_rng_state = staticmethod(lambda device=None: torch.empty(0, dtype=torch.uint8))
    set_rng_state = staticmethod(lambda state, device=None: None)


# Ya al importar: después de la primera vuelta atrás, PyTorch no admite más dispositivos.
_setup_privateuseone_for_python_backend(NAME, _Backend)


def register(key: str, kernels: dict) -> None:
    """Da de alta operaciones escritas en Python bajo una clave de PyTorch."""
    library = torch.library.Library("aten", "IMPL")
    for name, kernel in kernels.items():
        library.impl(name, kernel, key)
    LIBRARIES.append(library)


def _empty(size, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    return SimTensor(torch.empty(size, dtype=dtype, device=CPU, memory_format=memory_format))


def _empty_strided(size, stride, dtype=None, layout=None, device=None, pin_memory=None):
    return SimTensor(torch.empty_strided(size, stride, dtype=dtype, device=CPU))


# Los crea vacíos y los agranda en su sitio, lo que una envoltura no puede.
_RESIZED_BY_PYTORCH = (
    "arange", "arange.start", "arange.start_step", "linspace", "logspace", "eye", "eye.m",
    "tril_indices", "triu_indices",
)  # fmt: skip


def _made_on_the_cpu(name: str):
    packet, _, overload = name.partition(".")
    operation = getattr(getattr(torch.ops.aten, packet), overload or "default")

    def make(*args, device=None, pin_memory=None, **options):
        return SimTensor(operation(*args, device=CPU, **options))

    return make


def _copy_from(source, target, non_blocking=False):
    """La usa `torch.tensor(…, device="sim")`, que no pasa por `__torch_dispatch__`."""
    _unwrapped(target).copy_(_unwrapped(source))
    return target


def _lstm_cell(from_input, from_state, cell, input_bias=None, state_bias=None):
    """El paso de una LSTM que en una GPU va fundido en una operación, que la CPU no tiene."""
    gates = from_input + from_state
    if input_bias is not None:
        gates = gates + input_bias + state_bias
    entry, forget, fresh, out = gates.chunk(4, dim=1)
    cell = forget.sigmoid() * cell + entry.sigmoid() * fresh.tanh()
    return out.sigmoid() * cell.tanh(), cell, gates


def _gru_cell(from_input, from_state, state, input_bias=None, state_bias=None):
    """El paso de una GRU, fundido también en una GPU."""
    if input_bias is not None:
        from_input, from_state = from_input + input_bias, from_state + state_bias
    reset, update, fresh = from_input.chunk(3, dim=1)
    reset_state, update_state, fresh_state = from_state.chunk(3, dim=1)
    update = (update + update_state).sigmoid()
    fresh = (fresh + (reset + reset_state).sigmoid() * fresh_state).tanh()
    return fresh + update * (state - fresh), from_input


def _ctc_loss(
    log_probs, targets, lengths, target_lengths, blank=0, reduction=1, zero_infinity=False
):
    """Las longitudes se leen, como en CUDA, donde quiera que estén."""
    return torch.ops.aten.ctc_loss.IntList(
        log_probs, targets, lengths.tolist(), target_lengths.tolist(), blank, reduction,
        zero_infinity,
    )  # fmt: skip


def _unwrapped(x):
    return x.inner if isinstance(x, SimTensor) else x


def _run(func, args, kwargs):
    """Una operación: se comprueba que no mezcla, se hace en la CPU y se envuelve lo que da."""
    op, seen = _traits(func), _Seen()
    inside, inside_kwargs = seen.unwrap(args), seen.unwrap(kwargs)
    if not op.may_cross:
        _refuse_a_mix(op, args, seen)
    target = kwargs.get("device")
    if target is not None:
        inside_kwargs["device"] = CPU
    out = func(*inside, **inside_kwargs)
    if any(mine.shape != mine.inner.shape for mine in seen.ours) and not op.changes_shape:
        raise NotImplementedError(f"{op.name}: un resultado que cambia de tamaño en su sitio")
    if op.name == "aten::_local_scalar_dense":
        return out
    if op.name == "aten::copy_":
        return args[0]
    if target is not None and torch.device(target).type != NAME:
        return out
    if op.changes_shape:  # `x.t_()`: la envoltura cambia como lo de dentro
        return _same_view(func, args, kwargs)
    if op.name == "aten::_pack_padded_sequence":  # cuántas siguen cada paso se queda en la CPU
        return seen.wrap(out[0]), out[1]
    return seen.wrap(out)


class _Seen:
    """Lo que se ha encontrado al quitar las envolturas a los argumentos de una operación."""

    def __init__(self):
        self.ours, self.foreign, self.generators = [], [], []

    def unwrap(self, x):
        """Los mismos argumentos, con los tensores de dentro."""
        if isinstance(x, SimTensor):
            self.ours.append(x)
            return x.inner
        if isinstance(x, Tensor):
            self.foreign.append(x)
        elif isinstance(x, torch.Generator):
            self.generators.append(x)
        elif isinstance(x, dict):
            return {name: self.unwrap(value) for name, value in x.items()}
        elif isinstance(x, (tuple, list)):
            return type(x)(map(self.unwrap, x))
        return x

    def wrap(self, x):
        """Los mismos resultados, envueltos; lo que se escribe en sí mismo se devuelve."""
        if isinstance(x, (tuple, list)):
            return type(x)(map(self.wrap, x))
        if not isinstance(x, Tensor) or isinstance(x, SimTensor):
            return x
        for mine in self.ours:
            if mine.inner is x:
                return mine
        return SimTensor(x)


def _same_view(func, args, kwargs):
    included = torch._C._meta_in_tls_dispatch_include()
    with no_dispatch():
        torch._C._set_meta_in_tls_dispatch_include(True)
        try:
            func(*args, **kwargs)
        finally:
            torch._C._set_meta_in_tls_dispatch_include(included)
    return args[0]


def _refuse_a_mix(op, args, seen) -> None:
    """Errores: los de CUDA con los mismos argumentos."""
    for generator in seen.generators:
        if not _is_ours(generator):
            raise RuntimeError(
                f"Expected a '{NAME}' device type for generator but found '{generator.device}'"
            )
    if not op.known_to_cuda:
        raise NotImplementedError(
            f"Could not run '{op.name}' with arguments from the '{NAME}' backend: CUDA lacks it"
        )
    wanted = _WANTS_ON_CPU.get(op.name)
    if wanted is not None:
        if isinstance(args[wanted], SimTensor):
            raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor: {op.name}")
    elif seen.foreign and op.name not in _LENGTHS_ANYWHERE:
        _refuse_foreign(op, args, seen.foreign)


def _refuse_foreign(op, args, foreign) -> None:
    if op.name in _INDEXING:
        if not isinstance(args[0], SimTensor):
            raise RuntimeError(
                "indices should be either on cpu or on the same device as the indexed tensor "
                f"(cpu) (when checking {op.name})"
            )
        values = args[2] if len(args) > 2 else None
        alone = [values] if any(x is values for x in foreign) else []
        numbers = True
    else:
        alone, numbers = foreign, op.takes_numbers
    written = [args[i] for i in op.written if i < len(args)]
    if any(x.dim() or not numbers or any(x is w for w in written) for x in alone):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{NAME}:0 and cpu! (when checking {op.name})"
        )


@dataclass(frozen=True)
class _Traits:
    """Lo que hace falta saber de una operación, que se mira una vez."""

    name: str
    may_cross: bool
    takes_numbers: bool
    changes_shape: bool
    known_to_cuda: bool
    written: tuple[int, ...]


@cache
def _traits(func) -> _Traits:
    schema, name = func._schema, func._schema.name
    return _Traits(
        name=name,
        may_cross=name in _MAY_CROSS,
        takes_numbers=name in _TAKES_A_NUMBER or torch.Tag.pointwise in func.tags,
        changes_shape=torch.Tag.inplace_view in func.tags,
        known_to_cuda=_cuda_knows(name, func._overloadname),
        written=tuple(
            i for i, a in enumerate(schema.arguments) if a.alias_info and a.alias_info.is_write
        ),
    )


def _cuda_knows(name: str, overload: str) -> bool:
    """Si CUDA tiene esa operación; un PyTorch que no conoce CUDA no lo sabe, y se da por hecho."""
    known = torch._C._dispatch_has_computed_kernel_for_dispatch_key
    if not name.startswith("aten::") or not known("aten::add.Tensor", "CUDA"):
        return True
    return known(name if overload in ("", "default") else f"{name}.{overload}", "CUDA")


def _keep_parameters_when_moved() -> None:
    """`model.to("sim")` deja los mismos parámetros, como con CUDA: el optimizador los conoce.

    PyTorch solo cambia los números por dentro entre sus propios dispositivos; a los demás les hace
    parámetros nuevos, salvo que se le pida intercambiarlos.
    """
    move = nn.Module._apply

    def _apply(self, fn, recurse=True):
        before = torch.__future__.get_swap_module_params_on_conversion()
        torch.__future__.set_swap_module_params_on_conversion(True)
        try:
            return move(self, fn, recurse)
        except RuntimeError as error:
            if "Couldn't swap" not in str(error):
                raise
        finally:
            torch.__future__.set_swap_module_params_on_conversion(before)
        # Con un gradiente a medias no se deja intercambiar: vale el parámetro nuevo.
        return move(self, fn, recurse)

    nn.Module._apply = _apply


_RANDOM = ("rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial", "poisson",
           "rand_like", "randn_like", "randint_like")  # fmt: skip
_RANDOM_IN_PLACE = ("uniform_", "normal_", "random_", "bernoulli_", "exponential_", "geometric_",
                    "cauchy_", "log_normal_", "bernoulli", "multinomial")  # fmt: skip


def _watch_generators() -> None:
    """Hace que haya generadores de «sim», y que no sirvan para un tensor de la CPU."""
    original = torch.Generator

    class _Kind(type(original)):
        def __call__(cls, device="cpu"):
            here = torch.device(device).type == NAME
            return SimGenerator() if here else original(device)

        def __instancecheck__(cls, instance):
            return isinstance(instance, original)

    torch.Generator = _Kind("Generator", (original,), {"__doc__": original.__doc__})
    for owner, names in ((torch, _RANDOM), (Tensor, _RANDOM_IN_PLACE)):
        for name in names:
            setattr(owner, name, _checked_random(getattr(owner, name)))


def _checked_random(function):
    def checked(*args, **kwargs):
        generator = kwargs.get("generator")
        if generator is not None and _is_ours(generator):
            where = kwargs.get("device")
            where = torch.device(where).type if where is not None else None
            if where is None and args and isinstance(args[0], Tensor):
                where = args[0].device.type
            if where != NAME:
                raise RuntimeError(f"Expected a 'cpu' device type for generator but found '{NAME}'")
        return function(*args, **kwargs)

    checked.__name__, checked.__doc__ = function.__name__, function.__doc__
    return checked
