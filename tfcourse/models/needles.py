"""Buscador de agujas: un codificador al que se le cambia el núcleo de atención."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.kernels import KernelSizes, make_kernels
from tfcourse.layers.norms import LayerNorm


@dataclass(frozen=True)
class NeedleConfig:
    """Tamaños del buscador y nombre de su núcleo; `budget` es cuánto se le deja mirar."""

    length: int
    kernel: str = "fusionada"
    n_questions: int = 8
    d_model: int = 48
    n_heads: int = 2
    n_layers: int = 2
    budget: int = 32
    n_letters: int = 8
    n_digits: int = 10


class NeedleFinder(nn.Module):
    """Buscador de agujas: lee la secuencia y responde en las posiciones de las preguntas.

    Codificador con la normalización delante y sin posiciones, porque el orden no importa. Las
    preguntas son las posiciones globales, para los núcleos que las tienen.
    """

    def __init__(self, config: NeedleConfig):
        super().__init__()
        width, self.n_questions = config.d_model, config.n_questions
        self.kind = nn.Embedding(3, width)
        self.letter = nn.Embedding(config.n_letters, width)
        self.digit = nn.Embedding(config.n_digits, width)
        sizes = KernelSizes(
            length=config.length,
            n_heads=config.n_heads,
            d_head=width // config.n_heads,
            budget=config.budget,
            global_positions=tuple(range(-config.n_questions, 0)),
        )
        self.blocks = nn.ModuleList(
            EncoderBlock(width, config.n_heads, 2 * width, norm_first=True, kernel=kernel)
            for kernel in make_kernels(config.kernel, sizes, config.n_layers)
        )
        for block in self.blocks:  # puntajes algo nítidos de entrada: la búsqueda arranca antes
            for projection in (block.attention.q_proj, block.attention.k_proj):
                nn.init.xavier_uniform_(projection.weight, gain=1.2)
        self.norm = LayerNorm(width)
        self.output = nn.Linear(width, config.n_digits)

    def forward(
        self, kinds: Int[Tensor, "B L"], letters: Int[Tensor, "B L"], digits: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B Q V"]:
        """Logits de la cifra de cada pregunta."""
        x = self.kind(kinds) + self.letter(letters) + self.digit(digits)
        for block in self.blocks:
            x = block(x)
        return self.output(self.norm(x[:, -self.n_questions :]))
