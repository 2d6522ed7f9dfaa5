import { find, findAll } from "./elements.ts";
import { connectMenu, connectSearch, markCurrent } from "./navigation.ts";
import { connectOperation } from "./operation-form.ts";
import { connectSamples } from "./samples.ts";
import { connectSignIn } from "./sign-in.ts";

connectMenu(find("#menu"), find("#sidebar"));
connectSearch(find("#search"), find("#sidebar"), find("#found"), find("#no-match"));
markCurrent(find("#sidebar"));
connectSignIn();
const forms = findAll<HTMLFormElement>("form.operation");
connectSamples(forms);
for (const form of forms) connectOperation(form);
