"""Control y tareas de un agente, en una sola fila de tokens."""
