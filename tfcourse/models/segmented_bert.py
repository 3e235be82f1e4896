"""BERT que lee más cosas que texto: cada token dice además de qué segmento es.

Es la red de VideoBERT, donde el segmento es la modalidad, y la de Med-BERT, donde es la visita.
"""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.models.bert import Bert, BertConfig, MaskedHead

# Sun et al. (2019), § 4.1 y 4.2, y Rasmy et al. (2021), «Methods»; «aula» es del curso.
VARIANTS = {
    "aula": {"d_model": 64, "n_heads": 4, "n_layers": 2, "d_hidden": 128, "max_length": 80},
    "VideoBERT": {
        "d_model": 1024, "n_heads": 16, "n_layers": 24, "d_hidden": 4096, "dropout": 0.1,
        "n_tokens": 30_522 + 12**4,
    },
    "Med-BERT": {"d_model": 192, "n_heads": 6, "n_layers": 6, "d_hidden": 64, "n_tokens": 82_604},
}  # fmt: skip


class SegmentedLM(nn.Module):
    """Rellena los huecos de una secuencia cuyos tokens son de varios segmentos.

    La tabla de embeddings es una sola, sea cual sea la modalidad del token.
    Fuente: Sun et al. (2019), § 3.2 y figura 3; Rasmy et al. (2021), figura 1.
    """

    def __init__(self, config: BertConfig):
        super().__init__()
        self.bert = Bert(config)
        self.head = MaskedHead(config, self.bert.embedding.table)

    def forward(
        self,
        tokens: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
        segments: Int[Tensor, "B L"],
        chosen: Bool[Tensor, "B L"],
    ) -> Float[Tensor, "M V"]:
        """Logits de las posiciones de `chosen`."""
        return self.head(self.bert(tokens, lengths, segments)[chosen])
