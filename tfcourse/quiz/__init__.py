"""Cuestionarios de opción única que se corrigen en la propia página."""

from tfcourse.quiz.questions import Option, Question, Quiz

__all__ = ["Option", "Question", "Quiz"]
