"""La precisión mixta del acelerador de mentira: qué baja a bf16 y qué se queda en float32.

Es la de CUDA: las multiplicaciones bajan, lo que pierde con pocas cifras sube y lo que junta
varios tensores toma el tipo más ancho. Solo toca tensores del acelerador que no sean float64.
Fuente: la documentación de PyTorch, «Automatic Mixed Precision», «CUDA Op-Specific Behavior».
"""

import torch
from torch import Tensor

from tests.accelerator.simulated import LIBRARIES, NAME, register

LOWER = (
    "_convolution", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d.input",
    "convolution", "prelu", "addmm", "addmv", "addr", "matmul", "einsum", "mm", "mv", "linear",
    "addbmm", "baddbmm", "bmm", "lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell",
    "_thnn_fused_lstm_cell", "_thnn_fused_gru_cell", "scaled_dot_product_attention",
)  # fmt: skip
HIGHER = (
    "acos", "asin", "cosh", "erfinv", "exp", "expm1", "log", "log10", "log2", "log1p",
    "reciprocal", "rsqrt", "sinh", "tan", "pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar",
    "softplus", "layer_norm", "native_layer_norm", "rms_norm", "group_norm", "cosine_similarity",
    "nll_loss", "nll_loss2d", "kl_div", "l1_loss", "smooth_l1_loss", "huber_loss", "mse_loss",
    "margin_ranking_loss", "binary_cross_entropy_with_logits", "dist", "cdist", "logsumexp",
    "upsample_nearest2d", "upsample_linear1d", "upsample_bilinear2d", "upsample_bicubic2d",
    "prod", "prod.dim_int", "softmax.int", "log_softmax.int", "cumprod", "cumsum",
    "linalg_vector_norm", "linalg_matrix_norm", "sum", "sum.dim_IntList", "norm.Scalar",
    "norm.ScalarOpt_dim",
)  # fmt: skip
WIDEST = ("addcdiv", "addcmul", "atan2", "bilinear", "cross", "dot", "grid_sampler", "index_put",
          "tensordot", "scatter_add", "cat", "stack")  # fmt: skip
BANNED = "binary_cross_entropy"

_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)


def register_autocast() -> None:
    """Da de alta la precisión mixta del acelerador de mentira."""
    lower = {name: _casting(name, lambda found: torch.get_autocast_dtype(NAME)) for name in LOWER}
    higher = {name: _casting(name, lambda found: torch.float32) for name in HIGHER}
    widest = {name: _casting(name, _widest) for name in WIDEST}
    everything_else = torch.library.Library("_", "IMPL")
    everything_else.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    LIBRARIES.append(everything_else)
    register("AutocastPrivateUse1", lower | higher | widest | {BANNED: _banned})


def _casting(name: str, choose):
    """La operación, precedida del cambio de tipo de sus tensores."""
    packet, _, overload = name.partition(".")
    operation = getattr(getattr(torch.ops.aten, packet), overload or "default")

    def kernel(*args, **kwargs):
        with torch._C._ExcludeDispatchKeyGuard(_KEYS):
            dtype = choose(_eligible([args, kwargs]))
            return operation(*_cast(args, dtype), **_cast(kwargs, dtype))

    return kernel


def _widest(found: list[Tensor]) -> torch.dtype | None:
    wide = any(x.dtype == torch.float32 for x in found)
    return torch.float32 if wide else None


def _is_eligible(x) -> bool:
    return (
        isinstance(x, Tensor)
        and x.device.type == NAME
        and x.is_floating_point()
        and x.dtype != torch.float64
    )


def _eligible(x) -> list[Tensor]:
    if isinstance(x, dict):
        x = list(x.values())
    if isinstance(x, (tuple, list)):
        return [found for part in x for found in _eligible(part)]
    return [x] if _is_eligible(x) else []


def _cast(x, dtype: torch.dtype | None):
    if dtype is None:
        return x
    if isinstance(x, dict):
        return {name: _cast(value, dtype) for name, value in x.items()}
    if isinstance(x, (tuple, list)):
        return type(x)(_cast(part, dtype) for part in x)
    return x.to(dtype) if _is_eligible(x) else x


def _banned(*_, **__):
    raise RuntimeError(
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast."
    )
