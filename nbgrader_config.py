"""Configuración de nbgrader: lee las mismas marcas en español que el generador de cuadernos."""

from tfcourse.exercises.markers import BEGIN_SOLUTION, CODE_STUB, END_SOLUTION, TEXT_STUB

c = get_config()  # la define quien carga este archivo

# «delimeter» es una errata de nbgrader: el nombre de la opción es ese.
c.ClearSolutions.begin_solution_delimeter = BEGIN_SOLUTION
c.ClearSolutions.end_solution_delimeter = END_SOLUTION
c.ClearSolutions.code_stub = {"python": CODE_STUB}
c.ClearSolutions.text_stub = TEXT_STUB
