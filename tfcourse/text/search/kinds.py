"""Clases de consultas: dónde gana cada buscador y dónde pierde.

Las de «otras palabras», las mismas en inglés y las de negación se escribieron a mano, antes de ver
ningún resultado; las de nombres y años se sortean.
"""

import random
import re
from collections import Counter
from typing import NamedTuple

from tfcourse.datasets.text.articles import spanish_articles
from tfcourse.text.search.trials import Trial, collection, titled

N_DRAWN = 24
FOUR = re.compile(r"\b\d{4}\b")
YEAR = re.compile(r"\ben (?:el año )?([12]\d{3})\b(?![ .,]?\d| ?a\. ?C\.)", re.IGNORECASE)
OTHER_WORDS = (
    ("mueble para guardar la ropa", "piece of furniture to keep clothes in", "Armario"),
    ("mueble en el que uno se acuesta", "furniture to lie down on at night", "Cama"),
    ("se pone en la cabeza contra el sol", "worn on the head against the sun", "Sombrero"),
    ("abriga el cuello cuando hace frío", "keeps your neck warm in winter", "Bufanda"),
    ("aparato que calienta la comida con ondas", "it heats food with waves",
     "Horno de microondas"),
    ("olvidar quién eres tras un golpe", "forgetting who you are after a blow", "Amnesia"),
    ("rehén que acaba queriendo a su captor", "hostage who ends up loving the captor",
     "Síndrome de Estocolmo"),
    ("figuras que se hacen doblando hojas", "figures made by folding sheets", "Origami"),
    ("cómo leen los ciegos con los dedos", "how blind people read with their fingers", "Braille"),
    ("casarse con varias personas a la vez", "being married to several people at once",
     "Poligamia"),
    ("dejar de estar casados ante un juez", "to stop being married before a judge", "Divorcio"),
    ("caminar por una cuerda muy alta", "walking along a very high rope", "Funambulismo"),
    ("obra en la que un actor habla solo", "play in which an actor speaks alone", "Monólogo"),
    ("quemar a los muertos", "burning the dead", "Cremación"),
    ("volver a nacer con otra forma", "being born again in another form", "Reencarnación"),
    ("pensar que no hay ningún dios", "thinking that there is no god", "Ateísmo"),
    ("una bolita que cae en un número, en el casino", "a little ball landing on a number, casino",
     "Ruleta"),
    ("ir de Francia a Inglaterra en tren", "going from France to England by train", "Eurotúnel"),
    ("torre con aspas que da electricidad", "tower with blades that gives electricity",
     "Aerogenerador"),
    ("criar abejas", "keeping bees", "Apicultura"),
    ("casa de cristal para las plantas", "glass house for plants", "Invernadero"),
    ("calentar la leche para que dure", "heating milk so that it keeps", "Pasteurización"),
    ("cada cuatro, febrero trae uno más", "every four, February brings one more",
     "Año bisiesto"),
    ("moverse por el agua con brazos y piernas", "moving through water with arms and legs",
     "Natación"),
)  # fmt: skip


class Denied(NamedTuple):
    """La misma consulta, con y sin «no», y cómo se reconoce lo negado en un documento."""

    plain: str
    denied: str
    telltale: str


DENIED = (
    Denied("instrumento musical que es de cuerda", "instrumento musical que no es de cuerda",
           r"cuerdas?"),
    Denied("bebida que lleva alcohol", "bebida que no lleva alcohol", r"alcoh\w+"),
    Denied("deporte que se juega con pelota", "deporte que no se juega con pelota",
           r"pelotas?|balón"),
    Denied("país que tiene costa en el mar Mediterráneo",
           "país que no tiene costa en el mar Mediterráneo", r"mediterráneo"),
    Denied("escritor que es estadounidense", "escritor que no es estadounidense",
           r"estadounidenses?"),
    Denied("animal que es un mamífero", "animal que no es un mamífero", r"mamíferos?"),
    Denied("energía que es renovable", "energía que no es renovable", r"renovables?"),
    Denied("baile que viene de Argentina", "baile que no viene de Argentina",
           r"argentin[ao]s?|rioplatenses?"),
    Denied("lengua que es romance", "lengua que no es romance", r"romances?"),
    Denied("religión que tiene un solo dios", "religión que no tiene un solo dios",
           r"monoteí\w+|solo dios|único dios"),
    Denied("científico que ganó el Premio Nobel", "científico que no ganó el Premio Nobel",
           r"nobel"),
    Denied("ciudad que es capital de su país", "ciudad que no es capital de su país",
           r"capital"),
)  # fmt: skip


def drawn_names(seed: int = 0) -> tuple[tuple[str, str], ...]:
    """Nombres de personas, que son el título de su artículo."""
    people = [a.title for a in spanish_articles() if a.topic == "Personas" and " " in a.title]
    return tuple((name, name) for name in random.Random(seed).sample(people, N_DRAWN))


def drawn_years(seed: int = 0) -> tuple[tuple[str, str], ...]:
    """Años que salen en un solo resumen, donde se cuenta algo «en» ellos: «qué pasó en 1524».

    De cada artículo, como mucho uno. No valen las fechas antes de Cristo, que se escriben igual,
    ni las cifras de cuatro que no van detrás de «en» o «en el año»: alturas, distancias o partes
    de un número mayor.
    """
    times = Counter(number for text in collection() for number in set(FOUR.findall(text)))
    found = {
        article.title: next((y for y in YEAR.findall(article.text) if times[y] == 1), None)
        for article in spanish_articles()
    }
    once = [(f"qué pasó en {year}", title) for title, year in found.items() if year]
    return tuple(random.Random(seed).sample(once, N_DRAWN))


def kinds() -> dict[str, Trial]:
    """Las consultas de cada clase, con lo que vale; las de negación se miden de otra manera."""
    return {
        "otras palabras": titled([(spanish, title) for spanish, _, title in OTHER_WORDS]),
        "en inglés": titled([(english, title) for _, english, title in OTHER_WORDS]),
        "nombres": titled(drawn_names()),
        "años": titled(drawn_years()),
    }


def telling_share(documents: list[str], telltale: str) -> float:
    """Qué parte de unos documentos contiene lo que delata lo negado."""
    found = re.compile(rf"\b(?:{telltale})\b", re.IGNORECASE)
    return sum(bool(found.search(text)) for text in documents) / len(documents)
