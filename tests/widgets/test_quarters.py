"""Las escenas de la página son como las del curso: se pintan, se preguntan y se contestan igual."""

import random
from dataclasses import asdict
from itertools import product

import numpy as np
import pytest
import torch

from tests.conftest import ROOT
from tests.widgets.engine import engine_source, run_engine
from tfcourse.datasets.scenes.asked_scenes import (
    KINDS,
    PAIRS,
    RESERVED,
    ask_about,
    asked_scenes,
    held_out,
    place,
)
from tfcourse.datasets.scenes.scene_objects import SHAPES, shape_masks
from tfcourse.datasets.scenes.told_scenes import COLOURS, NOISE, SHIFT, SIDES, SIZE, named
from tfcourse.multimodal.dialogue.decoding import MAX_ANSWER, answers
from tfcourse.multimodal.dialogue.form import vocabulary
from tfcourse.multimodal.dialogue.metrics import hits_by_kind, share
from tfcourse.multimodal.dialogue.recipe import load
from tfcourse.text.assistant.lora import merge_lora
from tfcourse.weights.packing import packed_tensors, packed_weights, unpack

N_PER_KIND = 40
RANDOM = "let seed = 12345; const draw = () => (seed = (seed * 48271) % 2147483647) / 2147483647;"


def quarters_source() -> str:
    """El motor y, detrás, lo que la figura hace sin página: pintar, preguntar y saber qué hay."""
    names = ("pixels", "shapes", "quarters")
    texts = [(ROOT / f"tfcourse/widgets/{name}.js").read_text(encoding="utf-8") for name in names]
    return "\n".join([engine_source(), *texts])


def asked_about(question) -> dict:
    """Una pregunta del curso, como la guarda la figura."""
    words = question.words[1:-1]
    shape = next((word for word in words if word in SHAPES), None)
    said = words[-1]
    paint = next((name for name in COLOURS if said in (name, name[:-1] + "a")), None)
    return {"kind": question.kind, "spot": said, "shape": shape, "paint": paint}


def test_same_words_and_same_answers(tmp_path):
    rng, pairs = random.Random(0), []
    scenes = asked_scenes(60, torch.Generator().manual_seed(5))
    scenes += asked_scenes(20, torch.Generator().manual_seed(6), reserved=True)
    for scene, kind in product(scenes, KINDS):
        question = ask_about(scene, kind, rng)
        if question:
            pairs.append((scene, question))
    script = """
    ANSWER.names = [WHAT, COLOUR, HOW_MANY, WHERE, WHETHER];
    ANSWER.asked = INPUT.rows.map(({ things, question }) => {
      const asked = { ...question, kind: ANSWER.names[INPUT.kinds.indexOf(question.kind)] };
      const own = [null, null, null, null];
      for (const [spot, shape, paint] of things) own[spot] = thingAt(spot, shape, paint);
      return [questionWords(asked), questionText(asked), trueAnswer(own, asked).answer];
    });
    ANSWER.places = SPOTS;
    const paired = (shape) => PAINT_NAMES.map((paint) => pairName({ shape, paint }));
    ANSWER.pairs = SHAPE_NAMES.flatMap(paired);
    ANSWER.never = NEVER_SEEN;
    ANSWER.paints = PAINTS;
    const shown = sceneOf("cruz roja", null, "círculo verde", null).things;
    const none = [
      [COLOUR, "círculo", "rojo"], [COLOUR, "triángulo", "rojo"], [WHERE, "cruz", "azul"],
    ];
    ANSWER.problems = none.map(([kind, shape, paint]) => trueAnswer(shown, { kind, shape, paint }));
    ANSWER.problems.push(trueAnswer([null], { kind: HOW_MANY }));
    const twins = sceneOf("cruz roja", "cruz roja", null, null).things;
    ANSWER.problems.push(trueAnswer(twins, { kind: WHERE, shape: "cruz", paint: "rojo" }));
    """
    rows = [
        {"things": scene.things, "question": asked_about(question)} for scene, question in pairs
    ]
    given = {"kinds": KINDS, "rows": rows}
    answer = run_engine(tmp_path, script, given, {}, quarters_source())
    expected = [[list(q.words), q.text, " ".join(q.answer)] for _, q in pairs]
    assert answer["asked"] == expected and len({text for _, text, _ in expected}) > 30
    assert answer["places"] == [" ".join(place(quarter)) for quarter in range(4)]
    assert answer["pairs"] == [" ".join(named(*pair)[1:]) for pair in PAIRS]
    assert answer["never"] == [" ".join(named(*pair)[1:]) for pair in RESERVED]
    assert answer["paints"] == {name: list(paint) for name, paint in COLOURS.items()}
    assert answer["problems"] == [
        {"answer": "verde"}, {"problem": "no hay ningún triángulo"},
        {"problem": "no hay ninguna cruz azul"}, {"problem": "no hay ninguna figura"},
        {"problem": "hay más de una cruz roja"},
    ]  # fmt: skip


def test_drawn_and_painted_like_those_of_the_course(tmp_path):
    script = f"""
    {RANDOM}
    ANSWER.scenes = Array.from({{ length: 300 }}, () => drawnScene(draw));
    const still = new Float32Array({SIZE} * {SIZE} * 3);
    ANSWER.images = ANSWER.scenes.slice(0, 40).map((scene) => [...paintQuarters(scene, still)]);
    ANSWER.noise = [...quarterNoise()];
    """
    answer = run_engine(tmp_path, script, {}, {}, quarters_source())
    things = [one for scene in answer["scenes"] for one in scene["things"] if one]
    counts = [sum(map(bool, scene["things"])) for scene in answer["scenes"]]
    assert [counts.count(n) > 40 for n in range(6)] == [False, True, True, True, True, False]
    drawn = {(one["shape"], one["paint"]) for one in things}
    assert drawn == set(PAIRS) - set(RESERVED)
    assert all(SIDES[0] <= one["side"] <= SIDES[1] for one in things)
    assert all(max(abs(one["right"]), abs(one["down"])) <= SHIFT for one in things)
    grounds = np.array([scene["ground"] for scene in answer["scenes"]])
    assert grounds.min() < 0.07 and grounds.max() > 0.38
    assert grounds.min() >= 0.05 and grounds.max() <= 0.4
    assert abs(np.std(answer["noise"]) - NOISE) < 0.002 and abs(np.mean(answer["noise"])) < 0.003
    for scene, image in zip(answer["scenes"], answer["images"], strict=False):
        painted = torch.tensor(scene["ground"])[:, None, None].expand(3, SIZE, SIZE)
        for one in filter(None, scene["things"]):
            middle = torch.tensor([one["spot"] % 2, one["spot"] // 2]) * SIZE / 2 + SIZE / 4
            center = middle + torch.tensor([one["right"], one["down"]])
            side = torch.tensor([one["side"]] * 2)
            kind = torch.tensor([[SHAPES.index(one["shape"])]])
            mask = shape_masks(kind, center[None, None], side[None, None], SIZE)[0, 0] > 0.5
            painted = torch.where(mask, torch.tensor(COLOURS[one["paint"]])[:, None, None], painted)
        mine = torch.tensor(image).view(SIZE, SIZE, 3).permute(2, 0, 1)
        assert float((mine - painted).abs().amax(0).gt(1e-5).float().mean()) < 2e-3


ASK = f"""
{RANDOM}
const model = new SeeingGPT(readBytes("pesos"), INPUT.config);
const ids = new Map(INPUT.words.map((word, id) => [word, id]));
const noise = quarterNoise();
ANSWER.said = INPUT.rows.map(({{ things, question }}) => {{
  const scene = drawnScene(draw); // de ella, el fondo; las figuras son las que se piden
  scene.things = [null, null, null, null];
  for (const [spot, shape, paint] of things) {{
    const moved = {{ right: 4 * draw() - 2, down: 4 * draw() - 2, side: 9 + 4 * draw() }};
    scene.things[spot] = thingAt(spot, shape, paint, moved);
  }}
  model.see(paintQuarters(scene, noise));
  const {{ tokens }} = model.ask(question.map((word) => ids.get(word)), {MAX_ANSWER});
  return tokens.map((id) => INPUT.words[id]).join(" ");
}});
"""


@pytest.mark.lento
def test_scenes_of_the_page_are_answered_like_those_of_the_course(tmp_path):
    """Las mismas figuras y preguntas, pintadas por la página y por el curso: acierta parecido."""
    pairs, model = held_out(N_PER_KIND), merge_lora(load("dialogo")).eval()
    model.load_state_dict(unpack(packed_tensors("dialogo")), strict=False)
    config = {
        "tower": asdict(model.tower.config), "language": asdict(model.language.config),
        "factor": model.projector.factor,
    }  # fmt: skip
    rows = [{"things": scene.things, "question": question.words} for scene, question in pairs]
    given = {"config": config, "words": vocabulary().tokens, "rows": rows}
    files = {"pesos": packed_weights("dialogo")}
    answer = run_engine(tmp_path, ASK, given, files, quarters_source())
    course, mine = (hits_by_kind(pairs, said) for said in (answers(model, pairs), answer["said"]))
    for kind in KINDS:
        assert share(mine[kind]) > share(course[kind]) - 0.1, kind
    totals = [sum(share(found[kind]) for kind in KINDS) / len(KINDS) for found in (mine, course)]
    assert totals[0] > 0.9 and abs(totals[0] - totals[1]) < 0.04
