"""T5 con compuerta: el de mT5 y Flan-T5, que cambia dos piezas del original."""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.masks import causal_mask
from tfcourse.models.t5 import T5, T5Config, T5FeedForward
from tfcourse.models.transformer import Memory


class GatedFeedForward(T5FeedForward):
    """Red por posición con compuerta: una mitad, con GELU, multiplica a la otra.

    Fuente: Shazeer (2020), ec. 6 (GEGLU); la aproximación de GELU, del código de T5.
    """

    def __init__(self, config: T5Config):
        super().__init__(config)
        self.gate = nn.Linear(config.d_model, config.d_hidden, bias=False)
        nn.init.normal_(self.gate.weight, std=config.d_model**-0.5)

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Transforma cada vector sin mirar a los demás."""
        passed = F.gelu(self.hidden(x), approximate="tanh")
        return self.output(self.dropout(passed * self.gate(x)))


class GatedT5(T5):
    """T5, versión 1.1: las redes llevan compuerta y la salida tiene su propia matriz, sin escalar.

    Es el de mT5 y Flan-T5. Fuente: Xue et al. (2021), § 3.1.
    """

    def __init__(self, config: T5Config):
        super().__init__(config)
        for block in [*self.encoder.blocks, *self.decoder.blocks]:
            block.feed_forward = GatedFeedForward(config)
        self.head = nn.Linear(config.d_model, config.n_tokens, bias=False)

    def decode(self, target: Int[Tensor, "B Lq"], memory: Memory) -> Float[Tensor, "B Lq V"]:
        """Logits del token que sigue a cada posición de `target`."""
        mask = causal_mask(target.shape[1], device=target.device)
        return self.head(self.decoder(self.table(target), mask, memory))
