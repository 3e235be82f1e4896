// Sostener un palo con un Gato: mira cuatro números, escribe un token y empuja el carro.

const TICK = 0.02; // segundos de cada paso
const FRAME = 40; // milisegundos entre pasos: a cámara lenta, la mitad de deprisa
const PER_STEP = 6; // tokens de un paso: cuatro números, el separador y la acción
const WINDOW = 60;
const KEPT_STEPS = 2; // pasos que se recuerdan al empezar una ventana nueva
const PUSHES = { izquierda: -1, derecha: 1 };

/** Un paso del carro con el palo, como en CartPole-v1: x, ẋ, θ y θ̇; la fuerza, en newtons. */
function cartPhysics([x, dx, angle, spin], force) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const push = (force + 0.05 * spin ** 2 * sin) / 1.1;
  const turn = (9.8 * sin - cos * push) / (0.5 * (4 / 3 - (0.1 * cos ** 2) / 1.1));
  const slide = push - (0.05 * turn * cos) / 1.1;
  return [x + TICK * dx, dx + TICK * slide, angle + TICK * spin, spin + TICK * turn];
}

function hasFallen([x, , angle]) {
  return Math.abs(x) > 2.4 || Math.abs(angle) > (12 * Math.PI) / 180;
}

/** Quien mira y decide: lee la demostración, los últimos pasos y lo que ve ahora. */
class GatoPlayer {
  constructor(gato, demonstration) {
    Object.assign(this, { gato, demonstration, pending: null, past: [] });
    this.gato.rewind();
  }

  act(state) {
    const { n_words: words } = this.gato.config;
    const now = this.gato.observation(state);
    const move = (action) => [[words + action], [0]];
    let rows = [now];
    if (this.pending === null || this.gato.length + PER_STEP > WINDOW) {
      this.gato.rewind();
      const recent = this.past.slice(-KEPT_STEPS).flatMap(([seen, action]) => [seen, move(action)]);
      rows = [this.demonstration, ...recent, now];
    } else {
      rows = [move(this.pending), now];
    }
    const logits = this.gato.read(...[0, 1].map((part) => rows.flatMap((row) => row[part])));
    this.pending = logits[words + 1] > logits[words] ? 1 : 0;
    this.past.push([now, this.pending]);
    return this.pending;
  }
}

class BalancingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-balancing", "un Gato que sostiene un palo mientras lo empujas");
  }

  build(buffer) {
    this.gato = new Gato(buffer, this.state.config);
    Object.assign(this, { who: "gato", strength: 0.4, wanted: 1, pushed: 0 });
    this.run = commandButton("En marcha", () => this.toggle());
    this.body.append(
      this.stage(),
      radioField(
        "¿Quién mueve el carro?",
        [["gato", "Gato"], ["azar", "El azar"], ["mano", "Tú"]],
        "gato",
        (who) => this.restart(who),
      ),
      element("p", { class: "tfc-note" }, "«Tú»: el carro va siempre a un lado o al otro; cámbialo con los botones o con las flechas."),
      buttonRow(
        "Marcha",
        this.run,
        commandButton("Un paso", () => this.step()),
        commandButton("Empezar otra vez", () => this.restart(this.who)),
      ),
      buttonRow(
        "Empujar",
        commandButton("← Empujar a la izquierda", () => this.push(-1)),
        commandButton("Empujar a la derecha →", () => this.push(1)),
      ),
      rangeField(
        "Fuerza del empujón",
        { min: 1, max: 20, value: 4, say: (n) => `${formatNumber(n / 10, 1)} rad/s` },
        (n) => (this.strength = n / 10),
      ),
    );
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.restart("gato");
  }

  stage() {
    this.cart = shape("rect", { x: -9, y: -6, width: 18, height: 12, rx: 2, fill: "var(--tfc-query)" });
    this.pole = shape("line", { x1: 0, y1: -6, x2: 0, y2: -50, stroke: "var(--tfc-key)", "stroke-width": 4, "stroke-linecap": "round" });
    this.moving = shape("g", {}, this.pole, this.cart);
    const track = { y1: 76, y2: 76, stroke: "var(--tfc-edge)" };
    this.drawing = shape(
      "svg",
      { class: "tfc-stage", viewBox: "0 0 200 90", role: "img" },
      shape("line", { x1: 4, x2: 196, ...track }),
      shape("line", { x1: 100, x2: 100, y1: 72, y2: 80, stroke: "var(--tfc-edge)" }),
      this.moving,
    );
    return this.drawing;
  }

  restart(who) {
    this.stop();
    this.who = who;
    this.cartState = [0, 0, 0.03, 0];
    Object.assign(this, { steps: 0, pushed: 0 });
    this.player = new GatoPlayer(this.gato, this.state.demonstration);
    this.told.textContent = "El palo empieza casi derecho. Ponlo en marcha y empújalo.";
    this.draw();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (hasFallen(this.cartState)) this.restart(this.who);
    this.run.textContent = "Parar";
    this.timer = setInterval(() => (this.node.isConnected ? this.step() : this.stop()), FRAME);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.run.textContent = "En marcha";
  }

  push(side) {
    if (this.who === "mano") {
      this.wanted = side > 0 ? 1 : 0;
      return;
    }
    this.cartState[3] += side * this.strength;
    this.pushed++;
    this.draw();
    this.say();
  }

  key(event) {
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!side || event.target.matches("input, select")) return;
    event.preventDefault();
    this.push(side);
  }

  step() {
    if (hasFallen(this.cartState)) return this.stop();
    const decide = {
      gato: () => this.player.act(this.cartState),
      azar: () => Number(Math.random() < 0.5),
      mano: () => this.wanted,
    };
    const action = decide[this.who]();
    this.cartState = cartPhysics(this.cartState, action ? 10 : -10);
    this.steps++;
    this.draw();
    if (hasFallen(this.cartState)) this.stop();
    if (hasFallen(this.cartState) || this.steps % 25 === 0) this.say();
  }

  say() {
    const seconds = formatNumber(this.steps * TICK, 1);
    const pushes = this.pushed === 1 ? "un empujón" : `${this.pushed} empujones`;
    const fallen = hasFallen(this.cartState);
    const out = fallen && Math.abs(this.cartState[0]) > 2.4 ? "El carro se ha salido" : "El palo ha caído";
    this.told.textContent = fallen
      ? `${out} a los ${seconds} s, con ${pushes}.`
      : `En pie: ${seconds} s, con ${pushes}. Inclinación, ${formatNumber((this.cartState[2] * 180) / Math.PI, 1)} grados.`;
  }

  draw() {
    const [x, , angle] = this.cartState;
    this.moving.setAttribute("transform", `translate(${100 + 40 * Math.max(-2.4, Math.min(2.4, x))} 70)`);
    this.pole.setAttribute("transform", `rotate(${(angle * 180) / Math.PI} 0 -6)`);
    this.drawing.setAttribute("aria-label", `Carro a ${formatNumber(x)} metros del centro; palo a ${formatNumber((angle * 180) / Math.PI, 0)} grados de la vertical.`);
  }
}

function render({ model, el }) {
  el.replaceChildren(new BalancingFigure(model).node);
}

export default { render };
