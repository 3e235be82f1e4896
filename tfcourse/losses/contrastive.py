"""Pérdidas contrastivas: reconocer la pareja verdadera, al buscar, en wav2vec 2.0 y en CLIP."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor


def contrastive_loss(
    logits: Float[Tensor, "B L C"], hidden: Bool[Tensor, "B L"]
) -> Float[Tensor, ""]:
    """Entropía cruzada media de las posiciones tapadas: la respuesta correcta es siempre la 0."""
    wanted = logits[hidden]
    return F.cross_entropy(wanted, wanted.new_zeros(len(wanted), dtype=torch.long))


def diversity_loss(used: Float[Tensor, " G"], n_codes: int) -> Float[Tensor, ""]:
    """Qué parte de las entradas se desaprovecha: 0 si se usan todas por igual, casi 1 si una sola.

    Es (G V − Σ perplejidad) / (G V), lo que calculan los autores en su código; el artículo escribe
    la entropía, que empuja hacia el mismo sitio. Fuente: Baevski et al. (2020), ec. 4.
    """
    total = len(used) * n_codes
    return (total - used.sum()) / total


def hit_share(logits: Float[Tensor, "B L C"], hidden: Bool[Tensor, "B L"]) -> float:
    """Parte de las posiciones tapadas en las que gana la verdadera.

    Donde todos los distractores son iguales que ella no hay nada que acertar: cuenta como fallo.
    """
    wanted = logits[hidden]
    contested = wanted[:, 1:].isfinite().any(dim=-1)
    return float(((wanted.argmax(dim=-1) == 0) & contested).float().mean())


def symmetric_loss(logits: Float[Tensor, "N M"]) -> Float[Tensor, ""]:
    """Pérdida de CLIP: la pareja de cada imagen está en la diagonal, por filas y por columnas.

    Es la media de dos entropías cruzadas: elegir el texto de cada imagen y la imagen de cada texto.
    Fuente: Radford et al. (2021), figura 3. Errores: `ValueError` si no hay tantos textos como
    imágenes.
    """
    if logits.shape[0] != logits.shape[1]:
        raise ValueError(
            f"llegaron {logits.shape[0]} imágenes y {logits.shape[1]} textos: en un lote, cada "
            "imagen va con su texto, en el mismo orden"
        )
    pairs = torch.arange(len(logits), device=logits.device)
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


def sigmoid_loss(logits: Float[Tensor, "N M"]) -> Float[Tensor, ""]:
    """Pérdida de SigLIP: cada casilla es una pregunta de sí o no, y solo la diagonal es que sí.

    No normaliza por filas ni por columnas; se suma todo y se divide entre las parejas del lote.
    Fuente: Zhai et al. (2023), § 3.2 y alg. 1. Errores: `ValueError` si no hay tantos textos como
    imágenes.
    """
    if logits.shape[0] != logits.shape[1]:
        raise ValueError(
            f"llegaron {logits.shape[0]} imágenes y {logits.shape[1]} textos: en un lote, cada "
            "imagen va con su texto, en el mismo orden"
        )
    signs = 2 * torch.eye(len(logits), device=logits.device, dtype=logits.dtype) - 1
    return -F.logsigmoid(signs * logits).sum() / len(logits)


def info_nce(
    queries: Float[Tensor, "N D"],
    documents: Float[Tensor, "M D"],
    temperature: float,
    also_right: Bool[Tensor, "N M"] | None = None,
) -> Float[Tensor, ""]:
    """InfoNCE: que cada consulta elija su documento entre todos los del lote.

    El de la consulta i es el i; los demás son negativos, y los que pasan de N, negativos difíciles.
    Los parecidos se dividen entre la temperatura. `also_right` señala documentos que también valen:
    ni se premian ni se castigan.
    Fuente: van den Oord et al. (2018), ec. 4. Errores: `ValueError` si hay menos documentos que
    consultas o la temperatura no es positiva.
    """
    if len(documents) < len(queries) or temperature <= 0:
        raise ValueError(
            f"{len(queries)} consultas, {len(documents)} documentos y temperatura {temperature}: "
            "cada consulta lleva su documento, en su orden, y la temperatura es positiva"
        )
    logits = queries @ documents.T / temperature
    right = torch.arange(len(queries), device=queries.device)
    if also_right is not None:
        own = torch.zeros_like(also_right)
        own[right, right] = True
        logits = logits.masked_fill(also_right & ~own, -torch.inf)
    return (logits.logsumexp(dim=1) - logits[right, right]).mean()
