"""Señales de audio: muestreo, Fourier, espectrogramas y la escala mel."""
