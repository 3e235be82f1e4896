// Lo que toda página hace por sí misma: menús, impresión y zonas que se deslizan con el teclado.
(() => {
  "use strict";

  const WIDE =
    ".bd-article :is(.katex-display, .pieza-larga, pre, figure, .lamina, .cell_output > .output, .pst-scrollable-table-container)";

  const READING = 160; // un apartado se lee cuando su título pasa de aquí

  /** Cierra los menús abiertos, salvo el que contiene `inside`. */
  function closeMenus(inside) {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(inside)) menu.open = false;
    }
  }

  /** Si ya se ve lo último. */
  function markEnd(box) {
    box.classList.toggle("al-final", box.scrollLeft + box.clientWidth >= box.scrollWidth - 4);
  }

  /** Quien no ve que la figura sigue oye que se desliza. */
  function nameSheet(box, wide) {
    const told = { role: "group", "aria-label": "Figura más ancha que la pantalla: se desliza" };
    for (const [name, value] of Object.entries(told)) {
      if (wide) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }

  /** Lo que no cabe lo dice, y se puede deslizar también con el teclado. */
  function reachWide(entries) {
    const boxes = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    // Primero se mide y después se cambia: mezclarlo obligaría a recolocar la página cada vez.
    const wide = boxes.map((box) => box.scrollWidth > box.clientWidth);
    boxes.forEach((box, index) => {
      box.classList.toggle("desliza", wide[index]);
      // Lo que un lector de pantalla no lee, porque lee su MathML, no se lleva el foco.
      if (wide[index] && !box.closest("[aria-hidden]")) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
      if (box.matches(".lamina")) nameSheet(box, wide[index]);
    });
  }

  // Se mide al acercarse: medirlo todo de entrada retendría a quien ya está leyendo.
  const nearby = new IntersectionObserver(reachWide, { rootMargin: "100% 0px" });

  function watchWide() {
    nearby.disconnect();
    for (const box of document.querySelectorAll(WIDE)) nearby.observe(box);
  }

  document.addEventListener("scroll", (event) => event.target.matches?.(".desliza") && markEnd(event.target), {
    capture: true,
    passive: true,
  });
  document.addEventListener("click", (event) => {
    closeMenus(event.target);
    if (event.target.closest("[data-imprimir]")) window.print();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.activeElement?.closest?.("details.menu[open]");
    closeMenus(null);
    menu?.querySelector("summary").focus();
  });
  // En papel no hay nada que desplegar, y el fondo es blanco.
  let theme = "";
  window.addEventListener("beforeprint", () => {
    theme ||= document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    for (const box of document.querySelectorAll(".bd-article details:not([open])")) {
      box.open = true;
      box.dataset.cerrado = "";
    }
  });
  window.addEventListener("afterprint", () => {
    if (theme) document.documentElement.dataset.theme = theme;
    theme = "";
    for (const box of document.querySelectorAll("details[data-cerrado]")) {
      box.open = false;
      delete box.dataset.cerrado;
    }
  });
  /** El índice de la derecha señala el apartado que se lee; el del tema se pierde en los saltos. */
  function followContents() {
    const links = [...document.querySelectorAll("#pst-page-toc-nav a[href^='#']")];
    const passes = (link) =>
      document.getElementById(decodeURI(link.hash.slice(1)))?.getBoundingClientRect().top < READING;
    const passed = links.filter(passes);
    for (const link of links) {
      const here = link === passed.at(-1);
      link.classList.toggle("active", here);
      if (here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const entry of document.querySelectorAll("#pst-page-toc-nav .toc-entry")) {
      entry.classList.toggle("active", passed.length > 0 && entry.contains(passed.at(-1)));
    }
  }

  let still;
  const contentsLater = () => {
    clearTimeout(still);
    still = setTimeout(followContents, 120); // después que el del tema
  };
  document.addEventListener("scroll", contentsLater, { passive: true });
  let waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(watchWide, 200);
  });
  // Quien cambia el ancho del texto pide que se vuelva a medir.
  document.addEventListener("tfc:medir", watchWide);
  if ("cargando" in document.documentElement.dataset) document.addEventListener("tfc:lista", watchWide);
  else if (document.readyState === "complete") watchWide();
  else window.addEventListener("load", watchWide);
})();
