// Makes elements from data. Data of a report becomes text or the value of an attribute, never markup.

// element("p", { class: "why", onclick: f }, "text", child, [children], null)
function element(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

// Lists names and values; false ones are left out.
function factList(facts) {
  return element(
    "dl",
    { class: "facts" },
    facts
      .filter(Boolean)
      .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );
}

function copyByCommand(text) {
  const area = element("textarea", { "aria-hidden": "true", class: "offscreen" });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (refused) {
    return copyByCommand(text); // a page from disk may not have access to the clipboard
  }
}

// `what` is the accessible name: "copy x in hex". The label is next to the icon.
function copyButton(text, what, label = "") {
  const button = element(
    "button",
    { type: "button", class: "copy", "aria-label": "copy " + what, title: "Copy " + what },
    label,
  );
  button.addEventListener("click", async () => {
    const copied = await copyText(text);
    button.textContent = copied ? "copied" : "failed";
    button.classList.toggle("done", copied);
    setTimeout(() => {
      button.textContent = label;
      button.classList.remove("done");
    }, 1200);
  });
  return button;
}

function card(title, ...children) {
  return element("section", { class: "card" }, element("h2", {}, title), ...children);
}

// Buttons of which exactly one is pressed.
function switchOf(label, choices, chosen, onchoose) {
  const buttons = choices.map(([value, text]) =>
    element(
      "button",
      {
        type: "button",
        class: "tab",
        "data-choice": value,
        "aria-pressed": String(value === chosen),
        onclick: () => {
          buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.choice === value)));
          onchoose(value);
        },
      },
      text,
    ),
  );
  return element("div", { class: "tabs", role: "group", "aria-label": label }, buttons);
}
