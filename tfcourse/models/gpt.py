"""GPT: un Transformer que solo tiene decodificador y predice el token siguiente."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.blocks import FeedForward, Residual
from tfcourse.layers.cache import KVCache, LayerCache
from tfcourse.layers.causal import CausalSelfAttention
from tfcourse.layers.norms import LayerNorm, RMSNorm
from tfcourse.layers.positions import check_length
from tfcourse.layers.rotary import RotaryPositions

# Radford et al. (2018), § 4.1; Radford et al. (2019), tabla 2; Brown et al. (2020), tabla 2.1.
# «aula» tiene los tamaños de la receta de nanoGPT para CPU; «taller», los de los pesos del curso.
VARIANTS = {
    "aula": {"d_model": 128, "n_heads": 4, "n_layers": 4, "max_length": 64},
    "taller": {"d_model": 160, "n_heads": 5, "n_layers": 5, "max_length": 128},
    "gpt-1": {
        "d_model": 768, "n_heads": 12, "n_layers": 12, "max_length": 512, "norm_first": False
    },
    "gpt-2": {"d_model": 768, "n_heads": 12, "n_layers": 12, "max_length": 1024},
    "gpt-2-medium": {"d_model": 1024, "n_heads": 16, "n_layers": 24, "max_length": 1024},
    "gpt-2-large": {"d_model": 1280, "n_heads": 20, "n_layers": 36, "max_length": 1024},
    "gpt-2-xl": {"d_model": 1600, "n_heads": 25, "n_layers": 48, "max_length": 1024},
    "gpt-3": {"d_model": 12288, "n_heads": 96, "n_layers": 96, "max_length": 2048},
}  # fmt: skip
POSITIONS = ("aprendidas", "rotatorias")
NORMS: dict[str, Callable[[int], nn.Module]] = {"capa": LayerNorm, "cuadratica": RMSNorm}
tanh_gelu = partial(nn.GELU, approximate="tanh")  # la aproximación que usan los GPT


@dataclass(frozen=True)
class GPTConfig:
    """Tamaños de un GPT; `VARIANTS` tiene los publicados. Sin `d_hidden`, cuatro veces `d_model`.

    `positions` es `aprendidas` o `rotatorias`; `norm`, `capa` (LayerNorm) o `cuadratica` (RMSNorm).
    Errores: `ValueError` si algún nombre no se conoce o algún tamaño no es positivo.
    """

    n_tokens: int
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    max_length: int = VARIANTS["aula"]["max_length"]
    d_hidden: int | None = None
    dropout: float = 0.0
    norm_first: bool = True
    positions: str = "aprendidas"
    norm: str = "capa"

    def __post_init__(self):
        for field, known in (("positions", POSITIONS), ("norm", NORMS)):
            if getattr(self, field) not in known:
                raise ValueError(f"{field}={getattr(self, field)!r}: usa {' o '.join(known)}")
        for field in ("n_tokens", "d_model", "n_heads", "n_layers", "max_length"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field}={getattr(self, field)}: debe ser al menos 1")


class GPTBlock(nn.Module):
    """Bloque de GPT: autoatención causal y red por posición, cada una con su residuo.

    Es el bloque del codificador con máscara causal o, lo que es igual, el del decodificador sin la
    atención al codificador. Fuente: Phuong y Hutter (2022), alg. 10, líneas 5 a 8.
    """

    def __init__(self, config: GPTConfig, rotary: RotaryPositions | None = None):
        super().__init__()
        around = (config.d_model, config.dropout, config.norm_first, NORMS[config.norm])
        self.attention = CausalSelfAttention(config.d_model, config.n_heads, rotary)
        d_hidden = config.d_hidden or 4 * config.d_model
        self.feed_forward = FeedForward(config.d_model, d_hidden, tanh_gelu)
        self.around_attention, self.around_feed_forward = Residual(*around), Residual(*around)

    def forward(
        self, x: Float[Tensor, "B L D"], cache: LayerCache | None = None
    ) -> Float[Tensor, "B L D"]:
        """Cada posición mira a las anteriores y a sí misma."""
        x = self.around_attention(x, lambda y: self.attention(y, y, y, cache=cache))
        return self.around_feed_forward(x, self.feed_forward)

    def attention_maps(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B H L L"]:
        """Pesos de cada cabeza al leer `x`."""
        y = self.around_attention.seen(x)
        return self.attention.attention_maps(y, y)


class GPT(nn.Module):
    """Modelo de lenguaje autorregresivo: logits del token que sigue a cada posición.

    La capa de salida comparte su matriz con los embeddings.
    Fuente: Radford et al. (2018, 2019); Phuong y Hutter (2022), alg. 10.
    """

    def __init__(self, config: GPTConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.n_tokens, config.d_model)
        self.positions, rotary = None, None
        if config.positions == "aprendidas":
            self.positions = nn.Embedding(config.max_length, config.d_model)
        else:
            rotary = RotaryPositions(config.max_length, config.d_model // config.n_heads)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(GPTBlock(config, rotary) for _ in range(config.n_layers))
        # Con Pre-LN nadie ha normalizado lo último que se sumó.
        closing = NORMS[config.norm] if config.norm_first else lambda _: nn.Identity()
        self.closing_norm = closing(config.d_model)
        initialize_gpt(self)

    def forward(
        self, tokens: Int[Tensor, "B L"], cache: KVCache | None = None
    ) -> Float[Tensor, "B L V"]:
        """Logits del token que sigue a cada posición."""
        return self.states(tokens, cache) @ self.embedding.weight.T

    def states(
        self, tokens: Int[Tensor, "B L"], cache: KVCache | None = None
    ) -> Float[Tensor, "B L D"]:
        """Los vectores de los que salen los logits."""
        x = self.embed(tokens, 0 if cache is None else cache.length)
        for depth, block in enumerate(self.blocks):
            x = block(x, None if cache is None else cache.layers[depth])
        return self.closing_norm(x)

    def embed(self, tokens: Int[Tensor, "B L"], start: int = 0) -> Float[Tensor, "B L D"]:
        """Un vector por token: cuál es y, si las posiciones se aprenden, en qué lugar está."""
        end = start + tokens.shape[1]
        check_length(end, self.config.max_length)
        x = self.embedding(tokens)
        if self.positions is not None:
            x = x + self.positions.weight[start:end]
        return self.dropout(x)

    def start(self, prompt: Int[Tensor, "B L"]) -> KVCache:
        """Lee el comienzo de una vez y devuelve su caché, con la que se empieza a escribir."""
        cache = KVCache(self.config.n_layers, self.config.max_length)
        if prompt.shape[1]:
            self.states(prompt, cache)
        return cache

    def step(
        self, tokens: Int[Tensor, "B 1"], cache: KVCache
    ) -> tuple[Float[Tensor, "B V"], KVCache]:
        """Un paso al escribir: lee un token y da los logits del siguiente."""
        return self.states(tokens, cache)[:, -1] @ self.embedding.weight.T, cache

    @torch.no_grad()
    def attention_maps(self, tokens: Int[Tensor, "B L"]) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa y cabeza al leer, recalculados."""
        return maps_by_layer(self.blocks, self.embed(tokens))


@torch.no_grad()
def initialize_gpt(model: nn.Module) -> nn.Module:
    """Pesos iniciales de GPT-2: normales de desviación 0,02; los que cierran un residuo, menores.

    Cada bloque suma dos veces al residuo: con 2N sumas, su desviación se divide entre √(2N).
    Fuente: Radford et al. (2019), § 2.3.
    """
    scale = 1 / math.sqrt(2 * model.config.n_layers)
    for name, parameter in model.named_parameters():
        if parameter.ndim == 2:
            closing = name.endswith(("out_proj.weight", "output.weight"))
            nn.init.normal_(parameter, std=0.02 * (scale if closing else 1.0))
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)
    return model
