import { findAll } from "./elements.ts";
import { connectMenu, connectSearch, markCurrent } from "./navigation.ts";
import { connectOperation } from "./operation-form.ts";
import { connectSamples } from "./samples.ts";
import { connectSignIn } from "./sign-in.ts";

connectMenu();
connectSearch();
markCurrent();
connectSignIn();
const forms = findAll<HTMLFormElement>("form.operation");
connectSamples(forms);
for (const form of forms) connectOperation(form);
