"""Cargar lo publicado: de dónde, con qué tipo, y qué se dice cuando algo está mal."""

import json

import pytest
import torch
from huggingface_hub.errors import LocalEntryNotFoundError, RepositoryNotFoundError
from safetensors.torch import load_file, save_file

from tests.official.reference_models import TOKENS
from tests.official.references import REFERENCES
from tfcourse.official import sources
from tfcourse.official.conversion import convert
from tfcourse.official.gpt import GPT2
from tfcourse.official.loading import load_official
from tfcourse.weights.shipped import file_hash


@pytest.fixture(scope="module")
def theirs():
    return REFERENCES["gpt-2"].build()


@pytest.fixture
def folder(theirs, tmp_path):
    theirs.save_pretrained(tmp_path / "gpt2")
    return tmp_path / "gpt2"


def edited(folder, change) -> None:
    """Vuelve a escribir los pesos de una carpeta, cambiados."""
    path = folder / sources.SINGLE
    state = dict(load_file(path))
    change(state)
    save_file(state, path)


def set_config(folder, **values) -> None:
    path = folder / sources.CONFIG
    path.write_text(json.dumps(json.loads(path.read_text()) | values), encoding="utf-8")


@torch.no_grad()
def test_one_file_many_files_or_the_old_one_are_the_same(theirs, folder, tmp_path):
    expected = load_official(folder).model(TOKENS)
    theirs.save_pretrained(tmp_path / "partido", max_shard_size="20KB")
    assert (tmp_path / "partido" / sources.INDEX).exists()
    torch.testing.assert_close(load_official(tmp_path / "partido").model(TOKENS), expected)
    old = tmp_path / "antiguo"
    old.mkdir()
    (old / sources.CONFIG).write_text((folder / sources.CONFIG).read_text(), encoding="utf-8")
    torch.save(theirs.state_dict(), old / sources.TORCH_FILE)
    torch.testing.assert_close(load_official(str(old)).model(TOKENS), expected)


def test_numbers_keep_their_type(theirs, folder):
    assert load_official(folder).model.embedding.weight.dtype == torch.float64
    theirs.to(torch.bfloat16).save_pretrained(folder)
    theirs.double()
    loaded = load_official(folder).model
    assert {p.dtype for p in loaded.parameters()} == {torch.bfloat16}
    assert not loaded.training


def test_tensors_are_read_one_by_one_when_asked(folder, monkeypatch):
    state = sources.LazyState([folder / sources.SINGLE], torch.device("cpu"))
    assert len(state) == len(list(state)) == 28
    read = []
    monkeypatch.setattr(
        sources.LazyState, "__getitem__",
        lambda self, name: read.append(name) or self._where[name].get_tensor(name),
    )  # fmt: skip
    assert not read
    convert(state, GPT2.table)
    assert set(read) == set(state)  # la comprobación de tipos lee alguno dos veces


def test_ours_and_theirs_share_no_memory(theirs):
    ours = load_official(theirs).model
    before = theirs.transformer.wte.weight.clone()
    with torch.no_grad():
        ours.embedding.weight.zero_()
    torch.testing.assert_close(theirs.transformer.wte.weight, before)


def test_what_is_loaded_can_be_saved_again(folder, tmp_path):
    save_file(load_official(folder).model.state_dict(), tmp_path / "otra_vez.safetensors")


def test_two_tensors_that_are_one_are_still_one():
    model = load_official(REFERENCES["bert"].build()).model
    assert model.head.output.weight is model.bert.embedding.table.weight


def missing_shard(folder):
    (folder / sources.SINGLE).unlink()
    index = {"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}
    (folder / sources.INDEX).write_text(json.dumps(index), encoding="utf-8")


BROKEN = {
    "no existe": (
        lambda f: f.rename(f.with_name("otra")), FileNotFoundError, "no existe la carpeta"
    ),
    "sin configuración": (
        lambda f: (f / sources.CONFIG).unlink(), FileNotFoundError, "falta config.json"
    ),
    "configuración a medias": (
        lambda f: (f / sources.CONFIG).write_text('{"model'), ValueError, "está a medias"
    ),
    "sin pesos": (
        lambda f: (f / sources.SINGLE).unlink(), FileNotFoundError, "no hay pesos"
    ),
    "un trozo de menos": (missing_shard, FileNotFoundError, "falta model-1.safetensors, model-2"),
    "media descarga": (
        lambda f: (f / sources.SINGLE).write_bytes((f / sources.SINGLE).read_bytes()[:-9]),
        ValueError, "está a medias o no es un safetensors",
    ),
    "otra arquitectura": (
        lambda f: set_config(f, model_type="mamba"), ValueError,
        "es de otra arquitectura: model_type='mamba'.*bert.*gpt2.*whisper",
    ),
    "otra variante": (
        lambda f: set_config(f, activation_function="relu"), ValueError,
        "activation_function='relu': nuestra clase solo hace 'gelu_new'",
    ),
    "falta un tamaño": (
        lambda f: set_config(f, n_embd=None), ValueError, "le falta n_embd"
    ),
    "faltan tensores": (
        lambda f: edited(f, lambda s: s.pop("transformer.h.1.attn.c_attn.weight")), ValueError,
        "faltan 3 tensores; con sus nombres publicados, «h.1.attn.c_attn.weight»",
    ),
    "sobran tensores": (
        lambda f: edited(f, lambda s: s.update({"score.weight": torch.zeros(2)})), ValueError,
        "no se sabe dónde van «score.weight»",
    ),
    "sobran capas": (
        lambda f: set_config(f, n_layer=1), ValueError, "sobra «blocks.1"
    ),
    "otro tamaño": (
        lambda f: set_config(f, vocab_size=40), ValueError,
        r"«embedding.weight» mide \(31, 16\) en el archivo y \(40, 16\)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_told(name, folder):
    spoil, error, message = BROKEN[name]
    spoil(folder)
    with pytest.raises(error, match=message):
        load_official(folder)


def test_an_old_file_cut_short_is_told(folder):
    (folder / sources.SINGLE).unlink()
    (folder / sources.TORCH_FILE).write_bytes(b"PK\x03\x04 a medias")
    with pytest.raises(ValueError, match="pytorch_model.bin» está a medias"):
        load_official(folder)


class Hub:
    """Un cliente de mentira: deja una carpeta como la suya, o falla."""

    def __init__(self, folder, error=None):
        self.folder, self.error, self.asked = folder, error, []

    def __call__(self, name, *, allow_patterns):
        self.asked.append((name, allow_patterns))
        if self.error:
            raise self.error
        return str(self.folder)


def test_it_is_downloaded_with_the_library_client(folder, monkeypatch):
    hub = Hub(folder)
    monkeypatch.setattr(sources, "snapshot_download", hub)
    assert load_official("autor/modelo").family == "gpt-2"
    ((name, patterns),) = hub.asked
    assert name == "autor/modelo" and sources.SINGLE in patterns
    assert sources.TORCH_FILE not in patterns  # lo antiguo solo se baja si no hay otra cosa


def test_the_old_file_is_downloaded_only_if_there_is_no_other(folder, tmp_path, monkeypatch):
    old = tmp_path / "antiguo"
    old.mkdir()
    (old / sources.CONFIG).write_text((folder / sources.CONFIG).read_text(), encoding="utf-8")
    asked = []

    def hub(name, *, allow_patterns):
        asked.append(sources.TORCH_FILE in allow_patterns)
        if asked[-1]:
            torch.save(dict(load_file(folder / sources.SINGLE)), old / sources.TORCH_FILE)
        return str(old)

    monkeypatch.setattr(sources, "snapshot_download", hub)
    assert load_official("autor/antiguo").family == "gpt-2"
    assert asked == [False, True]


def test_without_network_it_says_how_to_go_on(folder, monkeypatch):
    monkeypatch.setattr(
        sources, "snapshot_download", Hub(folder, LocalEntryNotFoundError("sin red"))
    )
    with pytest.raises(ConnectionError, match="seguirá donde quedó. Para seguir sin red"):
        load_official("autor/modelo")


def test_a_name_that_does_not_exist_is_told(folder, monkeypatch):
    error = RepositoryNotFoundError.__new__(RepositoryNotFoundError)  # sin la respuesta que lleva
    monkeypatch.setattr(sources, "snapshot_download", Hub(folder, error))
    with pytest.raises(ValueError, match="no hay nada publicado con el nombre 'autor/nada'"):
        load_official("autor/nada")


def stored_by_the_client(folder, tmp_path):
    """La caché del cliente: el archivo se llama como su huella, y un enlace le da su nombre."""
    path = folder / sources.SINGLE
    blob = tmp_path / file_hash(path)
    path.rename(blob)
    path.symlink_to(blob)
    return blob


def test_a_download_is_checked(folder, tmp_path, monkeypatch):
    blob = stored_by_the_client(folder, tmp_path)
    monkeypatch.setattr(sources, "snapshot_download", Hub(folder))
    load_official("autor/modelo")
    content = bytearray(blob.read_bytes())
    content[-1] ^= 1
    blob.write_bytes(content)
    with pytest.raises(ValueError, match="no es el que se publicó"):
        load_official("autor/modelo")
    assert not blob.exists()  # la próxima vez se baja otra vez
