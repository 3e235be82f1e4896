"""La dirección del repositorio está en un solo sitio y de ahí va a los demás."""

import nbformat
import pytest

from workshop import links

URL = "https://github.com/tfcourse/tfcourse"
COLAB = "https://colab.research.google.com/github/tfcourse/tfcourse/blob/main/chapters/1/a.ipynb"


@pytest.fixture
def course(tmp_path):
    """Curso diminuto con la dirección escrita en cuatro sitios."""
    (tmp_path / "pyproject.toml").write_text(f'[project.urls]\nRepositorio = "{URL}"\n')
    (tmp_path / "_config.yml").write_text(f"repository:\n  url: {URL}\n")
    (tmp_path / "CITATION.cff").write_text(f"title: x\nrepository-code: {URL}\n")
    (tmp_path / "README.md").write_text(
        f"git clone {URL}\n{URL}/issues\n{URL}-otro\nhttps://tfcourse.github.io/tfcourse/\n"
    )
    folder = tmp_path / "chapters" / "1"
    folder.mkdir(parents=True)
    badge = nbformat.v4.new_markdown_cell(f"[Colab]({COLAB})")
    first = nbformat.v4.new_code_cell(links.first_cell(tmp_path))
    first.metadata["tags"] = ["preparacion"]
    nbformat.write(nbformat.v4.new_notebook(cells=[badge, first]), folder / "a.ipynb")
    return tmp_path


def move(course, old, new):
    pyproject = course / "pyproject.toml"
    pyproject.write_text(pyproject.read_text().replace(old, new))


def test_address_stands_in_one_place(course):
    assert links.check_links(course) == []
    move(course, "tfcourse/tfcourse", "profe/curso")
    problems = links.check_links(course)
    assert len(problems) == 4 and "make enlaces" in problems[0]
    assert len(links.write_links(course)) == 4 and links.check_links(course) == []
    notebook = (course / "chapters/1/a.ipynb").read_text()
    assert "git+https://github.com/profe/curso" in notebook
    assert "github/profe/curso/blob/main/chapters/1/a.ipynb" in notebook
    assert "url: https://github.com/profe/curso" in (course / "_config.yml").read_text()


def test_links_inside_the_repository_and_the_site_move_and_the_rest_stay(course):
    move(course, "tfcourse/tfcourse", "profe/curso")
    links.write_links(course)
    assert (course / "README.md").read_text() == (
        "git clone https://github.com/profe/curso\nhttps://github.com/profe/curso/issues\n"
        f"{URL}-otro\nhttps://profe.github.io/curso/\n"
    )


def test_it_can_move_twice(course):
    for old, new in (("tfcourse/tfcourse", "profe/curso"), ("profe/curso", "otra/clase")):
        move(course, old, new)
        links.write_links(course)
    assert links.check_links(course) == []
    assert "git clone https://github.com/otra/clase\n" in (course / "README.md").read_text()


def test_colab_link_to_a_notebook_that_moved_is_caught(course):
    (course / "chapters/1/a.ipynb").rename(course / "chapters/1/b.ipynb")
    (problem,) = links.check_links(course)
    assert "lleva a «chapters/1/a.ipynb», que no existe" in problem


def test_without_the_folder_the_address_comes_from_the_installation(monkeypatch, tmp_path):
    class Metadata:
        def get_all(self, _):
            return [f"Repositorio, {URL}"]

    monkeypatch.setattr("importlib.metadata.metadata", lambda _: Metadata())
    assert links.repository_url(tmp_path) == URL
