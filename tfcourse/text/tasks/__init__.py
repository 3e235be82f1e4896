"""¿Puede un solo modelo resolver tareas distintas si todas se escriben como texto?"""
