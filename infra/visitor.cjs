// Calls the API through its public address, every minute (docs/adr/0032). It throws if anything
// failed, after it has tried everything, since an alarm looks at its errors. With a request for a canary, it
// sends that one every second while a rollout lasts, and leaves the errors to the rollout's alarm.
const plan = JSON.parse(process.env.PLAN);
const headers = { "user-agent": plan.userAgent, "content-type": "application/json" };

exports.handler = ({ canary } = {}) => (canary === undefined ? visit() : accompany(canary));

async function visit() {
  const problems = [];
  const attempt = (steps) => steps().catch(({ message }) => problems.push(message));
  if (plan.login) await attempt(logIn);
  if (plan.record) await attempt(useRecord);
  const minute = Math.floor(Date.now() / 60_000) % plan.roundMinutes;
  for (const other of plan.others)
    if (other.minute === minute)
      await attempt(() => send(other.target, { isExpected: (status) => status < 500 }));
  if (problems.length > 0) throw new Error(problems.join("; "));
}

const isRefused = (status) => status === 401 || status === 403;

/**
 * Registers the account at the first visit, and after its table was restored to a time before. The stage's
 * setting `access` may keep the account from registering, and from records.
 */
async function logIn() {
  const { username, password } = plan.account;
  const body = { username, password };
  let response = await send(plan.login, { body, isExpected: (status) => status === 200 || status === 401 });
  if (response.status === 401) {
    const isExpected = (status) => status === 201 || isRefused(status);
    const registered = await send(plan.registration, { body: plan.account, isExpected });
    if (registered.status !== 201) return;
    response = await send(plan.login, { body, isExpected: (status) => status === 200 });
  }
  headers.authorization = `Bearer ${JSON.parse(response.text).access_token}`;
}

async function useRecord() {
  const { target, body } = plan.record;
  const created = await send(target, { body, isExpected: (status) => status === 201 || isRefused(status) });
  if (created.status !== 201) return;
  const { pathname } = new URL(created.location, plan.url);
  await send(`GET ${pathname}`, { isExpected: (status) => status === 200 });
  await send(`DELETE ${pathname}`, { isExpected: (status) => status === 204 });
}

async function send(target, { body, isExpected }) {
  const [method, path] = target.split(" ");
  try {
    const response = await fetch(plan.url + path, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!isExpected(response.status)) throw new Error(`${response.status} ${text.slice(0, 200)}`);
    return { status: response.status, location: response.headers.get("location"), text };
  } catch (error) {
    throw new Error(`${target}: ${error.message}`, { cause: error });
  }
}

async function accompany(target) {
  const ends = Date.now() + plan.canarySeconds * 1_000;
  const requests = [];
  while (Date.now() < ends) {
    requests.push(send(target, { isExpected: () => true }).catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await Promise.all(requests);
}
