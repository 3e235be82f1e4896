"""Juegos: tareas diminutas de las que se sabe la respuesta y dónde hay que mirar."""
