"""El buscador del sitio: un índice por apartados, en trozos, que la página consulta sin servidor.

El de Sphinx distingue las tildes («codificacion» no encuentra «codificación») y no dice en qué
apartado está lo que encuentra. Este se reparte en archivos pequeños, que se piden según lo que se
escribe:

- `base.js`, con la página: los títulos de los apartados del libro y los otros nombres de cada
  término del glosario, que juntan el español y el inglés;
- `paquete.js`, con la primera letra: los nombres de la referencia;
- `p-co.js`: en qué apartados está cada palabra que empieza por «co»;
- `t-12.js`: el texto de una página, para enseñar el trozo en que está lo que se busca.

`static/buscar.js` los junta. Las palabras se comparan por su raíz, que calculan igual `stem`, aquí,
y la función del mismo nombre, allí.
"""

import json
import re
import shutil
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

from lxml import etree, html

from course_site.chapters import all_chapters, chapters, load_map

FOLDER = "_static/buscar"
# Lo que no se busca: código y salidas, enlaces de los títulos, la copia de las fórmulas para
# lectores de pantalla, y los cuestionarios y figuras, que se repiten o son datos.
IGNORED_TAGS = {"pre", "script", "style", "math"}
IGNORED_CLASSES = {"headerlink", "tfc", "tfc-question"}
BLOCKS = {"p", "td", "th", "li", "dd", "dt", "br", "figcaption", "h1", "h2", "h3", "h4", "h5"}
# No dicen de qué va un apartado: ni se guardan ni se buscan.
EMPTY_WORDS = """
a ademas al algo ante antes asi aun aunque bien cada como con cual cuales cuando cuanto
cuya de debajo del delante desde detras donde dos e el ella ellas ello ellos en encima
entonces entre era es esa ese eso esta estan estas este esto estos fue ha hace han hasta
hay la las le les lo los mas me mi mientras misma mismo muy nada ni no nos o os otra otras
otro otros para pero poco por porque puede pues que quien se sea segun ser si sin sino
sobre solo son su sus tal tambien tanto te ti tiene todo todas todos tras tu un una unas
uno unos va vez y ya yo an and for in is of the to
"""
EMPTY = set(EMPTY_WORDS.split())
WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
PIECES = re.compile(r"_+|(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
OTHER_NAMES = "Otros textos"
# Cómo empieza el nombre corto de un capítulo: «de la autoatención».
OF = re.compile(r"^del? (?:las? |los )?")
# Cuántas veces está una palabra en un apartado: a partir de estas, da igual.
MANY = 4
# El índice alfabético del paquete repite lo que ya se encuentra en cada página suya.
REPEATED = "donde_esta"
# De cada nombre del paquete se busca su primera frase, la que dice qué es: con las demás, la
# referencia pesaría más que todos los capítulos.
PACKAGE = "referencia/paquete"
TITLES = {"h1", "h2", "h3", "h4", "h5", "dt"}


def use_our_search(app) -> None:
    """Deja fuera el buscador de Sphinx, con su índice y su página."""
    if app.builder.format == "html":
        app.builder.search = False


class Reader:
    """Lee una página y reparte su texto entre los apartados, por su orden.

    `lxml` le cuenta cada etiqueta y cada texto con los métodos `start`, `end`, `data` y `close`.
    """

    def __init__(self):
        """Empieza fuera del artículo, sin ningún apartado."""
        self.sections: list[list[str]] = []  # ancla, título y texto
        self.inside = False
        self.skipping: list[str] = []  # la etiqueta que se salta y las suyas de dentro
        self.naming = ""  # la etiqueta cuyo texto es el título

    def start(self, tag, attributes):
        """Abre un apartado, empieza a saltarse algo o separa dos bloques."""
        classes = set((attributes.get("class") or "").split())
        if tag == "article":
            self.inside = True
        elif self.skipping:
            self.skipping += [tag] * (tag == self.skipping[0])
        elif tag in IGNORED_TAGS or classes & IGNORED_CLASSES:
            self.skipping = [tag]
        elif self.inside and attributes.get("id") and (tag in TITLES or "mapa-capitulo" in classes):
            # El nombre de una función es el final de su ancla, y lo demás de su firma no se busca;
            # los otros títulos se leen.
            known = attributes["id"].rsplit(".")[-1] if "sig" in classes else ""
            self.sections.append([attributes["id"], known, ""])
            self.naming = "" if known or tag == "li" else tag
            if known:
                self.skipping = [tag]
        elif "mapa-titulo" in classes:
            self.naming = tag
        if tag in BLOCKS:
            self.data(" ")

    def end(self, tag):
        """Cierra lo que se saltaba o el título."""
        if self.skipping and tag == self.skipping[0]:
            self.skipping.pop()
        elif tag == self.naming:
            self.naming = ""
        elif tag == "article":
            self.inside = False

    def data(self, data):
        """Añade texto al título o al cuerpo del apartado en curso."""
        if self.inside and self.sections and not self.skipping:
            self.sections[-1][1 if self.naming else 2] += data

    def close(self):
        """Lo leído: ancla, título y texto de cada apartado."""
        return self.sections


def sections(text: str) -> list[list[str]]:
    """Ancla, título y texto de cada apartado de una página."""
    parser = etree.HTMLParser(target=Reader(), encoding="utf-8", huge_tree=True)
    return [
        [anchor, " ".join(title.split()), " ".join(content.split())]
        for anchor, title, content in etree.fromstring(text.encode(), parser)
    ]


def first_sentences(found: list[list[str]]) -> list[list[str]]:
    """Los mismos apartados, con la primera frase de cada uno."""
    return [[anchor, title, text.split(". ")[0]] for anchor, title, text in found]


def folded(text: str) -> str:
    """El texto en minúsculas y sin tildes."""
    spread = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


def stem(word: str) -> str:
    """La raíz de una palabra ya sin tildes: la misma en singular y en plural.

    >>> [stem(word) for word in ("claves", "clave", "redes", "red", "matrices", "matriz")]
    ['clav', 'clav', 'red', 'red', 'matriz', 'matriz']
    """
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 3 and word[-1] in "aeo":
        word = word[:-1]
        if word.endswith("c"):
            word = word[:-1] + "z"
    return word


def stems(text: str) -> list[str]:
    """Las raíces de las palabras de un texto; un nombre compuesto cuenta entero y por piezas."""
    found = []
    for match in WORD.finditer(text):
        pieces = [piece for piece in PIECES.split(match[0]) if piece]
        names = ["".join(pieces), *pieces] if len(pieces) > 1 else pieces
        found += [stem(folded(name)) for name in names if folded(name) not in EMPTY]
    return found


def other_names(text: str) -> dict[str, list[str]]:
    """Los otros nombres de cada término del glosario, por su ancla."""
    found = {}
    for term in html.fromstring(text).xpath("//dl[contains(@class, 'glossary')]/dt[@id]"):
        # Varios términos pueden compartir la definición, que es la primera que sigue.
        body = next(term.itersiblings("dd"))
        for field in body.xpath(".//dl[contains(@class, 'field-list')]/dt"):
            if field.text_content().strip(" :") == OTHER_NAMES:
                names = next(field.itersiblings("dd")).text_content()
                names = re.sub(r"\([^)]*\)", "", names)
                pieces = (name.strip(" «»\n") for name in re.split(r"[;,]", names))
                found[term.get("id")] = [name for name in pieces if stems(name)]
    return found


def chapter_names() -> dict[str, list[str]]:
    """El nombre corto de cada capítulo y los de sus cuartos, en inglés, por su página."""
    entries = {f"{c.page}.html": all_chapters(load_map())[c.slug] for c in chapters().values()}
    return {p: [OF.sub("", entry["corto"]), *entry["cuarto"]] for p, entry in entries.items()}


class Index:
    """Los trozos del índice, mientras se leen las páginas."""

    def __init__(self):
        """Vacío."""
        self.pages: list[list] = []  # dirección y apartados: ancla, título y cuántas palabras
        self.texts: list[list[str]] = []
        self.names: dict[int, list[str]] = {}  # apartado → sus otros nombres
        self.postings: dict[str, list[int]] = defaultdict(list)
        self.last: Counter = Counter()
        self.count = 0

    def add(self, address: str, found: list[list[str]], names: dict[str, list[str]]) -> None:
        """Añade una página; `names` son los otros nombres de sus apartados, por su ancla."""
        rows = []
        for anchor, title, text in found:
            words = Counter(stems(text))
            rows.append([anchor, title, sum(words.values())])
            if names.get(anchor):
                self.names[self.count] = names[anchor]
            for word, times in words.items():
                # La distancia al apartado anterior que la tiene, y cuántas veces está en este.
                step = self.count - self.last[word]
                self.postings[word].append(step * MANY + min(times, MANY) - 1)
                self.last[word] = self.count
            self.count += 1
        self.pages.append([address, rows])
        self.texts.append([text for _, _, text in found])

    def buckets(self) -> dict[str, dict[str, list[int]]]:
        """Las palabras, juntas por sus dos primeras letras."""
        parts: dict[str, dict[str, list[int]]] = defaultdict(dict)
        for word in sorted(self.postings):
            if key := re.match(r"[a-z0-9]{2}", word):
                parts[key[0]][word] = self.postings[word]
        return dict(parts)


def read_pages(folder: Path) -> tuple[Index, int]:
    """El índice de las páginas del sitio, y cuántas hay antes de las del paquete."""
    index, short = Index(), chapter_names()
    every = sorted((folder / "chapters").rglob("*.html"), key=lambda p: (PACKAGE in str(p), p))
    book = 0
    for path in (path for path in every if path.parent.name != REPEATED):
        text, address = path.read_text(encoding="utf-8"), path.relative_to(folder).as_posix()
        found, names = sections(text), {}
        if PACKAGE in address:
            found = first_sentences(found)
        else:
            book += 1
        if path.name == "glosario.html":
            names = other_names(text)
        elif address in short and found:
            names = {found[0][0]: short[address]}
        index.add(address, found, names)
    return index, book


def write_index(app, failure) -> None:
    """Escribe los trozos con las páginas del libro ya terminadas."""
    if failure or app.builder.format != "html":
        return
    target = Path(app.outdir) / FOLDER
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)

    def write(name: str, place: str, value) -> None:
        # Un guion, y no un JSON, para que también se pueda buscar al abrir el sitio como archivos.
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        (target / f"{name}.js").write_text(f"tfcourseIndex{place} = {text};\n", encoding="utf-8")

    index, book = read_pages(Path(app.outdir))
    buckets = index.buckets()
    write(
        "base",
        "",
        {
            "pages": index.pages[:book],
            "names": index.names,
            "buckets": " ".join(buckets),
            "empty": " ".join(sorted(EMPTY)),
            "many": MANY,
            "words": {},
            "texts": {},
        },
    )
    write("paquete", ".package", index.pages[book:])
    for key, words in buckets.items():
        write(f"p-{key}", f'.words["{key}"]', words)
    for number, texts in enumerate(index.texts):
        write(f"t-{number}", f".texts[{number}]", texts)


def setup_search(app) -> None:
    """Conecta el índice con el final de la construcción, cuando las páginas no cambian más."""
    app.connect("builder-inited", use_our_search)
    app.connect("build-finished", write_index, priority=990)
