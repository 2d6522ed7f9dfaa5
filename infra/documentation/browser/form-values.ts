import type { SampleRequest } from "../code-sample.ts";
import { buildRequest, type Scheme } from "../request.ts";
import { findAll } from "./elements.ts";

/** The request that an operation's form describes. */
export function requestOf(form: HTMLFormElement): SampleRequest {
  const { method = "", path = "", scheme = "", returnsJson } = form.dataset;
  const fields = findAll<HTMLInputElement | HTMLSelectElement>("[data-in]", form);
  return buildRequest(
    {
      method,
      path,
      baseUrl: location.origin,
      returnsJson: returnsJson === "true",
      credentials: scheme === "" ? undefined : (scheme as Scheme),
    },
    fields.map(({ name, value, dataset }) => ({ name, value, in: dataset.in ?? "" })),
    form.querySelector<HTMLTextAreaElement>("textarea.body")?.value,
  );
}
