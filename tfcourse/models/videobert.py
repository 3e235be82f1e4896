"""VideoBERT: un BERT que lee en una misma secuencia palabras visuales y palabras."""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.models.bert import Bert, BertConfig, MaskedHead, bert_initialization

# Sun et al. (2019), § 4.1 y 4.2; «aula» es del curso.
VARIANTS = {
    "aula": {"d_model": 64, "n_heads": 4, "n_layers": 2, "d_hidden": 128, "max_length": 40},
    "VideoBERT": {
        "d_model": 1024, "n_heads": 16, "n_layers": 24, "d_hidden": 4096, "dropout": 0.1,
        "n_tokens": 30_522 + 12**4,
    },
}  # fmt: skip


class VideoBert(nn.Module):
    """VideoBERT: rellena huecos en las dos modalidades y dice si un vídeo y una frase casan.

    Las palabras y las palabras visuales comparten la tabla de embeddings; el segmento dice de qué
    modalidad es cada una. La alineación sale del vector de [CLS].
    Fuente: Sun et al. (2019), § 3.2 y figura 3.
    """

    def __init__(self, config: BertConfig):
        super().__init__()
        self.bert = Bert(config)
        self.head = MaskedHead(config, self.bert.embedding.table)
        self.aligned = nn.Linear(config.d_model, 1)
        bert_initialization(self.aligned)

    def forward(
        self,
        tokens: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
        segments: Int[Tensor, "B L"],
        chosen: Bool[Tensor, "B L"],
    ) -> tuple[Float[Tensor, "M V"], Float[Tensor, "B"]]:
        """Logits de las posiciones de `chosen` y, de cada pareja, el logit de que casan."""
        states = self.bert(tokens, lengths, segments)
        return self.head(states[chosen]), self.alignment(states)

    def alignment(self, states: Float[Tensor, "B L D"]) -> Float[Tensor, "B"]:
        """El logit de que el vídeo y la frase van juntos."""
        return self.aligned(self.bert.summary(states))[:, 0]
