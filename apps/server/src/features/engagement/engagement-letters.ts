/** Letters of engagement: their text is fixed when sent; they are signed once and superseded by a later one. */
import { createHash } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { engagementApi } from '@portal/contract/engagement.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clients, companies, engagementLetters, engagementTemplates, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq, isNotNull, isNull, or } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { fillLetter, getLetterState, isFullName, SIGNING_STATEMENT } from '@portal/domain/engagement/engagement-letter.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { TAXES, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockClient } from '../clients/lock-client.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueLetterSent, enqueueLetterSigned } from './engagement-emails.ts';

type DoneResult = { done: true };

export async function listLetters(deps: AppDeps, tenant: ClientTenant, actor: Actor): Promise<EndpointOutput<typeof engagementApi.list>> {
  const { db } = deps.database;
  const { practiceId: companyId, clientId } = tenant;
  const isClient = actor.role === 'client';
  const letters = await db
    .select({ letter: engagementLetters, sentBy: users.fullName })
    .from(engagementLetters)
    .innerJoin(users, eq(users.id, engagementLetters.sentBy))
    .where(
      and(
        eq(engagementLetters.companyId, companyId),
        eq(engagementLetters.clientId, clientId),
        isClient ? or(isNull(engagementLetters.supersededAt), isNotNull(engagementLetters.signedAt)) : undefined,
      ),
    )
    .orderBy(desc(engagementLetters.sentAt), desc(engagementLetters.id));
  return {
    letters: letters.map(({ letter, sentBy }) => ({
      letter_id: letter.id,
      state: getLetterState(letter),
      text: letter.text,
      digest: letter.digest,
      sent_by: sentBy,
      sent_at: letter.sentAt,
      signed_name: letter.signedName,
      signed_at: letter.signedAt,
    })),
    draft: isClient ? null : ((await composeLetter(deps, db, tenant, actor.fullName)) ?? null),
  };
}

/** Fills the template with this client's facts; undefined without a template. */
async function composeLetter({ clock }: AppDeps, db: Db | Tx, tenant: ClientTenant, sender: string): Promise<string | undefined> {
  const { practiceId: companyId, clientId } = tenant;
  const [facts] = await db
    .select({
      template: engagementTemplates.text,
      client: clients.name,
      practice: companies.name,
      has: { vat: clients.hasVat, paye: clients.hasPaye, ct: clients.hasCt, sa: clients.hasSa },
    })
    .from(clients)
    .innerJoin(companies, eq(companies.id, clients.companyId))
    .innerJoin(engagementTemplates, eq(engagementTemplates.companyId, clients.companyId))
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!facts) return undefined;
  const { template, client, practice, has } = facts;
  const taxes = TAXES.filter((tax) => has[tax]).map((tax) => TAX_NAMES[tax]);
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(taxes);
  return fillLetter(template, { client, practice, sender, date: formatDate(clock.today()), taxes: list === '' ? 'your taxes' : list });
}

function digestLetter(text: string): string {
  return createHash('sha256').update(`${text}\n\n${SIGNING_STATEMENT}`).digest('hex');
}

export function sendLetter(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof engagementApi.send>): Promise<DoneResult> {
  return deps.database.db.transaction(async (tx) => {
    const isNew = await insertLetter(deps, tx, { tenant, actor, ip: caller.ip, letterId: input.letter_id });
    if (isNew) await enqueueLetterSent(deps, tx, { ...tenant, letterId: input.letter_id }, actor.userId);
    return { done: true };
  });
}

type LetterToSend = { readonly tenant: ClientTenant; readonly actor: Actor; readonly ip: string; readonly letterId: string };

/** Inserts the letter and supersedes the one before it. Returns false if this letter was already sent. */
export async function insertLetter(deps: AppDeps, tx: Tx, { tenant, actor, ip, letterId }: LetterToSend): Promise<boolean> {
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  // Lock the client, so that one of two concurrent letters supersedes the other.
  await lockClient(tx, tenant);
  const [knownLetter] = await tx
    .select({ id: engagementLetters.id })
    .from(engagementLetters)
    .where(and(eq(engagementLetters.companyId, companyId), eq(engagementLetters.id, letterId)));
  if (knownLetter) return false;
  const letterText = await composeLetter(deps, tx, tenant, actor.fullName);
  if (letterText === undefined) {
    const reason = 'Your practice has no letter of engagement yet. An admin can write one in Settings, under Practice.';
    throw new AppError('conflict', 'engagement.no_template', reason);
  }
  await tx
    .update(engagementLetters)
    .set({ supersededAt: at })
    .where(
      and(eq(engagementLetters.companyId, companyId), eq(engagementLetters.clientId, clientId), isNull(engagementLetters.supersededAt)),
    );
  const digest = digestLetter(letterText);
  await tx
    .insert(engagementLetters)
    .values({ companyId, id: letterId, clientId, text: letterText, digest, sentBy: actor.userId, sentAt: at });
  const after = { letter_id: letterId, digest };
  await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'letter.sent', subject: clientId, after, ip });
  return true;
}

export function signLetter(deps: AppDeps, call: Call<typeof engagementApi.sign>): Promise<DoneResult> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  if (!isFullName(input.full_name)) throw createInvalidFieldError('full_name', 'Enter your first and last name.');
  return deps.database.db.transaction(async (tx) => {
    const isLetter = and(
      eq(engagementLetters.companyId, companyId),
      eq(engagementLetters.clientId, clientId),
      eq(engagementLetters.id, input.letter_id),
    );
    const [letter] = await tx.select().from(engagementLetters).where(isLetter).for('update');
    if (!letter) throw createNotFoundError();
    if (letter.supersededAt !== null || letter.digest !== input.digest) {
      const reason = 'Your accountant has sent a newer letter. Reload the page to read and sign it.';
      throw new AppError('conflict', 'engagement.superseded', reason);
    }
    // Someone clicked twice, or another user of the client has already signed.
    if (letter.signedAt !== null) return { done: true };
    await tx
      .update(engagementLetters)
      .set({ signedBy: actor.userId, signedName: input.full_name, signedAt: at, signedIp: caller.ip })
      .where(isLetter);
    const after = { letter_id: letter.id, digest: letter.digest, signed_name: input.full_name };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'letter.signed', subject: clientId, after, ip: caller.ip });
    await enqueueLetterSigned(deps, tx, tenant, letter.sentBy);
    return { done: true };
  });
}
