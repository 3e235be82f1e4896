"""Un SepFormer con los archivos y los nombres de SpeechBrain, escrito aparte y trozo a trozo."""

import json
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from workshop.rehearsal.untrained import save_untrained

LONGEST = 2_500  # posiciones que guarda cada camino


@dataclass(frozen=True)
class Settings:
    """Los tamaños, con los nombres de su receta; los de siempre son los que se publican."""

    num_spks: int = 2
    num_layers: int = 2
    K: int = 250
    n_filters: int = 256
    kernel_size: int = 16
    d_model: int = 256
    nhead: int = 8
    d_ffn: int = 1_024
    blocks: int = 8

    def to_dict(self) -> dict[str, Any]:
        """Lo mismo que dice su receta."""
        path = {
            "num_layers": self.blocks, "d_model": self.d_model, "nhead": self.nhead,
            "d_ffn": self.d_ffn, "use_positional_encoding": True, "norm_before": True,
        }  # fmt: skip
        sides = {f"{side}_{k}": v for side in ("intra", "inter") for k, v in path.items()}
        names = ("num_spks", "num_layers", "K", "n_filters", "kernel_size")
        fixed = {"norm": "ln", "linear_layer_after_inter_intra": False, "skip_around_intra": True}
        told = {name: value for name, value in asdict(self).items() if name in names}
        return {"model_type": "sepformer"} | fixed | told | sides


def named(**parts: nn.Module) -> nn.ModuleDict:
    """Unas piezas con su nombre delante."""
    return nn.ModuleDict(parts)


def layer_norm(width: int) -> nn.ModuleDict:
    """La norma de un vector."""
    return named(norm=nn.LayerNorm(width, eps=1e-6))


class DualSide(nn.Module):
    """Un camino: bloques Pre-LN de `nn.MultiheadAttention`, con las posiciones que guarda."""

    def __init__(self, settings: Settings):
        super().__init__()
        width = settings.d_model
        layers = nn.ModuleList(
            named(
                self_att=named(att=nn.MultiheadAttention(width, settings.nhead, batch_first=True)),
                pos_ffn=named(ffn=nn.Sequential(
                    nn.Linear(width, settings.d_ffn), nn.ReLU(), nn.Dropout(0.0),
                    nn.Linear(settings.d_ffn, width),
                )),
                norm1=layer_norm(width), norm2=layer_norm(width),
            )
            for _ in range(settings.blocks)
        )  # fmt: skip
        self.mdl = named(layers=layers, norm=layer_norm(width))
        self.pos_enc = nn.Module()
        angles = torch.arange(LONGEST)[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        self.pos_enc.register_buffer("pe", waves[None])

    def forward(self, x: Tensor) -> Tensor:
        """Cada vector mira a los de su secuencia."""
        x = x + self.pos_enc.pe[:, : x.shape[1]]
        for layer in self.mdl["layers"]:
            y = layer["norm1"]["norm"](x)
            x = x + layer["self_att"]["att"](y, y, y)[0]
            x = x + layer["pos_ffn"]["ffn"](layer["norm2"]["norm"](x))
        return self.mdl["norm"]["norm"](x)


class Separator(nn.Module):
    """El separador entero, con sus tres piezas: `encoder`, `masknet` y `decoder`."""

    def __init__(self, settings: Settings):
        super().__init__()
        self.config, width, filters = settings, settings.d_model, settings.n_filters
        stride, group = settings.kernel_size // 2, partial(nn.GroupNorm, 1, eps=1e-8)
        self.encoder = named(conv1d=nn.Conv1d(1, filters, settings.kernel_size, stride, bias=False))
        self.decoder = nn.ConvTranspose1d(filters, 1, settings.kernel_size, stride, bias=False)
        self.masknet = named(
            norm=group(filters),
            conv1d=nn.Conv1d(filters, width, 1, bias=False),
            dual_mdl=nn.ModuleList(
                named(
                    intra_mdl=DualSide(settings), inter_mdl=DualSide(settings),
                    intra_norm=group(width), inter_norm=group(width),
                )
                for _ in range(settings.num_layers)
            ),
            conv2d=nn.Conv2d(width, settings.num_spks * width, 1),
            end_conv1x1=nn.Conv1d(width, filters, 1, bias=False),
            prelu=nn.PReLU(),
            output=nn.Sequential(nn.Conv1d(width, width, 1), nn.Tanh()),
            output_gate=nn.Sequential(nn.Conv1d(width, width, 1), nn.Sigmoid()),
        )  # fmt: skip

    def forward(self, waves: Tensor) -> Tensor:
        """Las voces de cada mezcla, una mezcla cada vez."""
        return torch.stack([self.one(wave) for wave in waves])

    def one(self, wave: Tensor) -> Tensor:
        """Las voces de una mezcla."""
        heard = self.encoder["conv1d"](wave[None, None]).relu()
        said = self.decoder(self.masks(heard) * heard)[:, 0]
        return nn.functional.pad(said, (0, len(wave) - said.shape[-1]))

    def masks(self, heard: Tensor) -> Tensor:
        """Una máscara por hablante, con los trozos en una lista."""
        net, half = self.masknet, self.config.K // 2
        x = net["conv1d"](net["norm"](heard))[0]
        length = x.shape[1]
        gap = self.config.K - (half + length) % self.config.K
        x = nn.functional.pad(x, (half, gap + half))
        starts = range(0, x.shape[1] - half, half)
        chunks = torch.stack([x[:, start : start + 2 * half] for start in starts])  # S, D, K
        for block in net["dual_mdl"]:
            inside = block["intra_mdl"](chunks.mT).mT
            chunks = chunks + over_all(block["intra_norm"], inside)
            across = block["inter_mdl"](chunks.permute(2, 0, 1)).permute(1, 2, 0)
            chunks = chunks + over_all(block["inter_norm"], across)
        spread = net["conv2d"](net["prelu"](chunks)[..., None])[..., 0]
        total = spread.new_zeros(spread.shape[1], x.shape[1])
        for start, chunk in zip(starts, spread, strict=True):
            total[:, start : start + 2 * half] += chunk
        own = total[:, half : half + length].unflatten(0, (self.config.num_spks, -1))
        return net["end_conv1x1"](net["output"](own) * net["output_gate"](own)).relu()

    def save_pretrained(self, folder: Path) -> None:
        """Un archivo por pieza y la receta, como los publica SpeechBrain."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for piece in ("encoder", "masknet", "decoder"):
            torch.save(getattr(self, piece).state_dict(), folder / f"{piece}.ckpt")
        config = {"speechbrain_interface": "SepformerSeparation"}
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        (folder / "hyperparams.yaml").write_text(recipe_text(self.config), encoding="utf-8")


def over_all(norm: nn.Module, chunks: Tensor) -> Tensor:
    """Normaliza todos los trozos a la vez."""
    return norm(chunks.transpose(0, 1)[None])[0].transpose(0, 1)


def recipe_text(settings: Settings) -> str:
    """La receta, con las etiquetas y las referencias de HyperPyYAML."""
    kind = "!new:speechbrain.lobes.models.dual_path"
    path = f"""{kind}.SBTransformerBlock
  num_layers: {settings.blocks}
  d_model: !ref <out_channels>
  nhead: {settings.nhead}
  d_ffn: {settings.d_ffn}
  dropout: 0
  use_positional_encoding: true
  norm_before: true
"""
    return f"""num_spks: {settings.num_spks}
out_channels: {settings.d_model}
Encoder: {kind}.Encoder
  kernel_size: {settings.kernel_size}
  out_channels: {settings.n_filters}
SBtfintra: {path}SBtfinter: {path}MaskNet: {kind}.Dual_Path_Model
  num_spks: !ref <num_spks>
  in_channels: {settings.n_filters}
  out_channels: !ref <out_channels>
  num_layers: {settings.num_layers}
  K: {settings.K}
  intra_model: !ref <SBtfintra>
  inter_model: !ref <SBtfinter>
  norm: ln
  linear_layer_after_inter_intra: false
  skip_around_intra: true
modules:
  masknet: !ref <MaskNet>
"""


TINY = Settings(
    num_layers=1, K=8, n_filters=12, kernel_size=6, d_model=16, nhead=2, d_ffn=24, blocks=1
)  # fmt: skip


def make_separator(folder: Path, name: str) -> None:
    """El que se ensaya."""
    save_untrained(folder / name, lambda: Separator(TINY))


MAKERS = {
    "speechbrain/sepformer-libri2mix": partial(
        make_separator, name="speechbrain/sepformer-libri2mix"
    )
}
