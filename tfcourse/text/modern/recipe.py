"""La escalera: del bloque de GPT-2 al de hoy, cambiando una pieza en cada peldaño.

Todos los peldaños se entrenan igual: mismo texto, mismos tokens, mismos pasos y mismos ritmos.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.windows import random_windows
from tfcourse.layers.experts import balance_loss, effective_experts
from tfcourse.layers.gated import equal_cost_width
from tfcourse.metrics import window_bits
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.modern import FAMILIES, ModernConfig, ModernLM
from tfcourse.text.generation.recipe import OURS, build_tokenizer
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained

BALANCES = ("nada", "pérdida", "corrección")


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena un peldaño: sus piezas, los tamaños, el lote, los pasos y los ritmos.

    `pieces` son los campos de `ModernConfig` que no son los de Llama. `balance` es cómo se reparte
    el trabajo entre los expertos, si los hay: `nada`, `pérdida` o `corrección`.
    Errores: `ValueError` si el reparto no se conoce.
    """

    pieces: dict = field(default_factory=dict)
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 3
    length: int = 64
    batch_size: int = 12
    steps: int = 100
    muon_lr: float = 0.02
    adam_lr: float = 1e-2
    balance: str = "pérdida"
    strength: float = 0.01
    speed: float = 0.01

    def __post_init__(self):
        if self.balance not in BALANCES:
            raise ValueError(f"balance={self.balance!r}: usa {', '.join(BALANCES)}")

    def config(self, n_tokens: int) -> ModernConfig:
        """Los tamaños y las piezas del modelo."""
        sizes = {
            "d_model": self.d_model, "n_heads": self.n_heads, "n_layers": self.n_layers,
            "max_length": self.length, "d_hidden": equal_cost_width(4 * self.d_model),
        }  # fmt: skip
        return ModernConfig(n_tokens, **sizes | self.pieces)


BASE = Recipe()
# Las anchuras que dejan a todos con casi los mismos parámetros por token.
WIDE = 4 * BASE.d_model
GATED = equal_cost_width(WIDE)
GPT_2 = FAMILIES["gpt-2"] | {"d_hidden": WIDE}
ROTARY = {"positions": "aprendidas", "mixer": "gelu", "d_hidden": WIDE}
GROUPED = {"n_kv_heads": 2}
NORMED = GROUPED | {"qk_norm": True}
MIXTURE = NORMED | {"mixer": "expertos", "d_hidden": GATED // 2, "n_experts": 8, "n_chosen": 2}

# Cada peldaño, y de cuál sale: cambia una cosa y nada más.
STEPS_OF_THE_LADDER: dict[str, tuple[str | None, dict]] = {
    "GPT-2": (None, GPT_2),
    "RMSNorm": ("GPT-2", GPT_2 | {"norm": "cuadratica"}),
    "sin sesgos": ("RMSNorm", ROTARY),
    "RoPE": ("sin sesgos", ROTARY | {"positions": "rotatorias"}),
    "SwiGLU (Llama)": ("RoPE", {}),
    "GQA": ("SwiGLU (Llama)", GROUPED),
    "QK-norm (Qwen3)": ("GQA", NORMED),
    "MLA": ("SwiGLU (Llama)", {"d_latent": 24, "d_rotary": 8}),
    "ventana": ("QK-norm (Qwen3)", NORMED | {"window": 15, "n_sinks": 1, "full_every": 3}),
    "expertos": ("QK-norm (Qwen3)", MIXTURE),
    "con compartido": ("expertos", MIXTURE | {"n_experts": 7, "n_chosen": 1, "n_shared": 1}),
}
LADDER = {name: replace(BASE, pieces=pieces) for name, (_, pieces) in STEPS_OF_THE_LADDER.items()}
PARENTS = {name: parent for name, (parent, _) in STEPS_OF_THE_LADDER.items()}
EXPERTS = {balance: replace(LADDER["expertos"], balance=balance) for balance in BALANCES}


class TextLoss:
    """Pérdida de un modelo de lenguaje con su reparto entre expertos.

    Con `pérdida` suma `strength` veces la de equilibrio, en media de las capas; con `corrección`
    mueve, tras leer cada lote, la de cada encaminador. Da aparte la del texto.
    """

    def __init__(self, recipe: Recipe):
        self.recipe = recipe

    def __call__(
        self, model: ModernLM, batch: tuple[Int[Tensor, "B L1"]]
    ) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
        """La pérdida de un lote de ventanas, y la parte que pone el texto."""
        (tokens,) = batch
        routes = []
        logits = model(tokens[:, :-1], routes=routes)
        text = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        if self.recipe.balance == "corrección" and model.training:
            for mixture, routing in zip(model.mixtures(), routes, strict=True):
                mixture.router.adjust(routing, self.recipe.speed)
        if self.recipe.balance != "pérdida" or not routes:
            return text, {"texto": text}
        uneven = torch.stack([balance_loss(routing) for routing in routes]).mean()
        return text + self.recipe.strength * uneven, {"texto": text}


def build(recipe: Recipe, n_tokens: int) -> ModernLM:
    """El modelo de la receta, para un vocabulario de ese tamaño."""
    return ModernLM(recipe.config(n_tokens))


def batches(recipe: Recipe, seed: int, ids: Int[Tensor, "N"]) -> Iterator[tuple[Tensor]]:
    """Lotes sin fin de ventanas de un texto ya en números."""
    return random_windows(ids, batch_size=recipe.batch_size, length=recipe.length, seed=seed)


def train(
    recipe: Recipe, seed: int, budget: Budget | None = None, *, ids: Int[Tensor, "N"], n_tokens: int
) -> Trained:
    """Entrena un peldaño con un texto ya en números; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe, n_tokens), batches(recipe, seed, ids), TextLoss(recipe), recipe, seed,
        budget,
    )  # fmt: skip


def shared_tokenizer(text: str) -> Tokenizer:
    """El BPE de 1024 tokens del capítulo de GPT, el mismo para todos los peldaños."""
    return build_tokenizer(OURS, text)


@torch.no_grad()
def bits_of(model: ModernLM, tokenizer: Tokenizer, text: str) -> float:
    """Bits por carácter en un texto, con al menos medio contexto delante de cada token."""
    ids = torch.tensor(tokenizer.encode(text))
    first = len(tokenizer.decode(ids[:1]))
    return window_bits(model, ids, len(text) - first, length=model.config.max_length)


def cache_bytes_per_token(config: ModernConfig, bytes_per_number: int = 2) -> int:
    """Bytes que añade a la caché cada token, con números de 16 bits si no se dice.

    Las capas de ventana no cuentan: pasada la ventana, lo que entra sustituye a lo que sale.
    """
    growing = sum(not config.looks_near(layer) for layer in range(config.n_layers))
    return config.cached_numbers() // config.n_layers * growing * bytes_per_number


@torch.no_grad()
def loads(model: ModernLM, ids: Int[Tensor, "N"]) -> list[Float[Tensor, "E"]]:
    """Qué parte de los tokens de un texto recibe cada experto, en cada capa."""
    length = model.config.max_length
    rows = ids[: len(ids) // length * length].view(-1, length)
    routes = []
    model(rows, routes=routes)
    return [routing.load() for routing in routes]


def experts_in_use(model: ModernLM, ids: Int[Tensor, "N"]) -> list[float]:
    """Expertos en uso en cada capa: entre 1 y cuántos hay."""
    return [effective_experts(load) for load in loads(model, ids)]


def facts(recipe: Recipe, n_tokens: int) -> dict[str, int]:
    """Lo que no depende de la semilla: parámetros, los que usa cada token y bytes de caché."""
    model = build(recipe, n_tokens)
    return {
        "parameters": n_parameters(model),
        "active": model.n_active(),
        "cache": cache_bytes_per_token(model.config),
    }


def settings_of(recipe: Recipe) -> dict:
    """La receta en texto llano, para la huella de una tabla."""
    return asdict(recipe)
