import { expect, it } from "vitest";
import { startWithProvider } from "../support/programs/provider.ts";
import { openPage, useBrowser } from "./browser.ts";

useBrowser();

it("the page sends a provider's token, and nothing that is none", async () => {
  const { provider, url } = await startWithProvider();
  const { page, complaints } = await openPage(`${url}/docs`);
  const signIn = async (token: string) => {
    await page.fill("#token-form input", token);
    await page.click("#token-form button");
  };
  await page.click("#sign-in");
  expect(await page.locator("#signed-out").textContent()).toContain(provider.url);
  for (const none of ["x", "a.b.c", `a.${btoa("null")}.c`, `a.${btoa('{"sub":"ada"}')}.c`]) {
    await signIn(none);
    await page.getByText("The token is invalid or has expired").waitFor();
    expect(await page.locator("#sign-in").textContent()).toBe("Sign in");
  }
  await signIn(await provider.tokenOf("ada"));
  await page.getByText("Signed in as ada until").waitFor();
  await page.click("dialog .close");
  await page.locator("#getOwnAccount .send").click();
  await page.locator("#getOwnAccount .result").getByText('"ADA"').waitFor();
  expect(complaints).toEqual([]);
});
