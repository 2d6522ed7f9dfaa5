import { codeSample, type Language, languages } from "../code-sample.ts";
import { find, findAll } from "./elements.ts";
import { requestOf } from "./form-values.ts";

let language: Language = storedLanguage();

/** Shows code for what stands in the forms, in the language that was chosen last. */
export function connectSamples(forms: readonly HTMLFormElement[]): void {
  const choose = (chosen: Language) => {
    language = chosen;
    sessionStorage.setItem("language", chosen);
    for (const button of findAll("[data-language]"))
      button.ariaPressed = String(button.dataset.language === chosen);
    for (const form of forms) showSample(form);
  };
  for (const form of forms) {
    form.addEventListener("input", () => showSample(form));
    copyOnClick(find("button.copy", form), () => find(".sample pre", form).textContent ?? "");
    copyOnClick(find("button.copy-link", form), () => new URL(`#${form.id}`, location.href).href);
    for (const button of findAll("[data-language]", form))
      button.addEventListener("click", () => choose(button.dataset.language as Language));
  }
  choose(language);
}

function copyOnClick(button: HTMLElement, text: () => string): void {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text());
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}

function showSample(form: HTMLFormElement): void {
  find(".sample pre code", form).textContent = codeSample(language, requestOf(form));
}

function storedLanguage(): Language {
  const stored = sessionStorage.getItem("language") ?? "";
  return Object.hasOwn(languages, stored) ? (stored as Language) : "curl";
}
