/** The practice's client with a client portal user, set up the way its admin would: added and invited, with two imported statements. */
import { clientPeople, clients, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createClient } from '../clients/save-client.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { stageStatement } from '../tax-statements/stage-statement.ts';
import type { Seed } from './seed-schema.ts';
import { seedCaller } from './connect-to-simulated-hmrc.ts';

/** Does nothing if the client already has a user. A user who is removed later isn't added again, because the client is no longer new. */
export async function setUpClient(
  deps: AppDeps,
  { actor }: ActingUser,
  companyId: string,
  seed: Seed['practice']['client'],
): Promise<void> {
  const { db } = deps.database;
  const isThis = and(eq(clients.companyId, companyId), eq(clients.companyNumber, seed.facts.company_number));
  const [existing] = await db.select({ id: clients.id }).from(clients).where(isThis);
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, seed.person_email));
  if (existing || !user) return;
  const call = { input: seed.facts, tenant: { kind: 'practice', practiceId: companyId }, actor, caller: seedCaller } as const;
  const { client_id: clientId } = await createClient(deps, call);
  await db.insert(clientPeople).values({ companyId, clientId, userId: user.id, joinedAt: deps.clock.now() });
  for (const tax of ['paye', 'ct'] as const) {
    const file = { companyId, tax, fileName: `${tax}-statement.csv`, bytes: toChunks(seed.statements[tax]), isDryRun: false };
    await stageStatement(deps, actor, file, seedCaller.ip);
  }
}

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
