"""Bibliografía en español: las entradas de la lista y las citas del texto."""

from dataclasses import dataclass, field

from pybtex.backends import plaintext
from pybtex.plugin import register_plugin as register_pybtex_plugin
from pybtex.richtext import HRef, Text
from pybtex.style.formatting import BaseStyle, toplevel
from pybtex.style.template import field as value
from pybtex.style.template import join, node, optional, sentence, tag, words
from sphinxcontrib.bibtex.plugin import register_plugin
from sphinxcontrib.bibtex.style.referencing import BracketStyle, PersonStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

NAME = "espanol"
# Delante del sonido «i» la conjunción es «e»: «Szegedy e Ioffe», pero «Wu y Hinton».
_SOUNDS_LIKE_I = ("i", "í", "hi", "hí")


@node
def authors(_children, context):
    """Autores con el apellido delante: «Bahdanau, D., Cho, K. y Bengio, Y.»."""
    style, people = context["style"], context["entry"].persons["author"]
    names = [style.format_name(person, abbr=True).format_data(context) for person in people]
    if len(names) == 1:
        return names[0]
    last_name = " ".join(people[-1].prelast_names + people[-1].last_names).lower()
    conjunction = " e " if last_name.startswith(_SOUNDS_LIKE_I) else " y "
    return Text(conjunction).join([Text(", ").join(names[:-1]), names[-1]])


@node
def permanent_links(_children, context):
    """Enlaces que no caducan: DOI y arXiv; la dirección solo si falta todo lo demás."""
    fields = context["entry"].fields
    links = []
    if "doi" in fields:
        links.append(HRef(f"https://doi.org/{fields['doi']}", f"doi:{fields['doi']}"))
    if "eprint" in fields:
        links.append(HRef(f"https://arxiv.org/abs/{fields['eprint']}", f"arXiv:{fields['eprint']}"))
    if not links and "url" in fields:
        links.append(HRef(fields["url"], fields["url"]))
    return Text(" · ").join(links)


def _pages(text):
    return Text(str(text).replace("--", "–"))


class SpanishStyle(BaseStyle):
    """Estilo de la lista: autores (año). Título. Dónde. Enlaces."""

    default_name_style = "lastfirst"
    default_sorting_style = "author_year_title"
    default_label_style = "alpha"

    def get_article_template(self, _entry):
        """Artículo de revista."""
        volume = join[value("volume"), optional["(", value("number"), ")"]]
        pages = value("pages", apply_func=_pages)
        return self._entry(
            join(", ")[tag("em")[value("journal")], optional[volume], optional[pages]]
        )

    def get_inproceedings_template(self, _entry):
        """Ponencia de un congreso."""
        pages = words["págs.", value("pages", apply_func=_pages)]
        return self._entry(join(", ")[words["En", tag("em")[value("booktitle")]], optional[pages]])

    def get_book_template(self, _entry):
        """Libro."""
        return self._entry(value("publisher"))

    def get_misc_template(self, _entry):
        """Informe, prepublicación o material docente."""
        return self._entry(value("howpublished"))

    def _entry(self, where):
        head = sentence(sep=" ")[authors, join["(", value("year"), ")"]]
        return toplevel[head, sentence[value("title")], sentence[where], permanent_links]


@dataclass
class SpanishReferences(AuthorYearReferenceStyle):
    """Citas por autor y año: «Jain y Wallace (2019)», «(Vaswani et al., 2017)»."""

    bracket_parenthetical: BracketStyle = field(default_factory=lambda: BracketStyle("(", ")"))
    bracket_textual: BracketStyle = field(default_factory=lambda: BracketStyle("(", ")"))
    person: PersonStyle = field(default_factory=lambda: PersonStyle(sep2=" y ", last_sep=" y "))


def register() -> None:
    """Da de alta los dos estilos con el nombre que usa `_config.yml`."""
    register_pybtex_plugin("pybtex.style.formatting", NAME, SpanishStyle)
    # Ya está; dado de alta aquí, no se busca entre todos los paquetes instalados en cada cita.
    register_pybtex_plugin("pybtex.backends", "plaintext", plaintext.Backend, force=True)
    register_plugin("sphinxcontrib.bibtex.style.referencing", NAME, SpanishReferences)
