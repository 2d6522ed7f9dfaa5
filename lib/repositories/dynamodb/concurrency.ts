/** Below the SDK's 50 sockets, so that a long list leaves room for other calls. */
const MAX_CONCURRENCY = 32;

/**
 * Maps a list through an asynchronous function, many at once but not without bound.
 *
 * @param inputs what to map
 * @param map called once for each
 * @returns the results in the order of the inputs
 * @throws what the first failing call throws; no further call is begun then
 */
export async function mapConcurrently<A, B>(
  inputs: readonly A[],
  map: (input: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = new Array(inputs.length);
  const queue = inputs.entries();
  const work = async () => {
    for (const [index, input] of queue) results[index] = await map(input);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENCY, inputs.length) }, work));
  return results;
}
