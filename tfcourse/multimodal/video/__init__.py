"""¿Cómo se leen un vídeo y la frase que lo cuenta en una sola fila?"""
