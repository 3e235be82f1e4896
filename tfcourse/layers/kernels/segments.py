"""Recurrencia por segmentos: cada segmento recuerda el anterior, pero no lo corrige."""

from tfcourse.layers.kernels.partial import check_self_attention, key_mask, merge_parts
from tfcourse.layers.kernels.windows import block_attention, check_positive, everyone, the_past


class SegmentAttention:
    """Atención al propio segmento y al anterior, que se lee sin que le lleguen gradientes.

    Es el patrón de Transformer-XL sobre una secuencia ya entera, sin sus posiciones relativas, que
    están en `tfcourse.layers.relative`. Fuente: Dai et al. (2019), § 3.2; allí se corta el
    gradiente antes de proyectar y aquí, después. Errores: `ValueError` si `segment` no es positivo.
    """

    def __init__(self, segment: int, *, causal: bool = True):
        self.segment, self.causal = check_positive("segment", segment), causal

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Junta lo que ve del presente y lo que recuerda."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        options = {"block": min(self.segment, q.shape[2]), "visible": visible}
        now = block_attention(q, k, v, self._present, reach=(0, 0), **options)
        memory = block_attention(q, k.detach(), v.detach(), self._previous, reach=(1, 0), **options)
        return merge_parts(now, memory)[0]

    def _present(self, i, j):
        return the_past(i, j) if self.causal else everyone(i, j)

    def _previous(self, i, j):
        return j // self.segment == i // self.segment - 1
