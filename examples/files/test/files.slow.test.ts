import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FileStore } from "../functions/files/store.ts";
import { resourcesOf, stageTemplate } from "./support/infra/templates.ts";
import { runProgram } from "./support/programs/program.ts";
import { startProgram } from "./support/programs/started.ts";
import { startS3 } from "./support/s3-server.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("the content of files is exported and erased with their owner, and deleted with its record", async () => {
  const folder = temporaryDirectory(onTestFinished);
  const environment = { DATA_DIR: join(folder, "data"), PORT: "0", SEED: "none", FILES_S3: await startS3() };
  const started = startProgram(resolve("local/start.ts"), environment);
  onTestFinished(async () => void (await started.end("SIGKILL")));
  const [, base = ""] = await started.printed(/Ready at (\S+)/);
  const call = async (method: string, path: string, body?: object, headers = {}) => {
    const content = body && { body: JSON.stringify(body) };
    const response = await fetch(`${base}${path}`, { method, headers, ...content });
    const text = await response.text();
    return text === "" ? {} : JSON.parse(text);
  };
  const signIn = async (username: string) => {
    const password = "Correct horse 1";
    await call("POST", "/users/", { username, password, email: `${username}@example.com` });
    const login = await call(
      "POST",
      "/auth/login",
      { username, password },
      { "content-type": "application/json" },
    );
    return { authorization: `Bearer ${login.access_token}` };
  };
  const upload = async (text: string, owner: object) => {
    const file = { name: "plan.txt", type: "text/plain", size: text.length };
    const { upload_url, ...record } = await call("POST", "/files", file, owner);
    const headers = { "content-type": "text/plain" };
    expect((await fetch(upload_url, { method: "PUT", body: text, headers })).status).toBe(200);
    return record;
  };
  const store = new FileStore(environment.FILES_S3, { region: "us-east-1" });

  const [ada, bob] = [await signIn("ada"), await signIn("bob")];
  const [plan, other] = [await upload("Plan of Ada", ada), await upload("Plan of Bob", bob)];
  const file = join(folder, "person.json");
  const person = (action: string, ...more: string[]) =>
    runProgram("ops/person.ts", [action, "ada", "--stage", "local", "--file", file, ...more], {
      environment,
      input: "ada\n",
    });
  expect(await person("export")).toMatchObject({ code: 0 });
  const [exported] = JSON.parse(readFileSync(file, "utf8")).files;
  expect(exported).toMatchObject({ name: "plan.txt", content: btoa("Plan of Ada") });

  expect(await person("erase", "--wait", "0", "--file", join(folder, "erased.json"))).toMatchObject({
    code: 0,
  });
  expect([await store.read(plan), await store.read(other)]).toEqual([undefined, btoa("Plan of Bob")]);

  await call("DELETE", `/files/${other.id}`, undefined, bob);
  // A minute after its creation.
  await expect.poll(() => store.read(other), { interval: 1_000 }).toBeUndefined();
});

it("the bucket is private, and stays in prod", () => {
  const [bucket] = resourcesOf(stageTemplate("prod"), "AWS::S3::Bucket");
  expect(bucket?.[1]).toMatchObject({
    DeletionPolicy: "Retain",
    Properties: {
      BucketEncryption: { ServerSideEncryptionConfiguration: [{}] },
      CorsConfiguration: { CorsRules: [{ AllowedOrigins: [expect.stringMatching(/^https:/), expect.any(String)] }] },
      LifecycleConfiguration: { Rules: [{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
  });
});
