/**
 * Logs in as one of the sandbox's operators with a password and authenticator code, and enters a code again when the portal requires it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { identityApi } from '@portal/contract/identity.ts';
import { FACTOR_NEEDED_CODE } from '@portal/contract/problem.ts';
import { securityApi } from '@portal/contract/security.ts';
import { generateCode } from '@portal/sandbox/seed/authenticator-code.ts';
import { SANDBOX_OPERATORS, type SandboxOperator } from '@portal/sandbox/seed/sandbox-operators.ts';
import { createCaller, PortalError, type Caller, type CallerOptions } from './caller.ts';
import { SANDBOX_PASSWORD } from './trader.ts';

const [OLGA, OMAR, OTIS] = SANDBOX_OPERATORS;

/** The operator who approves, and those who then release. */
export const OPERATORS = { approver: OLGA, releasers: [OMAR, OTIS] } as const;

const STEP_MS = 30_000;
/** The portal accepts the codes before and after the current one, but each code only once. */
const ACCEPTED_STEPS = [-1, 0, 1];

export async function logInOperator(portalUrl: string, operator: SandboxOperator, options?: CallerOptions): Promise<Caller> {
  const caller = createCaller(portalUrl, options);
  const logIn = () => logInWithCode(caller, operator);
  await logIn();
  return {
    ...caller,
    call: async (endpoint, input, options) => {
      try {
        return await caller.call(endpoint, input, options);
      } catch (error) {
        if (!(error instanceof PortalError)) throw error;
        // The session ends after 30 minutes without a request.
        if (error.status === 401) await logIn();
        else if (error.code === FACTOR_NEEDED_CODE) await useCode(operator, (code) => caller.call(securityApi.confirmFactor, { code }));
        else throw error;
        return caller.call(endpoint, input, options);
      }
    },
  };
}

async function logInWithCode(caller: Caller, operator: SandboxOperator): Promise<void> {
  const loginResponse = await caller.call(identityApi.login, { email: operator.email, password: SANDBOX_PASSWORD });
  if (loginResponse.type !== 'second_factor') throw new Error(`${operator.email} was not asked for an authenticator code`);
  const { challenge } = loginResponse;
  await useCode(operator, (code) => caller.call(securityApi.completeSecondFactor, { challenge, code }));
}

/** Tries the currently valid codes. If another run has used them all, waits for the next. */
async function useCode<Answer>(
  { authenticator_secret: secret }: SandboxOperator,
  send: (code: string) => Promise<Answer>,
): Promise<Answer> {
  for (const step of ACCEPTED_STEPS) {
    try {
      return await send(generateCode(secret, step));
    } catch (error) {
      if (!isWrongCode(error)) throw error;
    }
  }
  await pause(STEP_MS - (Date.now() % STEP_MS) + 500);
  return send(generateCode(secret, 1));
}

function isWrongCode(error: unknown): boolean {
  return error instanceof PortalError && error.status === 400 && 'field' in error.details && error.details['field'] === 'code';
}
