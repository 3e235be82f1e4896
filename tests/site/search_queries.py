"""Lo que se busca en el curso y adónde debe llevar uno de los tres primeros resultados.

Son preguntas de quien estudia: con erratas, en plural, sin tildes, en inglés o a medio escribir.
"""

GLOSSARY = "glosario.html#term-"

QUERIES = {
    # Las que fallaban cuando el buscador solo comparaba palabras
    "atención": "autoatencion_multicabeza.html",
    "embedings": "embeddings.html",
    "transformers": "transformer_completo.html",
    "beam search": GLOSSARY + "busqueda-en-haz",
    "LoRA": "asistente.html#lora",
    # De qué trata cada capítulo
    "redes recurrentes": "redes_recurrentes.html",
    "LSTM": "lstm_gru.html",
    "Bahdanau": "secuencia_a_secuencia.html",
    "seq2seq": "secuencia_a_secuencia",
    "funciones de alineamiento": "alineamiento.html",
    "taxonomía": "taxonomia.html",
    "tokenizacion": "tokenizacion.html",
    "BPE": "tokenizacion.html",
    "word2vec": "embeddings.html",
    "autoatención": "autoatencion_multicabeza.html",
    "transformer": "transformer_completo.html",
    "entrenar": "entrenar.html",
    "flash attention": "atencion_rapida.html",
    "caché": "atencion_rapida.html",
    "atención lineal": "atencion_eficiente.html",
    "bert": "bert.html",
    "GPT": "gpt.html",
    "T5": "t5.html",
    "análisis de sentimiento": "sentimiento",
    "ViT": "vision_transformer.html",
    "DETR": "detr.html",
    "pix2seq": "pix2seq.html",
    "segmentacion": "segmentacion.html",
    "pose": "pose.html",
    "fourier": "senales.html",
    "espectrograma": "espectrograma.html",
    "whisper": "whisper.html",
    "wav2vec": "wav2vec.html",
    "separación de voces": "sepformer.html",
    "CLIP": "imagen_y_texto.html",
    "gato": "gato.html",
    # Un concepto
    "softmax": GLOSSARY + "softmax",
    "máscara causal": GLOSSARY + "mascara-causal",
    "mascaras causales": GLOSSARY + "mascara-causal",
    "codificación posicional": GLOSSARY + "codificacion-posicional",
    "conexión residual": GLOSSARY + "conexion-residual",
    "desvanecimiento del gradiente": GLOSSARY + "desvanecimiento",
    "compuertas": "lstm_gru",
    "normalización de capa": GLOSSARY + "normalizacion-de-capa",
    "ajuste fino": GLOSSARY + "ajuste-fino",
    "emparejamiento húngaro": GLOSSARY + "emparejamiento-hungaro",
    "temperatura": GLOSSARY + "temperatura",
    "perplejidad": GLOSSARY + "perplejidad",
    # En inglés
    "multi-head attention": GLOSSARY + "atencion-multicabeza",
    "positional encoding": GLOSSARY + "codificacion-posicional",
    "fine-tuning": GLOSSARY + "ajuste-fino",
    "vanishing gradients": GLOSSARY + "desvanecimiento",
    "teacher forcing": GLOSSARY + "forzado-del-profesor",
    "cross attention": GLOSSARY + "atencion-cruzada",
    "knowledge distillation": GLOSSARY + "destilacion",
    "dropout": GLOSSARY + "dropout",
    # Con erratas o a medio escribir
    "tranformer": "transformer_completo.html",
    "atencion multicabesa": GLOSSARY + "atencion-multicabeza",
    "espectograma": "espectrograma.html",
    "auto atención": "autoatencion_multicabeza.html",
    "tokeniz": "tokenizacion.html",
    "perplegidad": GLOSSARY + "perplejidad",
    # Código
    "MultiHeadAttention": "referencia/paquete",
    "beam_search": "referencia/paquete",
}
