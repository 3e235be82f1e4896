"""Parecidos: el coseno de lo predicho con la respuesta verdadera y con otras, para elegir."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

KAPPA = 0.1  # temperatura de los parecidos: Baevski et al. (2020), § 4.2


def contrastive_logits(
    predicted: Float[Tensor, "B L D"],
    targets: Float[Tensor, "B L D"],
    distractors: Int[Tensor, "B L K"],
    kappa: float = KAPPA,
) -> Float[Tensor, "B L K+1"]:
    """Parecido (coseno entre κ) de lo predicho con la verdadera, la 0, y con K distractores.

    Un distractor igual que la verdadera no es una confusión: su logit es −∞.
    Fuente: Baevski et al. (2020), ec. 3.
    """
    rows = torch.arange(len(targets), device=targets.device)[:, None, None]
    others = targets[rows, distractors]
    candidates = torch.cat([targets[:, :, None], others], dim=2)
    logits = F.cosine_similarity(predicted[:, :, None], candidates, dim=-1) / kappa
    same = (others == targets[:, :, None]).all(dim=-1)
    return torch.cat([logits[..., :1], logits[..., 1:].masked_fill(same, -torch.inf)], dim=-1)
