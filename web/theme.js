// Light or dark: the system's setting, unless the reader selects one. A page from disk may not have storage.

const themes = ["system", "light", "dark"];
const mediaOfDark = { system: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };

function rememberedTheme() {
  try {
    const theme = localStorage.getItem("faultline-theme");
    return themes.includes(theme) ? theme : "system";
  } catch (refused) {
    return "system";
  }
}

function applyTheme(theme) {
  document.getElementById("dark").media = mediaOfDark[theme];
  try {
    localStorage.setItem("faultline-theme", theme);
  } catch (refused) {
    // the selection lasts until the page is closed
  }
  redrawPlots();
}

function themeButton() {
  let theme = rememberedTheme();
  const button = element("button", { type: "button", id: "theme", title: "Light, dark, or the system's setting" });
  const label = () => {
    button.textContent = { system: "◐ System", light: "☀ Light", dark: "☾ Dark" }[theme];
    button.setAttribute("aria-label", `colours: ${theme}; change`);
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    applyTheme(theme);
    label();
  });
  label();
  return button;
}

applyTheme(rememberedTheme());
matchMedia(mediaOfDark.system).addEventListener("change", () => redrawPlots());
