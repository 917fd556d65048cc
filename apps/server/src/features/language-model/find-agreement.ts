import type { Db, Tx } from '@portal/db/database.ts';
import { languageModelAgreements } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AGREEMENT_VERSION } from '@portal/domain/language-model/rewording-request.ts';
import type { AppDeps, ConfiguredLanguageModel } from '../../app-deps.ts';

/** Returns the model that drafts may be sent to. Null unless one is configured and an admin has agreed to exactly this text and host. */
export async function findAgreement(
  { languageModel }: Pick<AppDeps, 'languageModel'>,
  db: Db | Tx,
  companyId: string,
  lock?: 'update',
): Promise<ConfiguredLanguageModel | null> {
  if (!languageModel) return null;
  const { companyId: company, version, host } = languageModelAgreements;
  const foundAgreement = db
    .select({ version })
    .from(languageModelAgreements)
    .where(and(eq(company, companyId), eq(version, AGREEMENT_VERSION), eq(host, languageModel.host)));
  const rows = await (lock === undefined ? foundAgreement : foundAgreement.for(lock));
  return rows.length === 0 ? null : languageModel;
}
