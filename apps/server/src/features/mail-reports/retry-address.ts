/** Lets a practice member allow email to an address again. */
import type { mailReportsApi } from '@portal/contract/mail-reports.ts';
import { undeliverableAddresses } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { isAddress } from '../../mail/undeliverable-addresses.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listUndeliverableAddresses } from './undeliverable-queries.ts';

export function retryAddress(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof mailReportsApi.retry>): Promise<{ done: true }> {
  const companyId = tenant.practiceId;
  return deps.database.db.transaction(async (tx) => {
    const {
      addresses: [address],
    } = await listUndeliverableAddresses(tx, companyId, actor, { email: input.email });
    if (!address) throw createNotFoundError();
    await tx.delete(undeliverableAddresses).where(isAddress(companyId, address.email));
    const { email: subject, cause } = address;
    const entry = { companyId, at: deps.clock.now(), actor: actor.userId, action: 'address.retried', subject, ip: caller.ip };
    await recordAudit(tx, { ...entry, before: { cause } });
    return { done: true as const };
  });
}
