"""El motor que oye en la página calcula lo mismo que PyTorch, con los mismos pesos."""

import numpy as np
import pytest
import torch

from tests.widgets.engine import as_bytes, engine_source, run_engine
from tests.widgets.test_engine import BOTH_PATHS, TOLERANCE, N, check, with_page_weights
from tfcourse.audio.mel import mel_corners
from tfcourse.audio.speech_mel import SPEECH_MEL, speech_mel
from tfcourse.sound.separation import recipe as separation
from tfcourse.sound.separation.metrics import si_snr
from tfcourse.sound.transcription import recipe as transcription
from tfcourse.weights.packing import packed_weights
from tfcourse.weights.shipped import weights_card

pytestmark = pytest.mark.lento
RATE = SPEECH_MEL.sample_rate


def draw_waves(n: int, seconds: tuple[float, float]) -> list[torch.Tensor]:
    """Ondas al azar: tonos que suben y bajan, con silencios y algo de ruido."""
    generator = torch.Generator().manual_seed(0)
    waves = []
    for _ in range(n):
        length, *tones = torch.rand(4, generator=generator).tolist()
        time = torch.arange(round(RATE * (seconds[0] + length * (seconds[1] - seconds[0])))) / RATE
        loud = (torch.sin(3 * time * (1 + tones[0])) > -0.3).float()
        wave = loud * sum(torch.sin(2 * torch.pi * (150 + 2500 * t) * time) for t in tones) / 6
        waves.append(wave + 0.01 * torch.randn(len(wave), generator=generator))
    return waves


MEL = {
    "rate": RATE,
    "n_fft": SPEECH_MEL.n_fft,
    "hop": SPEECH_MEL.hop,
    "corners": mel_corners(SPEECH_MEL).tolist(),
}
HEAR = """
const model = new Whisper(readBytes("pesos"), INPUT.config);
const samples = new Float32Array(readBytes("ondas"));
let from = 0;
ANSWER.mels = [];
ANSWER.maps = [];
ANSWER.texts = [];
ANSWER.logits = INPUT.lengths.map((length, i) => {
  const mels = speechMel(samples.subarray(from, (from += length)), INPUT.mel);
  ANSWER.mels.push([...mels]);
  model.hear(mels, INPUT.prompt);
  const state = model.start();
  const maps = [];
  let logits;
  for (const token of [INPUT.prompt.at(-1), ...INPUT.written[i]]) {
    maps.length = 0;
    logits = model.step(token, state, (layer, head, weights) => maps.push([...weights]));
  }
  ANSWER.maps.push(maps);
  const options = { size: 1, start: INPUT.prompt.at(-1), stop: 0, most: 12 };
  ANSWER.texts.push(beamSearch(model, options).best);
  return [...logits];
});
"""


@pytest.fixture(scope="module")
def whisper():
    return with_page_weights("whisper_cifras", transcription.load("whisper_cifras"))


@pytest.fixture(scope="module")
def heard(whisper):
    """Cincuenta ondas, lo que ya se ha escrito de cada una y lo que contesta PyTorch."""
    generator = torch.Generator().manual_seed(1)
    waves = draw_waves(N, (0.4, 3.0))
    written = [torch.randint(6, 26, (i % 6,), generator=generator).tolist() for i in range(N)]
    mels = [speech_mel(wave[None]) for wave in waves]
    prompt = transcription.VOCABULARY.prompt()
    with torch.no_grad():
        rows = [torch.tensor([prompt + some]) for some in written]
        logits = [whisper(mel, row)[0, -1] for mel, row in zip(mels, rows, strict=True)]
        memories = [whisper.encoder(mel) for mel in mels]
        maps = [
            torch.cat([layer.cross[0, :, -1] for layer in whisper.decoder.attention_maps(r, m)])
            for r, m in zip(rows, memories, strict=True)
        ]
    return waves, written, mels, logits, maps


def listen(tmp_path, waves, written, source=None, path="con el núcleo") -> dict:
    given = {
        "config": weights_card("whisper_cifras").config,
        "mel": MEL,
        "prompt": transcription.VOCABULARY.prompt(),
        "written": written,
        "lengths": [len(wave) for wave in waves],
    }
    files = {"pesos": packed_weights("whisper_cifras"), "ondas": as_bytes(torch.cat(waves))}
    return run_engine(tmp_path, HEAR, given, files, source, path)


@BOTH_PATHS
@torch.no_grad()
def test_whisper_hears_and_writes(tmp_path, whisper, heard, path):
    waves, written, mels, logits, maps = heard
    answer = listen(tmp_path, waves, written, path=path)
    check(answer["mels"], [mel[0].T for mel in mels])
    check(answer["logits"], logits)
    for mine, theirs in zip(answer["maps"], maps, strict=True):
        assert np.abs(np.array(mine) - theirs.numpy()).max() < TOLERANCE
    texts = [
        transcription.transcribe(whisper, [wave], transcription.VOCABULARY) for wave in waves[:10]
    ]
    tokens = transcription.VOCABULARY.tokens
    assert [[" ".join(tokens[i] for i in t)] for t in answer["texts"][:10]] == texts


BUGS = {
    "sin pesar por la ventana": ("weight * reflected(samples", "1 * reflected(samples"),
    "senos y cosenos, mezclados": ("(i < half ? Math.sin(angle)", "(i % 2 ? Math.sin(angle)"),
    "el tallo, desplazado": ("r * stride + i - 1;", "r * stride + i;"),
}


@torch.no_grad()
@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_ear_is_noticed(tmp_path, heard, bug):
    right, wrong = BUGS[bug]
    source = engine_source()
    assert source.count(right) == 1
    waves, written, mels, logits, _ = heard
    answer = listen(tmp_path, waves, written, source.replace(right, wrong))
    with pytest.raises(AssertionError):
        check(answer["mels"], [mel[0].T for mel in mels])
        check(answer["logits"], logits)


SEPARATE = """
const model = new SepFormer(readBytes("pesos"), INPUT.config);
const samples = new Float32Array(readBytes("ondas"));
let from = 0;
ANSWER.ratios = [];
ANSWER.waves = INPUT.lengths.map((length) => {
  const wave = samples.subarray(from, (from += length));
  const { waves } = model.separate(wave);
  ANSWER.ratios.push(waves.map((part) => signalToNoise(part, wave)));
  return waves.flatMap((part) => [...part].map((v) => 5 * v));
});
"""


@BOTH_PATHS
@torch.no_grad()
def test_sepformer_separates(tmp_path, path):
    """Las ondas, cinco veces más fuertes: así llegan a 1, como pide la comparación."""
    model = with_page_weights("sepformer_cifras", separation.load("sepformer_cifras"))
    waves = draw_waves(N, (0.2, 0.9))
    given = {
        "config": weights_card("sepformer_cifras").config,
        "lengths": [len(wave) for wave in waves],
    }
    files = {"pesos": packed_weights("sepformer_cifras"), "ondas": as_bytes(torch.cat(waves))}
    answer = run_engine(tmp_path, SEPARATE, given, files, path=path)
    parts = [model(wave[None])[0] for wave in waves]
    check(answer["waves"], [5 * part for part in parts])
    for mine, theirs, wave in zip(answer["ratios"], parts, waves, strict=True):
        assert np.allclose(mine, si_snr(theirs, wave.expand_as(theirs)).numpy(), atol=0.01)
