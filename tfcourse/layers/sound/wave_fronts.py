"""De la onda a unos coeficientes y vuelta: con filtros aprendidos o con la STFT."""

import torch.nn.functional as F
from jaxtyping import Complex, Float
from torch import Tensor, nn

from tfcourse.audio.stft import istft, stft
from tfcourse.audio.windows import overlap_add, split_frames


class LearnedFront(nn.Module):
    """Codificador y decodificador aprendidos: cortar en tramos y multiplicar por una matriz.

    El codificador es una convolución con zancada y ReLU; el decodificador, una convolución
    traspuesta: cada coeficiente pone su trozo de onda y se suma lo que se solapa.
    Fuente: Subakan et al. (2021), § 2.1 y § 2.3; Luo y Mesgarani (2019), § II.
    """

    def __init__(self, n_filters: int, kernel: int, stride: int):
        super().__init__()
        self.kernel, self.stride, self.n_coefficients = kernel, stride, n_filters
        self.encoder = nn.Linear(kernel, n_filters, bias=False)
        self.decoder = nn.Linear(n_filters, kernel, bias=False)

    def analyze(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L F"]:
        """Los coeficientes de cada tramo, positivos; ninguna muestra se queda fuera."""
        edge = self.kernel - self.stride
        spare = -(waves.shape[-1] + edge) % self.stride
        padded = F.pad(waves, (edge, edge + spare))
        return F.relu(self.encoder(split_frames(padded, self.kernel, self.stride)))

    def features(self, coefficients: Float[Tensor, "B L F"]) -> Float[Tensor, "B L F"]:
        """Lo que lee la red: los mismos coeficientes."""
        return coefficients

    def synthesize(
        self, coefficients: Float[Tensor, "B S L F"], length: int
    ) -> Float[Tensor, "B S T"]:
        """Una onda de `length` muestras por cada juego de coeficientes."""
        edge = self.kernel - self.stride
        waves = overlap_add(self.decoder(coefficients), self.stride)
        return waves[..., edge : edge + length]


class STFTFront(nn.Module):
    """La STFT en el sitio del codificador aprendido: no tiene parámetros y se invierte sola.

    La red lee el logaritmo del módulo, con media 0 y varianza 1 en cada clip; la máscara se aplica
    al espectro complejo, así que la fase es la de la mezcla.
    """

    def __init__(self, kernel: int, stride: int):
        super().__init__()
        self.kernel, self.stride, self.n_coefficients = kernel, stride, kernel // 2 + 1

    def analyze(self, waves: Float[Tensor, "B T"]) -> Complex[Tensor, "B L F"]:
        """El espectro de cada tramo."""
        return stft(waves, self.kernel, self.stride).mT

    def features(self, coefficients: Complex[Tensor, "B L F"]) -> Float[Tensor, "B L F"]:
        """El logaritmo del módulo, sin el volumen del clip."""
        loudness = coefficients.abs()
        peak = loudness.amax(dim=(1, 2), keepdim=True)
        # El silencio se queda a 80 dB del pico: más abajo solo hay redondeo.
        levels = (loudness / peak.clamp_min(1e-8) + 1e-4).log()
        centered = levels - levels.mean(dim=(1, 2), keepdim=True)
        spread = centered.square().mean(dim=(1, 2), keepdim=True).sqrt()
        return centered / spread.clamp_min(1e-4)

    def synthesize(
        self, coefficients: Complex[Tensor, "B S L F"], length: int
    ) -> Float[Tensor, "B S T"]:
        """Una onda de `length` muestras por cada juego de espectros."""
        return istft(coefficients.mT, self.stride, length)


FRONTS = {"aprendido": LearnedFront, "stft": STFTFront}


def make_front(kind: str, n_filters: int, kernel: int, stride: int) -> nn.Module:
    """El codificador que se pida: `aprendido` o `stft`, que no usa `n_filters`.

    Errores: `ValueError` si no existe, o si con esos tamaños quedan muestras sin cubrir.
    """
    if kind not in FRONTS:
        raise ValueError(f"front={kind!r}: usa {' o '.join(map(repr, FRONTS))}")
    if not 0 < stride <= kernel // 2 or kernel % stride:
        raise ValueError(
            f"kernel={kernel} y stride={stride}: la zancada tiene que dividir al tamaño y no pasar "
            f"de su mitad, p. ej. stride={max(1, kernel // 2)}"
        )
    return (
        LearnedFront(n_filters, kernel, stride)
        if kind == "aprendido"
        else STFTFront(kernel, stride)
    )
