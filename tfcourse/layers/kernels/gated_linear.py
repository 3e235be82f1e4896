"""Atención lineal con memoria que se borra: los modelos de estados y la regla delta con compuerta.

Cada cabeza lleva una matriz S de `d × dv`, del mismo tamaño sea cual sea la longitud. La forma
recurrente la actualiza posición a posición; la de trozos da lo mismo con productos de matrices.
"""

import torch
from jaxtyping import Float
from torch import Tensor

Heads = Float[Tensor, "B H L D"]
Gate = Float[Tensor, "B H L"]


def gated_linear_recurrent(
    q: Heads, k: Heads, v: Float[Tensor, "B H L Dv"], log_decay: Gate
) -> tuple[Float[Tensor, "B H L Dv"], Float[Tensor, "B H D Dv"]]:
    """Sₜ = aₜ Sₜ₋₁ + kₜ vₜᵀ; oₜ = Sₜᵀ qₜ, con a = exp(log_decay).

    Da las salidas y el último estado. Con log_decay = 0 es la atención lineal; con a y k que
    dependen de la entrada, el espacio de
    estados de Mamba-2. Fuentes: Katharopoulos et al. (2020), ec. 18–20; Dao y Gu (2024), § 3.
    """
    state, outputs = q.new_zeros(*q.shape[:2], q.shape[-1], v.shape[-1]), []
    for t in range(q.shape[2]):
        state = log_decay[:, :, t, None, None].exp() * state
        state = state + k[:, :, t, :, None] * v[:, :, t, None, :]
        outputs.append((q[:, :, t, None] @ state)[:, :, 0])
    return torch.stack(outputs, dim=2), state


def gated_linear_parallel(
    q: Heads, k: Heads, v: Float[Tensor, "B H L Dv"], log_decay: Gate
) -> Float[Tensor, "B H L Dv"]:
    """Lo mismo de una vez: (Q Kᵀ ∘ M) V, con Mᵢⱼ = aⱼ₊₁ ⋯ aᵢ bajo la diagonal y 0 encima.

    Cuesta L². Fuente: Dao y Gu (2024), ec. 16.
    """
    return (q @ k.mT * decay_matrix(log_decay)) @ v


def decay_matrix(log_decay: Gate) -> Float[Tensor, "B H L L"]:
    """Cuánto queda en la posición i de lo que se escribió en la j: aⱼ₊₁ ⋯ aᵢ, y 0 si j > i."""
    total = log_decay.cumsum(dim=-1)
    gap = total[..., :, None] - total[..., None, :]
    past = torch.ones_like(gap, dtype=torch.bool).tril()
    return gap.masked_fill(~past, -torch.inf).exp()


def gated_linear_chunked(
    q: Heads, k: Heads, v: Float[Tensor, "B H L Dv"], log_decay: Gate, chunk: int = 64
) -> Float[Tensor, "B H L Dv"]:
    """Lo mismo por trozos: dentro, la forma paralela; entre trozos, solo pasa el estado.

    Coste `O(L · (chunk + d) · d)`. Fuente: Dao y Gu (2024), § 6.
    """
    state, outputs = q.new_zeros(*q.shape[:2], q.shape[-1], v.shape[-1]), []
    for qs, ks, vs, logs in zip(
        *(x.split(chunk, dim=2) for x in (q, k, v, log_decay)), strict=True
    ):
        total = logs.cumsum(dim=-1)
        inside = gated_linear_parallel(qs, ks, vs, logs)
        outputs.append(inside + total[..., None].exp() * (qs @ state))
        left = (total[..., -1:] - total)[..., None].exp()
        state = total[..., -1, None, None].exp() * state + (left * ks).mT @ vs
    return torch.cat(outputs, dim=2)


def gated_delta_recurrent(
    q: Heads, k: Heads, v: Float[Tensor, "B H L Dv"], log_decay: Gate, write: Gate
) -> tuple[Float[Tensor, "B H L Dv"], Float[Tensor, "B H D Dv"]]:
    """Regla delta con compuerta: antes de escribir, se borra lo que había bajo esa clave.

    Sₜ = aₜ (I − βₜ kₜ kₜᵀ) Sₜ₋₁ + βₜ kₜ vₜᵀ; oₜ = Sₜᵀ qₜ, con β = `write`, entre 0 y 1, y las
    claves de norma 1. Fuente: Yang et al. (2025), ec. 10.
    """
    state, outputs = q.new_zeros(*q.shape[:2], q.shape[-1], v.shape[-1]), []
    for t in range(q.shape[2]):
        state = log_decay[:, :, t, None, None].exp() * state
        found = (k[:, :, t, None] @ state)[:, :, 0]  # lo que hay escrito bajo la clave
        change = write[:, :, t, None] * (v[:, :, t] - found)
        state = state + k[:, :, t, :, None] * change[:, :, None]
        outputs.append((q[:, :, t, None] @ state)[:, :, 0])
    return torch.stack(outputs, dim=2), state


def gated_delta_chunked(
    q: Heads,
    k: Heads,
    v: Float[Tensor, "B H L Dv"],
    log_decay: Gate,
    write: Gate,
    chunk: int = 64,
) -> Float[Tensor, "B H L Dv"]:
    """La regla delta por trozos: los cambios de un trozo salen de un sistema triangular.

    Cada cambio depende de los anteriores del trozo: (I + β ∘ (K Kᵀ ∘ M)₋) U = β ∘ (V − γ ∘ K S₀),
    con ₋ lo que queda bajo la diagonal y γ lo que decae desde el principio del trozo. Fuente: Yang
    et al. (2024), § 3.2, y Yang et al. (2025), § 3.3.
    """
    state, outputs = q.new_zeros(*q.shape[:2], q.shape[-1], v.shape[-1]), []
    pieces = (x.split(chunk, dim=2) for x in (q, k, v, log_decay, write))
    for qs, ks, vs, logs, betas in zip(*pieces, strict=True):
        total, decay = logs.cumsum(dim=-1), decay_matrix(logs)
        since_start = total[..., None].exp()
        system = (betas[..., None] * (ks @ ks.mT) * decay).tril(-1)
        system = system + torch.eye(ks.shape[2], dtype=ks.dtype, device=ks.device)
        wanted = betas[..., None] * (vs - since_start * (ks @ state))
        changes = torch.linalg.solve_triangular(system, wanted, upper=False, unitriangular=True)
        outputs.append(since_start * (qs @ state) + (qs @ ks.mT * decay) @ changes)
        left = (total[..., -1:] - total)[..., None].exp()
        state = total[..., -1, None, None].exp() * state + (left * ks).mT @ changes
    return torch.cat(outputs, dim=2)
