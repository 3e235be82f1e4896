// Presentar un capítulo en clase: un título, una figura o una fórmula en cada diapositiva.
(() => {
  "use strict";

  const article = document.querySelector(".bd-article");
  const SWIPE = 50; // píxeles desde los que un gesto pasa de diapositiva
  const NARROW = 600;
  const MAX_GROWTH = { narrow: 1.2, wide: 2.2 };
  const LOOSE = 4; // píxeles que KaTeX deja de más en una fórmula que cabe
  const MAX_TEXT = 420; // letras de un párrafo que todavía se lee proyectado
  let slides = [];
  let shown = 0;
  let stage = null;
  let target = null; // el lugar de la página por el que se deja la presentación

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /** Una copia sin lo que solo sirve en la página, ni nombres repetidos. */
  function copy(node) {
    const made = node.cloneNode(true);
    for (const extra of made.querySelectorAll(".headerlink, .ampliar, .copybtn, .trozos, button")) extra.remove();
    for (const named of [made, ...made.querySelectorAll("[id]")]) named.removeAttribute("id");
    for (const picture of made.querySelectorAll("img")) picture.loading = "eager";
    return made;
  }

  /** Lo que dice un título; de una fórmula, lo que lee un lector de pantalla. */
  function plain(node) {
    const made = copy(node);
    for (const twice of made.querySelectorAll(".katex-html, annotation")) twice.remove();
    return made.textContent.trim();
  }

  // ---- Qué hay en cada una ---------------------------------------------------------------

  /** Lo que sigue a un título y se puede proyectar: un párrafo corto o una lista. */
  function opening(heading) {
    const next = heading.nextElementSibling;
    if (!next?.matches("p, ul, ol") || next.textContent.length > MAX_TEXT) return [];
    return [copy(next)];
  }

  function titleSlide(heading) {
    const level = heading.matches("h1, h2") ? "h2" : "h3";
    const title = element(level, {}, ...copy(heading).childNodes);
    return { source: heading, title: plain(heading), parts: [title, ...opening(heading)] };
  }

  /** Una figura o una fórmula, con el título del apartado en que está. */
  function pieceSlide(piece, heading) {
    const where = element("p", { className: "presentacion-donde" }, ...copy(heading).childNodes);
    return { source: piece, title: plain(heading), parts: [where, copy(piece)] };
  }

  const PIECES = "h1, h2, h3, figure:has(img), div.math";

  function collect() {
    let heading = article.querySelector("h1");
    const found = [];
    for (const piece of article.querySelectorAll(PIECES)) {
      if (piece.closest("nav, .ficha, .exercise, .tfc, details, .footnote")) continue;
      if (piece.matches("h1, h2, h3")) {
        heading = piece;
        found.push(titleSlide(piece));
      } else found.push(pieceSlide(piece, heading));
    }
    return found;
  }

  // ---- El escenario ----------------------------------------------------------------------

  function button(text, action) {
    return element("button", { type: "button", textContent: text, onclick: action });
  }

  function build() {
    const slide = element("div", { className: "presentacion-hoja" });
    const canvas = element("div", { className: "presentacion-lienzo", tabIndex: 0 }, slide);
    canvas.setAttribute("role", "group");
    const count = element("p", { className: "presentacion-cuenta" });
    count.setAttribute("aria-live", "polite");
    const before = button("← Anterior", () => show(shown - 1));
    const after = button("Siguiente →", () => show(shown + 1));
    const leave = button("Salir", () => dialog.close());
    const bar = element("div", { className: "visor-botones" }, before, count, after, leave);
    const dialog = element("dialog", { className: "visor presentacion" }, canvas, bar);
    dialog.setAttribute("aria-label", "Presentación del capítulo");
    dialog.addEventListener("keydown", onKey);
    dialog.addEventListener("close", onClose);
    let from = null;
    canvas.addEventListener("touchstart", ({ touches }) => (from = touches.length > 1 ? null : touches[0].clientX), { passive: true });
    canvas.addEventListener("touchend", ({ changedTouches }) => {
      const moved = from === null ? 0 : changedTouches[0].clientX - from;
      if (Math.abs(moved) > SWIPE) show(shown - Math.sign(moved));
    });
    document.body.append(dialog);
    window.addEventListener("resize", fit);
    stage = { dialog, canvas, slide, count, before, after };
  }

  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.matches("button") && event.key === " ") return;
    const last = slides.length - 1;
    const place = {
      ArrowLeft: shown - 1, PageUp: shown - 1, Home: 0,
      ArrowRight: shown + 1, PageDown: shown + 1, " ": shown + 1, End: last,
    }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    show(place);
  }

  /** Se vuelve a la página, por donde iba la presentación o al lugar al que llevaba un enlace. */
  function onClose() {
    if (!target) history.replaceState(null, "", location.pathname + location.search);
    const block = target ? "start" : "center";
    (target ?? slides[shown].source).scrollIntoView({ block, behavior: "instant" });
    target = null;
  }

  /** Un enlace de la diapositiva: se pasa a la que lo tiene o, si no la hay, se sale hacia él. */
  function follow() {
    if (!stage?.dialog.open) return;
    const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const place = slides.findIndex(({ source }) => wanted && source.contains(wanted));
    if (place >= 0) return show(place);
    target = wanted;
    stage.dialog.close();
  }

  /** Agranda o encoge lo que se ve hasta que cabe entero. */
  function fit() {
    const { dialog, canvas, slide } = stage;
    if (!dialog.open) return;
    slide.style.zoom = 1;
    const style = getComputedStyle(canvas);
    const room = {
      width: canvas.clientWidth - 2 * parseFloat(style.paddingLeft),
      height: canvas.clientHeight - 2 * parseFloat(style.paddingTop),
    };
    let low = 0.1;
    let high = innerWidth > NARROW ? MAX_GROWTH.wide : MAX_GROWTH.narrow;
    // Al agrandar, el texto se parte en más líneas: el tamaño se busca probando.
    for (let tries = 0; tries < 8; tries += 1) {
      const zoom = (low + high) / 2;
      slide.style.zoom = zoom;
      const cut = slide.scrollWidth > slide.clientWidth + LOOSE;
      const box = slide.getBoundingClientRect();
      const fits = !cut && box.height <= room.height && box.width <= room.width + 1;
      if (fits) low = zoom;
      else high = zoom;
    }
    slide.style.zoom = low;
  }

  function show(place) {
    if (!slides[place]) return;
    shown = place;
    const { title, parts } = slides[place];
    const { slide, canvas, count, before, after } = stage;
    slide.replaceChildren(...parts);
    canvas.setAttribute("aria-label", title);
    count.textContent = `${place + 1} de ${slides.length}`;
    before.disabled = place === 0;
    after.disabled = place === slides.length - 1;
    // Un botón que se desactiva pierde el foco, y con él las teclas.
    if (document.activeElement?.disabled || document.activeElement === document.body) canvas.focus();
    history.replaceState(null, "", `#diapositiva-${place + 1}`);
    fit();
    for (const picture of slide.querySelectorAll("img")) {
      if (!picture.complete) picture.addEventListener("load", fit, { once: true });
    }
  }

  function open(place) {
    if (!slides.length) slides = collect();
    if (!stage) build();
    if (!stage.dialog.open) stage.dialog.showModal();
    stage.canvas.focus();
    show(Math.min(place, slides.length - 1));
  }

  const top = (place) => slides[place]?.source.getBoundingClientRect().top;

  /** Desde donde se está leyendo: la de antes, si sigue cerca, o la última que ha pasado. */
  function reached() {
    if (Math.abs(top(shown)) < 2 * innerHeight) return shown;
    slides = collect();
    const passed = slides.filter((_, place) => top(place) < innerHeight / 2);
    return Math.max(0, passed.length - 1);
  }

  document.addEventListener("tfc:presentar", ({ detail }) => open(detail ?? reached()));
  document.addEventListener("tfc:lugar", follow);
})();
