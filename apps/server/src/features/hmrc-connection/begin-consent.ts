import { createHash } from 'node:crypto';
import { consentStates, companies } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { hashToken, newToken } from '../../http/session.ts';
import { fraudHeadersOf, type Person } from './use-hmrc.ts';

/** HMRC's code lives 10 minutes; a person may take longer on its sign-in pages. */
const STATE_LIFE_MS = 60 * 60_000;

/** Where the browser goes for HMRC's consent. The state is kept as a hash, bound to the person and company, and works once. */
export async function beginConsent(
  deps: AppDeps,
  person: Person,
  companyId: string,
  returnTo: 'steps' | 'dashboard',
): Promise<{ authorize_url: string }> {
  const [company] = await deps.database.db.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  if (!company?.vrn) throw new AppError('conflict', 'company.no_vrn', 'Add the VAT registration number of the company first.');
  const state = newToken();
  const codeVerifier = newToken();
  const now = deps.wallClock.now();
  await deps.database.db.insert(consentStates).values({
    stateHash: hashToken(state),
    userId: person.actor.userId,
    companyId,
    returnTo,
    codeVerifier,
    fraudHeaders: { ...fraudHeadersOf(deps, person) },
    createdAt: now,
    expiresAt: addMilliseconds(now, STATE_LIFE_MS),
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return { authorize_url: deps.hmrc.authorizeUrl({ state, scopes: ['read:vat', 'write:vat'], codeChallenge }) };
}
