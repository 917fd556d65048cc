/** Asks for a second factor when the server wants one before it does something, then the request is sent again (lib/api.ts). */
import { FACTOR_NEEDED_CODE } from '@portal/contract/problem.ts';
import { ApiError } from './problem-to-error.ts';

/** Resolves to true once the person has shown a factor, to false if they cancelled. */
type Prompt = () => Promise<boolean>;

let prompt: Prompt | undefined;
let open: Promise<boolean> | undefined;

/** Sets who asks: the dialog of the app. Returns a function that removes it. */
export function setFactorPrompt(ask: Prompt): () => void {
  prompt = ask;
  return () => {
    if (prompt === ask) prompt = undefined;
  };
}

/** Sends the request, again after a factor if the server asks for one. Several requests at once ask only once. */
export async function withFactor<Answer>(send: () => Promise<Answer>): Promise<Answer> {
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
