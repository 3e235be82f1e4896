"""Las fichas de `data/LEEME.md` dicen la verdad: se regenera cada conjunto y se compara."""

import hashlib
import re
from collections.abc import Iterable

import pytest
import torch
from torch import Tensor

from tests.conftest import ROOT
from tfcourse.datasets.agents.control import CONTROL, expert_episodes
from tfcourse.datasets.folders.chest import MD5 as CHEST
from tfcourse.datasets.folders.cifar import CIFAR10
from tfcourse.datasets.folders.conversations import CONVERSATIONS_SOURCE, MESSAGES
from tfcourse.datasets.folders.imdb import ARCHIVE as IMDB
from tfcourse.datasets.folders.spanish_tweets import FILES as TWEETS
from tfcourse.datasets.folders.spanish_tweets import TWEETS_SOURCE
from tfcourse.datasets.folders.speech_commands import ARCHIVE as SPEECH_COMMANDS
from tfcourse.datasets.folders.wikipedia import WIKIPEDIA_SOURCE
from tfcourse.datasets.pictures.captions import HELD_OUT, KINDS, drawings
from tfcourse.datasets.pictures.digits import handwritten_digits, split_digits
from tfcourse.datasets.pictures.openmoji import SIDE, all_pictures, split_pictures
from tfcourse.datasets.puzzles.adding import adding_examples
from tfcourse.datasets.puzzles.cards import marked_game, match_game, search_game
from tfcourse.datasets.puzzles.intruders import intruder_documents
from tfcourse.datasets.puzzles.needles import make_needles
from tfcourse.datasets.puzzles.reversal import reversal_batch
from tfcourse.datasets.records.patients import reserved_patients
from tfcourse.datasets.reviews import review_split
from tfcourse.datasets.scenes.asked_scenes import description, held_out
from tfcourse.datasets.scenes.figures import CROWD, ONE_FIGURE, reserved_figures
from tfcourse.datasets.scenes.motions import MOTIONS, PAIRS, caption, split_pairs
from tfcourse.datasets.scenes.scenes import DIGIT_SCENES, SHAPE_SCENES, reserved_scenes
from tfcourse.datasets.sounds.digit_pairs import CLEAN, reserved_pairs, split_pools
from tfcourse.datasets.sounds.spoken_phrases import reserved_phrases
from tfcourse.datasets.sounds.spoken_words import split_spoken_digits
from tfcourse.datasets.sounds.voice_mixtures import reserved_mixtures
from tfcourse.datasets.tasks.instruction_words import PARTS, shared_words
from tfcourse.datasets.tasks.instructions import instructions
from tfcourse.datasets.tasks.mixture import all_tasks
from tfcourse.datasets.text.analogies import ANALOGIES, CATEGORIES, analogy_questions
from tfcourse.datasets.text.articles import SHA256, spanish_articles, split_articles
from tfcourse.datasets.text.dates import date_pairs
from tfcourse.datasets.text.emojis import emoji_names
from tfcourse.datasets.text.grammar import grammar_split
from tfcourse.datasets.text.interface import PACKAGES
from tfcourse.datasets.text.rated_snippets import ARCHIVE as SNIPPETS
from tfcourse.datasets.text.rated_snippets import SETS
from tfcourse.datasets.text.translation import TATOEBA, phrase_lists
from tfcourse.multimodal.generalist.metrics import held_out_scenes
from tfcourse.text.optimization import recipe as race
from tfcourse.text.transformer.recipe import N_TEST
from tfcourse.weights.shipped import weights_card

CARDS = (ROOT / "data" / "LEEME.md").read_text(encoding="utf-8").split("\n## ")[1:]


def card(title):
    return next(text for text in CARDS if text.startswith(title))


def digest(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_the_table_names_every_card_and_only_chapters_of_the_book():
    head = (ROOT / "data" / "LEEME.md").read_text(encoding="utf-8").split("\n## ")[0]
    rows = [line.split(" | ") for line in head.splitlines() if line.startswith("| ")]
    names = {row[0].removeprefix("| ") for row in rows} - {"conjunto"}
    assert names == {text.split("\n")[0].removesuffix(" (perfil `completo`)") for text in CARDS}
    said = {slug for row in rows for slug in re.findall(r"`(\w+)`", row[1])}
    assert said <= {path.stem for path in (ROOT / "chapters").glob("*/*.ipynb")}


def test_adding_problem():
    x, answers = adding_examples(1_000, 100, torch.Generator().manual_seed(0))
    text = card("Problema de la suma")
    marked = x[..., 1].nonzero()[:, 1].view(-1, 2).tolist()
    rows = zip(marked, answers[:, 0].tolist(), strict=True)
    assert digest(f"{first} {second} {answer:.4f}" for (first, second), answer in rows) in text
    assert f"{len(x)} secuencias de {x.shape[1]} pasos" in text


def test_dates():
    train, test = date_pairs(20_000, 500, seed=0)
    text = card("Fechas")
    assert digest(f"{p.text}\t{p.iso}" for p in train + test) in text
    assert f"{len(train)} para entrenar, {len(test)} para evaluar" in text


def test_phrase_lists():
    pairs = phrase_lists(5_000, range(1, 5), seed=0)
    text = card("Listas")
    assert digest(f"{' '.join(p.source)}\t{' '.join(p.target)}" for p in pairs) in text
    assert f"{len(pairs)} parejas" in text


def test_reversal():
    generator = torch.Generator().manual_seed(race.TEST_SEED)
    source, _, target = reversal_batch(
        race.N_TEST, race.LENGTH, race.N_SYMBOLS, generator, reserved=True
    )
    text = card("Secuencias")
    pairs = zip(source.tolist(), target.tolist(), strict=True)
    assert digest(f"{read}\t{written}" for read, written in pairs) in text
    assert f"{len(source)} para evaluar" in text
    kinds = race.N_SYMBOLS ** (race.LENGTH - 1)
    assert f"{kinds} secuencias reservadas de las {race.N_SYMBOLS * kinds}" in text


@pytest.mark.lento
def test_grammar():
    train, test, reserved = grammar_split(20_000, 500, seed=0)
    text = card("Oraciones")
    lines = (f"{' '.join(s.source)}\t{' '.join(s.target)}" for s in (*train, *test, *reserved))
    assert digest(lines) in text
    assert f"{len(train)} para entrenar, {len(test)} para evaluar" in text


def test_drawings():
    seen = tuple(kind for kind in KINDS if kind not in HELD_OUT)
    part, text = drawings(2_000, seen, seed=0), card("Dibujos")
    assert digest(" ".join(caption) for caption in part.captions) in text
    assert f"{len(KINDS)} clases, de las que {len(HELD_OUT)}" in text
    assert f"{len(part)} dibujos para entrenar" in text


def test_needles():
    needles = make_needles(200, 256, generator=torch.Generator().manual_seed(99))
    text = card("Agujas")
    assert digest(" ".join(map(str, row)) for part in needles for row in part.tolist()) in text
    assert f"{len(needles.kinds)} secuencias de {needles.kinds.shape[1]} posiciones" in text


def test_spanish_articles():
    train, test = split_articles()
    text = card("Resúmenes")
    assert SHA256 in text
    assert f"{len(spanish_articles())} artículos distintos" in text
    assert f"{len(train)} para entrenar y {len(test)} para evaluar" in text


def test_downloads_are_documented():
    for title, file in (("Tatoeba", TATOEBA), ("IMDB", IMDB), ("Críticas en inglés", SNIPPETS)):
        text = card(title)
        assert str(file.size) in text and file.name in text and (file.sha256 or "") in text


def test_reviews():
    train, test = review_split(4_800, 1_000, seed=0)
    text = card("Reseñas inventadas")
    assert digest(f"{r.label}\t{r.text}" for r in train + test) in text
    assert f"{len(train)} para entrenar, {len(test)} para evaluar" in text


def test_rated_snippets():
    text = card("Críticas en inglés")
    assert all(str(count) in text for _, count in SETS.values())


def test_texts_of_full_scale():
    wikipedia, tweets = card("Wikipedia en español (perfil"), card("Tuits en español")
    for fact in (WIKIPEDIA_SOURCE.page, WIKIPEDIA_SOURCE.licence, WIKIPEDIA_SOURCE.variable):
        assert fact in wikipedia
    assert f"unos {WIKIPEDIA_SOURCE.gigabytes} GB" in wikipedia
    texts = TWEETS["test"][0]
    for fact in (str(texts.size), texts.sha256, TWEETS_SOURCE.page, TWEETS_SOURCE.licence):
        assert fact in tweets
    source = CONVERSATIONS_SOURCE
    for fact in (str(MESSAGES.size), MESSAGES.sha256, MESSAGES.name, source.page, source.licence):
        assert fact in card("Conversaciones de OpenAssistant")


def test_every_card_has_origin_and_licence():
    for text in CARDS:
        for wanted in (r"\*\*Origen\*\*", r"\*\*Licencia\*\*", r"\*\*Código\*\*"):
            assert re.search(wanted, text), (text.splitlines()[0], wanted)


def test_card_games():
    for make, n_games in ((search_game, 4_000), (match_game, 8_000), (marked_game, 4_000)):
        columns = make(n_games, seed=0).tensors()
        rows = (
            "\t".join(map(str, row)) for row in zip(*(c.tolist() for c in columns), strict=True)
        )
        assert digest(rows) in card("Juegos de cartas")


def test_intruder_documents():
    documents = intruder_documents(split_articles()[0], 4_000, seed=0)
    lines = (
        f"{d.topic}\t{d.place}\t{' | '.join(' '.join(s) for s in d.sentences)}" for d in documents
    )
    assert digest(lines) in card("Documentos con oración intrusa")


def test_analogies():
    text = card("Categorías")
    words, pairs = sum(map(len, CATEGORIES.values())), sum(map(len, ANALOGIES.values()))
    questions = sum(len(analogy_questions(relation)) for relation in ANALOGIES)
    assert f"{words} palabras en categorías y {pairs} parejas; {questions} preguntas" in text


def test_emoji_names():
    promised = int(re.search(r"algo más de (\d+) parejas", card("Nombres de emojis"))[1])
    assert promised < len(emoji_names()) < promised + 200


def test_interface_texts():
    """Los textos no se guardan: se comprueba lo que dice la ficha de los pesos."""
    text, recipe = card("Textos de programas"), weights_card("traductor").recipe
    assert f"{recipe['pairs']} parejas para entrenar y {N_TEST} para evaluar" in text
    assert recipe["data_sha256"] in text
    for archive, licence in PACKAGES.items():
        name, version = archive.split("-")[:2]
        told = rf"{name.replace('_', '[-._]')} {re.escape(version)}\b"
        assert re.search(told, text, re.IGNORECASE), archive
        listed = re.search(rf"`{re.escape(licence)}` \(([^)]*)\)", text)[1].lower()
        assert re.search(name.replace("_", "[-._]"), listed), (archive, licence)


@pytest.mark.lento
def test_named_pictures():
    text = card("Dibujos con nombre")
    promised = int(re.search(r"algo más de (\d+) dibujos", text)[1])
    assert promised < len(all_pictures()) < promised + 200
    assert f"{len(split_pictures(200)[1])} para evaluar" in text and f"{SIDE} × {SIDE}" in text


@pytest.mark.lento
def test_text_to_text_tasks():
    tasks, text = all_tasks(), card("Siete tareas")
    for name in ("plural", "cifras"):
        pairs = tasks[name].train + tasks[name].test
        assert digest(f"{a}\t{b}" for a, b in pairs) in text
    for name, data in tasks.items():
        assert f"{name} {len(data.train)} y {len(data.test)}" in text


def test_instructions():
    text, shared = card("Instrucciones con una sola respuesta"), shared_words()
    examples = [e for side in (False, True) for e in instructions("evaluar", 60, reserved=side)]
    assert digest(f"{e.prompt}\t{e.answer}" for e in examples) in text
    for part in PARTS:
        sizes = ", ".join(str(len(shared[part][n])) for n in shared[part])
        assert f"{sizes} para {part}" in text


def test_scenes():
    lines = []
    for config in (SHAPE_SCENES, DIGIT_SCENES):
        batch = reserved_scenes(200, config)
        seen = batch.masks.sum((-2, -1))
        for n, classes, pixels in zip(
            *map(Tensor.tolist, (batch.counts, batch.classes, seen)), strict=True
        ):
            lines.append(f"{n} {classes[:n]} {pixels[:n]}")
    assert digest(lines) in card("Escenas con objetos")


def test_figures():
    lines = []
    for config in (ONE_FIGURE, CROWD):
        batch = reserved_figures(200, config)
        points = (10 * config.size * batch.keypoints).round().long()
        for n, places, seen in zip(
            *map(Tensor.tolist, (batch.counts, points, batch.visible.long())), strict=True
        ):
            lines.append(f"{n} {places[:n]} {seen[:n]}")
    assert digest(lines) in card("Figuras articuladas")


def test_chest():
    assert CHEST in card("ChestMNIST")


def test_digits():
    digits, text = handwritten_digits(), card("Cifras manuscritas")
    pixels = (16 * digits.images).round().to(torch.uint8)
    content = pixels.numpy().tobytes() + digits.labels.to(torch.uint8).numpy().tobytes()
    assert hashlib.sha256(content).hexdigest() in text
    train, test = split_digits()
    assert f"{len(train)} para entrenar, {len(test)} para evaluar" in text


def test_cifar():
    assert str(CIFAR10.size) in card("CIFAR-10") and CIFAR10.sha256 in card("CIFAR-10")


def energies(waves: Iterable[Tensor]) -> bytes:
    """La energía de cada sonido, sin decimales: los de un remuestreo cambian con el procesador."""
    return " ".join(f"{wave.double().square().sum():.0f}" for wave in waves).encode()


@pytest.mark.lento
def test_spoken_digits():
    train, test = split_spoken_digits()
    text = card("Cifras dichas por voces")
    content = energies(test.waves) + str(test.labels.tolist()).encode()
    assert hashlib.sha256(content).hexdigest() in text
    for side, use in ((train, "entrenar"), (test, "evaluar")):
        assert f"{len(set(side.voices))} voces y {len(side)} clips para {use}" in text


def test_spoken_phrases():
    test, text = reserved_phrases(), card("Frases de cifras")
    for phrases in (test, reserved_phrases(language="en")):
        content = energies(p.wave for p in phrases) + str([p.labels for p in phrases]).encode()
        assert hashlib.sha256(content).hexdigest() in text
    words, voices = sum(len(p.labels) for p in test), len({p.voice for p in test})
    assert f"{len(test)} frases y {words} palabras para evaluar, de {voices} voces" in text


def test_digit_pairs():
    """La huella es de las parejas sin estropear: el ruido tiene decimales de cada procesador."""
    pairs, lying = reserved_pairs(damage=CLEAN), reserved_pairs(damage=CLEAN, lying=True)
    text = card("Parejas de cifras")
    parts = (16 * pairs.images).round(), pairs.seen, lying.heard
    content = b"".join(part.to(torch.int8).numpy().tobytes() for part in parts)
    content += energies(pairs.waves)
    assert hashlib.sha256(content).hexdigest() in text
    images, sounds = split_pools()[1].images, split_pools()[1].sounds
    assert f"{len(pairs)} parejas para evaluar" in text
    assert f"{len(images)} imágenes y {len(sounds)} clips" in text


def test_voice_mixtures():
    test, text = reserved_mixtures(), card("Mezclas de dos voces")
    content = (test.sources * 127).round().clamp(-128, 127).to(torch.int8).numpy().tobytes()
    assert hashlib.sha256(content).hexdigest() in text
    voices = {name for pair in test.voices for name in pair}
    assert f"{len(test)} mezclas para evaluar, de {len(voices)} voces" in text


def test_speech_commands():
    text = card("Speech Commands")
    assert SPEECH_COMMANDS.sha256 in text and SPEECH_COMMANDS.name in text


def test_clips_with_captions():
    train, reserved = split_pairs()
    text = card("Clips de una figura")
    assert digest(" ".join(caption(*pair)) for pair in reserved) in text
    assert f"{len(MOTIONS)} movimientos, que dan {len(PAIRS)} parejas ordenadas" in text
    assert f"{len(train)} para entrenar y {len(reserved)} reservadas" in text


def test_synthetic_patients():
    people = reserved_patients()
    text = card("Pacientes sintéticos")
    rows = (people.ages, people.outcome, people.codes.flatten(1))
    rows = zip(*(part.tolist() for part in rows), strict=True)
    assert digest(f"{age} {outcome} {codes}" for age, outcome, codes in rows) in text
    assert f"{len(people)} pacientes reservados, con {int((people.codes >= 0).sum())}" in text
    assert f"ocurre a {int(people.outcome.sum())}" in text


def test_told_scenes():
    scenes = held_out_scenes(200)
    rows = (" ".join(s.caption) + f" {[q for q, _, _ in s.things]}" for s in scenes)
    assert digest(rows) in card("Escenas contadas")


def test_asked_scenes():
    pairs = [pair for reserved in (False, True) for pair in held_out(40, reserved=reserved)]
    rows = (" ".join([*description(s), *q.words, *q.answer]) for s, q in pairs)
    assert digest(rows) in card("Escenas preguntadas")


def test_control_episodes():
    episodes = [e for name in CONTROL for e in expert_episodes(name, 4, kicks=0.0)]
    rows = (f"{e.task} {e.goal} {e.actions.flatten().tolist()}" for e in episodes)
    assert digest(rows) in card("Episodios de control")
    assert max(map(len, episodes)) == 200
