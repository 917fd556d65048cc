import type { companyLookUpApi } from '@portal/contract/identity-security.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { limitAttempts } from '../identity/limit-attempts.ts';

/** Companies House grants 600 calls in five minutes to all of us together. */
const SEARCHES_PER_PERSON = 150;
const HITS = 20;
const CHAT_TOKEN_LIFE_MS = 3_600_000;

export function companyLookUpHandlers(deps: AppDeps): Handlers<typeof companyLookUpApi> {
  return {
    search: async ({ input, actor }) => {
      const { companyRegister } = deps;
      if (!companyRegister) {
        throw new AppError(
          'upstream',
          'company_look_up.not_set_up',
          'The search at Companies House is not set up here. Type name and number.',
        );
      }
      await limitAttempts(deps.database.db, deps.wallClock, { [`company-search:${actor.userId}`]: SEARCHES_PER_PERSON });
      const found = await companyRegister.searchCompanies({ query: input.keyword, limit: HITS });
      return {
        companies: found.map(({ companyNumber, name, status, type, address, incorporatedOn }) => ({
          company_number: companyNumber,
          name,
          status,
          type,
          address,
          incorporated_on: incorporatedOn ?? null,
        })),
      };
    },
    chatVisitor: async ({ input, actor }) => {
      // Anybody else's address would say whether it is known, and let a stranger speak in its name.
      if (input.email !== actor.email) {
        throw new AppError('forbidden', 'chat.other_person', 'The chat can name only the person who is signed in.', { field: 'email' });
      }
      const until = addMilliseconds(deps.wallClock.now(), CHAT_TOKEN_LIFE_MS);
      return { data: { token: deps.tokenCipher.seal(JSON.stringify({ for: 'chat', email: actor.email, until })), email: actor.email } };
    },
  };
}
