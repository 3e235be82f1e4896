// La definición de un término del glosario, al pasar por encima, al llegar con el teclado o al
// tocarlo; otro toque lleva al glosario.
(() => {
  "use strict";

  const WAIT = 120;
  const SPACE = 8;
  const root = document.documentElement.dataset.content_root;
  const card = document.createElement("div");
  let shown = null;
  let touched = null;
  let timer;

  card.id = "definicion";
  card.className = "definicion";
  card.setAttribute("role", "tooltip");
  card.hidden = true;

  /** Trae las definiciones cuando la página ya se puede leer. */
  function load() {
    const script = document.createElement("script");
    script.src = `${root}_static/glosario.js`;
    document.head.append(script);
    // Dentro del artículo: fuera, un lector de pantalla no sabría de qué zona es.
    document.querySelector(".bd-article").append(card);
  }

  function definitionOf(link) {
    return window.tfcourseTerms?.[decodeURIComponent(link.hash.slice(1))];
  }

  /** Debajo del término o, si no cabe, encima; y siempre dentro de la ventana. */
  function place(link) {
    const spot = link.getClientRects()[0];
    const { offsetWidth: width, offsetHeight: height } = card;
    const below = spot.bottom + SPACE + height < window.innerHeight;
    const left = Math.min(spot.left, document.documentElement.clientWidth - width - SPACE);
    card.style.left = `${Math.max(SPACE, left)}px`;
    card.style.top = `${below ? spot.bottom + SPACE / 2 : spot.top - height - SPACE / 2}px`;
  }

  function show(link) {
    clearTimeout(timer);
    const definition = definitionOf(link);
    if (!definition || shown === link) return;
    hide();
    card.innerHTML = definition; // sale de nuestro propio glosario
    card.hidden = false;
    link.setAttribute("aria-describedby", card.id);
    shown = link;
    place(link);
  }

  /** Lo que hará otro toque en el mismo término. */
  function again() {
    const line = document.createElement("p");
    line.className = "otro-toque";
    line.textContent = "Tócalo otra vez para ir al glosario.";
    return line;
  }

  function hide() {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    touched = null;
    shown = null;
    card.hidden = true;
  }

  const termAt = (event) => event.target.closest?.("a.termino");

  document.addEventListener("mouseover", (event) => {
    const link = termAt(event);
    clearTimeout(timer);
    if (link) timer = setTimeout(() => show(link), WAIT);
    // Se puede llevar el puntero hasta la definición sin que desaparezca.
    else if (shown && !card.contains(event.target) && shown !== document.activeElement) {
      timer = setTimeout(hide, 2 * WAIT);
    }
  });
  document.addEventListener("focusin", (event) => {
    const link = termAt(event);
    if (link) show(link);
    else hide();
  });
  document.addEventListener("click", (event) => {
    const link = termAt(event);
    if (event.pointerType !== "touch") return;
    if (!link) return card.contains(event.target) || hide();
    if (touched === link || !definitionOf(link)) return;
    event.preventDefault();
    show(link);
    touched = link;
    card.querySelector(".otro-toque") ?? card.append(again());
    place(link);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  window.addEventListener(
    "scroll",
    () => {
      // Llegar con el teclado también desplaza la página: entonces la definición la sigue.
      if (shown && shown === document.activeElement) place(shown);
      else if (shown) hide();
    },
    { passive: true },
  );
  if (document.readyState === "complete") load();
  else window.addEventListener("load", load);
})();
