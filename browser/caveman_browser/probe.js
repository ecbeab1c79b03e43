// What the writer asks of an element, in a world of its own that the page's scripts cannot see or change.
// Called with `this` as the element: probe.call(element, "question", ...arguments). Changes nothing but what
// `scroll`, `caret`, `fill` and `choose` say.
async function (question, ...args) {
  const element = this.nodeType === Node.ELEMENT_NODE ? this : this.parentElement;

  const visible = (el) => {
    const box = el.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && el.checkVisibility({ visibilityProperty: true });
  };

  // An input hidden by style is worked through its label, an option of an ARIA list through itself.
  const target = (el) => (visible(el) ? el : [...(el.labels ?? [])].find(visible) ?? el);

  const disabled = (el) => el.matches(":disabled") || el.closest("[aria-disabled=true]") !== null;

  const above = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;

  const topmost = (x, y) => {
    // Through the closed shadow roots that the element itself stands in, then into open ones.
    const roots = [];
    for (let root = element.getRootNode(); root.host; root = root.host.getRootNode()) roots.unshift(root);
    let found = document.elementFromPoint(x, y);
    for (const root of roots) {
      if (found !== root.host) break;
      found = root.elementFromPoint(x, y) ?? found;
    }
    while (found?.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (inner === null || inner === found) break;
      found = inner;
    }
    return found;
  };

  const words = (el) => {
    const text = (el.getAttribute("aria-label") || el.innerText || "").replace(/\s+/g, " ").trim().slice(0, 60);
    const name = el.tagName.toLowerCase() + (el.id ? "#" + el.id : "");
    return `${name} ${text}`.trim();
  };

  const frame = () => Promise.race([
    new Promise((done) => requestAnimationFrame(done)),
    new Promise((done) => setTimeout(done, 60)),
  ]);

  const middle = (el) => {
    // The first line box of wrapped inline text: the middle of the whole could lie beside every line.
    const box = [...el.getClientRects()].find((each) => each.width > 0 && each.height > 0) ?? el.getBoundingClientRect();
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    return { x: (left + right) / 2, y: (top + bottom) / 2, inside: right > left && bottom > top };
  };

  const change = (el) => {
    for (const type of ["input", "change"]) el.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  };

  const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();

  const matching = (options, wanted) =>
    options.find((each) => plain(each.label || each.innerText || each.textContent) === plain(wanted)) ??
    options.find((each) => (each.value ?? each.dataset?.value) === wanted) ??
    options.find((each) => plain(each.label || each.innerText || each.textContent).toLowerCase() === plain(wanted).toLowerCase());

  const questions = {
    // The element that input goes to.
    target: () => target(element),

    // Whether it can be acted on: {why} when not, {x, y} of the point to act at when so.
    async ready(enabled) {
      if (!element.isConnected) return { why: "detached" };
      if (!visible(element)) return { why: "not visible" };
      if (enabled && disabled(element)) return { why: "disabled" };
      const before = element.getBoundingClientRect();
      await frame();
      await frame();
      const after = element.getBoundingClientRect();
      if (["x", "y", "width", "height"].some((side) => before[side] !== after[side])) return { why: "moving" };
      const point = middle(element);
      return point.inside ? point : { why: "outside of what can be scrolled to" };
    },

    scroll: (block) => element.scrollIntoView({ block, inline: "nearest", behavior: "instant" }),

    // What lies over the element at a point: null when it is itself, a part of it, or its label.
    covered(x, y) {
      const found = topmost(x, y);
      for (let node = found; node; node = above(node)) {
        if (node === element || (node.control && node.control === element)) return null;
      }
      // A click on text that an element shows through (pointer-events: none) reaches what is under it.
      for (let node = above(element); node; node = above(node)) {
        if (node === found && element.labels === undefined && getComputedStyle(element).pointerEvents === "none") return null;
      }
      return found ? words(found) : "nothing";
    },

    // Where the inside of a frame element begins in its own frame's viewport.
    inside() {
      const box = element.getBoundingClientRect(), style = getComputedStyle(element);
      return {
        x: box.left + element.clientLeft + parseFloat(style.paddingLeft),
        y: box.top + element.clientTop + parseFloat(style.paddingTop),
      };
    },

    // What kind of field it is for `type`.
    field() {
      const type = element.tagName === "INPUT" ? element.type : element.tagName.toLowerCase();
      const picked = ["date", "time", "datetime-local", "month", "week", "color", "range"].includes(type);
      const text = element.tagName === "TEXTAREA" || element.isContentEditable ||
        (element.tagName === "INPUT" && !["checkbox", "radio", "button", "submit", "reset", "image", "file", "hidden"].includes(type));
      return {
        type, picked, text,
        readonly: element.readOnly === true,
        multiline: element.tagName === "TEXTAREA" || element.isContentEditable,
        empty: (element.value ?? element.textContent) === "",
      };
    },

    // Put the caret at the end, or select everything so that typing replaces it.
    caret(all) {
      element.focus();
      if (element.isContentEditable) {
        const selection = getSelection();
        selection.selectAllChildren(element);
        if (!all) selection.collapseToEnd();
      } else if (all) {
        element.select();
      } else {
        const end = element.value.length;
        try { element.setSelectionRange(end, end); } catch { /* email and number fields have no range */ }
      }
    },

    // Set a field that has no text to type into; false when it does not take the value.
    fill(value) {
      element.value = value;
      change(element);
      return element.value === value || element.type === "range" && Number(element.value) === Number(value);
    },

    checked: () => element.indeterminate ? null : element.checked ?? element.getAttribute("aria-checked") === "true",

    // Choose an option of a <select>: {chosen} or {options} when there is none of that name.
    choose(wanted) {
      const options = [...element.options];
      const found = matching(options, wanted);
      if (!found) return { options: options.slice(0, 30).map((each) => plain(each.label)) };
      if (found.disabled || found.parentElement.disabled) return { disabled: true };
      if (found.selected && !element.multiple) return { chosen: plain(found.label) };
      found.selected = true;
      change(element);
      return { chosen: plain(found.label) };
    },

    // Find the option of an ARIA list or menu, in the lists that the element names before any other.
    option(wanted) {
      const root = element.getRootNode();
      const named = ["aria-controls", "aria-owns"].flatMap((name) => (element.getAttribute(name) ?? "").split(/\s+/));
      const lists = [element, ...named.map((id) => id && root.getElementById?.(id)), root].filter(Boolean);
      const roles = "[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem]";
      for (const list of lists) {
        const found = matching([...list.querySelectorAll(roles)].filter(visible), wanted);
        if (found) return found;
      }
      return null;
    },

    kind: () => element.tagName.toLowerCase() + (element.tagName === "INPUT" ? ":" + element.type : ""),

    // The file field itself, a label's, or the one inside.
    file: () => [element, element.control, element.querySelector?.("input[type=file]")].find((el) => el?.type === "file") ?? null,
  };
  return questions[question](...args);
}
