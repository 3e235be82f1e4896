// Las figuras, a toda la pantalla: con un toque o con su botón, y de una a otra con las flechas.
(() => {
  "use strict";

  const pictures = [...document.querySelectorAll(".bd-article figure img:not(.pieza)")];
  // Más pequeña que esto, entera no se lee: se abre a su tamaño.
  const LEGIBLE = 0.75;
  let shown = 0;
  let viewer = null;

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function button(text, action) {
    return element("button", { type: "button", textContent: text, onclick: action });
  }

  /** El visor, que se hace la primera vez que se pide. */
  function build() {
    const picture = element("img", { alt: "", onclick: toggleSize });
    const canvas = element("div", { className: "visor-lienzo", tabIndex: 0 }, picture);
    canvas.setAttribute("role", "group");
    canvas.setAttribute("aria-label", "La figura");
    const caption = element("p", { className: "visor-pie" });
    const size = button("", toggleSize);
    const before = button("← Anterior", () => show(shown - 1));
    const after = button("Siguiente →", () => show(shown + 1));
    const buttons = element("div", { className: "visor-botones" }, before, size, after);
    const dialog = element("dialog", { className: "visor" }, canvas, caption, buttons);
    buttons.append(button("Cerrar", () => dialog.close()));
    dialog.setAttribute("aria-label", "Figura ampliada");
    dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || canvas.classList.contains("grande")) return;
      event.preventDefault();
      show(shown + step);
    });
    dialog.addEventListener("close", () => pictures[shown].closest("figure").scrollIntoView({ block: "center" }));
    document.body.append(dialog);
    viewer = { dialog, picture, canvas, caption, size, before, after };
  }

  function setSize(large) {
    viewer.canvas.classList.toggle("grande", large);
    viewer.size.textContent = large ? "Ver entera" : "Ver a su tamaño";
  }

  function toggleSize() {
    setSize(!viewer.canvas.classList.contains("grande"));
  }

  function show(place) {
    if (!pictures[place]) return;
    shown = place;
    const source = pictures[place];
    Object.assign(viewer.picture, { src: source.src, alt: source.alt });
    for (const side of ["width", "height"]) viewer.picture.setAttribute(side, source.getAttribute(side) ?? "");
    const caption = source.closest("figure").querySelector("figcaption")?.cloneNode(true);
    caption?.querySelectorAll(".headerlink, .ampliar").forEach((one) => one.remove());
    viewer.caption.textContent = caption?.textContent.trim() ?? "";
    viewer.before.disabled = place === 0;
    viewer.after.disabled = place === pictures.length - 1;
    const { clientWidth: width, clientHeight: height } = viewer.canvas;
    const scale = Math.min(width / source.getAttribute("width"), height / source.getAttribute("height"));
    setSize(scale < LEGIBLE);
    viewer.canvas.scrollTo(0, 0);
  }

  function open(place) {
    if (!viewer) build();
    viewer.dialog.showModal();
    viewer.canvas.focus();
    show(place);
  }

  pictures.forEach((picture, place) => {
    for (const shape of [picture, picture.parentElement.querySelector(".trozos")]) {
      shape?.addEventListener("click", () => open(place));
    }
    const caption = picture.closest("figure").querySelector("figcaption p");
    const name = caption?.querySelector(".caption-number")?.textContent.trim() ?? "la figura";
    const grow = button("Ampliar", () => open(place));
    grow.className = "ampliar";
    grow.setAttribute("aria-label", `Ampliar: ${name}`);
    caption?.append(grow);
  });
  // Para pasarlas una a una, como diapositivas.
  document.addEventListener("tfc:figuras", () => pictures.length && open(0));
})();
