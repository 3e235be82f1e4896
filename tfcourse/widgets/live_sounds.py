"""Figuras vivas que oyen: voces sintéticas que se eligen, se mezclan o se dictan."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from tfcourse.audio.mel import mel_corners
from tfcourse.audio.speech_mel import SPEECH_MEL
from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE, SpeechVocabulary
from tfcourse.weights.shipped import weights_card
from tfcourse.widgets.base import style_source
from tfcourse.widgets.live import LiveWidget, live_source
from tfcourse.widgets.sounds import encoded_wave

HEARD = style_source("drawing.css", "alignment.css", "live.css", "heard.css")


class TranscribingWidget(LiveWidget):
    """Un Whisper al que se le dictan cifras: lo que lee, lo que escribe y a qué instante mira.

    Args:
        voices: el nombre de cada voz y sus diez cifras, del cero al nueve, en ondas (T,) a las
            muestras por segundo de `SPEECH_MEL`.

    Raises:
        ValueError: si no hay voces, si a alguna le falta una cifra o si no caben en la página.
    """

    _esm = live_source(
        "modelos/search.js",
        "modelos/seq2seq.js",
        "modelos/whisper.js",
        "fourier.js",
        "waves.js",
        "transcribing.js",
    )
    _css = HEARD

    def __init__(self, voices: Mapping[str, Sequence[Tensor]]):
        vocabulary = SpeechVocabulary()
        counts = {name: len(clips) for name, clips in voices.items()}
        if not voices or set(counts.values()) != {len(vocabulary.heard)}:
            raise ValueError(
                f"llegaron las voces {counts}: hace falta al menos una, y de cada una, sus "
                f"{len(vocabulary.heard)} cifras"
            )
        mel = SPEECH_MEL
        super().__init__(
            "whisper_cifras",
            weights_card("whisper_cifras").config,
            voices=[
                {"title": name, "clips": [encoded_wave(clip) for clip in clips]}
                for name, clips in voices.items()
            ],
            mel={
                "rate": mel.sample_rate,
                "n_fft": mel.n_fft,
                "hop": mel.hop,
                "corners": mel_corners(mel).tolist(),
            },
            tokens=list(vocabulary.tokens),
            words={TRANSCRIBE: list(vocabulary.heard), TRANSLATE: list(vocabulary.translated)},
            prompts={task: vocabulary.prompt(task) for task in (TRANSCRIBE, TRANSLATE)},
            stop=vocabulary.stop_id,
        )


class SeparatingWidget(LiveWidget):
    """Un SepFormer que separa dos voces, mezcladas como quiera quien lee.

    Args:
        voices: el nombre de cada voz y su onda (T,), a `rate` muestras por segundo, las del modelo.

    Raises:
        ValueError: si hay menos de dos voces o si no caben en la página.
    """

    _esm = live_source("modelos/sepformer.js", "fourier.js", "waves.js", "separating.js")
    _css = HEARD

    def __init__(self, voices: Mapping[str, Tensor], rate: int = SPEECH_MEL.sample_rate):
        if len(voices) < 2:
            raise ValueError(f"llegaron {len(voices)} voces: para mezclar hacen falta al menos dos")
        super().__init__(
            "sepformer_cifras",
            weights_card("sepformer_cifras").config,
            voices=[
                {"title": name, "samples": encoded_wave(wave)} for name, wave in voices.items()
            ],
            rate=rate,
        )
