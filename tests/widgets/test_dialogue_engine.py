"""El motor que conversa sobre una escena calcula lo mismo que PyTorch, con los mismos pesos."""

import random
from dataclasses import asdict

import numpy as np
import pytest
import torch

from tests.widgets.engine import engine_source, run_engine
from tests.widgets.test_engine import BOTH_PATHS, TOLERANCE, N, check
from tests.widgets.test_picture_engine import channels_last
from tfcourse.datasets.scenes.asked_scenes import KINDS, ask_about, asked_scenes
from tfcourse.multimodal.dialogue.decoding import MAX_ANSWER, answers
from tfcourse.multimodal.dialogue.form import prompts, turn, vocabulary
from tfcourse.multimodal.dialogue.metrics import looked_at
from tfcourse.multimodal.dialogue.recipe import load
from tfcourse.text.assistant.lora import merge_lora
from tfcourse.weights.packing import packed_tensors, packed_weights, unpack

pytestmark = pytest.mark.lento

ASK = """
const model = new SeeingGPT(readBytes("pesos"), INPUT.config);
const images = new Float32Array(readBytes("escenas"));
const answers = INPUT.questions.map((question, i) => {
  model.see(images.subarray(i * 3072, (i + 1) * 3072));
  model.ask(INPUT.questions[0], INPUT.most); // otra antes no deja rastro
  return model.ask(question, INPUT.most);
});
ANSWER.logits = answers.map(({ logits }) => [...logits]);
ANSWER.tokens = answers.map(({ tokens }) => tokens);
ANSWER.looks = answers.map(({ looks }) => looks.map((layer) => [...layer]));
"""


@pytest.fixture(scope="module")
def model():
    """El de la página: sin LoRA aparte, y con los pesos en octetos."""
    whole = merge_lora(load("dialogo"))
    left = whole.load_state_dict(unpack(packed_tensors("dialogo")), strict=False)
    assert left.missing_keys == ["tower.head.weight", "tower.head.bias"]
    return whole.eval()


@pytest.fixture(scope="module")
def pairs() -> list:
    """Escenas nuevas, la mitad con una pareja reservada, y preguntas de todas las clases."""
    generator, rng = torch.Generator().manual_seed(11), random.Random(0)
    both = zip(asked_scenes(N, generator), asked_scenes(N, generator, reserved=True), strict=True)
    scenes = [scene for two in both for scene in two]
    found = [(scene, ask_about(scene, KINDS[i % 5], rng)) for i, scene in enumerate(scenes)]
    return [pair for pair in found if pair[1]][:N]


def ask_in_node(tmp_path, model, pairs, source=None, path="con el núcleo") -> dict:
    config = {
        "tower": asdict(model.tower.config), "language": asdict(model.language.config),
        "factor": model.projector.factor,
    }  # fmt: skip
    questions = [turn(question)[0] for _, question in pairs]
    given = {"config": config, "questions": questions, "most": MAX_ANSWER}
    images = torch.stack([scene.image for scene, _ in pairs])
    files = {"pesos": packed_weights("dialogo"), "escenas": channels_last(images)}
    return run_engine(tmp_path, ASK, given, files, source, path)


@torch.no_grad()
def first_logits(model, pairs) -> list[torch.Tensor]:
    rows = prompts(pairs, model.n_image)
    return [
        model(torch.tensor([row]), scene.image[None])[0, -1]
        for row, (scene, _) in zip(rows, pairs, strict=True)
    ]


@BOTH_PATHS
def test_it_answers_and_looks_where_torch_does(tmp_path, model, pairs, path):
    answer = ask_in_node(tmp_path, model, pairs, path=path)
    check(answer["logits"], first_logits(model, pairs))
    said = [" ".join(vocabulary().decode(tokens)) for tokens in answer["tokens"]]
    assert said == answers(model, pairs) and len(set(said)) > 10
    for layer in range(len(model.language.blocks)):
        mine = np.array([looks[layer] for looks in answer["looks"]])
        theirs = torch.stack(looked_at(model, pairs, layer)).flatten(1)
        assert np.abs(mine - theirs.numpy()).max() < TOLERANCE


BUGS = {
    "los colores de un parche, del revés": (
        "patch * channels + color)", "patch * channels + 2 - color)",
    ),
    "las posiciones, por columnas": (
        "Math.floor(n / this.side) : n % this.side", "n % this.side : Math.floor(n / this.side)",
    ),
    "los vecinos, de arriba abajo": (
        "(r + Math.floor(n / factor)) * side + c + (n % factor)",
        "(r + (n % factor)) * side + c + Math.floor(n / factor)",
    ),
    "sin el token que abre": ("x.set(opening);", ""),
    "sin olvidar la pregunta de antes": ("this.rewind(1 + this.imageTokens);", ""),
    "lo que mira, corrido": ("weights[1 + i] / heads", "weights[i] / heads"),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_dialogue_is_noticed(tmp_path, model, pairs, bug):
    right, wrong = BUGS[bug]
    source = engine_source()
    assert source.count(right) == 1
    answer = ask_in_node(tmp_path, model, pairs, source.replace(right, wrong))
    looks = torch.stack(looked_at(model, pairs, 0)).flatten(1).numpy()
    with pytest.raises(AssertionError):
        check(answer["logits"], first_logits(model, pairs))
        assert np.abs(np.array([one[0] for one in answer["looks"]]) - looks).max() < TOLERANCE
