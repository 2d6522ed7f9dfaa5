import { createHmac } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { startLoopback } from "../local/loopback.ts";
import { runProgram } from "./support/programs/program.ts";
import { copyWithExampleAreas } from "./support/programs/project-copy.ts";
import { startProgram } from "./support/programs/started.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** Accepts posts, except for the first. */
async function startReceiver() {
  const received: { signature: string; body: string }[] = [];
  const server = await startLoopback(async (request, response) => {
    const body = await text(request);
    received.push({ signature: String(request.headers["x-signature"]), body });
    response.writeHead(received.length === 1 ? 503 : 204).end();
  });
  onTestFinished(server.close);
  return { received, url: `${server.url}/` };
}

/** Synthesizes prod with the AWS Solutions checks. @returns the alarm of jobs, and what the checks found */
async function checkProd(copy: string): Promise<string[]> {
  const required = { origins: "https://example.com", access: "specified", alarmEmail: "none" };
  const settings = { stage: "prod", rollout: "all-at-once", ...required, outdir: join(copy, "out") };
  const code = `import { readFileSync } from "node:fs";
    import { Validations } from "aws-cdk-lib";
    import { AwsSolutionsChecks } from "cdk-nag";
    import { createApp } from "./infra/app.ts";
    const app = await createApp(${JSON.stringify(settings)});
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const [{ template }] = app.synth().stacks;
    const { pluginReports } = JSON.parse(readFileSync("out/validation-report.json", "utf8"));
    console.log(Object.keys(template.Resources).filter((id) => /^FailedJobs[0-9A-F]{8}$/.test(id)).join().slice(0, -8));
    console.log(JSON.stringify(pluginReports));`;
  writeFileSync(join(copy, "check-prod.ts"), code);
  const { output, errors } = await runProgram(join(copy, "check-prod.ts"), [], { directory: copy });
  if (output === "") throw new Error(errors);
  return output.trim().split("\n");
}

it("jobs of a copied area run, fail, are repeated, survive a kill, and may do what they declare", async () => {
  const folder = temporaryDirectory(onTestFinished);
  const copy = join(folder, "project");
  copyWithExampleAreas(copy);
  expect(await checkProd(copy)).toEqual(["FailedJobs", "[]"]);
  const mails = join(folder, "mails");
  const { received, url } = await startReceiver();
  const secrets = { ADMIN_PASSWORD: "Secret-123", API_KEYS: "key-aaaa,key-bbbb" };
  const services = { BOOKING_MAILS: mails, ACCOUNT_MAILS: folder, BOOKING_WEBHOOK: url };
  const environment = { DATA_DIR: join(folder, "data"), PORT: "0", SEED: "none", ...secrets, ...services };
  const start = async () => {
    const started = startProgram(join(copy, "local/dev.ts"), environment);
    onTestFinished(async () => void (await started.end("SIGKILL")));
    const [, base = ""] = await started.printed(/Ready at (\S+)/);
    const post = async (path: string, body: object, headers = {}) => {
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await (await fetch(`${base}${path}`, request)).text();
      return JSON.parse(response || "{}") as Record<string, unknown>;
    };
    const login = { username: "admin", password: environment.ADMIN_PASSWORD };
    const { access_token } = await post("/auth/login", login, { "content-type": "application/json" });
    const book = (starts_at: string) =>
      post("/bookings", { room_id: 1, starts_at }, { authorization: `Bearer ${access_token}` });
    return { ...started, post, book };
  };
  const job = (...args: string[]) =>
    runProgram(join(copy, "ops/job.ts"), [...args, "--stage", "local"], { environment });
  const mailed = (count: number) =>
    vi.waitUntil(() => readdirSync(mails).length === count, { timeout: 600_000 });

  const first = await start();
  await first.post("/rooms", { name: "Blue room", seats: 8 });
  // A file is in the place of the folder.
  writeFileSync(mails, "");
  await first.book("2020-05-04T09:30:00Z");
  await first.printed(/bookings\/remind has failed for good/);
  expect(await job("bookings/remind", "--again")).toMatchObject({ code: 1 });
  rmSync(mails);
  const handled = { code: 0, output: "bookings/remind: 1 handled, 0 failed again.\n" };
  expect(await job("bookings/remind", "--again")).toMatchObject(handled);
  expect(readFileSync(join(mails, "booking-1.eml"), "utf8")).toMatch(/^To: admin@example.com\n/);

  // Killed with a booking whose mail may or may not have been written.
  await first.book("2020-05-05T09:30:00Z");
  await first.end("SIGKILL");
  const second = await start();
  await mailed(2);

  // Both are over; each change is announced, in order, the first one again because of the 503.
  expect(await job("bookings/purge")).toMatchObject({ code: 0, output: "bookings/purge has run.\n" });
  const announced = () =>
    received.map(({ body }) => JSON.parse(body)).map(({ id, status }) => `${id} ${status}`);
  await vi.waitUntil(() => new Set(announced()).size === 4, { timeout: 600_000 });
  expect([...new Set(announced())]).toEqual(["1 booked", "2 booked", "1 deleted", "2 deleted"]);
  expect(announced().filter((each) => each === "1 booked").length).toBeGreaterThan(1);
  for (const { signature, body } of received) {
    const [, time] = /^t=(\d+),/.exec(signature) ?? [];
    const sign = (key: string) => createHmac("sha256", key).update(`${time}.${body}`).digest("hex");
    expect(signature).toBe(`t=${time},v1=${sign("key-aaaa")},v1=${sign("key-bbbb")}`);
  }
  expect(second.output()).toMatch(/^JOB +200 .* bookings\/remind$/m);

  // What it does not declare is denied.
  const area = join(copy, "functions/bookings/area.ts");
  const changed = readFileSync(area, "utf8")
    .replace('accounts: ["dynamodb:GetItem"]', 'accounts: ["dynamodb:Query"]')
    .replace("rate(1 day)", "rate(1 minute)");
  writeFileSync(area, changed);
  await second.printed(/Synthesized the stack after .*: JobBookingsRemindFunction/);
  await second.book("2020-05-06T09:30:00Z");
  await second.printed(/JobBookingsRemindFunction\S+ is not authorized to perform: dynamodb:GetItem/);

  const args = ["bookings/purge", "--clock", "--stage", "local"];
  const clock = runProgram(join(copy, "ops/job.ts"), args, { environment, interruptAt: /has run/ });
  expect((await clock).output).toMatch(/^(bookings\/purge has run\.\n)+$/);

  // Last, because it ends the token with which `book` is called.
  const reset = join(folder, "reset-admin.eml");
  await second.post("/password-resets", { username: "admin" });
  await vi.waitUntil(() => existsSync(reset), { timeout: 600_000 });
  const [, token] = /15 minutes: (\S+)/.exec(readFileSync(reset, "utf8")) ?? [];
  await second.post("/password-resets/completion", { token, password: "Another-123" });
  const login = { username: "admin", password: "Another-123" };
  expect(await second.post("/auth/login", login)).toHaveProperty("access_token");
});
