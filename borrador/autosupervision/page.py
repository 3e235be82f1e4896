"""Escribe el borrador de chapters/4_vision/autosupervision.ipynb en la ruta que se le da."""
import json,sys
base=json.load(open('borrador.ipynb'))
prep=base['cells'][1]
cells=[]
def nid(): return f"celda-{len(cells)+1:03d}"
def md(text): cells.append({"cell_type":"markdown","id":nid(),"metadata":{},"source":text.strip("\n").splitlines(keepends=True)})
def code(text,tags=(),name=None,alt=None,caption=None):
    meta={}
    if name: meta["mystnb"]={"figure":{"caption":caption,"name":name},"image":{"alt":alt}}
    if tags: meta["tags"]=list(tags)
    cells.append({"cell_type":"code","execution_count":None,"id":nid(),"metadata":meta,"outputs":[],"source":text.strip("\n").splitlines(keepends=True)})
md(r"""
# Ver sin etiquetas

:::{admonition} Ficha del capítulo
:class: ficha

**Al terminar sabrás**
: tapar parches de una imagen y aprender a pintarlos, y por qué el codificador solo lee los que se ven;
: deducir por qué pedir que dos vistas digan lo mismo se cumple sin aprender nada;
: distinguir los dos colapsos con dos entropías, y decir qué impide cada remedio;
: medir unos rasgos sin entrenar casi nada: vecinos y sonda lineal;
: decir cuántas etiquetas ahorra lo aprendido, a igual gasto y con rivales que se esfuerzan.

**Necesitas**: el [capítulo de las variantes del ViT](variantes.ipynb), en el que una red aprendía de otra. Muon, con el que se entrena, está en el [capítulo del entrenamiento](../2_transformer/entrenar.ipynb).

**Tiempo**: unos 50 minutos de lectura; el cuaderno entero se ejecuta en menos de un minuto de CPU.
**Dificultad**: ★★★

**Ejecútalo**: [Abrir en Colab](https://colab.research.google.com/github/tfcourse/tfcourse/blob/main/chapters/4_vision/autosupervision.ipynb)
· [Ir a los ejercicios](autosupervision_ejercicios.ipynb)
:::
""")
cells.append(dict(prep,id=nid()))
code(r"""
from dataclasses import replace
from statistics import mean

import ipywidgets
import torch
import torch.nn.functional as F
from torch import nn

from tfcourse import plots
from tfcourse.datasets.pictures.digits import few_per_class, split_digits
from tfcourse.layers.image.patches import split_patches
from tfcourse.metrics.intervals import mean_interval
from tfcourse.models.masked_autoencoder import Masked, taken
from tfcourse.models.self_distillation import Seen
from tfcourse.plots import percent, spanish_number
from tfcourse.plots.images import plot_images
from tfcourse.stored.results import load_results
from tfcourse.training import Steps
from tfcourse.vision.self_supervision import masked, teacher
from tfcourse.vision.self_supervision.costs import masked_step, supervised_steps, teacher_step
from tfcourse.vision.self_supervision.few_labels import features_of, neighbour_accuracy, pixels, probe_accuracy
from tfcourse.vision.self_supervision.losses import EPS, patch_targets, teacher_shares, spread
from tfcourse.widgets import Panel
""",["receta"])
md(r"""
## La pregunta que quedó abierta

Todos los que han aprendido a ver en este curso han tenido a alguien al lado que les decía, imagen por imagen, qué había en ella. Las imágenes sobran; lo que cuesta es ese alguien. **¿Cómo se aprende a ver sin que nadie diga qué hay en cada imagen?**

A BERT le pasaba lo mismo con las frases, y la respuesta fue tapar palabras y adivinarlas: la frase se pone los deberes a sí misma. Con imágenes hay dos maneras de ponerse deberes, y las dos van en esta página. La primera se parece a la de BERT. Abajo, el modelo que viene con el curso, `mae_cifras`, ve unos pocos parches de cada cifra y pinta los que faltan; no ha visto nunca ni estas cifras ni la etiqueta de ninguna.
""")
code(r"""
known, test = split_digits()
painter = masked.load("mae_cifras")


def covered_and_painted(images, share=0.6, seed=0):
    # Tres filas: lo que se ve, con lo tapado en blanco; lo pintado; y las de verdad.
    whole, hidden = masked.paint(painter, images, share, seed)
    seen = split_patches(images, 2).masked_fill(hidden[..., None], 1.0)
    return torch.cat([painter.drawn(seen), whole, images])


fig, axes = plots.figure(3, 10, width=7.0, height=2.5)
plot_images(axes, covered_and_painted(test.images[:10]), [""] * 30)
""",name="fig-auto-portada",alt="Tres filas de diez cifras de ocho por ocho píxeles. En la primera, más de la mitad de los cuadrados de dos por dos está en blanco; en la segunda están pintados y se lee una cifra parecida a la de debajo; la tercera son las cifras de verdad.",caption="De arriba abajo: lo que el modelo ve, con los parches tapados en blanco; lo que pinta en ellos, y las cifras de verdad, que no se usaron para entrenar.")
md(r"""
Pintar bien no es el fin. Nadie quiere un modelo que rellene cifras a medio borrar: se quiere lo que el codificador ha tenido que entender para que se pudieran rellenar. Las dos preguntas de la página son qué deberes obligan a entender, y cómo se mide que se ha entendido.

## Leer lo que se ve, pintar lo que no

Un **autocodificador con parches tapados**, MAE (*masked autoencoder*) {cite:p}`he2022`, corta la imagen en $N$ parches y tapa al azar una parte grande. Para elegir los que se ven, cada parche saca un número al azar y se quedan los $K$ menores:
""")
code("""
# espejo: tfcourse.models.masked_autoencoder.random_masking
""")
md(r"""
BERT pone un token especial en el sitio de cada palabra tapada y lo lee con las demás. MAE no: **los parches tapados no entran en el codificador**. Entran solo los $K$ que se ven, cada uno con su posición, y un token de clase. Como el coste de la atención crece con el cuadrado de los tokens, tapar tres cuartas partes deja las parejas en una dieciseisava parte, y sale a cuenta un codificador grande.

Pintar es cosa de otra red, el **decodificador**, pequeña: recibe lo que dejó el codificador en los sitios que se ven y, en los demás, un mismo vector aprendido, más la posición de cada sitio. Al acabar de entrenar se tira.
""")
code("""
# espejo: tfcourse.models.masked_autoencoder.MaskedAutoencoder.read


# espejo: tfcourse.models.masked_autoencoder.MaskedAutoencoder.decode
""")
md(r"""
Lo pintado en el parche $n$, $\hat{\mathbf{y}}_n$, se compara con lo que hay, $\mathbf{y}_n$, de $P$ números, y **solo cuentan los tapados**, que son los del conjunto $\mathcal{M}$:

$$
\mathcal{L} = \frac{1}{|\mathcal{M}|} \sum_{n \in \mathcal{M}} \frac{1}{P} \left\| \hat{\mathbf{y}}_n - \mathbf{y}_n \right\|^2
$$ (eq-auto-tapado)

Si contaran los que se ven, bastaría con copiarlos, y eso no enseña nada. En el artículo sale un poco mejor pedir cada parche **sin su media ni su escala**, $\mathbf{y}_n = (\mathbf{p}_n - \mu_n)/\sigma_n$: lo que importa de un parche es su dibujo, y no su brillo. Con cifras de parches de cuatro píxeles, muchos lisos, aquí se piden los píxeles tal cual, que además se pueden mirar.
""")
code("""
# espejo: tfcourse.vision.self_supervision.losses.patch_targets


# espejo: tfcourse.vision.self_supervision.losses.reconstruction_loss
""")
code(r"""
def short_training(seed, steps=150):
    # La pérdida de los primeros pasos de un MAE, y la de pintar siempre la media de cada parche.
    done = masked.train(masked.SHIPPED, seed, Steps(steps))
    patches = patch_targets(known.images, 2, normed=False)
    return done.history.loss, float((patches - patches.mean(0)).square().mean())
""",["receta"])
code(r"""
losses, blind = short_training(seed=0)
print(f"pérdida: {spanish_number(losses[0], 3)} al empezar y {spanish_number(mean(losses[-20:]), 3)} en los últimos pasos")
print(f"pintar en cada sitio lo que suele haber: {spanish_number(blind, 3)}")
assert mean(losses[-20:]) < 0.9 * blind
""",["nbval-ignore-output"])
md(r"""
En poco tiempo se pinta mejor que quien pone en cada sitio lo que suele haber, que es lo mejor que puede hacer quien no mira. ¿Cuánto hay que tapar? Con poco, casi todo se adivina por los vecinos; con casi todo tapado no queda de dónde sacar la cifra.
""")
code(r"""
shares = (0.25, 0.5, 0.75, 0.9)
fig, axes = plots.figure(5, 8, width=6.4, height=4.2)
rows = [test.images[20:28]] + [masked.paint(painter, test.images[20:28], share, seed=2)[0] for share in shares]
plot_images(axes, torch.cat(rows), [""] * 40)
for axis, label in zip(axes[:, 0], ("de verdad", *(f"tapado, {percent(share)}" for share in shares)), strict=True):
    axis.set_ylabel(label, rotation=0, ha="right", va="center", fontsize=8)
""",name="fig-auto-partes",alt="Cinco filas de ocho cifras. La primera son las de verdad; en las siguientes se tapa cada vez más, y lo pintado se parece cada vez menos a la de verdad y más a una cifra borrosa.",caption="La misma cifra con más y más parches tapados. Con casi todo tapado, lo pintado es una media borrosa de lo que podría haber, y ya no siempre la cifra que era.")
md(r"""
Lo borroso tiene su razón: un error cuadrático se hace mínimo con la **media** de lo posible, y la media de dos trazos no es un trazo. Para aprender no estorba; para dibujar, sí, y por eso quien dibuja lo hace de otra manera, en el [capítulo de generar imágenes](../6_multimodal/generar.ipynb).

## Decir lo mismo de dos vistas

La otra manera de ponerse deberes no pinta nada. Si a una foto se le mueve el encuadre, se le borra una esquina y se le cambia la luz, sigue siendo de lo mismo. Una **vista** es una imagen cambiada así, al azar. Se pide que, de dos vistas de la misma imagen, la red diga lo mismo.
""")
code(r"""
generator = torch.Generator().manual_seed(3)
some = known.images[:10]
views = [teacher.seen_again(some, teacher.SHIPPED, generator) for _ in range(2)]
fig, axes = plots.figure(3, 10, width=7.0, height=2.5)
plot_images(axes, torch.cat([some, *views]), [""] * 30)
""",name="fig-auto-vistas",alt="Tres filas de diez cifras: las de verdad y dos vistas de cada una, movidas, con algún cuadrado borrado y otra intensidad.",caption="Arriba, diez cifras; debajo, dos vistas de cada una: movidas, con un cuadrado borrado, otra tinta y algo de ruido.")
md(r"""
¿Qué es lo que se dice de una vista? No hay clases, así que se inventan: la red acaba en $K$ **prototipos**, vectores aprendidos, y da el parecido del token de clase con cada uno. Su softmax es un reparto entre los $K$. Quien aprende, el **alumno**, da un reparto $\mathbf{Q}$ de una vista; otro, el **maestro**, da un reparto $\mathbf{P}$ de la otra, y el alumno lo imita. Es la entropía cruzada de siempre, con el maestro en el sitio de la etiqueta {cite:p}`caron2021`:

$$
\mathcal{L} = -\sum_{k=1}^{K} P_k \ln Q_k, \qquad P_k \propto e^{(g_k - c_k)/\tau_P}, \qquad Q_k \propto e^{h_k/\tau_Q}
$$ (eq-auto-acuerdo)

Lo que da el alumno es $\mathbf{h}$ y lo que da el maestro, $\mathbf{g}$; el centro $\mathbf{c}$ y las dos temperaturas se explican enseguida. Es la destilación del capítulo anterior, con un maestro que tampoco sabe nada.

## Decir siempre lo mismo

Esa pérdida tiene una trampa. Supón que los dos dan siempre el mismo reparto $\mathbf{P}$, mire lo que mire el alumno. Entonces $\mathbf{Q} = \mathbf{P}$ y la pérdida es la entropía de $\mathbf{P}$:

$$
H(\mathbf{P}) = -\sum_k P_k \ln P_k, \qquad 0 \le H(\mathbf{P}) \le \ln K
$$ (eq-auto-constante)

Si $\mathbf{P}$ va entero a un prototipo, la pérdida es **cero**, que es menos de lo que puede conseguir cualquiera que distinga imágenes y dude alguna vez. Y con cualquier otro $\mathbf{P}$ fijo, el gradiente que le llega al alumno también es cero, porque $\partial \mathcal{L}/\partial h_k = (Q_k - P_k)/\tau_Q$. Decir siempre lo mismo es un punto en el que nadie aprende nada más: un **colapso**. Hay dos que se distinguen bien: darlo todo a uno, y repartir por igual entre todos.

Para verlos venir se miran dos entropías del maestro: la **media de las entropías** de sus repartos, y la **entropía de su reparto medio**. La segunda nunca es menor, porque la entropía es cóncava. Lo que hay entre las dos es lo que el reparto dice de su imagen, en nats: la información mutua entre la imagen y el prototipo.

$$
I = H\big(\mathbb{E}[\mathbf{P}]\big) - \mathbb{E}\big[H(\mathbf{P})\big] \ge 0
$$ (eq-auto-informacion)

| el maestro… | entropía de la media | media de las entropías | información |
|---|---|---|---|
| lo da todo a uno, siempre el mismo | 0 | 0 | 0 |
| reparte por igual | $\ln K$ | $\ln K$ | 0 |
| está seguro, y usa todos | $\ln K$ | 0 | $\ln K$ |
""")
code("""
# espejo: tfcourse.vision.self_supervision.losses.agreement_loss


# espejo: tfcourse.vision.self_supervision.losses.spread
""")
md(r"""
## Centrar y afilar

Los dos remedios de DINO van en {eq}`eq-auto-acuerdo`, y cada uno empuja hacia el colapso que el otro impide:

- **Centrar.** El centro $\mathbf{c}$ es la media móvil de lo que dice el maestro, $\mathbf{c} \leftarrow m\,\mathbf{c} + (1 - m)\,\overline{\mathbf{g}}$. Al restarlo, un prototipo que gana con todas las imágenes deja de ganar: lo que es de todas se va. Así no puede darlo todo a uno. Pero si se llega a que $\mathbf{g} = \mathbf{c}$ con todas las imágenes, el reparto es por igual: centrar solo empuja hacia ahí.
- **Afilar.** La temperatura del maestro, $\tau_P$, es menor que la del alumno, $\tau_Q$. El alumno imita a alguien más seguro que él, y así no puede acabar repartiendo por igual. Pero cada vez más seguro, y sin centro, se acaba en uno.
""")
code("""
# espejo: tfcourse.vision.self_supervision.losses.teacher_shares
""")
md(r"""
## Un maestro que es la media de sus alumnos

Falta decir quién es el maestro. Es la misma red que el alumno, y no recibe gradiente: sus pesos $\boldsymbol{\phi}$ son la **media móvil** de los del alumno, $\boldsymbol{\theta}$,

$$
\boldsymbol{\phi} \leftarrow \lambda\,\boldsymbol{\phi} + (1 - \lambda)\,\boldsymbol{\theta}
$$ (eq-auto-media)

Una media de muchos alumnos se mueve menos que cada uno, y el alumno tiene así a quien imitar.
""")
code("""
# espejo: tfcourse.models.self_distillation.moved_towards


# espejo: tfcourse.models.self_distillation.SelfDistiller.follow


# espejo: tfcourse.models.self_distillation.SelfDistiller.forward
""")

md(r"""
Se ha entrenado el maestro de cuatro maneras, con tres semillas cada una: con los dos remedios, sin centrar, sin afilar (con la temperatura del alumno) y sin ninguno de los dos.
""")
code(r"""
rows = load_results("autosupervision")
WAYS = ("entero", "sin centrar", "sin afilar", "sin las dos")
fig, axes = plots.figure(1, 4, width=7.4, height=2.5, sharey=True)
for axis, way in zip(axes, WAYS, strict=True):
    for row in (row for row in rows if row["kind"] == "colapso" and row["name"] == way):
        steps = [25 * place for place in range(len(row["media de las entropías"]))]
        axis.plot(steps, row["entropía de la media"], color=plots.COLORS["query"], linewidth=1.1)
        axis.plot(steps, row["media de las entropías"], color=plots.COLORS["key"], linestyle="--", linewidth=1.1)
    axis.axhline(torch.tensor(float(teacher.SHIPPED.n_prototypes)).log(), color=plots.COLORS["grey"], linestyle=":", linewidth=1)
    axis.set(title=way, xlabel="paso")
axes[0].set_ylabel("nats")
axes[0].plot([], [], color=plots.COLORS["query"], label="de la media")
axes[0].plot([], [], color=plots.COLORS["key"], linestyle="--", label="media")
_ = axes[0].legend(loc="lower right", fontsize=7)
""",name="fig-auto-colapso",alt="Cuatro gráficas de las dos entropías según el paso, con tres semillas. Entero, quedan separadas; sin centrar, las dos bajan juntas; sin afilar y sin las dos, suben juntas hasta la línea de puntos de ln K.",caption="Las dos entropías del maestro, cada semilla con su línea; la de puntos es $\\ln K$. La información es lo que hay entre la continua y la de trazos.")
code(r"""
def of(kind, **wanted):
    return [row for row in rows if row["kind"] == kind and all(row.get(k) == v for k, v in wanted.items())]


for way in WAYS:
    some = of("colapso", name=way)
    last = [row["entropía de la media"][-1] - row["media de las entropías"][-1] for row in some]
    print(f"{way:>12}: información {', '.join(spanish_number(x) for x in last)} nats; vecinos {percent(mean(row['accuracy'] for row in some))}")
""")
md("RESULTADO: dos frases sobre lo que dice la figura, semilla a semilla; y, si la tabla lo apoya, que Sinkhorn y Knopp da rasgos mejores que el centro con los mismos pasos. Sin la normalización de la cabeza en el lote, la información del maestro se queda casi en cero (medido en un ensayo, una semilla): merece una fila.")
md(r"""
DINOv2 {cite:p}`oquab2024` cambia el centro por una cuenta que equilibra el lote entero, la de **Sinkhorn y Knopp**: por turnos, se divide cada columna para que a todos los prototipos les toque lo mismo, y cada fila para que vuelva a sumar 1 {cite:p}`caron2020`.
""")
code("""
# espejo: tfcourse.vision.self_supervision.losses.balanced_shares
""")
md(r"""
## Un sitio donde apuntar: los registros

En modelos grandes entrenados mucho tiempo pasa algo raro: unos pocos parches del fondo, que no tienen nada que ver, acaban con vectores de norma enorme, y los demás los miran. Se ha interpretado que la red los usa de **sitio donde apuntar** cosas de la imagen entera, y que por eso los mapas de atención salen con manchas donde no hay nada {cite:p}`darcet2024`. El remedio es darle sitio: unos tokens de más, los **registros**, que no son de ningún parche y al final se tiran.
""")
code("""
# espejo: tfcourse.models.vit_published.RegisteredEncoder.tokens
""")
code(r"""
watcher = teacher.load("dino_cifras")


def looks(images):
    # Cuánto mira el token de clase a cada parche en la última capa: la media de las cabezas.
    last = watcher.attention_maps(images)[-1].mean(1)[:, 0]
    patches = last[:, 1 + watcher.n_registers :]
    return (patches / patches.amax(1, keepdim=True)).view(-1, 1, *watcher.config.grid)


fig, axes = plots.figure(2, 10, width=7.0, height=1.8)
plot_images(axes, [*test.images[:10], *looks(test.images[:10])], [""] * 20)
""",name="fig-auto-mira",alt="Arriba, diez cifras; debajo, un mapa de cuatro por cuatro casillas por cifra, más oscuro donde más mira el token de clase.",caption="A qué parches mira el token de clase del maestro en su última capa, con cada cifra a su propia escala.")
md(r"""
RESULTADO: qué se ve. Con dieciséis parches y tan pocos pasos no se espera que haya parches de norma enorme; la celda siguiente lo mide, con registros y sin ellos, y hay que decir lo que salga. Las manchas del artículo salen con modelos grandes, y se ven con los pesos publicados de DINOv2, en «A escala real».

## Cuántas etiquetas se ahorran

Unos rasgos no aciertan ni fallan: hay que preguntarles algo. Con el codificador **quieto**, se dan unas pocas etiquetas de cada clase y se mide de dos maneras, las dos baratas, con las cifras reservadas:

- **Vecinos**: a cada cifra le contestan las cinco etiquetadas con mayor coseno, y el voto de cada una pesa $e^{\cos/0{,}07}$ {cite:p}`wu2018`. No se aprende nada.
- **Sonda lineal**: una sola capa sobre los rasgos, aprendida hasta el final con esas etiquetas.

Se comparan con quien solo tiene esas etiquetas, un ViT igual y una red convolucional, que leen tantas imágenes como los demás, movidas cada vez; y con dos suelos, los **píxeles** tal cual y un ViT con los **pesos al azar**. Sin esos dos no se sabe si lo aprendido vale algo.
""")
code("""
# espejo: tfcourse.vision.self_supervision.few_labels.neighbour_guesses
""")
code(r"""
PER_CLASS = (1, 5, 20, 100)
CURVES = (("píxeles", "vecinos"), ("al azar", "sonda"), ("MAE", "sonda"), ("maestro", "sonda"), ("ViT", "de cero"), ("CNN", "de cero"))
print(f"{'etiquetas por clase':>22}" + "".join(f"{n:>16}" for n in PER_CLASS))
for name, how in CURVES:
    line = f"{name + ', ' + how:>22}"
    for n in PER_CLASS:
        middle, radius = mean_interval([row["accuracy"] for row in of("etiquetas", name=name, how=how, per_class=n)])
        line += f"{percent(middle, 1) + ' ± ' + spanish_number(100 * radius, 1):>16}"
    print(line)
""")
md("RESULTADO: figura con las seis curvas e intervalos (fig-auto-etiquetas), y lo que dice. En los ensayos cortos los vecinos sobre píxeles ganan con pocas etiquetas: las cifras vienen centradas y del mismo tamaño. Hay que decirlo, y buscar dónde dejan de ganar (otras manos: split_digits(by_order=True); cifras movidas; OpenMoji).")
md(r"""
## Tapa y mira qué pinta
""")
code(r"""
def watch(which, share, seed):
    # Lo que se ve, lo que pinta y la de verdad.
    image = test.images[which : which + 1]
    fig, axes = plots.figure(1, 3, width=4.2, height=1.6)
    plot_images(axes, covered_and_painted(image, share, seed), ["lo que ve", "lo que pinta", f"un {int(test.labels[which])}"])


Panel(watch,
      which=ipywidgets.IntSlider(7, min=0, max=99, description="cifra"),
      share=ipywidgets.SelectionSlider(options=[("un cuarto", 0.25), ("la mitad", 0.5), ("tres cuartos", 0.75), ("casi todo", 0.9)], value=0.75, description="se tapa"),
      seed=ipywidgets.IntSlider(0, min=0, max=99, description="sorteo"))
""",["panel"],"fig-auto-mandos","Tres cuadros: una cifra con casi todos sus parches en blanco, la misma con los parches pintados y la de verdad.","Lo que el modelo ve, lo que pinta y lo que había. Con los mandos se eligen la cifra, cuánto se tapa y qué parches.")
md(r"""
## Cuando sale mal

RESULTADO: cifras que el modelo pinta como otra (con el juez `vit_cifras` sobre lo pintado), y vecinas del maestro que son de otra clase.

## Qué se usa hoy (noviembre de 2026)

- **MAE** (2021, publicado en 2022) {cite:p}`he2022`: se usa sobre todo para empezar a entrenar después con etiquetas; con el codificador quieto, sus rasgos suelen quedar por debajo de los de un maestro.
- **DINO** (2021) {cite:p}`caron2021`, con centro y temperatura; **DINOv2** (2023, publicado en 2024) {cite:p}`oquab2024`, que junta la pérdida de la imagen con otra de los parches tapados, cambia el centro por Sinkhorn y Knopp y elige con cuidado 142 millones de imágenes.
- **Registros** (2023, publicado en 2024) {cite:p}`darcet2024`.
- **I-JEPA** (2023) {cite:p}`assran2023`: también tapa, pero no pide píxeles, sino los rasgos que un maestro da de lo tapado.
- **Con frases** en lugar de sin nada: CLIP y **SigLIP** (2023) {cite:p}`zhai2023siglip`, en el [capítulo de imagen y texto](../6_multimodal/imagen_y_texto.ipynb). El pie de foto es una etiqueta que ya estaba escrita. Es el rival de verdad, y el que más se usa cuando después hay que hablar de la imagen.
- **DINOv3** (2025) {cite:p}`simeoni2025`: casi siete mil millones de parámetros, unos 1700 millones de imágenes y un término más, que impide que los rasgos de los parches se estropeen en los entrenamientos largos.

## Lo que esto no puede hacer

- **Ponerle nombre a nada.** Los prototipos no son clases: hace falta alguna etiqueta para saber qué es cada uno.
- **Elegir qué no importa.** Lo eligen las vistas. Si girar una cifra es otra vista suya, un seis y un nueve pueden acabar en el mismo sitio.
- **Funcionar igual con cualquier conjunto.** Con imágenes centradas, del mismo tamaño y en pocos píxeles, comparar píxeles ya funciona, y hay poco que ganar.

Hasta aquí, una imagen es de una sola cosa. **¿Cómo se dice qué hay, y dónde, cuando hay varias?** Lo contesta el [capítulo de DETR](detr.ipynb).

## Comprueba lo que has entendido
""")
code(r"""
from tfcourse.quiz import Option, Question, Quiz

Quiz("autosupervision", [
    Question("¿Qué lee el codificador de un MAE al entrenarse?", [
        Option("Todos los parches, con un vector especial en los tapados.", False, "Así lee BERT. Aquí los tapados no entran."),
        Option("Solo los parches que se ven, y el token de clase.", True, "Por eso cuesta mucho menos que leer la imagen entera."),
        Option("Los parches tapados.", False, "Esos son los que hay que pintar."),
    ]),
    Question("¿Por qué no cuentan en la pérdida los parches que se ven?", [
        Option("Porque se aciertan con copiarlos, y eso no enseña nada.", True, "Lo que hay que aprender está en los tapados."),
        Option("Porque no se sabe qué había en ellos.", False, "Se sabe de todos: la imagen está entera."),
        Option("Para que la pérdida sea menor.", False, "Con ellos sería menor, y serviría menos."),
    ]),
    Question("Un alumno y su maestro dan siempre el mismo reparto, mire lo que mire cada uno. ¿Qué gradiente recibe el alumno?", [
        Option("Uno grande: no distingue nada.", False, "La pérdida solo pide que los dos digan lo mismo, y lo dicen."),
        Option("Cero.", True, "Es Q − P, y son iguales."),
        Option("Depende de la temperatura.", False, "La temperatura divide a Q − P, que es cero."),
    ]),
    Question("La media de las entropías vale casi ln K, y la entropía de la media, también. ¿Qué ha pasado?", [
        Option("El maestro está seguro y usa todos los prototipos.", False, "Seguro sería una media de las entropías cercana a cero."),
        Option("Lo da todo a un prototipo.", False, "Entonces las dos serían cero."),
        Option("Reparte por igual, sea cual sea la imagen.", True, "No queda información entre las dos entropías."),
    ]),
    Question("Se quita el centro y se deja la temperatura baja. ¿Hacia qué colapso se va?", [
        Option("A darlo todo a un prototipo.", True, "Cada vez más seguro, y nadie le quita al que gana siempre."),
        Option("A repartir por igual.", False, "A eso lleva el centro sin la temperatura."),
        Option("A ninguno: basta con afilar.", False, "Afilar solo impide el reparto por igual."),
    ]),
    Question("Unos rasgos aciertan más que un ViT entrenado de cero con las mismas etiquetas. ¿Basta para decir que se ha aprendido algo?", [
        Option("Sí: es el rival que importa.", False, "Puede que con los píxeles tal cual se acertara aún más."),
        Option("No: hay que mirar también los píxeles y los pesos al azar.", True, "Son los suelos: lo que se tiene sin aprender nada."),
        Option("No: hay que entrenar el codificador entero.", False, "Eso mide otra cosa: un buen sitio donde empezar."),
    ]),
])
""",["hide-input"])
md(r"""
Y ahora, a programarlo: [los ejercicios del capítulo](autosupervision_ejercicios.ipynb) se corrigen solos y explican en español qué ha fallado.

## A escala real

En el perfil `completo`, la celda siguiente entrena un MAE y un alumno con su maestro con las fotos de CIFAR-10 y ninguna etiqueta, y los mide con diez, cien y mil por clase, junto a un ViT y una red convolucional que solo tienen esas.
""")
code("""
# espejo: tfcourse.vision.self_supervision.full.measure
""")
code("""
from tfcourse.stored.full import show_full
from tfcourse.vision.self_supervision import full

show_full(full.RUNS["cifar_sin_etiquetas"])
""")
md(r"""
Si quieres repetir las medidas:

```bash
python -m tfcourse pesos mae_cifras --escribir
python -m tfcourse pesos dino_cifras --escribir
python -m benchmarks autosupervision             # unos minutos
TFCOURSE_SEMILLAS=5 python -m pytest tests/claims/test_autosupervision.py -v
```

## Para seguir leyendo

- {cite:t}`he2022`: MAE, con cuánto conviene tapar y qué decodificador hace falta.
- {cite:t}`caron2021`: DINO, con los dos colapsos y lo que se ve en sus mapas de atención.
- {cite:t}`oquab2024`: DINOv2, qué cambió para que sirviera a escala.
- {cite:t}`darcet2024`: los registros, y cómo se encontraron los parches raros.
""")
out=sys.argv[1]
nb={"cells":cells,"metadata":base["metadata"],"nbformat":4,"nbformat_minor":5}
open(out,"w").write(json.dumps(nb,indent=1,ensure_ascii=False)+"\n")
