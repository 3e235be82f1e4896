"""¿Qué dice del futuro la historia clínica de un paciente?"""
