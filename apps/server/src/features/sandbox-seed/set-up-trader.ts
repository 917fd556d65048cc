import { booksFiles, hmrcConnections, memberships, users } from '@portal/db/schema/schema.ts';
import { readBooksFile } from '@portal/providers/books-file/read-books-file.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { applyBooksFile } from '../books/apply-books-file.ts';
import { startAuthorisation } from '../hmrc-connection/start-authorisation.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { saveBankAccount } from '../onboarding/save-bank-account.ts';
import { connectToSimulatedHmrc, seedCaller } from './connect-to-simulated-hmrc.ts';
import type { Seed } from './seed-schema.ts';

/** Sets up the trader the way its owner would: connected to HMRC, with a bank account and books. Does nothing once there are books. */
export async function setUpTrader(deps: AppDeps, seed: Seed['trader']): Promise<void> {
  const { db } = deps.database;
  const [foundTrader] = await db
    .select({ userId: users.id, fullName: users.fullName, companyId: memberships.companyId, status: hmrcConnections.status })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, memberships.companyId))
    .where(eq(users.email, seed.owner_email));
  if (!foundTrader) return;
  const { userId, fullName, companyId } = foundTrader;
  const [books] = await db.select({ id: booksFiles.id }).from(booksFiles).where(eq(booksFiles.companyId, companyId)).limit(1);
  if (books) return;
  const owner: ActingUser = {
    actor: { userId, email: seed.owner_email, fullName, isOperator: false, signInMethod: 'password', role: 'trader_owner' },
    caller: seedCaller,
  };
  try {
    if (foundTrader.status === null) {
      await connectToSimulatedHmrc(deps, owner, seed.hmrc_user_id, await startAuthorisation(deps, owner, companyId, 'dashboard'));
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // The portal works without the connection; the owner can connect to HMRC on the dashboard.
    deps.logger.warn({ err: error }, 'sandbox: the trader could not be connected to the simulated HMRC');
  }
  await refreshHmrc(deps, companyId, owner);
  await saveBankAccount(deps, companyId, owner.actor, seed.bank_account, seedCaller.ip);
  const fileName = 'brightwell-books.csv';
  const file = { companyId, practiceId: null, fileName, read: () => readBooksFile(toChunks(seed.books_csv), { fileName }) };
  await applyBooksFile(deps, owner.actor, file, seedCaller.ip);
}

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
