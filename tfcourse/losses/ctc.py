"""CTC: la pérdida de una lista de símbolos que no dice cuándo suena cada uno."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


def ctc_loss(
    logits: Float[Tensor, "B Lk V"],
    heard: Int[Tensor, "B N"],
    counts: Int[Tensor, " B"],
    blank: int,
) -> Float[Tensor, ""]:
    """CTC: la probabilidad de todas las maneras de repartir las palabras por los instantes.

    `counts` dice cuántas palabras cuentan de cada fila de `heard`, y `blank`, qué símbolo hace de
    blanco. La suma la calcula PyTorch. Fuente: Graves et al. (2006), § 3 y § 4.
    """
    log_probabilities = logits.log_softmax(dim=-1).transpose(0, 1)
    lengths = torch.full_like(counts, logits.shape[1])
    return F.ctc_loss(log_probabilities, heard, lengths, counts, blank=blank)
