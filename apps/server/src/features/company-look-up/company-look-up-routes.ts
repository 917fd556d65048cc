import type { companyLookUpApi } from '@portal/contract/company-look-up.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { limitAttempts } from '../identity/limit-attempts.ts';
import { createVisitorTokens } from './visitor-tokens.ts';

/** Companies House allows 600 requests in five minutes for our whole API key. */
const MAX_SEARCHES_PER_PERSON = 150;
const MAX_RESULTS = 20;

export function companyLookUpHandlers(deps: AppDeps): Handlers<typeof companyLookUpApi> {
  const getVisitorToken = createVisitorTokens(deps);
  return {
    search: async ({ input, actor }) => {
      const { companyRegister } = deps;
      if (!companyRegister) {
        throw new AppError(
          'upstream',
          'company_look_up.not_set_up',
          'Companies House search isn’t set up. Enter the company name and number yourself.',
        );
      }
      await limitAttempts(deps.database.db, deps.wallClock, { [`company-search:${actor.userId}`]: MAX_SEARCHES_PER_PERSON });
      const foundCompanies = await companyRegister.searchCompanies({ query: input.keyword, limit: MAX_RESULTS });
      return {
        companies: foundCompanies.map(({ companyNumber, name, status, type, address, incorporatedOn }) => ({
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
      // Only the user's own email address is allowed. Any other would reveal whether it is registered, and let a stranger chat in that
      // user's name.
      if (input.email !== actor.email) {
        throw new AppError('forbidden', 'chat.other_person', 'You can only start a chat with your own email address.', { field: 'email' });
      }
      return { data: { token: await getVisitorToken(actor), email: actor.email } };
    },
  };
}
