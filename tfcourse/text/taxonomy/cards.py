"""Los juegos de cartas: se sabe a qué carta hay que mirar, y nadie más que la atención elige."""

from collections.abc import Callable
from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.puzzles.cards import (
    N_COLORS,
    N_DIGITS,
    N_LETTERS,
    N_SHAPES,
    marked_game,
    match_game,
    search_game,
)
from tfcourse.layers.alignment.aligned import AlignedAttention
from tfcourse.layers.alignment.coattention import CoAttention
from tfcourse.layers.alignment.functions import AdditiveAlignment, DotAlignment
from tfcourse.layers.alignment.hard import (
    RunningBaseline,
    reinforce_loss,
    sample_positions,
    take_positions,
)
from tfcourse.layers.alignment.hierarchical import AttentivePooling
from tfcourse.layers.alignment.representations import MultiDimensionalAttention
from tfcourse.text.taxonomy.recipe import Recipe
from tfcourse.training import default_device

Batch = tuple[Tensor, ...]
Loss = Callable[[nn.Module, Batch], Float[Tensor, ""]]
GAMES = {
    "search": (search_game, 4_000),
    "match": (match_game, 8_000),
    "marked": (marked_game, 4_000),
}


@cache
def games(name: str, new: bool = False) -> Batch:
    """Las partidas de un juego: las de entrenar o, si `new`, quinientas que no se han visto."""
    deal, size = GAMES[name]
    played = deal(500, seed=1) if new else deal(size, seed=0)
    return tuple(tensor.to(default_device()) for tensor in played.tensors())


class CardSearch(nn.Module):
    """Pregunta con una letra, compara con las letras de las cartas y responde con la cifra."""

    def __init__(self, d_model: int = 16):
        super().__init__()
        self.letter, self.asked = (nn.Embedding(N_LETTERS, d_model) for _ in range(2))
        self.digit, self.output = nn.Embedding(N_DIGITS, d_model), nn.Linear(d_model, N_DIGITS)
        self.alignment = DotAlignment()

    def weights(self, letters: Int[Tensor, "B C"], asked: Int[Tensor, "B"]) -> Float[Tensor, "B C"]:
        """Qué parte de la mirada se lleva cada carta."""
        scores = self.alignment(self.asked(asked)[:, None], self.letter(letters))
        return scores[:, 0].softmax(dim=-1)


def soft_loss(model: CardSearch, batch: Batch) -> Float[Tensor, ""]:
    """Atención suave: se responde con la mezcla de todas las cifras."""
    letters, digits, asked, answer, _ = batch
    context = (model.weights(letters, asked)[:, None] @ model.digit(digits))[:, 0]
    return F.cross_entropy(model.output(context), answer)


def hard_loss(baseline: RunningBaseline | None = None) -> Loss:
    """Atención dura: se responde con la cifra sorteada, y REINFORCE enseña a sortear."""

    def loss(model: CardSearch, batch: Batch) -> Float[Tensor, ""]:
        letters, digits, asked, answer, _ = batch
        weights = model.weights(letters, asked)
        positions = sample_positions(weights)
        logits = model.output(take_positions(model.digit(digits), positions))
        errors = F.cross_entropy(logits, answer, reduction="none")
        reward = -errors.detach()
        expected = baseline.value.clone() if baseline else 0.0
        if baseline:
            baseline.update(reward)
        return errors.mean() + reinforce_loss(weights, positions, reward, expected)

    return loss


SEARCH_LOSSES: dict[str, Callable[[], Loss]] = {
    "suave": lambda: soft_loss,
    "dura, sin base": hard_loss,
    "dura, base móvil": lambda: hard_loss(RunningBaseline().to(default_device())),
}


def search_recipe(name: str) -> Recipe:
    """La búsqueda con una de las tres pérdidas: lo demás es igual."""
    return Recipe(
        CardSearch, lambda: games("search"), SEARCH_LOSSES[name], 200, lr=2e-2, one_cycle=False
    )


@torch.no_grad()
def search_accuracy(model: CardSearch) -> dict[str, float]:
    """Aciertos en partidas nuevas, mirando solo la carta de mayor peso."""
    letters, digits, asked, answer, _ = games("search", new=True)
    best = take_positions(model.digit(digits), model.weights(letters, asked).argmax(-1))
    return {"aciertos": float((model.output(best).argmax(-1) == answer).float().mean())}


class Separate(nn.Module):
    """Control: cada mesa se resume con su propia atención, sin ver la otra."""

    def __init__(self, d_model: int):
        super().__init__()
        self.first, self.second = (AttentivePooling(d_model, d_model) for _ in range(2))

    def forward(
        self, first: Float[Tensor, "B C D"], second: Float[Tensor, "B C D"]
    ) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        """Los dos resúmenes y los dos juegos de pesos."""
        (a, weights_a), (b, weights_b) = self.first(first), self.second(second)
        return (a, b), (weights_a, weights_b)


class TwoTables(nn.Module):
    """Lee dos mesas de cartas y dice la cifra de la letra repetida en cada una."""

    def __init__(self, joint: bool = True, d_model: int = 64):
        super().__init__()
        self.letter, self.digit = nn.Embedding(N_LETTERS, d_model), nn.Embedding(N_DIGITS, d_model)
        for embedding in (self.letter, self.digit):  # pequeños: que la afinidad no nazca saturada
            nn.init.normal_(embedding.weight, std=0.3)
        self.attention = CoAttention(d_model, d_model, d_model) if joint else Separate(d_model)
        self.outputs = nn.ModuleList(nn.Linear(d_model, N_DIGITS) for _ in range(2))

    def forward(
        self,
        letters_a: Int[Tensor, "B C"],
        digits_a: Int[Tensor, "B C"],
        letters_b: Int[Tensor, "B C"],
        digits_b: Int[Tensor, "B C"],
    ) -> tuple[list[Tensor], tuple[Tensor, Tensor]]:
        """Los logits de las dos cifras y los pesos de las dos mesas."""
        cards_a = self.letter(letters_a) + self.digit(digits_a)
        cards_b = self.letter(letters_b) + self.digit(digits_b)
        summaries, weights = self.attention(cards_a, cards_b)
        logits = [output(s) for output, s in zip(self.outputs, summaries, strict=True)]
        return logits, weights


def match_loss(model: TwoTables, batch: Batch) -> Float[Tensor, ""]:
    """La suma de las entropías cruzadas de las dos cifras."""
    logits, _ = model(*batch[:4])
    return F.cross_entropy(logits[0], batch[4]) + F.cross_entropy(logits[1], batch[5])


def match_recipe(joint: bool) -> Recipe:
    """La letra repetida, con coatención o con dos atenciones que no se hablan."""
    return Recipe(
        lambda: TwoTables(joint), lambda: games("match"), lambda: match_loss, 400, lr=5e-3
    )


@torch.no_grad()
def score_match(model: TwoTables) -> tuple[float, float]:
    """Aciertos en las dos mesas a la vez, y masa sobre las dos cartas repetidas."""
    game = games("match", new=True)
    logits, weights = model(*game[:4])
    right = (logits[0].argmax(-1) == game[4]) & (logits[1].argmax(-1) == game[5])
    mass = [w.gather(1, place[:, None]).mean() for w, place in zip(weights, game[6:], strict=True)]
    return float(right.float().mean()), float(sum(mass) / 2)


class CardMixer(nn.Module):
    """Mezcla los valores de las cartas según sus marcas; la mezcla es la respuesta."""

    def __init__(self, per_feature: bool, d_model: int = 16):
        super().__init__()
        self.mark, self.per_feature = nn.Embedding(3, d_model), per_feature
        self.query = nn.Parameter(torch.randn(1, 1, d_model))
        if per_feature:
            self.attention = MultiDimensionalAttention(
                d_model, d_model, d_model, N_COLORS + N_SHAPES
            )
        else:
            self.attention = AlignedAttention(AdditiveAlignment(d_model, d_model, d_model))

    def forward(
        self, colors: Int[Tensor, "B C"], shapes: Int[Tensor, "B C"], marks: Int[Tensor, "B C"]
    ) -> tuple[tuple[Tensor, ...], Tensor]:
        """La mezcla de colores y la de formas, y los pesos."""
        one_hot = F.one_hot(colors, N_COLORS), F.one_hot(shapes, N_SHAPES)
        values, keys = torch.cat(one_hot, dim=-1).float(), self.mark(marks)
        query = self.query.expand(len(marks), -1, -1)
        if not self.per_feature:
            keys = self.attention.prepare_keys(keys)
        mixed, weights = self.attention(query, keys, values)
        return mixed[:, 0].split((N_COLORS, N_SHAPES), dim=-1), weights[:, 0]


def marked_loss(model: CardMixer, batch: Batch) -> Float[Tensor, ""]:
    """Menos el logaritmo de lo que la mezcla da al color y a la forma pedidos."""
    mixes, _ = model(*batch[:3])
    parts = zip(mixes, batch[3:], strict=True)
    return sum(F.nll_loss(part.clamp(min=1e-6).log(), answer) for part, answer in parts)


def mixer_recipe(per_feature: bool) -> Recipe:
    """El color de una carta y la forma de otra, con un peso por rasgo o uno por posición."""
    return Recipe(
        lambda: CardMixer(per_feature), lambda: games("marked"), lambda: marked_loss, 150,
        lr=3e-2, one_cycle=False,
    )  # fmt: skip


@torch.no_grad()
def score_mixer(model: CardMixer) -> float:
    """Aciertos en el color y la forma a la vez."""
    colors, shapes, marks, color, shape = games("marked", new=True)
    (color_mix, shape_mix), _ = model(colors, shapes, marks)
    right = (color_mix.argmax(-1) == color) & (shape_mix.argmax(-1) == shape)
    return float(right.float().mean())
