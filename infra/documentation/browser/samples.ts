import { type FormRequest, type Language, languages, type Scheme } from "../code-sample.ts";
import { buildRequest } from "../request.ts";
import { find, findAll } from "./elements.ts";

const stored = sessionStorage.getItem("language") ?? "";
let language: Language = Object.hasOwn(languages, stored) ? (stored as Language) : "curl";

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

/** The code has no password that somebody has typed: it is made to be copied. */
function showSample(form: HTMLFormElement): void {
  const typed = requestOf(form);
  const hidden = requestOf(form, hidePassword);
  form.classList.toggle("secret", typed.body !== hidden.body);
  find(".sample pre code", form).textContent = languages[language].codeOf(hidden);
}

function hidePassword({ type, value, defaultValue }: Field): string {
  if (type === "password") return value && "…";
  const isExample = type !== "textarea" || value === defaultValue;
  return isExample ? value : value.replaceAll(/("password"\s*:\s*")(?:[^"\\]|\\.)*/g, "$1…");
}

type Field = HTMLInputElement | HTMLTextAreaElement;

export function requestOf(form: HTMLFormElement, read = ({ value }: Field) => value): FormRequest {
  const { method = "", path = "", scheme, returnsJson } = form.dataset;
  const parameters = findAll<HTMLInputElement>("[data-in]", form);
  const body = form.querySelector("textarea");
  return buildRequest(
    {
      method,
      baseUrl: new URL(".", location.href).href.slice(0, -1),
      path,
      returnsJson: returnsJson === "true",
      ...(scheme && { credentials: scheme as Scheme }),
    },
    parameters.map((field) => {
      const { name = "", in: place = "", type = "" } = field.dataset;
      return { name, in: place, type, value: read(field) };
    }),
    body === null ? undefined : read(body),
  );
}
