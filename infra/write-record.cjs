/**
 * Sends the requests of a cycle (functions/trial-requests.ts), each for the record that the first one created.
 *
 * @param send resolves to the status and the Location of a response
 * @param clean sends the last request, which deletes the record, if another one fails
 * @returns which request failed, with what status; undefined if none did
 */
exports.writeRecord = async ({ requests }, send, clean = send) => {
  const unique = Math.random().toString(36).slice(2);
  let { id } = PLAN.placeholders;
  const filled = (request) => {
    const text = JSON.stringify(request).replaceAll(PLAN.placeholders.unique, unique);
    return JSON.parse(text.replaceAll(PLAN.placeholders.id, id));
  };
  for (const [step, request] of requests.entries()) {
    const { status, location } = await send(filled(request));
    if (status > 299) {
      if (step > 0) await clean(filled(requests.at(-1)));
      return { step, status };
    }
    if (step === 0) id = location.split("/").at(-1);
  }
};
