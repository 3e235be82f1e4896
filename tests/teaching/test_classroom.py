"""Repartir la corrección: reanudar, partir la clase y que una entrega no tumbe a las demás."""

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
import torch
from nbformat import from_dict

from tests.accelerator.simulated import simulated_device
from tests.conftest import ROOT
from tests.teaching.course import NAME
from tfcourse.teaching import classroom
from tfcourse.teaching.assignment import Assignment, Course, Item
from tfcourse.teaching.classroom import Run, grade_class
from tfcourse.teaching.collect import collect
from tfcourse.teaching.results import OUR_FAILURE, is_done

TASK = Assignment(NAME, "Tarea", (Item("contexto", 2),), "x")
PEOPLE = ["ana", "eva", "íñigo", "luis", "zoé"]
RUN = Run(workers=2)


@pytest.fixture
def course(tmp_path):
    """Cinco entregas que nadie llega a leer."""
    for name in PEOPLE:
        (tmp_path / "entregas" / name).mkdir(parents=True)
        (tmp_path / "entregas" / name / "t.ipynb").write_text(name, encoding="utf-8")
    own = Course(tmp_path / "curso")
    collect(own, TASK, tmp_path / "entregas")
    return own


class Logged:
    """En lugar de corregir, apunta a quién le ha tocado."""

    def __init__(self, path):
        self.path = path

    def __call__(self, course, assignment, student, run):
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{student}\n")
        return fake_result(assignment)

    def seen(self):
        return sorted(self.path.read_text("utf-8").split()) if self.path.exists() else []


@pytest.fixture
def graded(tmp_path):
    return Logged(tmp_path / "vistas.txt")


@pytest.fixture
def in_process(monkeypatch):
    """Sin procesos: para lo que solo depende de a quién le toca."""

    def together(one, students, run):
        for student in students:
            one(student)
            yield student
        return []

    monkeypatch.setattr(classroom, "_grade_together", together)


def fake_result(assignment):
    return classroom._row(assignment, {"contexto": None}, "corregida") | {"answers": {}}


def test_resuming_grades_nothing_twice(course, graded, in_process):
    _, fresh = grade_class(course, TASK, RUN, graded)
    assert fresh == 5 and graded.seen() == course.students(NAME)
    stored = sorted(course.results(NAME).glob("*.json"))
    stored[0].unlink()
    stored[1].write_text('{"a medio escri', encoding="utf-8")
    results, fresh = grade_class(course, TASK, RUN, graded)
    assert fresh == 2 and len(results) == 5
    assert graded.seen() == sorted([*course.students(NAME), stored[0].stem, stored[1].stem])
    _, fresh = grade_class(course, TASK, RUN, graded)
    assert fresh == 0
    _, fresh = grade_class(course, TASK, Run(again=True), graded)
    assert fresh == 5


def test_what_changes_a_mark_is_graded_again(course, graded, in_process):
    grade_class(course, TASK, RUN, graded)
    course.submitted("ana", NAME).write_text("otra", encoding="utf-8")
    assert [is_done(course, TASK, who) for who in course.students(NAME)].count(False) == 1
    other_secret = Assignment(NAME, "Tarea", TASK.items, "y")
    assert not any(is_done(course, other_secret, who) for who in course.students(NAME))


def test_parts_cover_the_class_once(course, graded, in_process):
    for part in (1, 2, 3):
        results, fresh = grade_class(course, TASK, Run(part=(part, 3)), graded)
        assert fresh == len(results) in (1, 2)
    assert graded.seen() == course.students(NAME)
    assert grade_class(course, TASK, Run(part=(9, 9)), graded) == (
        [],
        0,
    )  # hay más partes que gente


def test_nobody_to_grade_is_said(tmp_path):
    with pytest.raises(ValueError, match="recógelas con «docente recoger»"):
        grade_class(Course(tmp_path), TASK, RUN)


def deadly(course, assignment, student, run, victim):
    if student == victim:
        os._exit(137)  # como cuando el sistema mata un proceso por la memoria
    return fake_result(assignment)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
@pytest.mark.parametrize("place", [0, 3, 4])
def test_a_submission_that_kills_its_grader_spares_the_rest(course, place):
    victim = course.students(NAME)[place]
    grade = partial(deadly, victim=victim)
    results, fresh = grade_class(course, TASK, RUN, grade)
    assert fresh == len(results) == 5
    failed = {r["student"]: r for r in results if r["status"] == OUR_FAILURE}
    assert [*failed] == [victim]
    assert "ha acabado con el proceso" in failed[victim]["notes"][0]
    assert failed[victim]["full_name"] == PEOPLE[place]
    assert not is_done(course, TASK, victim)  # y se volverá a intentar


def sleeping(course, assignment, student, run, folder):
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(300)


ORPHANS = """
import sys
from pathlib import Path
from functools import partial
from tests.teaching.test_classroom import Course, RUN, TASK, grade_class, sleeping
grade_class(Course(Path(sys.argv[1])), TASK, RUN, partial(sleeping, folder=sys.argv[2]))
"""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_nobody_survives_who_grades(course, tmp_path):
    """Ni aunque lo maten sin que pueda despedirse."""
    folder = tmp_path / "procesos"
    folder.mkdir()
    order = [sys.executable, "-c", ORPHANS, str(course.root), str(folder)]
    process = subprocess.Popen(order, cwd=ROOT, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 400
    while not list(folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    process.kill()
    process.wait()
    workers = [path.name for path in folder.iterdir()]
    assert workers
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(map(alive, workers))


def greedy(course, assignment, student, run):
    return fake_result(assignment) | {"too much": len(bytes(16 << 30))}


def test_a_worker_cannot_take_all_the_memory(course):
    results, _ = grade_class(course, TASK, Run(memory=12 << 30), greedy)
    assert {r["status"] for r in results} == {OUR_FAILURE}
    assert "MemoryError" in results[0]["notes"][-1]


def differentiating(course, assignment, student, run):
    weights = torch.ones(3, requires_grad=True)
    (weights**2).sum().backward()
    return fake_result(assignment) | {"gradient": weights.grad.tolist()}


def test_what_ran_before_on_an_accelerator_does_not_matter(course):
    """PyTorch no deja derivar a un proceso bifurcado de otro que ya ha usado un acelerador."""
    weights = torch.ones(3, device=simulated_device(), requires_grad=True)
    (weights**2).sum().backward()
    results, _ = grade_class(course, TASK, RUN, differentiating)
    assert [r["gradient"] for r in results] == [[2.0] * 3] * 5


def failing(course, assignment, student, run):
    raise RuntimeError("sin disco")


def test_a_failure_of_ours_is_reported_and_tried_again(course, in_process):
    results, _ = grade_class(course, TASK, RUN, failing)
    assert {r["status"] for r in results} == {OUR_FAILURE}
    assert "fallo del corrector (RuntimeError: sin disco)" in results[0]["notes"][0]
    assert all(row["points"] == 0 for r in results for row in r["exercises"])
    stored = json.loads((course.results(NAME) / "ana.json").read_text("utf-8"))
    assert stored["student"] == "ana" and stored["fingerprint"]
    assert not is_done(course, TASK, "ana")


@pytest.mark.parametrize(
    ("card", "noted"),
    [({"estudiante": "luis"}, True), ({"estudiante": "ana"}, False), (None, False), ("x", False)],
)
def test_somebody_elses_variant_is_noted(card, noted):
    metadata = {} if card is None else {"tfcourse": card}
    notes = classroom._whose(from_dict({"metadata": metadata, "cells": []}), TASK, "ana")
    assert bool(notes) == noted
    assert not noted or "es la variante de «luis»" in notes[0]
