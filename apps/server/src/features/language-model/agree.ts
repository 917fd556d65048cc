/** A practice's agreement to send drafts to a language model, and what it covers. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { languageModelApi } from '@portal/contract/language-model.ts';
import { languageModelAgreements, languageModelCalls, users } from '@portal/db/schema/schema.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { AGREEMENT_VERSION, listAgreementTerms, MAX_REWORDINGS_PER_DAY } from '@portal/domain/language-model/rewording-request.ts';
import type { AppDeps } from '../../app-deps.ts';
import { assertConfirmedRecently, findAccessError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findAgreement } from './find-agreement.ts';

type AgreementStatus = EndpointOutput<typeof languageModelApi.status>;

export const DAY_MS = 86_400_000;

export async function getLanguageModelStatus(deps: AppDeps, companyId: string, actor: Actor): Promise<AgreementStatus> {
  const { db } = deps.database;
  const { languageModel: model } = deps;
  const [storedAgreement] = await db
    .select({
      version: languageModelAgreements.version,
      host: languageModelAgreements.host,
      agreed_by: users.fullName,
      agreed_at: languageModelAgreements.agreedAt,
    })
    .from(languageModelAgreements)
    .innerJoin(users, eq(users.id, languageModelAgreements.agreedBy))
    .where(eq(languageModelAgreements.companyId, companyId));
  const since = addMilliseconds(deps.wallClock.now(), -DAY_MS);
  return {
    endpoint: model ? { host: model.host, model: model.model } : null,
    version: AGREEMENT_VERSION,
    terms: model ? [...listAgreementTerms(model.host)] : [],
    is_agreed: (await findAgreement(deps, db, companyId)) !== null,
    agreement: storedAgreement ?? null,
    per_day: MAX_REWORDINGS_PER_DAY,
    sent_today: await db.$count(
      languageModelCalls,
      and(eq(languageModelCalls.companyId, companyId), gt(languageModelCalls.askedAt, since)),
    ),
    may_manage: findAccessError('practice.manage', actor) === undefined,
  };
}

/** Agreeing requires a user who has just reauthenticated and has seen exactly this text and host. Withdrawing takes effect immediately. */
export async function setAgreement(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof languageModelApi.agree>,
): Promise<AgreementStatus> {
  const { practiceId: companyId } = tenant;
  const { languageModel: model, clock } = deps;
  const isRow = eq(languageModelAgreements.companyId, companyId);
  const entry = { companyId, at: clock.now(), actor: actor.userId, ip: caller.ip, subject: companyId };
  if (!input.is_agreed) {
    await deps.database.db.transaction(async (tx) => {
      const [removedAgreement] = await tx.delete(languageModelAgreements).where(isRow).returning();
      if (!removedAgreement) return;
      const removedVersion = { version: removedAgreement.version, host: removedAgreement.host };
      await recordAudit(tx, { ...entry, action: 'language_model.withdrawn', before: removedVersion });
    });
    return getLanguageModelStatus(deps, companyId, actor);
  }
  if (!model)
    throw new AppError(
      'conflict',
      'language_model.unavailable',
      'No language model is set up on this portal. Contact the portal’s operator.',
    );
  if (input.version !== AGREEMENT_VERSION || input.host !== model.host) {
    throw new AppError(
      'conflict',
      'language_model.changed',
      'The terms have changed since you opened them. Reload the page and read them again.',
    );
  }
  assertConfirmedRecently(actor, deps.wallClock.now());
  const values = { version: AGREEMENT_VERSION, host: model.host, agreedBy: actor.userId, agreedAt: clock.now() };
  await deps.database.db.transaction(async (tx) => {
    await tx
      .insert(languageModelAgreements)
      .values({ companyId, ...values })
      .onConflictDoUpdate({ target: languageModelAgreements.companyId, set: values });
    const after = { version: AGREEMENT_VERSION, host: model.host, model: model.model, terms: listAgreementTerms(model.host) };
    await recordAudit(tx, { ...entry, action: 'language_model.agreed', after });
  });
  return getLanguageModelStatus(deps, companyId, actor);
}
