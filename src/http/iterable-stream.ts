/**
 * Makes a byte stream of an iterable: one item is taken whenever the consumer is ready for one, and
 * none before.
 *
 * When the consumer leaves, or an item cannot be encoded, the iterator is closed (`return()`), so that
 * the `finally` of a generator runs.
 */
export function streamFromIterable<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
  encode: (item: Item) => Uint8Array<ArrayBuffer>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        iterator ??= iteratorOf(source);
        const result = await iterator.next();
        if (result.done === true) {
          controller.close();
          return;
        }
        try {
          controller.enqueue(encode(result.value));
        } catch (error) {
          await iterator.return?.();
          throw error;
        }
      },
      async cancel() {
        await iterator?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function iteratorOf<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in source
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
}
