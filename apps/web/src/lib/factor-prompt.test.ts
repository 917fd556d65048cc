import { afterEach, expect, it } from 'vitest';
import { sendWithFactor, setFactorPrompt } from './factor-prompt.ts';
import { ApiError } from './problem-to-error.ts';

let undo = (): void => undefined;
afterEach(() => undo());

const factorNeededError = new ApiError({ status: 403, code: 'identity.factor_needed', message: 'Confirm your identity' });

/** Creates a server that requires a second factor until the user has confirmed one. */
function createServer() {
  const server = { isConfirmed: false, asked: 0 };
  undo = setFactorPrompt(async () => {
    server.asked += 1;
    server.isConfirmed = true;
    return true;
  });
  return { server, send: async () => (server.isConfirmed ? 'released' : Promise.reject(factorNeededError)) };
}

it('repeats a request once the user has confirmed a factor, and asks once for several', async () => {
  const { server, send } = createServer();
  expect(await Promise.all([sendWithFactor(send), sendWithFactor(send)])).toEqual(['released', 'released']);
  expect(server.asked).toBe(1);
});

it('throws the server’s error if the user cancels', async () => {
  undo = setFactorPrompt(async () => false);
  await expect(sendWithFactor(() => Promise.reject(factorNeededError))).rejects.toBe(factorNeededError);
});

it('does not ask for any other rejection', async () => {
  const { server } = createServer();
  const forbiddenError = new ApiError({ status: 403, code: 'advance.own_approval', message: 'You approved it' });
  await expect(sendWithFactor(() => Promise.reject(forbiddenError))).rejects.toBe(forbiddenError);
  expect(server.asked).toBe(0);
});
