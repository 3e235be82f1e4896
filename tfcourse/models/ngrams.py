"""Modelo de n-gramas: contar qué sigue a qué, y suavizar las cuentas."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


@dataclass(frozen=True)
class Counts:
    """Cuentas de los grupos de n símbolos: claves ordenadas y cuántas veces salió cada una."""

    keys: Int[Tensor, "K"]
    values: Float[Tensor, "K"]

    def look_up(self, keys: Int[Tensor, "N"]) -> Float[Tensor, "N"]:
        """Veces que salió cada clave: cero si no salió nunca."""
        place = torch.searchsorted(self.keys, keys).clamp(max=len(self.keys) - 1)
        return torch.where(self.keys[place] == keys, self.values[place], 0.0)


class CountModel:
    """Modelo de n-gramas: mezcla las cuentas de todos los contextos de hasta n − 1 símbolos.

    p_n(c | h) = (N(h, c) + m · p_{n−1}(c | h′)) / (N(h) + m), donde h′ es h sin su símbolo más
    antiguo y p_0 es uniforme. Cuanto más se ha visto un contexto, menos pesa el más corto.
    Fuente: MacKay y Peto (1995).
    """

    def __init__(self, order: int, n_tokens: int, strength: float = 10.0, start_id: int = 0):
        if order < 1 or n_tokens < 1 or strength <= 0:
            raise ValueError(
                f"order={order}, n_tokens={n_tokens}, strength={strength}: los tres deben ser "
                "positivos"
            )
        if n_tokens**order >= 2**63:
            raise ValueError(
                f"order={order} con {n_tokens} símbolos no cabe en un entero de 64 bits: usa un "
                "orden menor"
            )
        self.order, self.n_tokens, self.start_id = order, n_tokens, start_id
        self.strength = strength
        self.tables: list[tuple[Counts, Counts]] = []

    def fit(self, ids: Int[Tensor, "N"]) -> "CountModel":
        """Cuenta los grupos de 1, 2 … n símbolos de un texto."""
        keys = [self._keys(self.windows(ids)[:, -n:]) for n in range(1, self.order + 1)]
        self.tables = [self._count(keys_n) for keys_n in keys]
        return self

    def probability(
        self, windows: Int[Tensor, "N n"], order: int | None = None
    ) -> Float[Tensor, "N"]:
        """Probabilidad del último símbolo de cada ventana, dados los anteriores."""
        probability = torch.full((len(windows),), 1 / self.n_tokens, device=windows.device)
        for n, (grams, contexts) in enumerate(self.tables[:order], start=1):
            keys = self._keys(windows[:, -n:])
            seen = contexts.look_up(keys // self.n_tokens)
            smoothed = grams.look_up(keys) + self.strength * probability
            probability = smoothed / (seen + self.strength)
        return probability

    def n_counts(self, order: int | None = None) -> int:
        """Cuentas que guarda: la mezcla necesita las de todos los órdenes hasta el suyo."""
        return sum(len(grams.keys) for grams, _ in self.tables[:order])

    def windows(self, ids: Int[Tensor, "N"]) -> Int[Tensor, "N n"]:
        """Cada símbolo con los n − 1 que lo preceden; antes del texto, el símbolo de inicio."""
        return F.pad(ids, (self.order - 1, 0), value=self.start_id).unfold(0, self.order, 1)

    def step(
        self, tokens: Int[Tensor, "B 1"], state: Int[Tensor, "B n"]
    ) -> tuple[Float[Tensor, "B V"], Int[Tensor, "B n"]]:
        """Un paso al escribir: `state` son los n últimos símbolos; da logaritmos."""
        state = torch.cat([state, tokens], dim=1)[:, 1:]
        candidates = torch.arange(self.n_tokens, device=tokens.device)
        rows = [
            torch.cat([row.expand(self.n_tokens, -1), candidates[:, None]], dim=1) for row in state
        ]
        return torch.stack([self.probability(row).log() for row in rows]), state

    def _keys(self, windows: Int[Tensor, "N n"]) -> Int[Tensor, "N"]:
        """Un entero por ventana: sus símbolos, leídos como cifras en base `n_tokens`."""
        keys = windows.new_zeros(len(windows))
        for column in windows.unbind(dim=1):
            keys = keys * self.n_tokens + column
        return keys

    def _count(self, keys: Int[Tensor, "N"]) -> tuple[Counts, Counts]:
        grams, times = torch.unique(keys, return_counts=True)
        contexts, owner = torch.unique(grams // self.n_tokens, return_inverse=True)
        times = times.float()
        totals = times.new_zeros(len(contexts)).index_add_(0, owner, times)
        return Counts(grams, times), Counts(contexts, totals)
