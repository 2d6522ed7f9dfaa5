import { requestClientConfig } from "../../lib/aws.ts";

// A busy machine must not cause time-outs: the retries would count as calls, and the last one as a 503.
const milliseconds = 600_000;
Object.assign(requestClientConfig.requestHandler, {
  connectionTimeout: milliseconds,
  requestTimeout: milliseconds,
  socketTimeout: milliseconds,
});
