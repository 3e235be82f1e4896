"""Datos: reproducibles, sin fugas entre entrenamiento y evaluación, y descargas a salvo."""

import datetime
import hashlib
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch

from tfcourse.datasets.batching import minibatches, trim
from tfcourse.datasets.download import RemoteFile, data_folder, download
from tfcourse.datasets.sequences import encode_pairs
from tfcourse.datasets.text.dates import DATE_FORMATS, N_DAYS, date_pairs, write_date
from tfcourse.datasets.text.translation import (
    phrase_lists,
    split_phrase_lists,
    split_words,
    tatoeba_sentences,
    translate_phrase,
)
from tfcourse.tokenizers.characters import CharacterTokenizer
from tfcourse.tokenizers.vocabulary import Vocabulary, pad_sequences


def test_dates_agree_with_the_calendar():
    train, test = date_pairs(500, 200, seed=1)
    for pair in train + test:
        date = datetime.date.fromisoformat(pair.iso)
        assert pair.text in {write_date(date, layout).text for layout in DATE_FORMATS}
        assert pair.text[pair.year_start : pair.year_start + 4] == pair.iso[:4]
    assert write_date(datetime.date(1987, 3, 5), DATE_FORMATS[0]).text == (
        "jueves, 5 de marzo de 1987"
    )


def test_no_day_is_in_both_parts():
    train, test = date_pairs(3000, 1000, seed=2)
    days = [{pair.iso for pair in part} for part in (train, test)]
    assert not days[0] & days[1] and len(days[0]) == 3000 and len(days[1]) == 1000


def test_one_seed_one_set():
    assert date_pairs(50, 10, seed=4) == date_pairs(50, 10, seed=4) != date_pairs(50, 10, seed=5)
    assert phrase_lists(20, range(1, 4), 1) == phrase_lists(20, range(1, 4), 1)


def test_phrases_agree_in_gender_and_number():
    assert translate_phrase(0, 0, plural=True).target == ("las", "casas", "rojas")
    assert translate_phrase(8, 7, plural=False).target == ("el", "libro", "bonito")
    train = next(i for i in range(20) if translate_phrase(i, None, False).source[1] == "train")
    assert translate_phrase(train, None, plural=True).target == ("los", "trenes")
    assert translate_phrase(0, 0, plural=False).source == ("the", "red", "house")


def test_no_list_is_in_both_parts():
    """De un sintagma hay tan pocas que, sin apartarlas, casi todas saldrían en las dos partes."""
    train, test = split_phrase_lists(5_000, 100, range(1, 5), range(1, 7), seed=3)
    read = {pair.source for pair in train}
    assert len(train) == 5_000 and {pair.source.count(",") for pair in train} == {0, 1, 2, 3}
    for n, pairs in test.items():
        sources = {pair.source for pair in pairs}
        assert len(sources) == len(pairs) == 100 and not sources & read
        assert all(pair.source.count(",") == n - 1 for pair in pairs)
    drawn = {pair.source for pair in phrase_lists(5_000, range(1, 5), seed=3)}
    alone = phrase_lists(100, range(1, 2), seed=1_001)
    assert sum(pair.source in drawn for pair in alone) > 90
    with pytest.raises(ValueError, match="aparta 144 o menos"):
        split_phrase_lists(10, 200, range(1, 3), range(1, 3))


def test_alignment_says_where_each_word_comes_from():
    dictionary = {"the": {"el", "la", "los", "las"}, ",": {","}}
    for pair in phrase_lists(300, range(1, 5), seed=3):
        assert sorted(pair.alignment) == list(range(len(pair.source)))
        for word, position in zip(pair.target, pair.alignment, strict=True):
            dictionary.setdefault(pair.source[position], set()).add(word)
    assert dictionary["red"] <= {"rojo", "roja", "rojos", "rojas"}
    assert dictionary["cats"] == {"gatos"} and dictionary["the"] == {"el", "la", "los", "las"}


def test_vocabulary_round_trip_and_padding():
    vocabulary = Vocabulary.from_sequences([list("añil"), list("ola")])
    ids = vocabulary.encode("niña" if "n" in vocabulary.tokens else "añil")
    assert vocabulary.decode(ids) == list("añil")
    assert vocabulary.decode([1, *ids, 2, *ids]) == list("añil")
    pairs = encode_pairs([list("ola"), list("añil")], [["a"], ["l", "a"]], vocabulary, vocabulary)
    assert pairs.lengths.tolist() == [3, 4] and pairs.source[0, 3] == 0
    assert pairs.target.shape == (2, 4) and pairs.target[0].tolist()[:1] == [1]
    assert pairs.target[0].tolist()[2:] == [2, 0]


def test_minibatches_visit_every_example_once_per_epoch():
    numbers = torch.arange(20)
    stream = minibatches(numbers, batch_size=5, seed=0, group_by=numbers % 7)
    epochs = [sorted(int(n) for _ in range(4) for n in next(stream)[0]) for _ in range(2)]
    assert epochs == [list(range(20))] * 2


def test_grouping_puts_similar_lengths_together():
    lengths = torch.randint(1, 50, (512,), generator=torch.Generator().manual_seed(0))

    def spread(**kwargs):
        stream = minibatches(lengths, batch_size=16, seed=0, **kwargs)
        return sum(float(b.max() - b.min()) for (b,), _ in zip(stream, range(32), strict=False))

    assert spread(group_by=lengths) < 0.3 * spread()


def test_batches_are_trimmed():
    assert trim(torch.tensor([[3, 4, 0, 0], [5, 0, 6, 0]]), 0).tolist() == [[3, 4, 0], [5, 0, 6]]
    words = [list("a" * n) for n in (1, 2, 9)]
    vocabulary = Vocabulary("a")
    pairs = encode_pairs(words, words, vocabulary, vocabulary)
    for _, (source, lengths, target) in zip(range(6), pairs.batches(1), strict=False):
        assert source.shape[1] == int(lengths[0]) and target.shape[1] == int(lengths[0]) + 2


def test_texts_are_numbered_by_a_tokenizer():
    tokenizer = CharacterTokenizer.train(["año", "ola"])
    pairs = encode_pairs(["ola"], ["año"], tokenizer, tokenizer)
    assert pairs.source.tolist() == [tokenizer.encode("ola")]
    assert pairs.target.tolist() == [tokenizer.encode("año", start=True, stop=True)]
    assert tokenizer.decode(pairs.target[0]) == "año"


CONTENT = bytes(range(256)) * 40


@pytest.fixture
def server():
    """Servidor local que sabe reanudar y apunta qué se le pide."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append((self.path, self.headers.get("Range")))
            if self.path == "/roto":
                self.send_error(500)
                return
            content = CONTENT[::-1] if self.path == "/otro" else CONTENT
            start = int((self.headers.get("Range") or "bytes=0-").split("=")[1].rstrip("-"))
            self.send_response(206 if start else 200)
            self.end_headers()
            self.wfile.write(content[start:])

        def log_message(self, *args):
            """Calla: el registro de peticiones no interesa en las pruebas."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}", seen
    httpd.shutdown()


def remote(*urls):
    return RemoteFile("datos.bin", urls, len(CONTENT), hashlib.sha256(CONTENT).hexdigest())


def test_download_is_checked_and_kept(server, tmp_path):
    url, seen = server
    path = download(remote(f"{url}/bien"), tmp_path)
    assert path.read_bytes() == CONTENT
    assert download(remote(f"{url}/bien"), tmp_path) == path and len(seen) == 1


def test_download_resumes_where_it_stopped(server, tmp_path):
    url, seen = server
    (tmp_path / "datos.bin.parcial").write_bytes(CONTENT[:1000])
    assert download(remote(f"{url}/bien"), tmp_path).read_bytes() == CONTENT
    assert seen == [("/bien", "bytes=1000-")]


def test_second_mirror_is_tried(server, tmp_path):
    url, _ = server
    assert download(remote(f"{url}/roto", f"{url}/otro", f"{url}/bien"), tmp_path).exists()


def test_damaged_copy_is_downloaded_again(server, tmp_path):
    url, _ = server
    (tmp_path / "datos.bin").write_bytes(b"otra cosa")
    assert download(remote(f"{url}/bien"), tmp_path).read_bytes() == CONTENT


def test_wrong_content_never_gets_its_name(server, tmp_path):
    url, _ = server
    with pytest.raises(ConnectionError, match="su huella es .*TFCOURSE_PERFIL=rapido"):
        download(remote(f"{url}/otro"), tmp_path)
    assert not (tmp_path / "datos.bin").exists()


def test_download_without_network_says_how_to_go_on(tmp_path):
    with pytest.raises(ConnectionError, match="no se pudo descargar «datos.bin».*perfil rapido"):
        download(remote("http://127.0.0.1:9/nada"), tmp_path)


def test_data_folder_obeys_its_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("TFCOURSE_DATOS", str(tmp_path))
    assert data_folder() == tmp_path


def test_tatoeba_format(tmp_path):
    path = tmp_path / "spa-eng.zip"
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("spa-eng/spa.txt", "Go.\tVe.\tCC-BY 2.0\nAre you OK?\t¿Estás bien?\n")
    assert [tuple(map(split_words, pair)) for pair in tatoeba_sentences(path)] == [
        (["go", "."], ["ve", "."]),
        (["are", "you", "ok", "?"], ["¿", "estás", "bien", "?"]),
    ]
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("otro.txt", "")
    with pytest.raises(ValueError, match="no contiene «spa.txt»"):
        tatoeba_sentences(path)


@pytest.mark.usefixtures("sin_tipos")
class TestErrors:
    def test_too_many_days(self):
        with pytest.raises(ValueError, match=f"hay {N_DAYS}"):
            date_pairs(N_DAYS, 1)

    def test_lists_without_phrases(self):
        with pytest.raises(ValueError, match="usa un rango de números positivos"):
            phrase_lists(3, range(0, 2))

    def test_token_out_of_the_vocabulary(self):
        with pytest.raises(ValueError, match="el token 'z', en la posición 1, no está"):
            Vocabulary("abc").encode("az")

    def test_empty_sequences(self):
        with pytest.raises(ValueError, match="la secuencia número 1 está vacía"):
            pad_sequences([[1], []])
        with pytest.raises(ValueError, match="no hay ninguna secuencia"):
            pad_sequences([])

    def test_pairs_that_do_not_match(self):
        vocabulary = Vocabulary("a")
        with pytest.raises(ValueError, match="hay 1 entradas y 2 salidas"):
            encode_pairs([["a"]], [["a"], ["a"]], vocabulary, vocabulary)

    def test_download_without_a_check(self):
        with pytest.raises(ValueError, match="no se puede comprobar"):
            RemoteFile("x", ("http://127.0.0.1/x",))
