"""El orden: la parte lenta abre todo lo suyo, y lo largo cae al principio de cada proceso."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from tests.order import (
    EARLY,
    LONG,
    SLOW,
    UNSEEN,
    early,
    hidden,
    is_left_unread,
    longest_first,
)


def item(path: Path, *marks: str, fixtures=()):
    """Una prueba de mentira con esas marcas."""
    return SimpleNamespace(
        path=path,
        nodeid=path.name,
        fixturenames=fixtures,
        get_closest_marker=lambda name: name in marks or None,
    )


def test_the_slow_part_sees_every_slow_test(request):
    """Cuando se recogen todas, como en la parte rápida de `make prueba`."""
    assert request.config.stash[UNSEEN] == []


def test_no_quick_test_looks_at_the_site(request):
    """`make prueba` lo construye mientras corren."""
    assert request.config.stash[EARLY] == []
    quick, slow = item(Path("q"), fixtures=["site"]), item(Path("s"), "sitio", fixtures=["site"])
    assert early([quick, slow, item(Path("otra"), fixtures=["tmp_path"])]) == ["q"]


def test_the_slow_part_is_asked_as_it_is_written_here():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\nLENTAS := {SLOW}\n" in makefile and 'pytest -m "$(LENTAS)"' in makefile


def test_a_file_is_left_unread_only_if_it_has_nothing_slow(tmp_path):
    texts = {
        "test_a.py": "pytestmark = pytest.mark.lento",
        "test_b.py": "@pytest.mark.sitio",
        "test_c.py": "from tests.sample import sampled",
        "test_d.py": "def test_lentitud(): pass",
        "conftest.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    unread = [name for name in texts if is_left_unread(tmp_path / name, SLOW)]
    assert unread == ["test_d.py"]
    assert not is_left_unread(tmp_path / "test_d.py", "not lento and not sitio")
    assert not is_left_unread(tmp_path, SLOW)


def test_a_slow_test_in_an_unread_file_is_told(tmp_path):
    quick, slow = tmp_path / "test_quick.py", tmp_path / "test_slow.py"
    quick.write_text("from tests.marks import mine")
    slow.write_text("pytest.mark.lento")
    items = [item(slow, "lento"), item(quick), item(quick, "sitio")]
    assert hidden(items[:2]) == [] and hidden(items) == ["test_quick.py"]


@pytest.mark.parametrize("n_workers", [1, 2, 3, 4])
@pytest.mark.parametrize("n_long", [0, 1, 5, 12])
def test_long_ones_begin_each_worker_and_the_rest_keep_their_order(n_workers, n_long):
    short = [item(Path(f"s{n}")) for n in range(13)]
    long = [item(Path(f"l{n}"), LONG) for n in range(n_long)]
    ordered = longest_first(short[:4] + long + short[4:], n_workers)
    assert [one for one in ordered if one in short] == short
    left = ordered
    for worker in range(n_workers):  # los trozos seguidos que da xdist
        size = len(left) // (n_workers - worker)
        own, left = left[:size], left[size:]
        mine = [one for one in own if one in long]
        assert own[: len(mine)] == mine
        assert len(mine) in (n_long // n_workers, -(-n_long // n_workers))
