/**
 * Marks calls made within this process by a connected app's tool. The app's token is valid only for these: it was issued for the tools, and
 * external requests can't set the mark.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const toolCalls = new AsyncLocalStorage<true>();

export function runAsToolCall<Result>(work: () => Result): Result {
  return toolCalls.run(true, work);
}

export function isToolCall(): boolean {
  return toolCalls.getStore() === true;
}
