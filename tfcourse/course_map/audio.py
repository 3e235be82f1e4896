"""Las filas del mapa: audio."""

from tfcourse.course_map.rows import Row, shipped
from tfcourse.datasets.sounds.spoken_words import DIGITS
from tfcourse.models.sepformer import SepFormer, SepFormerConfig
from tfcourse.models.sepformer_published import (
    PublishedDualPath,
    PublishedFront,
    PublishedMaskNet,
    PublishedPath,
    PublishedSepFormer,
    WholeNorm,
)
from tfcourse.models.sound_classifier import SoundClassifier, SoundConfig
from tfcourse.models.wav2vec2 import Wav2Vec2, Wav2Vec2Config, Wav2Vec2Pretraining, WaveTagger
from tfcourse.models.wav2vec2_published import NormedWaveEncoder, PublishedWav2Vec2
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.unlabelled.few_labels import SEGMENTS

WAV2VEC = "5_audio/wav2vec"
PUBLISHED_SEPFORMER = (
    PublishedSepFormer, PublishedFront, PublishedMaskNet, PublishedDualPath, PublishedPath,
    WholeNorm,
)  # fmt: skip


def wav2vec_config() -> Wav2Vec2Config:
    """El que viene con el curso."""
    return Wav2Vec2Config(**shipped("wav2vec_cifras"))


def tagger() -> WaveTagger:
    """El mismo, con una capa encima que dice la palabra."""
    return WaveTagger(Wav2Vec2(wav2vec_config()), len(DIGITS), segments=SEGMENTS, frozen=False)


ROWS = (
    Row(
        "Clasificador de palabras dichas", "5_audio/espectrograma",
        lambda: SoundClassifier(SoundConfig(len(DIGITS))), "columnas del espectrograma log-mel",
        "qué palabra es", "una capa sobre la media", looks=(("las columnas", "todos"),),
        reads="stem", writes="head",
    ),
    Row(
        "Whisper", "5_audio/whisper",
        lambda: Whisper(WhisperConfig(**shipped("whisper_cifras"))),
        "columnas del espectrograma, y palabras", "la palabra siguiente de la transcripción",
        "la tabla de palabras, al revés",
        looks=(
            ("el sonido", "todos"), ("lo escrito", "causal"), ("lo escrito al sonido", "cruzada"),
        ),
        reads="encoder.stem", writes="decoder.table",
    ),
    Row(
        "wav2vec 2.0", WAV2VEC, lambda: Wav2Vec2Pretraining(wav2vec_config()),
        "trozos de onda", "cuál de varios era el trozo tapado", "parecidos con unos candidatos",
        looks=(("los trozos", "todos"),), reads="wav2vec2.encoder", writes="project_context",
        also=(PublishedWav2Vec2, NormedWaveEncoder),
    ),
    Row(
        "wav2vec 2.0 ajustado", WAV2VEC,
        tagger, "trozos de onda", "qué palabra es, con pocas etiquetas",
        "una capa sobre la media por tramos",
        looks=(("los trozos", "todos"),), reads="wav2vec2.encoder", writes="head",
    ),
    Row(
        "SepFormer", "5_audio/sepformer",
        lambda: SepFormer(SepFormerConfig(**shipped("sepformer_cifras"))),
        "trozos de una mezcla de voces", "cada voz, en el orden que mejor case",
        "una máscara por hablante",
        looks=(("un camino", "dentro del trozo"), ("el otro", "entre trozos")),
        reads="mask_net.input", writes="mask_net.output", also=PUBLISHED_SEPFORMER,
    ),
)  # fmt: skip
