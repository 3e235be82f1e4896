"""De la onda a lo que lee el modelo, y cuánto se equivoca al escribir: cuentas sueltas.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import math

import torch
from torch import Tensor

FLOOR, RANGE = 1e-10, 5.0


def power_spectrogram(waves: Tensor, n_fft: int, hop: int, flaw: str = "") -> Tensor:
    """La energía de cada tramo, con la transformada escrita como dos productos."""
    waves, half = waves.double(), n_fft // 2
    n = torch.arange(n_fft, dtype=torch.float64)
    period = n_fft - 1 if flaw == "ventana-simetrica" else n_fft
    window = torch.sin(math.pi * n / period).square()
    window = torch.ones_like(n) if flaw == "sin-ventana" else window
    before, after = waves[:, 1 : half + 1].flip(1), waves[:, -half - 1 : -1].flip(1)
    if flaw == "con-ceros":
        before, after = torch.zeros_like(before), torch.zeros_like(after)
    padded = waves if flaw == "sin-reflejar" else torch.cat([before, waves, after], 1)
    bins = torch.arange(n_fft if flaw == "todas" else half + 1, dtype=torch.float64)
    angles = 2 * math.pi * bins[:, None] * n / n_fft
    columns = []
    for start in range(0, padded.shape[1] - n_fft + 1, hop):
        piece = padded[:, start : start + n_fft] * window
        energy = (piece @ angles.cos().T).square() + (piece @ angles.sin().T).square()
        columns.append(energy.sqrt() if flaw == "modulo" else energy)
    return torch.stack(columns, 1 if flaw == "traspuesto" else 2).float()


def mel_filters(sample_rate: int, n_fft: int, n_mels: int, flaw: str = "") -> Tensor:
    """Los triángulos, filtro a filtro y casilla a casilla."""
    top = sample_rate if flaw == "hasta-fs" else sample_rate / 2
    step = 2 if flaw == "separados" else 1
    n_corners = 2 * n_mels + 1 if flaw == "separados" else n_mels + 2
    mels = [2595 * math.log10(1 + top / 700) * i / (n_corners - 1) for i in range(n_corners)]
    corners = [700 * (10 ** (mel / 2595) - 1) for mel in mels]
    if flaw == "en-hercios":
        corners = [top * i / (n_corners - 1) for i in range(n_corners)]
    width = n_fft // 2 if flaw == "casillas" else n_fft
    rows = []
    for i in range(n_mels):
        left, center, right = corners[step * i : step * i + 3]
        row = []
        for k in range(n_fft // 2 + 1):
            f = k * sample_rate / width
            height = min((f - left) / (center - left), (right - f) / (right - center))
            height = height if flaw == "sin-cortar" else max(0.0, height)
            row.append(2 * height / (right - left) if flaw == "area" else height)
        rows.append(row)
    bank = torch.tensor(rows)
    return bank.T if flaw == "traspuesto" else bank


def log_mel(waves: Tensor, filters: Tensor, hop: int, flaw: str = "") -> Tensor:
    """Lo que lee el modelo, clip a clip."""
    power = power_spectrogram(waves, 2 * (filters.shape[1] - 1), hop).double()
    power = power if flaw == "ultima-columna" else power[..., :-1]
    mels = torch.einsum("mf,bft->bmt", filters.double(), power)
    if flaw == "suma-el-suelo":
        mels = mels + FLOOR
    elif flaw != "sin-suelo":
        mels = mels.clamp(min=FLOOR)
    x = mels.log() if flaw == "neperiano" else mels.log10()
    if flaw == "decibelios":
        x = 10 * x
    highest = x.max() if flaw == "maximo-del-lote" else x.flatten(1).max(1).values[:, None, None]
    if flaw != "sin-recortar":
        x = x.maximum(highest - RANGE)
    return _leveled(x, flaw).float()


def _leveled(x: Tensor, flaw: str) -> Tensor:
    """Cada clip, con media 0 y desviación 1."""
    if flaw == "sin-nivelar":
        return x
    axes = {"por-banda": (2,), "por-columna": (1,), "nivel-del-lote": (0, 1, 2)}.get(flaw, (1, 2))
    centered = x - x.mean(axes, keepdim=True)
    if flaw == "solo-centrar":
        return centered
    variance = centered.square().mean(axes, keepdim=True)
    divisor = {
        "sin-epsilon": variance.sqrt(), "dentro-de-la-raiz": (variance + 1e-5).sqrt(),
        "de-suelo": variance.sqrt().clamp(min=1e-5),
    }.get(flaw, variance.sqrt() + 1e-5)  # fmt: skip
    return centered / divisor


def _edits(said: list, wanted: list, flaw: str) -> int:
    """El menor número de arreglos; en `table`, de cada comienzo a cada comienzo."""
    extra = 0 if flaw == "sin-altas" else 1
    change = 2 if flaw == "cambio-doble" else 1
    if flaw == "sitio-a-sitio":
        return sum(a != b for a, b in zip(said, wanted)) + abs(len(said) - len(wanted))  # noqa: B905
    table = {(0, 0): 0}
    for i in range(len(said) + 1):
        for j in range(len(wanted) + 1):
            ways = []
            turned = [*said[max(0, i - 2) : i]] == [*reversed(wanted[max(0, j - 2) : j])]
            if flaw == "intercambio" and i > 1 and j > 1 and turned:
                ways.append(table[i - 2, j - 2] + 1)
            if i:
                ways.append(table[i - 1, j] + extra)
            if j:
                ways.append(table[i, j - 1] + 1)
            if i and j:
                ways.append(table[i - 1, j - 1] + change * (said[i - 1] != wanted[j - 1]))
            table[i, j] = min(ways, default=0)
    return table[len(said), len(wanted)]


def word_error_rate(written: list[str], expected: list[str], flaw: str = "") -> float:
    """Arreglos entre palabras esperadas, en todo el conjunto."""
    if flaw == "frases-mal":
        return sum(a != b for a, b in zip(written, expected, strict=True)) / len(expected)
    split = list if flaw == "letras" else str.split
    pairs = [(split(a), split(b)) for a, b in zip(written, expected, strict=True)]
    edits = [_edits(said, wanted, flaw) for said, wanted in pairs]
    sizes = [len(said if flaw == "entre-lo-escrito" else wanted) for said, wanted in pairs]
    if flaw == "por-frase":
        return sum(e / max(1, n) for e, n in zip(edits, sizes, strict=True)) / len(pairs)
    rate = sum(edits) / sum(sizes)
    return min(1.0, rate) if flaw == "hasta-uno" else rate
