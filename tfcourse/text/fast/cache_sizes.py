"""Cuánto ocupa la caché de modelos publicados, contado a partir de sus tamaños."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CachedModel:
    """Lo que decide la caché de un modelo.

    `per_layer` es cuántos números guarda cada capa por token: 2 · cabezas de claves · dimensión, o
    lo que mida el latente y su clave rotatoria. De sus capas, `n_windowed` solo guardan los últimos
    `window` tokens. `source` dice de dónde salen los tamaños.
    """

    name: str
    kind: str
    n_layers: int
    per_layer: int
    source: str
    n_windowed: int = 0
    window: int = 0


PUBLISHED = (
    CachedModel("GPT-3", "MHA", 96, 2 * 96 * 128, "Brown et al. (2020), tabla 2.1"),
    CachedModel("LLaMA 7B", "MHA", 32, 2 * 32 * 128, "Touvron et al. (2023), tabla 2"),
    CachedModel("Llama 3.1 8B", "GQA", 32, 2 * 8 * 128, "Llama Team (2024), tabla 3"),
    CachedModel("Falcon 7B", "MQA", 32, 2 * 1 * 64, "su configuración publicada"),
    CachedModel("DeepSeek-V3", "MLA", 61, 512 + 64, "DeepSeek-AI (2024), § 4.2"),
    CachedModel(
        "gpt-oss-120b", "GQA y ventana", 36, 2 * 8 * 64, "OpenAI (2025), § 2", 18, 128
    ),
)  # fmt: skip


def cache_bytes(model: CachedModel, length: int, bytes_per_number: int = 2) -> int:
    """Bytes de la caché de una secuencia de `length` tokens, con números de 16 bits si no se dice.

    Las capas de ventana dejan de crecer al llenarla.
    """
    kept = (model.n_layers - model.n_windowed) * length
    kept += model.n_windowed * min(length, model.window)
    return kept * model.per_layer * bytes_per_number
