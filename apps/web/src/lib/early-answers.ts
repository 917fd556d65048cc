/** Answers asked for before the app is there to ask: its scripts and its first data then come side by side. Each answer is taken once. */

type Early = { readonly answer: Promise<Response>; readonly askedAt: number };

/** An answer that nobody took for so long is no first data any more. */
const FRESH_FOR_MS = 20_000;

const waiting = new Map<string, Early>();

/** Asks as `http-transport.ts` does; a failure is told to whoever takes the answer. */
export function askEarly(url: string): void {
  const answer = fetch(url, { credentials: 'include', redirect: 'manual', headers: { accept: 'application/json' } });
  // Where nobody takes it, nobody has lost anything by its failure.
  answer.catch(() => undefined);
  waiting.set(url, { answer, askedAt: performance.now() });
}

/** The answer to an early question; undefined if it was not asked, was taken before, or is old. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = waiting.get(url);
  waiting.delete(url);
  return early && performance.now() - early.askedAt < FRESH_FOR_MS ? early.answer : undefined;
}
