"""El motor que mira imágenes en la página calcula lo mismo que PyTorch, con los mismos pesos."""

import numpy as np
import pytest
import torch

from tests.conftest import ROOT
from tests.widgets.engine import as_bytes, engine_source, run_engine
from tests.widgets.test_engine import BOTH_PATHS, TOLERANCE, N, check, with_page_weights
from tfcourse.datasets.scenes.figures import make_figures
from tfcourse.datasets.scenes.scenes import CROWDED_SCENES, make_scenes
from tfcourse.datasets.scenes.skeleton import draw_skeletons, joints_from_angles, random_angles
from tfcourse.layers.image.rollout import attention_rollout
from tfcourse.vision.box_language import recipe as box_language
from tfcourse.vision.box_language.writing import stop_as_event, write_objects
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.pose import recipe as pose
from tfcourse.vision.segmentation import recipe as segmentation
from tfcourse.vision.segmentation.decoding import enlarge, panoptic_answer
from tfcourse.weights.packing import packed_weights
from tfcourse.weights.shipped import weights_card

pytestmark = pytest.mark.lento


def channels_last(images: torch.Tensor) -> bytes:
    """Las imágenes como las lee la página: por filas y con los colores de cada punto seguidos."""
    return as_bytes(images.permute(0, 2, 3, 1).contiguous())


READ_DIGITS = """
const model = new ViT(readBytes("pesos"), INPUT.config);
const images = new Float32Array(readBytes("imagenes"));
const answers = INPUT.rows.map((i) => model.read(images.subarray(i * 64, (i + 1) * 64)));
ANSWER.logits = answers.map(({ logits }) => [...logits]);
ANSWER.rollout = answers.map(({ maps }) => [...attentionRollout(maps)]);
ANSWER.last = answers.map(({ maps }) => [...firstLooks(maps.at(-1))]);
"""


def read_digits(tmp_path, images, source=None, path="con el núcleo"):
    given = {"config": weights_card("vit_cifras").config, "rows": list(range(N))}
    files = {"pesos": packed_weights("vit_cifras"), "imagenes": as_bytes(images)}
    return run_engine(tmp_path, READ_DIGITS, given, files, source, path)


@pytest.fixture(scope="module")
def vit():
    return with_page_weights("vit_cifras", classification.load("vit_cifras"))


@pytest.fixture(scope="module")
def digits() -> torch.Tensor:
    """Imágenes al azar, unas con mucha tinta y otras con poca."""
    return torch.rand(N, 1, 8, 8, generator=torch.Generator().manual_seed(0)) ** 3


@BOTH_PATHS
@torch.no_grad()
def test_vit_reads(tmp_path, vit, digits, path):
    answer = read_digits(tmp_path, digits, path=path)
    check(answer["logits"], list(vit(digits)))
    maps = vit.attention_maps(digits)
    rollout, last = attention_rollout(maps)[:, 0], maps[-1].mean(1)[:, 0]
    assert np.abs(np.array(answer["rollout"]) - rollout.numpy()).max() < TOLERANCE
    assert np.abs(np.array(answer["last"]) - last.numpy()).max() < TOLERANCE


BUGS = {
    "los parches, por columnas": (
        "(r % size) * size + (c % size)",
        "(c % size) * size + (r % size)",
    ),
    "sin el token de clase": ('x.set(this.weight("class_token").data);', ""),
    "el despliegue, del derecho": ("[...maps].reverse()", "[...maps]"),
}


@torch.no_grad()
@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_vit_is_noticed(tmp_path, vit, digits, bug):
    right, wrong = BUGS[bug]
    source = engine_source()
    assert source.count(right) == 1
    answer = read_digits(tmp_path, digits, source.replace(right, wrong))
    rollout = attention_rollout(vit.attention_maps(digits))[:, 0]
    with pytest.raises(AssertionError):
        check(answer["logits"], list(vit(digits)))
        assert np.abs(np.array(answer["rollout"]) - rollout.numpy()).max() < TOLERANCE


SEGMENT = """
const model = new Segmenter(readBytes("pesos"), INPUT.config);
const images = new Float32Array(readBytes("escenas"));
ANSWER.found = Array.from({ length: images.length / 12288 }, (_, i) => {
  const { logits, masks } = model.segment(images.subarray(i * 12288, (i + 1) * 12288));
  const options = { rows: INPUT.config.n_queries, classes: 5, size: 64, threshold: 0.3 };
  (ANSWER.segments ??= []).push(
    panopticAnswer({ logits, masks, side: 32 }, options)
      .map(({ kind, points }) => [kind, [...points]]),
  );
  return [...logits, ...masks];
});
"""


@BOTH_PATHS
@torch.no_grad()
def test_segmenter_finds(tmp_path, path):
    model = with_page_weights("mask2former", segmentation.load("mask2former").model)
    scenes = make_scenes(N, torch.Generator().manual_seed(3), CROWDED_SCENES).images
    given = {"config": weights_card("mask2former").config}
    files = {"pesos": packed_weights("mask2former"), "escenas": channels_last(scenes)}
    answer = run_engine(tmp_path, SEGMENT, given, files, path=path)
    found = model(scenes)[-1]
    check(answer["found"], list(torch.cat([found.logits.flatten(1), found.masks.flatten(1)], 1)))
    # De ahí, la misma respuesta panóptica: las mismas clases en los mismos puntos.
    panoptic = panoptic_answer(found.logits.sigmoid(), enlarge(found, (64, 64)))
    for mine, theirs in zip(answer["segments"], panoptic, strict=True):
        kinds = np.zeros(64 * 64, dtype=int)
        for kind, points in mine:
            kinds[np.array(points, dtype=bool)] = kind
        assert (kinds != theirs[..., 0].flatten().numpy()).mean() < 1e-3
        assert len(mine) == len(theirs[..., 1].unique()) - 1


LOCATE = """
const model = new PoseFinder(readBytes("pesos"), INPUT.config);
const images = new Float32Array(readBytes("escenas"));
ANSWER.found = Array.from({ length: images.length / 12288 }, (_, i) =>
  [...model.read(images.subarray(i * 12288, (i + 1) * 12288))],
);
ANSWER.places = ANSWER.found.map((logits) =>
  model.locate(Float32Array.from(logits)).map(({ x, y, confidence }) => [x, y, confidence]),
);
"""


@BOTH_PATHS
@torch.no_grad()
def test_pose_is_located(tmp_path, path):
    model = with_page_weights("pose_simcc", pose.load("pose_simcc").model)
    images = make_figures(N, torch.Generator().manual_seed(3)).images
    given = {"config": weights_card("pose_simcc").config}
    files = {"pesos": packed_weights("pose_simcc"), "escenas": channels_last(images)}
    answer = run_engine(tmp_path, LOCATE, given, files, path=path)
    check(answer["found"], list(model(images).flatten(1)))
    places, confidence = model.locate(images)
    expected = torch.cat([places, confidence[..., None]], dim=-1).numpy()
    assert np.abs(np.array(answer["places"]) - expected).max() < TOLERANCE


def test_the_page_draws_the_same_figures_as_the_course(tmp_path):
    """La postura, y qué puntos son de la figura; y arrastrar un hueso lo apunta a donde se dice."""
    angles = random_angles((20,), torch.Generator().manual_seed(0), 1.0)
    script = """
    ANSWER.joints = INPUT.degrees.map(poseJoints);
    const quiet = new Float32Array(64 * 64 * 3);
    const place = ([x, y]) => [32 + 48 * x, 32 + 48 * y];
    const empty = paintPose({ block: NO_BLOCK, empty: true }, ANSWER.joints[0], 48, quiet);
    ANSWER.inside = ANSWER.joints.map((joints) => {
      const image = paintPose({ block: NO_BLOCK }, joints.map(place), 48, quiet);
      return Array.from({ length: 64 * 64 }, (_, p) => Number(image[3 * p] !== empty[3 * p]));
    });
    ANSWER.aimed = INPUT.degrees.map((degrees) => ANGLES.map(([, joint], n) => {
      if (joint === null) return degrees[n];
      const joints = poseJoints(degrees);
      const middle = [0, 1].map((axis) => (joints[1][axis] + joints[2][axis]) / 2);
      const from = joint ? joints[joint - 2] : middle;
      return aimedAngle(degrees, n, [joints[joint][0] - from[0], joints[joint][1] - from[1]]);
    }));
    """
    figure = (ROOT / "tfcourse/widgets/posing.js").read_text(encoding="utf-8")
    figure = figure[: figure.index("class PosingFigure")]
    degrees = torch.rad2deg(angles)
    source = engine_source() + "const SCENE = 64;" + figure
    answer = run_engine(tmp_path, script, {"degrees": degrees.tolist()}, {}, source)
    joints = joints_from_angles(angles)
    assert np.abs(np.array(answer["joints"]) - joints.numpy()).max() < 1e-5
    heights = torch.full((20,), 48.0)
    drawn = draw_skeletons(32 + 48 * joints, heights, torch.ones(20, 3, 3), 64).inside
    assert np.mean(np.array(answer["inside"], dtype=bool) != drawn.flatten(1).numpy()) < 1e-3
    assert np.abs(np.array(answer["aimed"]) - degrees.numpy()).max() < 1e-2


TELL = """
const model = new BoxWriter(readBytes("pesos"), INPUT.config);
const images = new Float32Array(readBytes("escenas"));
ANSWER.words = [];
ANSWER.maps = [];
ANSWER.found = INPUT.written.map((words, i) => {
  model.see(images.subarray(i * 12288, (i + 1) * 12288));
  const state = model.start();
  let [logits, maps] = [null, []];
  for (const word of words) {
    maps = [];
    logits = model.step(word, state, (layer, head, weights) => maps.push([...weights]));
  }
  ANSWER.maps.push(maps);
  const { objects } = model.writeObjects(4);
  ANSWER.words.push(objects.map(({ words, score }) => [...words, score]));
  return [...logits];
});
"""


@BOTH_PATHS
@torch.no_grad()
def test_boxes_are_told(tmp_path, path):
    model = with_page_weights("pix2seq_figuras", box_language.load("pix2seq_figuras").model)
    vocabulary, generator = model.vocabulary, torch.Generator().manual_seed(3)
    images = make_scenes(N, generator).images
    written = [
        [vocabulary.start_id, *torch.randint(69, (i % 12,), generator=generator).tolist()]
        for i in range(N)
    ]
    given = {"config": weights_card("pix2seq_figuras").config, "written": written}
    files = {"pesos": packed_weights("pix2seq_figuras"), "escenas": channels_last(images)}
    answer = run_engine(tmp_path, TELL, given, files, path=path)
    rows = [torch.tensor([[words]]) for words in written]
    check(answer["found"], [model(images[i : i + 1], row)[0, 0, -1] for i, row in enumerate(rows)])
    cross = model.attention_maps(images[7:8], rows[7]).cross
    seen = torch.cat([layer[0, :, -1] for layer in cross])
    assert np.abs(np.array(answer["maps"][7]) - seen.numpy()).max() < TOLERANCE
    reading = write_objects(model, model.start(images), N, 4, stop=stop_as_event)
    for mine, words, scores in zip(answer["words"], reading.words, reading.scores, strict=True):
        kept = scores > 0
        assert [row[:5] for row in mine] == words[kept].tolist()
        assert np.allclose([row[5] for row in mine], scores[kept].numpy(), atol=TOLERANCE)
