/**
 * Marks calls that a connected program's tool makes in this process. The program's token is valid only there: it was issued for the tools,
 * and no request from outside can set the mark.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const toolCalls = new AsyncLocalStorage<true>();

export function runAsToolCall<Result>(work: () => Result): Result {
  return toolCalls.run(true, work);
}

export function isToolCall(): boolean {
  return toolCalls.getStore() === true;
}
