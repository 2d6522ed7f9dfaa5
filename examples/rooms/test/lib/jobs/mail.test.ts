import { afterEach, expect, it, vi } from "vitest";
import { sendMail } from "../../../lib/jobs/mail.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  [200, undefined],
  [400, "SES responded with 400: MessageRejected"],
])("a mail from an address is a signed call of SES; status %s", async (status, error) => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  const send = vi.fn(async (_: string, __: RequestInit) => new Response("MessageRejected", { status }));
  vi.stubGlobal("fetch", send);

  const mail = { id: "booking-1", to: "ada@example.com", subject: "Your booking", text: "Room 1" };
  const sent = sendMail("rooms@example.com", mail, AbortSignal.timeout(60_000));
  if (error === undefined) await sent;
  else await expect(sent).rejects.toThrow(error);
  const [url, { headers, body }] = send.mock.calls[0] ?? ["", {}];
  expect(url).toBe("https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails");
  expect(new Headers(headers).get("authorization")).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/ses\/aws4_request, SignedHeaders=content-type;host;/,
  );
  expect(JSON.parse(String(body))).toMatchObject({
    FromEmailAddress: "rooms@example.com",
    Destination: { ToAddresses: ["ada@example.com"] },
  });
});
