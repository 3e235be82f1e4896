"""Vocabulario de las reseñas inventadas: dominios, adjetivos, hechos y conectores.

Cada lista tiene dos partes: lo que sale al entrenar y al evaluar (`SEEN`) y lo que solo sale al
evaluar (`HELD_OUT`).
"""

SEEN, HELD_OUT = "visto", "reservado"

# Cada aspecto lleva su género; el último dominio se reserva para evaluar.
DOMAINS = {
    "hotel": {
        "aspects": (
            ("la habitación", "f"), ("el desayuno", "m"), ("la cama", "f"), ("el baño", "m"),
            ("la recepción", "f"), ("el trato", "m"), ("la piscina", "f"), ("el colchón", "m"),
        ),
        "intros": (
            "estuvimos {n} noches en el hotel", "reservé por internet para dos personas",
            "no conocía este hotel", "fuimos en agosto con los niños", "está cerca de la estación",
        ),
    },
    "restaurante": {
        "aspects": (
            ("la comida", "f"), ("el postre", "m"), ("el arroz", "m"), ("la terraza", "f"),
            ("el servicio", "m"), ("la carne", "f"), ("el vino", "m"), ("la carta", "f"),
        ),
        "intros": (
            "cenamos {n} personas un viernes", "nunca había comido aquí", "pedimos el menú del día",
            "fui con mis padres", "no teníamos reserva",
        ),
    },
    "móvil": {
        "aspects": (
            ("la pantalla", "f"), ("la batería", "f"), ("la cámara", "f"), ("el sonido", "m"),
            ("el diseño", "m"), ("el altavoz", "m"), ("la memoria", "f"), ("el cargador", "m"),
        ),
        "intros": (
            "lo compré hace {n} meses", "es mi tercer teléfono de esta marca",
            "no sabía cuál elegir", "lo uso para trabajar", "viene con funda y manual",
        ),
    },
    "película": {
        "aspects": (
            ("el guion", "m"), ("la trama", "f"), ("la fotografía", "f"), ("el final", "m"),
            ("la música", "f"), ("el protagonista", "m"), ("la dirección", "f"), ("el ritmo", "m"),
        ),
        "intros": (
            "la vi ayer en el cine", "dura {n} minutos", "no había leído nada de ella",
            "fui al estreno con una amiga", "nunca había visto nada de este director",
        ),
    },
    "libro": {
        "aspects": (
            ("la historia", "f"), ("el estilo", "m"), ("el desenlace", "m"),
            ("la traducción", "f"), ("la autora", "f"), ("el prólogo", "m"),
        ),
        "intros": (
            "lo leí en {n} días", "me lo regalaron en mi cumpleaños", "no conocía a la autora",
            "es el segundo de la serie",
        ),
    },
}  # fmt: skip
HELD_OUT_DOMAIN = "libro"

# Masculino y femenino, separados por una barra cuando cambian.
ADJECTIVES = {
    1: {
        SEEN: (
            "bueno/buena", "excelente", "estupendo/estupenda", "magnífico/magnífica", "genial",
            "perfecto/perfecta", "maravilloso/maravillosa", "agradable", "fantástico/fantástica",
            "impecable", "precioso/preciosa", "recomendable", "brillante", "increíble",
        ),
        HELD_OUT: (
            "espléndido/espléndida", "soberbio/soberbia", "encantador/encantadora",
            "sobresaliente", "admirable", "fabuloso/fabulosa",
        ),
    },
    -1: {
        SEEN: (
            "malo/mala", "pésimo/pésima", "horrible", "terrible", "mediocre", "decepcionante",
            "lamentable", "desastroso/desastrosa", "flojo/floja", "deficiente", "feo/fea",
            "desagradable", "ridículo/ridícula", "insoportable",
        ),
        HELD_OUT: (
            "nefasto/nefasta", "espantoso/espantosa", "penoso/penosa", "infame",
            "vergonzoso/vergonzosa", "cutre",
        ),
    },
    0: {
        SEEN: (
            "normal", "corriente", "sencillo/sencilla", "pequeño/pequeña", "clásico/clásica",
            "típico/típica",
        ),
        HELD_OUT: ("común", "discreto/discreta", "habitual"),
    },
}  # fmt: skip

# Verbos que ya llevan la opinión; {a} es el aspecto.
VERBS = {
    1: {
        SEEN: ("{a} me encantó", "me gustó mucho {a}", "{a} me sorprendió para bien",
               "disfruté de {a}"),
        HELD_OUT: ("{a} me enamoró", "quedé muy contento con {a}"),
    },
    -1: {
        SEEN: ("{a} me decepcionó", "me disgustó {a}", "{a} me aburrió", "{a} deja que desear"),
        HELD_OUT: ("{a} me horrorizó", "quedé muy descontento con {a}"),
    },
}  # fmt: skip

INTENSIFIERS = {
    SEEN: ("", "", "", "muy ", "realmente ", "bastante ", "de verdad "),
    HELD_OUT: ("sumamente ", "tremendamente "),
}
# «Muy pésimo» o «bastante excelente» no se dicen: lo que ya es extremo se refuerza de otra manera.
EMPHASIS = {SEEN: ("", "", "", "realmente ", "de verdad "), HELD_OUT: ("francamente ",)}
GRADABLE = (
    "bueno", "agradable", "recomendable", "brillante", "precioso", "malo", "mediocre",
    "decepcionante", "flojo", "deficiente", "feo", "desagradable", "ridículo", "encantador",
    "cutre", "vergonzoso", "normal", "corriente", "sencillo", "pequeño", "clásico", "típico",
    "común", "discreto", "habitual",
)  # fmt: skip
COPULAS = {SEEN: ("es", "me pareció", "resultó"), HELD_OUT: ("fue", "me ha parecido")}

# Le dan la vuelta a lo que abarcan: un adjetivo o una frase entera.
NEGATED_ADJECTIVE = {
    SEEN: (
        "{a} no es nada {x}", "{a} no me pareció {x}", "{a} no resultó ser {x}",
        "no puedo decir que {a} sea {x}", "{a} de {x} no tiene nada", "{a} nunca fue {x}",
        "{a} es cualquier cosa menos {x}",
    ),
    HELD_OUT: ("nadie diría que {a} es {x}", "{a} tampoco es {x}", "{a} está lejos de ser {x}"),
}  # fmt: skip
NEGATED_VERB = {
    1: ("{a} no me encantó", "no me gustó {a}", "no disfruté de {a}"),
    -1: ("{a} no me decepcionó", "{a} no me aburrió", "{a} no deja nada que desear"),
}

# {0} es la cláusula que cede y {1}, la que manda.
CONTRASTS = {
    SEEN: (
        "{0}, pero {1}", "{0} pero {1}", "aunque {0}, {1}", "{1}, aunque {0}",
        "{1} a pesar de que {0}",
    ),
    HELD_OUT: ("{0}; sin embargo, {1}", "si bien {0}, {1}", "{1}, y eso que {0}"),
}  # fmt: skip
BALANCES = {
    SEEN: ("{0} y {1}", "{0}; {1}", "por un lado {0}, por otro {1}"),
    HELD_OUT: ("{0} y, a la vez, {1}",),
}
UNDECIDED = {
    SEEN: (
        "{a} ni es {p} ni es {m}", "{a} ni fu ni fa", "{a} cumple sin más", "{a} es del montón",
    ),
    HELD_OUT: ("{a} no es ni {p} ni {m}", "{a} no llama la atención"),
}  # fmt: skip

# Lo que pasó, sin adjetivos.
FACTS = {
    1: {
        "hotel": ("nos subieron de categoría sin pedirlo", "el año que viene repetimos"),
        "restaurante": ("repetimos postre", "volvimos a los dos días"),
        "móvil": ("la carga me dura tres días", "llegó antes de lo previsto"),
        "película": ("el público aplaudió al acabar", "la he vuelto a ver dos veces"),
        "libro": ("lo terminé en una tarde", "ya he pedido el siguiente"),
    },
    -1: {
        "hotel": ("no pegamos ojo por el ruido", "encontramos pelos en la ducha",
                  "nos cobraron dos veces"),
        "restaurante": ("tardaron una hora en servir", "nos trajeron el plato frío",
                        "salimos con hambre"),
        "móvil": ("se rompió al segundo día", "se apaga solo", "tuve que devolverlo"),
        "película": ("media sala se fue antes del final", "me dormí a la media hora",
                     "miré el reloj diez veces"),
        "libro": ("lo dejé en la página veinte", "faltan tres páginas", "acabó en la estantería"),
    },
}  # fmt: skip

IRONIC = {
    SEEN: (
        "qué {x}: {f}", "{x}, sí señor: {f}", "una experiencia {y}: {f}", "{f}, qué {x}",
    ),
    HELD_OUT: ("{f}. {x}, vamos", "más {x} imposible: {f}"),
}  # fmt: skip
NEUTRAL_FACTS = (
    "hay {n} modelos distintos", "lo anuncian en la página web", "hay que pedirlo con antelación",
    "cuesta {n} euros", "lo encontré buscando en internet", "me lo enseñó un compañero",
)  # fmt: skip
CLOSINGS = {
    1: ("lo recomiendo", "volveré", "vale lo que cuesta"),
    -1: ("no lo recomiendo", "no vuelvo", "no vale lo que cuesta"),
}

EMOJIS = {1: "😍😀👍🎉", -1: "😡👎😞🤮", 0: "🙂🤔📦🤷"}
