/** Fewer than the SDK's 50 sockets, so that a long list leaves some to other calls. */
const MAX_CONCURRENCY = 32;

/**
 * Maps a list through an asynchronous function, with at most 32 calls at the same time.
 *
 * @returns the results in the order of the inputs
 * @throws the error of the first call that fails; no further calls are started then
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
