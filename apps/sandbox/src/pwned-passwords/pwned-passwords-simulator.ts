/** Simulates Pwned Passwords' range search with a few passwords. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';

/** Operations for which faults can be set. */
export const PWNED_PASSWORDS_OPERATIONS = ['pwned_passwords.range'] as const;

/** All but the first are long and follow no pattern, so only a list of leaked passwords can contain them. */
export const LEAKED_PASSWORDS = ['password', 'correct horse battery staple', 'fatherdearest', 'ihatemyself4ever'];

const hashes = LEAKED_PASSWORDS.map((password) => createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase());

export function createPwnedPasswordsSimulator({ faults }: Omit<SimulatorDeps, 'publicUrl'>): { readonly plugin: FastifyPluginAsync } {
  return {
    plugin: async (app) => {
      app.get<{ Params: { prefix: string } }>(
        '/range/:prefix',
        createFaultHooks(faults, 'pwned_passwords.range', rejectCall),
        ({ params, headers }, reply) => {
          void reply.type('text/plain');
          if (!/^[0-9A-F]{5}$/i.test(params.prefix)) return reply.status(400).send('The hash prefix was not in a valid format');
          const prefix = params.prefix.toUpperCase();
          const matchingHashes = hashes.filter((hash) => hash.startsWith(prefix)).map((hash) => `${hash.slice(5)}:${randomInt(1, 5_000)}`);
          const padding =
            headers['add-padding'] === 'true' ? Array.from({ length: randomInt(800, 1_000) }, () => `${generateRandomSuffix()}:0`) : [];
          return reply.send([...matchingHashes, ...padding].sort().join('\r\n'));
        },
      );
    },
  };
}

function generateRandomSuffix(): string {
  return randomBytes(18).toString('hex').toUpperCase().slice(1);
}

const rejectCall: RejectCall = (reply, { status }) =>
  reply
    .status(status === 200 ? 502 : status)
    .type('text/plain')
    .send('');
