"""El cuaderno del docente: crear tareas, recogerlas, corregirlas a salvo y devolverlas."""
