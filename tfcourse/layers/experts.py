"""Mezcla de expertos: muchas redes por posición, y cada token pasa solo por unas pocas."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.gated import GatedFeedForward

SCORES = ("softmax", "sigmoide")


@dataclass
class Routing:
    """Adónde ha ido cada token.

    `scores` es lo que puntúa cada experto, `(N, E)`; `chosen`, los elegidos, `(N, k)`; `weights`,
    lo que pesa la respuesta de cada uno, `(N, k)`.
    """

    scores: Float[Tensor, "N E"]
    chosen: Int[Tensor, "N k"]
    weights: Float[Tensor, "N k"]

    def load(self) -> Float[Tensor, "E"]:
        """Parte de los envíos que recibe cada experto: suma 1."""
        sent = torch.bincount(self.chosen.flatten(), minlength=self.scores.shape[1])
        return sent / self.chosen.numel()


class Router(nn.Module):
    """Encaminador: puntúa los expertos con una matriz y elige los `n_chosen` mejores.

    Los pesos de los elegidos se reparten para que sumen 1; si es uno solo se deja su puntuación,
    porque dividirla entre sí misma dejaría al encaminador sin gradiente. `correction` se suma al
    elegir, y no al pesar: con ella se equilibra la carga sin tocar la pérdida. Fuentes: Shazeer et
    al. (2017), § 2.1; Fedus et al. (2022), § 2.1; DeepSeek-AI (2024b), § 2.1.2. Errores:
    `ValueError` si no hay tantos expertos o la puntuación no se conoce.
    """

    def __init__(self, d_model: int, n_experts: int, n_chosen: int, score: str = "softmax"):
        super().__init__()
        if not 1 <= n_chosen <= n_experts or score not in SCORES:
            raise ValueError(
                f"n_experts={n_experts}, n_chosen={n_chosen}, score={score!r}: elige entre 1 y "
                f"todos los expertos, y puntúa con {' o '.join(SCORES)}"
            )
        self.n_chosen, self.score = n_chosen, score
        self.scorer = nn.Linear(d_model, n_experts, bias=False)
        self.register_buffer("correction", torch.zeros(n_experts))

    def forward(self, x: Float[Tensor, "N D"]) -> Routing:
        """Elige los expertos de cada vector."""
        logits = self.scorer(x)
        scores = logits.softmax(-1) if self.score == "softmax" else logits.sigmoid()
        chosen = (scores + self.correction).topk(self.n_chosen, dim=-1).indices
        weights = scores.gather(-1, chosen)
        if self.n_chosen > 1:
            weights = weights / weights.sum(-1, keepdim=True)
        return Routing(scores, chosen, weights)

    @torch.no_grad()
    def adjust(self, routing: Routing, speed: float = 1e-3) -> None:
        """Equilibrio sin pérdida: sube la corrección de quien recibe poco y baja la del resto.

        Fuente: Wang et al. (2024), alg. 1; DeepSeek-AI (2024b), § 2.1.2.
        """
        load = routing.load()
        self.correction += speed * (load.mean() - load).sign()


class ExpertMixture(nn.Module):
    """Mezcla de expertos (MoE): la suma ponderada de los elegidos y, entera, la de los compartidos.

    Cada experto es un `GatedFeedForward` de anchura `d_hidden`. Los `n_shared` no se eligen: los
    usan todos los tokens. Fuentes: Jiang et al. (2024), § 2.1; Dai et al. (2024), § 3.2.
    """

    def __init__(
        self,
        d_model: int,
        d_hidden: int,
        n_experts: int,
        n_chosen: int,
        n_shared: int = 0,
        score: str = "softmax",
    ):
        super().__init__()
        self.router = Router(d_model, n_experts, n_chosen, score)
        self.experts = nn.ModuleList(GatedFeedForward(d_model, d_hidden) for _ in range(n_experts))
        self.shared = GatedFeedForward(d_model, n_shared * d_hidden) if n_shared else None

    def forward(
        self, x: Float[Tensor, "*B D"], routes: list[Routing] | None = None
    ) -> Float[Tensor, "*B D"]:
        """Transforma cada vector; si se pide, apunta en `routes` adónde ha ido cada uno."""
        flat = x.flatten(0, -2)
        routing = self.router(flat)
        if routes is not None:
            routes.append(routing)
        mixed = torch.zeros_like(flat) if self.shared is None else self.shared(flat)
        for number, expert in enumerate(self.experts):
            rows, place = (routing.chosen == number).nonzero(as_tuple=True)
            answer = routing.weights[rows, place, None] * expert(flat[rows])
            mixed = mixed.index_add(0, rows, answer.to(mixed.dtype))
        return mixed.view_as(x)


def balance_loss(routing: Routing) -> Float[Tensor, ""]:
    """Pérdida de equilibrio: `E · Σ f_i P_i`, que vale 1 cuando todos reciben por igual.

    f es la parte de los envíos y P, la puntuación media; el gradiente llega por P. Fuente: Fedus
    et al. (2022), ec. 4 a 6.
    """
    shares = routing.scores / routing.scores.sum(-1, keepdim=True)
    return len(routing.load()) * (routing.load() * shares.mean(0)).sum()


def effective_experts(load: Float[Tensor, "E"]) -> float:
    """Expertos en uso: la exponencial de la entropía de la carga, entre 1 y cuántos hay."""
    return float(torch.special.entr(load).sum().exp())
