// Leer: los modos de lectura, lo que se recuerda en este equipo y el curso sin red.
(() => {
  "use strict";

  const html = document.documentElement;
  const root = new URL(html.dataset.content_root, location.href);
  const STORE = "leido";
  const MODES = "lectura";
  const LINE = 140; // un apartado se lee cuando su título pasa de aquí

  const pageOf = (url) => decodeURI(url.pathname.slice(root.pathname.length));
  const here = pageOf(location);
  const isChapter = /^chapters\/\d_/.test(here);
  const article = document.querySelector(".bd-article");

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  // ---- Lo que se recuerda ----------------------------------------------------------------

  /** Páginas empezadas y leídas, ejercicios hechos y cuestionarios respondidos. */
  function recall() {
    try {
      return { pages: {}, done: {}, quizzes: {}, ...JSON.parse(localStorage.getItem(STORE)) };
    } catch {
      return { pages: {}, done: {}, quizzes: {} };
    }
  }

  function remember(change) {
    const memory = recall();
    change(memory);
    localStorage.setItem(STORE, JSON.stringify(memory));
  }

  const titleOf = (heading) => heading.firstChild?.textContent.trim() ?? "";

  /** Apunta el último apartado al que se ha llegado. */
  function rememberPlace() {
    const passed = [...article.querySelectorAll("h2[id], h3[id]")].filter(
      (heading) => heading.getBoundingClientRect().top < LINE,
    );
    const heading = passed.at(-1);
    if (!heading) return;
    remember(({ pages }) => {
      const name = document.querySelector("h1")?.firstChild?.textContent.trim();
      pages[here] = { ...pages[here], name, anchor: heading.id, title: titleOf(heading), when: Date.now() };
    });
  }

  /** Un enlace al apartado en que se quedó la lectura. */
  function offerPlace(address, { name, anchor, title }) {
    const link = element("a", { href: `${address}#${anchor}` }, title);
    const text = name ? ["Sigue donde lo dejaste: ", link, `, en «${name}».`] : ["La última vez llegaste a ", link, "."];
    const notice = element("p", { className: name ? "sigue" : "sigue flota" }, element("span", {}, ...text));
    if (!name) {
      const close = element("button", { type: "button", className: "btn btn-sm", textContent: "Cerrar" });
      close.addEventListener("click", () => notice.remove());
      link.addEventListener("click", () => notice.remove());
      notice.append(close);
    }
    return notice;
  }

  function checkbox(text, checked, change) {
    const input = element("input", { type: "checkbox", checked });
    input.addEventListener("change", () => remember((memory) => change(memory, input.checked)));
    return element("label", { className: "hecho" }, input, text);
  }

  function offerExercises() {
    const { done } = recall();
    for (const box of article.querySelectorAll(".admonition.exercise[id]")) {
      const name = `${here}#${box.id}`;
      const change = (memory, checked) => {
        if (checked) memory.done[name] = true;
        else delete memory.done[name];
      };
      box.append(checkbox("Ejercicio hecho", Boolean(done[name]), change));
    }
  }

  function watchQuizzes() {
    for (const quiz of article.querySelectorAll(".tfc-quiz")) {
      const forms = [...quiz.querySelectorAll("form")];
      const score = quiz.querySelector(".tfc-score");
      const before = recall().quizzes[`${here}#${quiz.id}`];
      if (before && !score.textContent) {
        score.textContent = `La última vez: ${before.right} de ${before.total} a la primera.`;
      }
      quiz.addEventListener("submit", () =>
        setTimeout(() => {
          const tries = forms.map((form) => form.dataset.firstTry).filter(Boolean);
          if (tries.length < forms.length) return;
          const right = tries.filter((one) => one === "right").length;
          remember((memory) => {
            memory.quizzes[`${here}#${quiz.id}`] = { right, total: forms.length };
          });
        }),
      );
    }
  }

  function markRead() {
    const { pages } = recall();
    for (const link of document.querySelectorAll(".bd-links a[href], .mapa-titulo a[href]")) {
      link.classList.toggle("leido", Boolean(pages[pageOf(new URL(link.href))]?.read));
    }
  }

  function offerRead() {
    const change = (memory, read) => {
      memory.pages[here] = { ...memory.pages[here], read };
    };
    const label = checkbox("He leído esta página", Boolean(recall().pages[here]?.read), change);
    label.addEventListener("change", markRead);
    article.append(label);
  }

  /** En la portada: por dónde se iba y cuánto se lleva de cada parte. */
  function showProgress(map) {
    const { pages, done } = recall();
    const started = Object.entries(pages).filter(([, page]) => page.anchor && !page.read);
    started.sort(([, one], [, other]) => other.when - one.when);
    if (started.length) {
      const [page, place] = started[0];
      article.querySelector("h1").after(offerPlace(new URL(page, root).href, place));
    }
    for (const part of map.querySelectorAll(".mapa-parte")) {
      const links = [...part.querySelectorAll(".mapa-titulo a")].map((link) => pageOf(new URL(link.href)));
      const read = links.filter((page) => pages[page]?.read).length;
      const exercises = Object.keys(done).filter((name) =>
        links.some((page) => name.startsWith(`${page.replace(/\.html$/, "")}_ejercicios.html#`)),
      ).length;
      if (!read && !exercises) continue;
      const text = `Llevas ${read} de ${links.length} capítulos leídos y ${exercises} ${exercises === 1 ? "ejercicio hecho" : "ejercicios hechos"}.`;
      part.querySelector(".mapa-resumen").after(element("p", { className: "llevas" }, text));
    }
  }

  if (isChapter) {
    const before = recall().pages[here];
    if (before?.anchor && !before.read && !location.hash) {
      article.append(offerPlace("", { anchor: before.anchor, title: before.title }));
    }
    let waiting;
    window.addEventListener(
      "scroll",
      () => {
        clearTimeout(waiting);
        waiting = setTimeout(rememberPlace, 600);
      },
      { passive: true },
    );
    offerExercises();
    watchQuizzes();
    offerRead();
  }
  const map = document.querySelector("nav.mapa");
  if (map) showProgress(map);
  markRead();

  // ---- Los modos -------------------------------------------------------------------------

  const modes = () => new Set(html.dataset.lectura.split(" ").filter(Boolean));
  for (const input of document.querySelectorAll("[data-modo]")) {
    const { modo } = input.dataset;
    input.checked = modes().has(modo);
    input.addEventListener("change", () => {
      const now = modes();
      if (input.checked) now.add(modo);
      else now.delete(modo);
      html.dataset.lectura = [...now].join(" ");
      localStorage.setItem(MODES, html.dataset.lectura);
      document.dispatchEvent(new Event("tfc:medir"));
    });
  }
  document.querySelector("[data-figuras]")?.addEventListener("click", () => {
    document.querySelector("#lectura").open = false;
    document.dispatchEvent(new Event("tfc:figuras"));
  });

  let presenter = null;
  /** Lo que presenta un capítulo en clase se pide la primera vez que se usa. */
  function loadPresenter() {
    presenter ??= new Promise((ready) => {
      const src = new URL("_static/presentar.js", root).href;
      document.head.append(element("script", { src, onload: ready }));
    });
    return presenter;
  }
  /** Presenta desde una diapositiva o, si no se dice, desde donde se está leyendo. */
  async function present(place) {
    await loadPresenter();
    document.dispatchEvent(new CustomEvent("tfc:presentar", { detail: place }));
  }
  document.querySelector("[data-presentar]")?.addEventListener("click", () => {
    document.querySelector("#lectura").open = false;
    present();
  });
  /** La dirección manda: una diapositiva se presenta, y otro lugar se lo dice a quien presenta. */
  function obeyAddress() {
    const asked = /^#diapositiva-(\d+)$/.exec(location.hash);
    if (asked) present(Number(asked[1]) - 1);
    else if (presenter) document.dispatchEvent(new Event("tfc:lugar"));
  }
  window.addEventListener("hashchange", obeyAddress);
  obeyAddress();

  document.querySelector("[data-olvidar]")?.addEventListener("click", () => {
    localStorage.removeItem(STORE);
    navigator.serviceWorker?.controller?.postMessage({ forget: true });
    location.reload();
  });

  // ---- Sin red ---------------------------------------------------------------------------

  const canSave = "serviceWorker" in navigator && location.protocol.startsWith("http");

  /** La página abierta y lo que ha cargado se guardan; las siguientes, al visitarlas. */
  async function start() {
    await navigator.serviceWorker.register(new URL("sw.js", root));
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
    const ours = loaded.filter((name) => name.startsWith(root.origin));
    active.postMessage({ save: [location.href, ...ours] });
  }

  /** Dice lo que ocupa el curso y, si se pide, lo guarda. */
  async function offerCourse(button) {
    const text = button.lastChild;
    const list = await (await fetch(new URL("sin_red.json", root))).json();
    text.textContent = `Guardar el curso para leer sin red (${Math.round(list.bytes / 1e6)} MB)`;
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      const { active } = await navigator.serviceWorker.ready;
      navigator.serviceWorker.addEventListener("message", ({ data: { done, total } }) => {
        const percent = Math.floor((100 * done) / total);
        text.textContent = done === total ? "El curso está guardado" : `Guardando: ${percent} %`;
      });
      active.postMessage({ save: list.files.map((name) => new URL(name, root).href), tell: true });
    });
  }

  if (canSave) {
    document.addEventListener("tfc:lista", () => start().catch(console.warn));
    const menu = document.querySelector("#lectura");
    const button = document.querySelector("[data-guardar]");
    menu?.addEventListener("toggle", () => offerCourse(button).catch(console.warn), { once: true });
  }
})();
