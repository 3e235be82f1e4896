"""Ejercicio de código: el gradiente de la pérdida de los huecos, deducido con papel."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_autograd(logits, tokens, chosen):
    scores = logits.detach().double().requires_grad_()
    loss = F.cross_entropy(scores[chosen], tokens[chosen])
    return torch.autograd.grad(loss, scores)[0].to(logits.dtype)


def _gradient(*, where="chosen", over="chosen", sign=1.0, target=True, softmax=True):
    """La respuesta con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(logits, tokens, chosen):
        said = logits.softmax(dim=-1) if softmax else torch.zeros_like(logits)
        error = said - F.one_hot(tokens, logits.shape[-1]) * (1.0 if target else 0.0)
        asked = {"chosen": chosen, "all": torch.ones_like(chosen), "others": ~chosen}[where]
        sizes = {
            "chosen": chosen.sum(),
            "all": torch.tensor(chosen.numel()),
            "none": torch.tensor(1),
            "rows": len(chosen) * chosen.sum(dim=1).clamp(min=1)[:, None, None],
        }
        return sign * error * asked[..., None] / sizes[over]

    return gradient


def _case(rows, length, n_tokens, seed, share=0.3, dtype=torch.float32):
    def make():
        generator = seeded(seed)
        (logits,) = random_tensors((rows, length, n_tokens), seed=seed, dtype=dtype)
        tokens = torch.randint(n_tokens, (rows, length), generator=generator)
        chosen = torch.rand(rows, length, generator=generator) < share
        chosen[0, :2], chosen[1:, 0], chosen[1:, 1] = True, True, False
        return 2 * logits, tokens, chosen

    return make


GAP_GRADIENT = Exercise(
    Card(
        id="gradiente-de-los-huecos",
        title="Quién recibe gradiente",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=2,
        objective="deducir qué gradiente llega a cada logit cuando solo se pregunta en los huecos",
        hints=(
            "Deriva −log softmax(z)_x respecto de cada componente de z. El caso v = x y los demás "
            "se escriben con una sola fórmula si usas un vector con un uno en x.",
            "En cada hueco sale p − u_x, con p el softmax de sus logits y u_x ese vector de ceros "
            "y un uno. ¿Y en las posiciones por las que no se pregunta?",
            "La pérdida es una media: todo va dividido entre el número de huecos del lote entero.",
        ),
    ),
    Task(
        function="logits_gradient",
        cases=(
            Case("4 secuencias de 6", _case(4, 6, 9, 0)),
            Case("pocas elegidas", _case(5, 12, 20, 1, share=0.1)),
            Case("casi todas elegidas", _case(3, 8, 7, 2, share=0.9)),
            Case("números de 64 bits", _case(2, 5, 6, 3, dtype=torch.float64)),
            example(
                torch.tensor([[[0.0, 0.0], [5.0, -5.0]]]),
                torch.tensor([[1, 0]]),
                torch.tensor([[True, False]]),
            ),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "en-todas",
                "llega gradiente a posiciones por las que no se pregunta: en ellas es cero",
                (_gradient(where="all"), _gradient(where="all", over="all")),
            ),
            Mistake(
                "entre-todas",
                "has dividido entre todas las posiciones: la media es sobre las elegidas",
                (_gradient(over="all"),),
            ),
            Mistake(
                "suma",
                "es el gradiente de la suma: falta dividir entre el número de elegidas",
                (_gradient(over="none"),),
            ),
            Mistake(
                "media-de-medias",
                "has dividido entre los huecos de cada secuencia: la media es la del lote entero",
                (_gradient(over="rows"),),
            ),
            Mistake(
                "signo",
                "el signo está al revés: este gradiente subiría la pérdida",
                (_gradient(sign=-1.0),),
            ),
            Mistake(
                "sin-el-acierto",
                "falta restar uno en el token que había: el gradiente es p − u_x",
                (_gradient(target=False),),
            ),
            Mistake(
                "solo-el-acierto",
                "falta lo que empuja a los demás tokens: el softmax reparte entre todos",
                (_gradient(softmax=False),),
            ),
            Mistake(
                "las-no-elegidas",
                "el gradiente está justo en las que no se eligieron: la máscara está al revés",
                (_gradient(where="others"),),
            ),
        ),
        differentiable=False,
    ),
)
