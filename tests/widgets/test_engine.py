"""El motor que corre en la página calcula lo mismo que PyTorch, con los mismos pesos."""

import math
import random

import numpy as np
import pytest
import torch

from tests.widgets.engine import PATHS, as_bytes, engine_source, run_engine
from tfcourse.datasets.agents.control import expert_episodes
from tfcourse.datasets.agents.generalist import SPACE, demonstration
from tfcourse.datasets.scenes.scenes import make_scenes
from tfcourse.datasets.text.articles import split_articles
from tfcourse.decoding.beam import beam_search
from tfcourse.layers.relative_bias import relative_bucket
from tfcourse.models.anchored_detr import AnchoredConfig, AnchoredDETR
from tfcourse.models.detr import DETR, DETRConfig
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.multimodal.generalist import recipe as gato_recipe
from tfcourse.multimodal.generalist.playing import play_with
from tfcourse.text.bert import recipe as bert_recipe
from tfcourse.text.tasks import recipe as t5_recipe
from tfcourse.text.tasks.batches import answer as answer_of
from tfcourse.text.transformer import recipe as transformer_recipe
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.mu_law import mu_law, to_bins
from tfcourse.tokenizers.token_rows import TokenBatch
from tfcourse.weights.packing import packed_tensors, packed_weights, unpack
from tfcourse.weights.shipped import weights_card

pytestmark = pytest.mark.lento
N, TOLERANCE = 50, 1e-4
BOTH_PATHS = pytest.mark.parametrize("path", PATHS)


def with_page_weights(name: str, model):
    """El modelo con los pesos de la página, que van en octetos."""
    model.load_state_dict(unpack(packed_tensors(name)), strict=False)
    return model.eval()


def draw_tokens(n_tokens: int, longest: int) -> list[list[int]]:
    rng = random.Random(0)
    return [[rng.randrange(n_tokens) for _ in range(rng.randint(1, longest))] for _ in range(N)]


def check(found, expected: list[torch.Tensor]) -> None:
    """Los números de Node, contra los de PyTorch, uno a uno."""
    assert len(found) == len(expected) == N
    worst = max(
        float(np.abs(np.array(mine) - theirs.detach().numpy().ravel()).max())
        for mine, theirs in zip(found, expected, strict=True)
    )
    assert worst < TOLERANCE, worst
    assert max(float(theirs.abs().max()) for theirs in expected) > 1  # no son todo ceros


@pytest.fixture(scope="module")
def gpt() -> GPT:
    return with_page_weights("gpt_espanol", GPT(GPTConfig(**weights_card("gpt_espanol").config)))


READ_GPT = """
const model = new GPT(readBytes("pesos"), INPUT.config);
ANSWER.logits = INPUT.rows.map((row) => {
  model.rewind();
  const middle = Math.floor(row.length / 2);
  if (middle) model.read(row.slice(0, middle)); // la mitad de una vez, y el resto con caché
  return [...model.read(row.slice(middle))];
});
const maps = [];
model.rewind();
const longest = INPUT.rows.reduce((a, b) => (b.length > a.length ? b : a));
model.read(longest, (layer, head, query, w) => query === longest.length - 1 && maps.push([...w]));
ANSWER.maps = maps;
"""


@BOTH_PATHS
@torch.no_grad()
def test_gpt_reads_with_its_cache(tmp_path, gpt, path):
    rows = draw_tokens(gpt.config.n_tokens, 24)
    given = {"rows": rows, "config": weights_card("gpt_espanol").config}
    answer = run_engine(
        tmp_path, READ_GPT, given, {"pesos": packed_weights("gpt_espanol")}, path=path
    )
    check(answer["logits"], [gpt(torch.tensor([row]))[0, -1] for row in rows])
    maps = torch.cat(gpt.attention_maps(torch.tensor([max(rows, key=len)])))[:, :, -1].flatten(0, 1)
    assert np.abs(np.array(answer["maps"]) - maps.numpy()).max() < TOLERANCE


BUGS = {
    "sin contar lo que hay en la caché": ("const angle = (this.length + r)", "const angle = (r)"),
    "la varianza entre uno menos": ("square / width + eps", "square / (width - 1) + eps"),
    "mirando el futuro": ("causal ? nK - nQ + i + 1 : nK", "nK"),
    "el núcleo, con una cuenta de cada cuatro": ("[0xfd, 0x09, 2, 0]", "[0xfd, 0x5c, 2, 0]"),
    "la otra GELU": (
        "plus(x, this.feedForward(z, rows, `${at}.feed_forward`, tanhGelu))",
        "plus(x, this.feedForward(z, rows, `${at}.feed_forward`, gelu))",
    ),
}


@torch.no_grad()
@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_engine_is_noticed(tmp_path, gpt, bug):
    right, wrong = BUGS[bug]
    source = engine_source()
    assert source.count(right) == 1
    rows = draw_tokens(gpt.config.n_tokens, 8)
    given = {"rows": rows, "config": weights_card("gpt_espanol").config}
    files = {"pesos": packed_weights("gpt_espanol")}
    answer = run_engine(tmp_path, READ_GPT, given, files, source.replace(right, wrong))
    with pytest.raises(AssertionError):
        check(answer["logits"], [gpt(torch.tensor([row]))[0, -1] for row in rows])


@BOTH_PATHS
@torch.no_grad()
def test_bert_fills(tmp_path, path):
    model, tokenizer = bert_recipe.load("bert_espanol")
    with_page_weights("bert_espanol", model)
    rows = draw_tokens(len(tokenizer), 24)
    script = """
    const model = new Bert(readBytes("pesos"), INPUT.config);
    ANSWER.logits = INPUT.rows.map((row) => [...model.fill(row, row.length >> 1)]);
    """
    config = {"n_layers": model.bert.config.n_layers, "n_heads": 4, "d_model": 128}
    given = {"rows": rows, "config": config}
    answer = run_engine(
        tmp_path, script, given, {"pesos": packed_weights("bert_espanol")}, path=path
    )
    expected = [
        model(torch.tensor([row]), torch.tensor([len(row)]))[0, len(row) // 2] for row in rows
    ]
    check(answer["logits"], expected)


WRITE = """
const model = new MODEL(readBytes("pesos"), INPUT.config);
ANSWER.logits = INPUT.rows.map((row, i) => {
  model.readSource(row);
  const written = model.start();
  let logits;
  for (const token of INPUT.targets[i]) logits = model.step(token, written);
  return [...logits];
});
ANSWER.beams = INPUT.rows.slice(0, 6).map((row) => {
  model.readSource(row);
  return beamSearch(model, { size: 3, start: 1, stop: 2, most: 10 }).best;
});
"""


@torch.no_grad()
def beams(model, rows: list[list[int]]) -> list[list[int]]:
    """Las seis primeras, escritas por el haz de Python."""
    return [
        beam_search(
            model.step, model.start(torch.tensor([row]), torch.tensor([len(row)])), model.select,
            first=1, stop_id=2, max_length=10, beam_size=3,
        )[0]
        for row in rows[:6]
    ]  # fmt: skip


@BOTH_PATHS
@torch.no_grad()
@pytest.mark.parametrize("name", ["traductor", "t5_tareas"])
def test_encoder_and_decoder_write(tmp_path, name, path):
    if name == "traductor":
        kind, model = "Translator", transformer_recipe.load(name).model
        sizes, n_tokens = weights_card(name).recipe, weights_card(name).config["n_tokens"]
    else:
        kind, model = "T5", t5_recipe.load(name)[0]
        sizes, n_tokens = weights_card(name).config["model"], model.config.n_tokens
    with_page_weights(name, model)
    rows = draw_tokens(n_tokens, 20)
    targets = [[1, *row[: len(row) // 2]] for row in reversed(rows)]
    given = {"rows": rows, "targets": targets, "config": sizes}
    script = WRITE.replace("MODEL", kind)
    answer = run_engine(tmp_path, script, given, {"pesos": packed_weights(name)}, path=path)
    expected = [
        model(torch.tensor([row]), torch.tensor([len(row)]), torch.tensor([target]))[0, -1]
        for row, target in zip(rows, targets, strict=True)
    ]
    check(answer["logits"], expected)
    assert answer["beams"] == beams(model, rows)


def test_relative_buckets(tmp_path):
    script = """
    const model = Object.create(T5.prototype);
    ANSWER.buckets = [true, false].map((both) => INPUT.offsets.map((o) => model.bucket(o, both)));
    """
    offsets = torch.arange(-300, 301)
    answer = run_engine(tmp_path, script, {"offsets": offsets.tolist()}, {})
    expected = [relative_bucket(offsets, bidirectional=both).tolist() for both in (True, False)]
    assert answer["buckets"] == expected


@BOTH_PATHS
@torch.no_grad()
@pytest.mark.parametrize("name", ["detr_figuras", "anclas_figuras"])
def test_detectors_find(tmp_path, name, path):
    config = weights_card(name).config
    anchored = name == "anclas_figuras"
    model = AnchoredDETR(AnchoredConfig(**config)) if anchored else DETR(DETRConfig(**config))
    with_page_weights(name, model)
    scenes = make_scenes(N, torch.Generator().manual_seed(3)).images
    script = f"""
    const model = new {"Anchored" if anchored else ""}Detector(readBytes("pesos"), INPUT.config);
    const images = new Float32Array(readBytes("escenas"));
    ANSWER.found = Array.from({{ length: images.length / 12288 }}, (_, i) => {{
      const {{ logits, boxes }} = model.detect(images.subarray(i * 12288, (i + 1) * 12288));
      return [...logits, ...boxes];
    }});
    """
    files = {
        "pesos": packed_weights(name),
        "escenas": as_bytes(scenes.permute(0, 2, 3, 1).contiguous()),
    }
    answer = run_engine(tmp_path, script, {"config": config}, files, path=path)
    logits, boxes = model(scenes)[-1]
    check(answer["found"], list(torch.cat([logits.flatten(1), boxes.flatten(1)], dim=1)))


@BOTH_PATHS
@torch.no_grad()
def test_gato_acts(tmp_path, path):
    model = with_page_weights("gato", gato_recipe.load("gato"))
    generator = torch.Generator().manual_seed(0)
    seen = torch.randn(N, 4, generator=generator)
    actions = [int(a) for a in torch.randint(2, (N,), generator=generator)]
    script = """
    const model = new Gato(readBytes("pesos"), INPUT.config);
    ANSWER.tokens = INPUT.seen.map((values) => model.observation(values));
    ANSWER.logits = INPUT.seen.map((values, i) => {
      model.rewind();
      const [ids, places] = model.observation(INPUT.seen[(i + 1) % INPUT.seen.length]);
      model.read([...ids, INPUT.config.n_words + INPUT.actions[i]], [...places, 0]);
      return [...model.read(...model.observation(values))];
    });
    """
    config = weights_card("gato").config | {"n_words": len(SPACE.words)}
    given = {"seen": seen.double().tolist(), "actions": actions, "config": config}
    answer = run_engine(tmp_path, script, given, {"pesos": packed_weights("gato")}, path=path)
    rows = [SPACE.observation(values) for values in seen]
    assert answer["tokens"] == [[row.ids, row.places] for row in rows]
    assert to_bins(mu_law(seen)).unique().numel() > 50
    before = [rows[(i + 1) % N] + SPACE.action([a]) + rows[i] for i, a in enumerate(actions)]
    nothing = torch.zeros(0, 1)
    expected = [
        model(
            TokenBatch(
                torch.tensor([row.ids]), torch.tensor([row.places]),
                torch.tensor([row.scored]), nothing[..., None, None], nothing,
            )
        )[0, -1]
        for row in before
    ]  # fmt: skip
    check(answer["logits"], expected)


def test_activations_and_halves(tmp_path):
    x = torch.linspace(-6, 6, 401, dtype=torch.float64)
    halves = torch.randn(200).half()
    halves[:4] = torch.tensor([0.0, -0.0, 6e-8, 65504.0]).half()
    script = """
    ANSWER.gelu = INPUT.x.map(gelu);
    ANSWER.tanhGelu = INPUT.x.map(tanhGelu);
    ANSWER.halves = [...fromHalves(new Uint16Array(readBytes("medias")))];
    """
    files = {"medias": halves.numpy().tobytes()}
    answer = run_engine(tmp_path, script, {"x": x.tolist()}, files)
    gelu = torch.nn.functional.gelu
    assert np.allclose(answer["gelu"], gelu(x), atol=1e-9)
    assert np.allclose(answer["tanhGelu"], gelu(x, approximate="tanh"), atol=1e-9)
    assert answer["halves"] == halves.tolist()
    assert not math.isclose(gelu(x)[100].item(), gelu(x, approximate="tanh")[100].item())


SPECIAL_WORDS = [
    "«¿Qué?»",
    "l'été",
    "co-op 3,5",
    "a_b",
    "日本",
    "x²",
    "½ l",
    "\u0301a",
    "\ta\n\n b ",
    "🙂",
]


def test_tokenizers_cut_like_python(tmp_path):
    """Palabras y frases del corpus, y las que no salen en él: los mismos números."""
    articles = [article.text for article in split_articles()[1][:150]]
    bert, t5 = bert_recipe.load("bert_espanol")[1], t5_recipe.load("t5_tareas")[1]
    bytes_bpe = transformer_recipe.pieces_from(weights_card("traductor").config["merges"])
    bpe = BPETokenizer.train(articles[:40], 400, byte_level=False)
    texts = [*articles, *SPECIAL_WORDS]
    given = {
        "texts": texts,
        "states": {
            "BPE": bpe.state(),
            "WordPiece": bert.state() | {"tokens": " ".join(bert.state()["tokens"])},
            "ByteBPE": {"merges": weights_card("traductor").config["merges"]},
            "Unigram": t5.state(),
        },
    }
    script = """
    const kinds = { BPE, WordPiece, ByteBPE, Unigram };
    for (const [name, kind] of Object.entries(kinds)) {
      const tokenizer = new kind(INPUT.states[name]);
      const ids = INPUT.texts.map((text) => tokenizer.encode(text));
      ANSWER[name] = [ids, ids.map((row) => tokenizer.decode(row))];
    }
    """
    answer = run_engine(tmp_path, script, given, {})
    mine = {"BPE": bpe, "WordPiece": bert, "ByteBPE": bytes_bpe, "Unigram": t5}
    for name, tokenizer in mine.items():
        ids = [tokenizer.encode(text) for text in texts]
        assert answer[name][0] == ids, name
        assert answer[name][1] == [tokenizer.decode(row) for row in ids], name


SENTENCES = ["Delete the selected files", "The password is not correct.", "I like trees."]
REQUESTS = [("plural", "lápiz"), ("pronuncia", "guitarra"), ("cifras", "mil doscientos tres")]


@torch.no_grad()
def test_what_it_writes_is_what_python_writes(tmp_path):
    translator = transformer_recipe.load("traductor")
    with_page_weights("traductor", translator.model)
    box, box_tokenizer = t5_recipe.load("t5_tareas")
    with_page_weights("t5_tareas", box)
    script = """
    const write = (model, tokenizer, text) => {
      model.readSource(model.closed(tokenizer.encode(text)));
      const options = { size: 1, start: START, stop: STOP, most: 48 };
      return tokenizer.decode(beamSearch(model, options).best).trim();
    };
    const translator = new Translator(readBytes("traductor"), INPUT.recipe);
    const bytes = new ByteBPE({ merges: INPUT.merges });
    ANSWER.translations = INPUT.sentences.map((text) => write(translator, bytes, text));
    const box = new T5(readBytes("t5"), INPUT.config.model);
    const unigram = new Unigram(INPUT.config.tokenizer);
    ANSWER.answers = INPUT.requests.map((text) => write(box, unigram, text));
    """
    given = {
        "sentences": SENTENCES,
        "requests": [f"{task}: {text}" for task, text in REQUESTS],
        "recipe": weights_card("traductor").recipe,
        "merges": weights_card("traductor").config["merges"],
        "config": weights_card("t5_tareas").config,
    }
    files = {"traductor": packed_weights("traductor"), "t5": packed_weights("t5_tareas")}
    answer = run_engine(tmp_path, script, given, files)
    assert answer["translations"] == translator.write(SENTENCES)
    expected = [answer_of(box, box_tokenizer, task, [text])[0] for task, text in REQUESTS]
    assert answer["answers"] == expected


@torch.no_grad()
def test_gato_plays_like_python(tmp_path):
    """Con su demostración, sus ventanas y sus recuerdos: mira lo mismo y hace lo mismo."""
    model = with_page_weights("gato", gato_recipe.load("gato"))
    demo = demonstration(expert_episodes("carro", 1)[0])
    episodes = play_with(model, "carro", [1], [demo], ["izquierda"])
    script = """
    const gato = new Gato(readBytes("pesos"), INPUT.config);
    ANSWER.actions = INPUT.seen.map((episode, i) => {
      const player = new GatoPlayer(gato, INPUT.demo);
      return episode.map((seen, t) => {
        const action = player.act(seen);
        player.pending = player.past.at(-1)[1] = INPUT.actions[i][t]; // sigue lo que pasó
        return action;
      });
    });
    ANSWER.next = INPUT.seen[0].map((seen, t) => cartPhysics(seen, INPUT.actions[0][t] ? 10 : -10));
    """
    given = {
        "seen": [episode.observations.double().tolist() for episode in episodes],
        "actions": [episode.actions[:, 0].tolist() for episode in episodes],
        "demo": [demo.ids, demo.places],
        "config": weights_card("gato").config | {"n_words": len(SPACE.words)},
    }
    answer = run_engine(tmp_path, script, given, {"pesos": packed_weights("gato")})
    pairs = [
        pair
        for mine, theirs in zip(answer["actions"], given["actions"], strict=True)
        for pair in zip(mine, theirs, strict=True)
    ]
    assert len(pairs) > 150 and {a for _, a in pairs} == {0, 1}
    assert sum(a == b for a, b in pairs) / len(pairs) > 0.99
    seen = episodes[0].observations.numpy()
    assert np.abs(np.array(answer["next"][:-1]) - seen[1:]).max() < 1e-5
