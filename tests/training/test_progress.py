"""La barra de progreso, en un registro y callada."""

from tfcourse.training.progress import progress


def test_progress_in_a_log_writes_a_few_lines(monkeypatch, capsys):
    monkeypatch.delenv("TFCOURSE_PROGRESO", raising=False)
    assert list(progress(range(100), total=100, description="Leyendo")) == list(range(100))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10 and lines[-1] == "Leyendo: 100/100"
    monkeypatch.setenv("TFCOURSE_PROGRESO", "no")
    assert list(progress(range(3), total=3, description="Leyendo")) == [0, 1, 2]
    assert capsys.readouterr().err == ""
