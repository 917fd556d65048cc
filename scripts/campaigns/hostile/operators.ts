/** The sandbox's three operators. Only one sequence at a time uses them, because confirming their identity replaces their session. */
import { setTimeout as pause } from 'node:timers/promises';
import { identityApi } from '@portal/contract/identity.ts';
import { securityApi } from '@portal/contract/security.ts';
import { generateCode } from '@portal/sandbox/seed/authenticator-code.ts';
import { SANDBOX_OPERATORS, type SandboxOperator } from '@portal/sandbox/seed/sandbox-operators.ts';
import { SANDBOX_PASSWORD } from '@portal/sandbox/seed/seed-data.ts';
import { createRandom } from '../../chaos/random.ts';
import { createPerson, type Person, type Run } from './hostile-person.ts';

export type OperatorPeople = { readonly olga: Person; readonly omar: Person; readonly otis: Person };
export type Operators = { use<Result>(work: (trio: OperatorPeople) => Promise<Result>): Promise<Result> };

/** Decisions require a second factor confirmed within the last ten minutes. */
const CONFIRM_AFTER_MS = 4 * 60_000;
const STEP_MS = 30_000;

export async function createOperators(run: Run, seed: number): Promise<Operators> {
  let last: Promise<unknown> = Promise.resolve();
  const operatorBrowsers = await Promise.all(SANDBOX_OPERATORS.map((operator, index) => logIn(run, operator, seed + index)));
  const [olga, omar, otis] = operatorBrowsers;
  if (!olga || !omar || !otis) throw new Error('the sandbox has fewer than three operators');
  return {
    use: (work) => {
      const ownTurn = last.then(async () => {
        for (const browser of operatorBrowsers) await browser.confirm();
        return work({ olga: olga.person, omar: omar.person, otis: otis.person });
      });
      // The next sequence starts using the operators when this one ends, whatever its outcome.
      last = ownTurn.catch(() => undefined);
      return ownTurn;
    },
  };
}

async function logIn(run: Run, operator: SandboxOperator, seed: number) {
  const tenant = { marker: `operator ${operator.email}` };
  const person = createPerson(run, tenant, createRandom(seed), { ip: '10.0.0.9', isOperator: true });
  const loginResponse = await person.call(identityApi.login, { email: operator.email, password: SANDBOX_PASSWORD }, { corrupted: 0 });
  if (loginResponse.type !== 'second_factor') throw new Error(`${operator.email} was not asked for a code`);
  const { challenge } = loginResponse;
  await useCode(operator, async (code) => {
    const { type } = (await person.call(securityApi.completeSecondFactor, { challenge, code }, { corrupted: 0, mayEnd: [400, 401] })) as {
      type?: string;
    };
    return type?.startsWith('about:') !== true;
  });
  let confirmedAt = performance.now();
  return {
    person,
    confirm: async (): Promise<void> => {
      if (performance.now() - confirmedAt < CONFIRM_AFTER_MS) return;
      await useCode(operator, async (code) => {
        const { done } = await person.call(securityApi.confirmFactor, { code }, { corrupted: 0, mayEnd: [400, 401] });
        return done;
      });
      confirmedAt = performance.now();
    },
  };
}

/** Each code works only once; if all current codes have been used, waits for the next one. */
async function useCode({ authenticator_secret: secret }: SandboxOperator, send: (code: string) => Promise<boolean>): Promise<void> {
  for (const step of [-1, 0, 1]) if (await send(generateCode(secret, step))) return;
  await pause(STEP_MS - (Date.now() % STEP_MS) + 500);
  if (!(await send(generateCode(secret, 1)))) throw new Error('no code of an operator was accepted');
}
