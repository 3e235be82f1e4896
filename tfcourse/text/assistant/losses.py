"""Las pérdidas del tema: solo la respuesta, preferencias (Bradley–Terry y DPO) y GRPO."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


def token_log_probabilities(model: nn.Module, tokens: Int[Tensor, "B L"]) -> Float[Tensor, "B L1"]:
    """Logaritmo de la probabilidad de cada token, salvo el primero, dado lo que va delante."""
    logits = model(tokens[:, :-1])
    return -F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], reduction="none")


def answer_log_probability(
    model: nn.Module, tokens: Int[Tensor, "B L"], answer: Bool[Tensor, "B L"]
) -> Float[Tensor, "B"]:
    """log π(y | x): la suma de los de los tokens de la respuesta, la marca de fin incluida."""
    return (token_log_probabilities(model, tokens) * answer[:, 1:]).sum(dim=1)


def answer_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida de SFT: entropía cruzada media en los tokens de la respuesta, y en ninguno más.

    El lote es `(tokens, respuesta)`; lo que se pide se lee y no se aprende a escribir.
    """
    tokens, answer = batch
    costs = -token_log_probabilities(model, tokens)
    return costs[answer[:, 1:]].mean()


def preference_loss(chosen: Float[Tensor, "B"], rejected: Float[Tensor, "B"]) -> Float[Tensor, ""]:
    """Pérdida de Bradley–Terry: −log σ(r(preferida) − r(descartada)), en media.

    Fuente: Bradley y Terry (1952); Ouyang et al. (2022), ec. 1.
    """
    return -F.logsigmoid(chosen - rejected).mean()


def dpo_loss(
    chosen: Float[Tensor, "B"],
    rejected: Float[Tensor, "B"],
    reference_chosen: Float[Tensor, "B"],
    reference_rejected: Float[Tensor, "B"],
    beta: float,
) -> Float[Tensor, ""]:
    """Pérdida de DPO: la de Bradley–Terry, con la recompensa β·log(π / π_ref) de cada respuesta.

    Recibe logaritmos de probabilidades de respuestas enteras.
    Fuente: Rafailov et al. (2023), ec. 7. Errores: `ValueError` si `beta` no es positiva.
    """
    if beta <= 0:
        raise ValueError(f"beta={beta}: debe ser positiva, p. ej. 0.1")
    return preference_loss(
        beta * (chosen - reference_chosen), beta * (rejected - reference_rejected)
    )


def group_advantages(rewards: Float[Tensor, "G K"], epsilon: float = 1e-4) -> Float[Tensor, "G K"]:
    """Ventaja de cada respuesta en su grupo: cuánto mejora la media, en desviaciones típicas.

    Cada fila son K respuestas a una misma instrucción; si todas valen igual, ninguna tiene ventaja.
    Fuente: Shao et al. (2024), § 4.1.2.
    """
    deviation = rewards.std(dim=1, correction=0, keepdim=True)
    return (rewards - rewards.mean(dim=1, keepdim=True)) / (deviation + epsilon)


def clipped_objective(
    ratio: Float[Tensor, "B L"], advantage: Float[Tensor, "B 1"], clip: float = 0.2
) -> Float[Tensor, "B L"]:
    """El objetivo recortado de PPO, que GRPO hereda: lo menor de ρA y recorta(ρ, 1 ± ε)·A.

    `ratio` es ρ = π / π_antes, por token. Fuente: Schulman et al. (2017), ec. 7.
    """
    return torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)


def kl_estimate(
    log_policy: Float[Tensor, "B L"], log_reference: Float[Tensor, "B L"]
) -> Float[Tensor, "B L"]:
    """Estimación de KL(π ‖ π_ref) por token: r − log r − 1, con r = π_ref / π; nunca es negativa.

    Su media, con tokens sorteados de π, es la divergencia. Fuente: Shao et al. (2024), ec. 4.
    """
    log_ratio = log_reference - log_policy
    return log_ratio.exp() - log_ratio - 1


def grpo_loss(
    log_policy: Float[Tensor, "B L"],
    log_before: Float[Tensor, "B L"],
    log_reference: Float[Tensor, "B L"],
    advantage: Float[Tensor, "B"],
    answer: Bool[Tensor, "B L"],
    *,
    beta: float = 0.04,
    clip: float = 0.2,
) -> Float[Tensor, ""]:
    """Pérdida de GRPO: menos el objetivo recortado, más β veces la divergencia.

    Se promedia en los tokens de cada respuesta y después entre respuestas. Los logaritmos son por
    token: con los pesos de ahora, con los de cuando se escribió y con los de referencia.
    Fuente: Shao et al. (2024), ec. 3.
    """
    ratio = (log_policy - log_before).exp()
    gained = clipped_objective(ratio, advantage[:, None], clip)
    per_token = beta * kl_estimate(log_policy, log_reference) - gained
    return ((per_token * answer).sum(dim=1) / answer.sum(dim=1).clamp(min=1)).mean()
