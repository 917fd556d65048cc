/** Asks for a second factor when the server requires one for a request, then resends the request (lib/api.ts). */
import { FACTOR_NEEDED_CODE } from '@portal/contract/problem.ts';
import { ApiError } from './problem-to-error.ts';

/** Resolves to true once the user has confirmed with a second factor, or false if they cancelled. */
type Prompt = () => Promise<boolean>;

let prompt: Prompt | undefined;
let open: Promise<boolean> | undefined;

/** Sets the prompt, which is the app's dialog. Returns a function that removes it. */
export function setFactorPrompt(newPrompt: Prompt): () => void {
  prompt = newPrompt;
  return () => {
    if (prompt === newPrompt) prompt = undefined;
  };
}

/**
 * Sends the request and, if the server requires a second factor, resends it once the user has confirmed. Concurrent requests share one
 * prompt.
 */
export async function sendWithFactor<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== FACTOR_NEEDED_CODE || prompt === undefined) throw error;
    open ??= prompt().finally(() => {
      open = undefined;
    });
    if (!(await open)) throw error;
    return send();
  }
}
