/**
 * Fetches the next page while the caller uses the current one. An error is thrown after the pages before it. If the caller stops early,
 * one fetched page is discarded.
 */
export async function* readAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  let next = pages.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = pages.next();
      // It is thrown when it is awaited; until then, it mustn't count as unhandled.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    // Don't wait for a page that no one uses any more.
    void pages.return(undefined).catch(() => undefined);
  }
}
