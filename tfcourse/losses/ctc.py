"""CTC: la pérdida de una lista de símbolos que no dice cuándo suena cada uno."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

NEVER = -1e30  # el logaritmo de 0: finito, para que su gradiente sea 0 y no NaN


def ctc_loss(
    logits: Float[Tensor, "B Lk V"],
    heard: Int[Tensor, "B N"],
    counts: Int[Tensor, " B"],
    blank: int,
) -> Float[Tensor, ""]:
    """CTC: la probabilidad de todas las maneras de repartir las palabras por los instantes.

    `counts` dice cuántas palabras cuentan de cada fila de `heard`, y `blank`, qué símbolo hace de
    blanco. Es `ctc_forward`, calculada por PyTorch. Fuente: Graves et al. (2006), § 3 y § 4.
    """
    log_probabilities = logits.log_softmax(dim=-1).transpose(0, 1)
    lengths = torch.full_like(counts, logits.shape[1])
    return F.ctc_loss(log_probabilities, heard, lengths, counts, blank=blank)


def ctc_forward(
    log_p: Float[Tensor, "B Lk V"],
    heard: Int[Tensor, "B N"],
    counts: Int[Tensor, " B"],
    blank: int,
) -> Float[Tensor, " B"]:
    """Logaritmo de la probabilidad CTC de cada frase: la recursión hacia delante, en logaritmos.

    `log_p` son los logaritmos de las probabilidades de cada instante. Si la frase no cabe en los
    instantes que hay, da −∞. Fuente: Graves et al. (2006), § 4.1.
    """
    states = with_blanks(heard, blank)
    scores = log_p.gather(2, states[:, None].expand(-1, log_p.shape[1], -1))
    jumps = can_jump(states, blank)
    total = torch.full_like(scores[:, 0], NEVER)
    total = torch.cat([scores[:, 0, :2], total[:, 2:]], dim=1)  # se empieza en blanco o hablando
    for score in scores[:, 1:].unbind(dim=1):
        one = F.pad(total, (1, 0), value=NEVER)[:, :-1]
        two = F.pad(total, (2, 0), value=NEVER)[:, :-2].masked_fill(~jumps, NEVER)
        total = score + torch.stack([total, one, two]).logsumexp(dim=0)
    last = total.gather(1, torch.stack([2 * counts, (2 * counts - 1).clamp_min(0)], dim=1))
    empty = (counts == 0)[:, None] & torch.tensor([False, True], device=counts.device)
    found = last.masked_fill(empty, NEVER).logsumexp(dim=1)
    return found.masked_fill(found < NEVER / 2, -torch.inf)


def with_blanks(heard: Int[Tensor, "B N"], blank: int) -> Int[Tensor, "B states"]:
    """Los estados por los que pasa un camino: blanco, palabra, blanco, palabra… y blanco."""
    states = torch.full((len(heard), 2 * heard.shape[1] + 1), blank, device=heard.device)
    states[:, 1::2] = heard
    return states


def can_jump(states: Int[Tensor, "B states"], blank: int) -> Bool[Tensor, "B states"]:
    """Dónde se puede saltar el blanco de delante: entre dos palabras distintas."""
    before = F.pad(states, (2, 0), value=blank)[:, :-2]
    return (states != blank) & (states != before)
