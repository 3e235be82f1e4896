"""Entrenar a escala: un GPT en una o varias GPU, que se puede parar y seguir, con su rendimiento.

`torchrun --nproc_per_node=8 -m tfcourse.text.generation.scale` reparte cada lote entre ocho GPU;
sin él, usa la que haya. Con `TFCOURSE_PERFIL=completo` y GPU, en bf16 y compilado; los textos son
los de la carpeta `TFCOURSE_WIKIPEDIA`.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.folders.wikipedia import wikipedia_text
from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.datasets.windows import random_windows
from tfcourse.losses import next_token_loss
from tfcourse.metrics import window_bits
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.metrics.time_and_memory import now
from tfcourse.models.gpt import GPT, VARIANTS, GPTConfig
from tfcourse.models.modern import ModernLM
from tfcourse.profile import by_profile
from tfcourse.text.generation.recipe import OURS, Recipe, build_optimizer
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.published import PublishedTokenizer
from tfcourse.training import Steps, default_device, fit, one_cycle, seed_everything
from tfcourse.training.accumulation import Accumulation
from tfcourse.training.loop import Checkpoint

TOKENIZER_CHARACTERS = 50_000_000  # con esta parte del texto basta para aprender las fusiones
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class ScaleSettings:
    """Tamaños de un entrenamiento a escala; `batch_size` es el de todas las GPU juntas.

    Cada GPU lee su parte del lote en `parts` veces.
    """

    size: str = "aula"
    n_tokens: int = 512
    batch_size: int = 8
    steps: int = 10
    compiled: bool = False
    seed: int = 0
    parts: int = 1


@dataclass(frozen=True)
class Throughput:
    """Rendimiento: tokens por segundo y utilización, entre 0 y 1, del máximo de la máquina."""

    tokens_per_second: float
    utilisation: float


def default_settings() -> ScaleSettings:
    """Los del perfil: unos pasos de prueba, o GPT-2 con Wikipedia."""
    return by_profile(
        rapido=ScaleSettings(),
        completo=ScaleSettings(
            "gpt-2", 32_768, 256, 20_000, compiled=default_device() == "cuda", parts=4
        ),
    )


def flops_per_token(model: GPT, length: int) -> float:
    """Operaciones de coma flotante por token al entrenar: 6N + 12 · capas · D · L.

    Cada parámetro multiplica y suma una vez a la ida y dos a la vuelta; lo segundo son los puntajes
    y las mezclas de la atención. Fuente: Chowdhery et al. (2023), apéndice B.
    """
    config = model.config
    return 6 * n_parameters(model) + 12 * config.n_layers * config.d_model * length


def measured_flops(device: str, dtype: torch.dtype, size: int = 1024, repeats: int = 8) -> float:
    """Operaciones por segundo que da la máquina al multiplicar matrices: el máximo que se mide."""
    a, b = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    best = float("inf")
    for _ in range(repeats):
        started = now()
        a @ b
        best = min(best, now() - started)
    return 2 * size**3 / best


def throughput(model: GPT, settings: ScaleSettings, steps: int, seconds: float) -> Throughput:
    """Tokens por segundo, y qué parte de la máquina se aprovecha (MFU).

    Fuente: Chowdhery et al. (2023), § 4.1.
    """
    length, device = model.config.max_length, default_device()
    rate = steps * settings.batch_size * length / seconds
    dtype = torch.bfloat16 if by_profile(rapido=False, completo=device == "cuda") else torch.float32
    machines = int(os.environ.get("WORLD_SIZE", "1"))
    most = machines * measured_flops(device, dtype, size=8192 if device == "cuda" else 1024)
    return Throughput(rate, rate * flops_per_token(model, length) / most)


def prepare_tokens(settings: ScaleSettings, text: str) -> tuple[torch.Tensor, BPETokenizer]:
    """El texto numerado y su tokenizador."""
    tokenizer = BPETokenizer.train(text[:TOKENIZER_CHARACTERS], settings.n_tokens, byte_level=True)
    return encode_by_lines(tokenizer, text), tokenizer


def encode_by_lines(tokenizer: Tokenizer | PublishedTokenizer, text: str) -> Int[Tensor, "N"]:
    """Los números de un texto largo, sin tener a la vez todas sus palabras en la memoria."""
    lines = (tokenizer.encode(found[0]) for found in _LINE.finditer(text))
    return torch.from_numpy(np.concatenate([np.array(ids, dtype=np.int32) for ids in lines]))


@torch.no_grad()
def held_out_bits(
    model: GPT | ModernLM,
    tokenizer: Tokenizer | PublishedTokenizer,
    text: str,
    *,
    length: int | None = None,
    batch_size: int = 8,
) -> float:
    """Bits por carácter de un modelo en un texto, donde esté el modelo; el primer token no cuenta.

    Cada token se predice con al menos medio contexto delante. `length` es lo más que se lee de una
    vez; sin él, todo lo que le cabe al modelo.
    """
    ids = encode_by_lines(tokenizer, text).long()
    characters = len(text) - len(tokenizer.decode(ids[:1]))
    device, most = next(model.parameters()).device, model.config.max_length
    length = most if length is None else min(length, most)
    return window_bits(model, ids.to(device), characters, length=length, batch_size=batch_size)


def train_at_scale(
    settings: ScaleSettings,
    ids: torch.Tensor,
    n_tokens: int,
    checkpoint: Path | None = None,
    *,
    recipe: Recipe = OURS,
) -> tuple[GPT, list[float], Throughput]:
    """Entrena, o sigue desde el punto de control, y devuelve modelo, pérdidas y rendimiento.

    De la receta valen las posiciones, la norma y el optimizador. Con varias GPU, cada proceso toma
    su parte de cada lote y todos dan el mismo paso.
    """
    seed_everything(settings.seed)
    config = GPTConfig(n_tokens, positions=recipe.positions, norm=recipe.norm,
                       **VARIANTS[settings.size])  # fmt: skip
    model = GPT(config).to(default_device())
    if settings.compiled:
        model.compile()  # en el sitio: los nombres de los pesos no cambian
    shape = {"batch_size": settings.batch_size, "length": config.max_length}
    started = now()
    history = fit(
        model,
        random_windows(ids, **shape, seed=settings.seed),
        next_token_loss,
        budget=Steps(settings.steps),
        optimizer=build_optimizer(model, recipe),
        schedule=one_cycle(settings.steps, warmup=0.05),
        accumulation=Accumulation(settings.parts),
        checkpoint=checkpoint and Checkpoint(checkpoint, every=max(1, settings.steps // 20)),
    )
    seconds = now() - started
    return model, history.loss, throughput(model, settings, settings.steps, seconds)


def main() -> None:
    """Entrena con el perfil activo y escribe la pérdida, los tokens por segundo y la MFU."""
    settings = default_settings()
    text = by_profile(
        rapido=lambda: spanish_corpus().train[:300_000],
        completo=lambda: wikipedia_text(1_000_000_000),
    )()
    ids, tokenizer = prepare_tokens(settings, text)
    path = Path(os.environ.get("TFCOURSE_PUNTO", "gpt_a_escala.safetensors"))
    model, losses, measured = train_at_scale(settings, ids, len(tokenizer), path)
    if int(os.environ.get("RANK", "0")) == 0:
        print(f"pérdida: de {losses[0]:.2f} a {losses[-1]:.2f} en {len(losses)} pasos")
        print(f"{measured.tokens_per_second:.0f} tokens por segundo")
        print(f"MFU: {measured.utilisation:.1%}")


if __name__ == "__main__":
    main()
