"""El modelo de lenguaje de hoy: un GPT cuyo bloque se cambia pieza a pieza."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.blocks import FeedForward
from tfcourse.layers.cache import KVCache, LayerCache
from tfcourse.layers.experts import SCORES, ExpertMixture, Routing
from tfcourse.layers.gated import GatedFeedForward
from tfcourse.layers.latent import LatentAttention
from tfcourse.layers.modern_attention import ModernAttention
from tfcourse.layers.norms import RMSNorm
from tfcourse.layers.positions import check_length
from tfcourse.layers.rotary import RotaryPositions
from tfcourse.models.gpt import NORMS, POSITIONS, tanh_gelu

MIXERS = ("gelu", "swiglu", "geglu", "expertos")
GATES = {"swiglu": nn.SiLU, "geglu": tanh_gelu}
# Lo que decide cada familia, sin sus tamaños: Radford et al. (2019), Touvron et al. (2023), Jiang
# et al. (2023, 2024), Qwen Team (2025), Gemma Team (2025) y DeepSeek-AI (2024b). DeepSeek-V3
# comprime además las consultas y elige por grupos de expertos; Gemma 3 multiplica los embeddings
# por la raíz de su tamaño.
FAMILIES = {
    "gpt-2": {"norm": "capa", "bias": True, "positions": "aprendidas", "mixer": "gelu"},
    "llama": {},
    "mistral": {"window": 4095},
    "qwen3": {"qk_norm": True},
    "gemma-3": {
        "mixer": "geglu", "qk_norm": True, "after_norms": True, "window": 1023, "full_every": 6,
        "base": 1_000_000.0, "near_base": 10_000.0,
    },
    "mixtral": {"mixer": "expertos", "n_experts": 8, "n_chosen": 2},
    "deepseek-v3": {
        "mixer": "expertos", "n_experts": 256, "n_chosen": 8, "n_shared": 1,
        "score": "sigmoide", "d_latent": 512, "d_rotary": 64,
    },
}  # fmt: skip


@dataclass(frozen=True)
class ModernConfig:
    """Tamaños y piezas de un modelo de lenguaje; sin decir nada, el bloque de Llama.

    `norm`, `positions` y `bias` son las de `GPTConfig`. `mixer` es la red por posición: `gelu`,
    `swiglu`, `geglu` o `expertos`, de anchura `d_hidden`; `n_kv_heads`, las cabezas de claves y
    valores. Con `d_latent`, la atención guarda un latente (MLA). Con `window`, miran solo a lo
    cercano todas las capas salvo una de cada `full_every`, la última de cada grupo, y giran con
    `near_base` si no es la `base` de las demás; con 0, todas. Con `after_norms`, lo que se suma se
    normaliza también al salir. Sin `tied`, la salida tiene su matriz. `head_size` es lo que mide
    cada cabeza, si no es `d_model` entre `n_heads`.
    Errores: `ValueError` si algún nombre no se conoce, algún tamaño no es positivo o se piden a la
    vez latente y ventana.
    """

    n_tokens: int
    d_model: int = 128
    n_heads: int = 4
    n_layers: int = 4
    max_length: int = 64
    d_hidden: int = 344
    norm: str = "cuadratica"
    bias: bool = False
    positions: str = "rotatorias"
    base: float = 10_000.0
    near_base: float | None = None
    after_norms: bool = False
    mixer: str = "swiglu"
    n_kv_heads: int | None = None
    qk_norm: bool = False
    window: int | None = None
    n_sinks: int = 0
    full_every: int = 0
    d_latent: int | None = None
    d_rotary: int = 16
    n_experts: int = 8
    n_chosen: int = 2
    n_shared: int = 0
    score: str = "softmax"
    tied: bool = True
    head_size: int | None = None

    def __post_init__(self):
        known = {"positions": POSITIONS, "norm": NORMS, "mixer": MIXERS, "score": SCORES}
        for field, names in known.items():
            if getattr(self, field) not in names:
                raise ValueError(f"{field}={getattr(self, field)!r}: usa {', '.join(names)}")
        for field in ("n_tokens", "d_model", "n_heads", "n_layers", "max_length", "d_hidden"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field}={getattr(self, field)}: debe ser al menos 1")
        if self.d_latent and (self.window or self.qk_norm):
            raise ValueError(
                f"d_latent={self.d_latent} con window={self.window} y qk_norm={self.qk_norm}: "
                "elige una sola atención"
            )

    @property
    def d_head(self) -> int:
        """Lo que mide cada cabeza."""
        return self.head_size or self.d_model // self.n_heads

    def looks_near(self, layer: int) -> bool:
        """Si esa capa es de ventana."""
        return self.window is not None and not (
            self.full_every and (layer + 1) % self.full_every == 0
        )

    def cached_numbers(self) -> int:
        """Números que guarda la caché de cada token, con todas las capas y sin contar ventanas."""
        per_layer = 2 * (self.n_kv_heads or self.n_heads) * self.d_head
        return self.n_layers * (self.d_latent + self.d_rotary if self.d_latent else per_layer)


def build_attention(config: ModernConfig, rotary: RotaryPositions | None, layer: int) -> nn.Module:
    """La autoatención que pide la configuración para una capa."""
    if config.d_latent:
        return LatentAttention(
            config.d_model, config.n_heads, config.d_head, config.d_latent, config.d_rotary,
            config.max_length, norm=RMSNorm,
        )  # fmt: skip
    return ModernAttention(
        config.d_model, config.n_heads, config.n_kv_heads or config.n_heads, rotary,
        bias=config.bias, qk_norm=config.qk_norm,
        window=config.window if config.looks_near(layer) else None, n_sinks=config.n_sinks,
        d_head=config.d_head,
    )  # fmt: skip


def build_rotaries(config: ModernConfig) -> tuple[RotaryPositions | None, RotaryPositions | None]:
    """Los giros de las capas de ventana y los de las demás; si no se pide, son los mismos."""
    if config.positions == "aprendidas" or config.d_latent:
        return None, None
    far = RotaryPositions(config.max_length, config.d_head, config.base)
    if config.near_base is None:
        return far, far
    return RotaryPositions(config.max_length, config.d_head, config.near_base), far


def build_mixer(config: ModernConfig) -> nn.Module:
    """La red por posición que pide la configuración."""
    if config.mixer == "gelu":
        return FeedForward(config.d_model, config.d_hidden, tanh_gelu, config.bias)
    if config.mixer in GATES:
        return GatedFeedForward(config.d_model, config.d_hidden, GATES[config.mixer])
    return ExpertMixture(
        config.d_model, config.d_hidden, config.n_experts, config.n_chosen, config.n_shared,
        config.score,
    )  # fmt: skip


class ModernBlock(nn.Module):
    """Bloque de hoy: norma, atención y suma; norma, red por posición y suma.

    El esqueleto es el de GPT-2, con la norma delante; cambian las piezas que dice la configuración.
    """

    def __init__(self, config: ModernConfig, rotary: RotaryPositions | None, layer: int):
        super().__init__()
        norm = NORMS[config.norm]
        self.attention_norm = norm(config.d_model)
        self.attention = build_attention(config, rotary, layer)
        self.mixer_norm = norm(config.d_model)
        self.mixer = build_mixer(config)
        self.after_attention, self.after_mixer = (
            norm(config.d_model) if config.after_norms else nn.Identity() for _ in range(2)
        )

    def forward(
        self,
        x: Float[Tensor, "B L D"],
        cache: LayerCache | None = None,
        routes: list[Routing] | None = None,
    ) -> Float[Tensor, "B L D"]:
        """Cada posición mira a las anteriores; si hay expertos, `routes` apunta a cuáles va."""
        x = x + self.after_attention(self.attention(self.attention_norm(x), cache))
        y = self.mixer_norm(x)
        mixed = self.mixer(y, routes) if isinstance(self.mixer, ExpertMixture) else self.mixer(y)
        return x + self.after_mixer(mixed)


class ModernLM(nn.Module):
    """Modelo de lenguaje con el bloque que se elija: de GPT-2 a Llama, Qwen3, Gemma o DeepSeek.

    Con las piezas de GPT-2 calcula lo mismo que `GPT`. Fuentes: las de `FAMILIES`.
    """

    def __init__(self, config: ModernConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.n_tokens, config.d_model)
        self.positions = None
        if config.positions == "aprendidas":
            self.positions = nn.Embedding(config.max_length, config.d_model)
        near, far = build_rotaries(config)
        self.blocks = nn.ModuleList(
            ModernBlock(config, near if config.looks_near(layer) else far, layer)
            for layer in range(config.n_layers)
        )
        self.closing_norm = NORMS[config.norm](config.d_model)
        self.head = None if config.tied else nn.Linear(config.d_model, config.n_tokens, bias=False)
        initialize(self)

    def forward(
        self,
        tokens: Int[Tensor, "B L"],
        cache: KVCache | None = None,
        routes: list[Routing] | None = None,
    ) -> Float[Tensor, "B L V"]:
        """Logits del token que sigue a cada posición."""
        start = 0 if cache is None else cache.length
        x = self.embedding(tokens)
        if self.positions is not None:
            check_length(start + tokens.shape[1], self.config.max_length)
            x = x + self.positions.weight[start : start + tokens.shape[1]]
        for depth, block in enumerate(self.blocks):
            x = block(x, None if cache is None else cache.layers[depth], routes)
        x = self.closing_norm(x)
        return x @ self.embedding.weight.T if self.head is None else self.head(x)

    def start(self, prompt: Int[Tensor, "B L"]) -> KVCache:
        """Lee el comienzo de una vez y devuelve su caché, con la que se empieza a escribir."""
        cache = KVCache(self.config.n_layers, self.config.max_length)
        if prompt.shape[1]:
            self(prompt, cache)
        return cache

    def step(
        self, tokens: Int[Tensor, "B 1"], cache: KVCache
    ) -> tuple[Float[Tensor, "B V"], KVCache]:
        """Un paso al escribir: lee un token y da los logits del siguiente."""
        return self(tokens, cache)[:, -1], cache

    def mixtures(self) -> list[ExpertMixture]:
        """Las capas de expertos, de abajo arriba."""
        return [block.mixer for block in self.blocks if isinstance(block.mixer, ExpertMixture)]

    def n_active(self) -> int:
        """Parámetros por los que pasa cada token: de los expertos elegibles, solo los elegidos."""
        idle = sum(
            sum(p.numel() for p in mixture.experts.parameters())
            * (1 - mixture.router.n_chosen / len(mixture.experts))
            for mixture in self.mixtures()
        )
        return round(sum(p.numel() for p in self.parameters()) - idle)


@torch.no_grad()
def initialize(model: ModernLM) -> None:
    """Pesos iniciales de GPT-2: desviación 0,02, y menos los que cierran un residuo."""
    scale = 1 / math.sqrt(2 * model.config.n_layers)
    for name, parameter in model.named_parameters():
        if parameter.ndim == 2:
            closing = name.endswith(("out_proj.weight", "output.weight"))
            nn.init.normal_(parameter, std=0.02 * (scale if closing else 1.0))
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)
