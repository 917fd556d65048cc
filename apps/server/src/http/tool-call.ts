/**
 * Marks what a tool of a connected program calls in this process. Only there does the program's token count: it was issued for the tools, and no
 * request from outside can set the mark.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const toolCalls = new AsyncLocalStorage<true>();

export function runAsToolCall<Result>(work: () => Result): Result {
  return toolCalls.run(true, work);
}

export function isToolCall(): boolean {
  return toolCalls.getStore() === true;
}
