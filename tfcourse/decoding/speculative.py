"""Decodificación especulativa: un modelo pequeño propone y el grande comprueba de una pasada."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

Reader = Callable[[Int[Tensor, "1 L"]], Float[Tensor, "1 N V"]]  # logits; el último, del siguiente


def draw(probabilities: Float[Tensor, "V"], generator: torch.Generator | None = None) -> Tensor:
    """Un símbolo al azar con esas probabilidades."""
    return torch.multinomial(probabilities, 1, generator=generator)


def accept_drafts(
    target: Float[Tensor, "n1 V"],
    draft: Float[Tensor, "n V"],
    drafted: Int[Tensor, "n"],
    generator: torch.Generator | None = None,
) -> Int[Tensor, "k"]:
    """Los símbolos que quedan de una propuesta: los aceptados y uno más, que pone el grande.

    El propuesto x se acepta con probabilidad min(1, p(x)/q(x)). El primero que se rechaza se
    sustituye por uno sacado de max(0, p − q), y ahí se para; si no se rechaza ninguno, el que sigue
    sale de p. Lo escrito sigue la distribución p del grande, sea cual sea q.
    Fuente: Leviathan, Kalman y Matias (2023), alg. 1.
    """
    for place, token in enumerate(drafted.tolist()):
        luck = torch.rand((), generator=generator, device=target.device)
        if luck * draft[place, token] >= target[place, token]:
            rest = (target[place] - draft[place]).clamp(min=0)
            rest = rest if rest.sum() > 0 else target[place]  # solo por redondeo: p y q iguales
            return torch.cat([drafted[:place], draw(rest / rest.sum(), generator)])
    return torch.cat([drafted, draw(target[-1], generator)])


@dataclass(frozen=True)
class Speculated:
    """Lo escrito, `(1, T)`, y cuánto costó: pasadas del grande y propuestas, y las aceptadas.

    Tras el primer rechazo de una pasada las demás se tiran sin juzgarlas: `judged` no las cuenta.
    """

    tokens: Int[Tensor, "1 T"]
    passes: int
    drafted: int
    judged: int
    accepted: int

    def tokens_per_pass(self) -> float:
        """Símbolos escritos por cada pasada del grande; sin especular, uno."""
        return self.tokens.shape[1] / self.passes

    def acceptance(self) -> float:
        """Parte de las propuestas juzgadas que se aceptó."""
        return self.accepted / max(1, self.judged)


@torch.no_grad()
def speculative_decode(
    target: Reader,
    draft: Reader,
    prompt: Int[Tensor, "1 L"],
    *,
    max_length: int,
    n_draft: int = 4,
    generator: torch.Generator | None = None,
) -> Speculated:
    """Continúa `prompt` con `max_length` símbolos de la distribución de `target`.

    `draft` propone `n_draft` cada vez. Los dos leen todo lo escrito en cada llamada, sin caché: lo
    que se cuenta son pasadas. Errores: `ValueError` si el comienzo está vacío, no es uno solo o no
    se pide al menos un símbolo y una propuesta.
    """
    if prompt.shape[0] != 1 or not prompt.shape[1] or min(max_length, n_draft) < 1:
        raise ValueError(
            f"prompt de forma {tuple(prompt.shape)}, max_length={max_length}, n_draft={n_draft}: "
            "hace falta un comienzo, uno solo, y al menos un símbolo y una propuesta"
        )
    written, passes, drafted, judged, accepted = prompt, 0, 0, 0, 0
    while (left := prompt.shape[1] + max_length - written.shape[1]) > 0:
        n = min(n_draft, left - 1)  # el grande añade uno siempre
        proposed, shares = written, []
        for _ in range(n):
            shares.append(draft(proposed)[0, -1].softmax(-1))
            proposed = torch.cat([proposed, draw(shares[-1], generator)[None]], dim=1)
        read = target(proposed)[0, -(n + 1) :].softmax(-1)
        new = proposed[0, written.shape[1] :]
        kept = accept_drafts(read, torch.stack(shares) if n else read[:0], new, generator)
        written = torch.cat([written, kept[None]], dim=1)
        passes, drafted = passes + 1, drafted + n
        judged, accepted = judged + min(n, len(kept)), accepted + len(kept) - 1
    return Speculated(written[:, prompt.shape[1] :], passes, drafted, judged, accepted)


def expected_tokens(acceptance: float, n_draft: int) -> float:
    """Símbolos por pasada si cada propuesta se acepta, por su cuenta, con esa probabilidad.

    (1 − α^(γ+1)) / (1 − α). Fuente: Leviathan, Kalman y Matias (2023), ec. 1.
    """
    if acceptance == 1:
        return n_draft + 1.0
    return (1 - acceptance ** (n_draft + 1)) / (1 - acceptance)
