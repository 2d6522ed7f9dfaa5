// Calls the API through its public address, every minute (docs/adr/0032). It throws if anything
// failed, after it has tried everything, since an alarm looks at its errors. With the area of a canary, it reads and
// writes there every second while a rollout lasts, and leaves the errors to the rollout's alarm.
const { URL: url, ACCOUNT } = process.env;
const headers = { "user-agent": PLAN.userAgent, "content-type": "application/json" };

exports.handler = ({ canary } = {}) => (canary === undefined ? visit() : accompany(canary));

async function visit() {
  const problems = [];
  const attempt = (steps) => steps().catch(({ message }) => problems.push(message));
  if (PLAN.login) await attempt(logIn);
  if (PLAN.record) await attempt(useRecord);
  const minute = Math.floor(Date.now() / 60_000) % PLAN.roundMinutes;
  for (const [i, { read }] of Object.values(PLAN.areas).entries())
    if (i % PLAN.roundMinutes === minute)
      await attempt(() => send(read, { isExpected: (status) => status < 500 }));
  if (problems.length > 0) throw new Error(problems.join("; "));
}

const isRefused = (status) => status === 401 || status === 403;

/**
 * Registers the account at the first visit, and after its table was restored to a time before. The stage's
 * setting `access` may keep the account from registering, and so from records.
 */
async function logIn() {
  delete headers.authorization;
  const account = JSON.parse(ACCOUNT);
  const { email, ...body } = account;
  const { target, registration } = PLAN.login;
  let response = await send(target, { body, isExpected: (status) => status === 200 || status === 401 });
  if (response.status === 401) {
    const isExpected = (status) => status === 201 || isRefused(status);
    const registered = await send(registration, { body: account, isExpected });
    if (registered.status !== 201) return;
    response = await send(target, { body, isExpected: (status) => status === 200 });
  }
  headers.authorization = `Bearer ${JSON.parse(response.text).access_token}`;
}

async function useRecord() {
  const isExpected = (status) => status < 300 || (!headers.authorization && isRefused(status));
  await exports.writeRecord(PLAN.record, ({ target, body }) => send(target, { body, isExpected }));
}

async function send(target, { body, isExpected }) {
  const [method, path] = target.split(" ");
  try {
    const response = await fetch(url + path, {
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

async function accompany(area) {
  if (PLAN.login) await logIn().catch(() => undefined);
  const { read, cycles } = PLAN.areas[area];
  const attempt = ({ target, body }) =>
    send(target, { body, isExpected: () => true }).catch(() => ({ status: 500 }));
  const ends = Date.now() + PLAN.canarySeconds * 1_000;
  const requests = [];
  for (let second = 0; Date.now() < ends; second += 1) {
    // Records that nothing deletes are few.
    const due = cycles.filter(({ leaves }) => !leaves || second % PLAN.secondsBetweenLeft === 0);
    requests.push(attempt({ target: read }), ...due.map((cycle) => exports.writeRecord(cycle, attempt)));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await Promise.all(requests);
}
