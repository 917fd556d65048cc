/** Files for a client, with the practice's HMRC connection and the member's fraud prevention headers (file-return.ts). */
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { startSync } from '../sync/start-sync.ts';
import { fileReturn } from '../vat-returns/file-return.ts';
import { findCurrentFiling } from '../vat-returns/get-return.ts';
import { resolveFiling } from '../vat-returns/resolve-filing.ts';
import { toTaxpayer } from '../vat-returns/taxpayer.ts';

type ReturnToFile = { readonly obligationId: string; readonly figuresVersion: string };

export async function fileClientReturn(deps: AppDeps, user: ActingUser, tenant: ClientTenant, toFile: ReturnToFile): Promise<void> {
  await fileReturn(deps, user, toTaxpayer(tenant), toFile.obligationId, toFile.figuresVersion);
  await refreshIfFiled(deps, user, tenant, toFile.obligationId);
}

export async function resolveClientFiling(deps: AppDeps, user: ActingUser, tenant: ClientTenant, obligationId: string): Promise<void> {
  await resolveFiling(deps, user, toTaxpayer(tenant), obligationId);
  await refreshIfFiled(deps, user, tenant, obligationId);
}

/**
 * Obligations, the position and tasks are derived from HMRC's record. The return counts as filed whether or not that record can be read
 * now.
 */
async function refreshIfFiled(
  deps: AppDeps,
  user: ActingUser,
  { practiceId, clientId }: ClientTenant,
  obligationId: string,
): Promise<void> {
  const filing = await findCurrentFiling(deps.database.db, clientId, obligationId);
  if (filing?.state !== 'accepted') return;
  try {
    await startSync(deps, practiceId, 'vat', user, { clientIds: [clientId] });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.logger.warn({ err: error, companyId: practiceId }, 'a client could not be refreshed after its return was filed');
  }
}
