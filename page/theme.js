// Light or dark: as the system says until the button is pressed, then as pressed for as long as the page is open.
export function bindTheme(button) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const show = () => {
    const dark = (chosen ?? (system.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", dark ? "Switch to light colours" : "Switch to dark colours");
  };
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  show();
}
