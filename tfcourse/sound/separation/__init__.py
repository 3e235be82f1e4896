"""¿Cómo se deshace la mezcla de dos personas que hablan a la vez?"""
