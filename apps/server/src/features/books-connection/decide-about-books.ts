/** A user's decisions about connected books: the organisation, the basis and the meaning of rates. */
import { booksConnections, booksRateAnswers, booksReads } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { Tx } from '@portal/db/database.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { BooksKind, Treatment } from '@portal/domain/books/books-row.ts';
import { canBeZeroRated, isAnswerPossible } from '@portal/domain/connected-books/rate-answers.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { findBoxRule } from '@portal/domain/vat-returns/treatment-table.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { findTaxpayer, recordTaxpayerAudit, type Taxpayer } from '../vat-returns/taxpayer.ts';
import { deleteReadBooks, startApplying, startRead } from './books-reads.ts';
import { getLaterInstant, UNKNOWN_SETTINGS } from './connect-books.ts';
import { type BooksConnectionRow, findBooksConnection, isSameConnection } from './find-books-connection.ts';

/** Reads the chosen organisation from the beginning, and deletes another organisation's data. */
export async function chooseOrganisation(deps: AppDeps, user: ActingUser, taxpayer: Taxpayer, organisationId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const connection = await lockConnection(tx, taxpayer.companyId);
    const chosenOrganisation = connection.organisations.find(({ id }) => id === organisationId);
    if (!chosenOrganisation)
      throw createInvalidFieldError('organisation_id', 'Choose one of the organisations in the list, or connect again to add another.');
    if (connection.organisationId === organisationId) return;
    await tx
      .update(booksConnections)
      .set({
        status: 'connected',
        organisationId,
        organisationName: chosenOrganisation.name,
        connectedAt: getLaterInstant(deps.clock.now(), connection.connectedAt),
        usedSince: deps.clock.now(),
        ...UNKNOWN_SETTINGS,
      })
      .where(isSameConnection(connection));
    await deleteReadBooks(tx, taxpayer.companyId);
    const after = { program: connection.provider, organisation: chosenOrganisation.name };
    await recordDecision(deps, tx, user, { taxpayer, action: 'books.organisation_chosen', after });
    await startRead(deps, tx, taxpayer, { isFull: true });
  });
}

/** Reads everything again now, and uses it even if a file has been uploaded since. */
export async function requestFullRead(deps: AppDeps, taxpayer: Taxpayer): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const connection = await lockConnection(tx, taxpayer.companyId);
    if (connection.organisationId === null) throw new AppError('conflict', 'books.not_chosen', 'Choose an organisation first.');
    await tx.update(booksConnections).set({ usedSince: deps.clock.now() }).where(isSameConnection(connection));
    await startRead(deps, tx, taxpayer, { isFull: true });
  });
}

export async function answerBasis(deps: AppDeps, user: ActingUser, taxpayer: Taxpayer, basis: VatBasis): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const connection = await lockConnection(tx, taxpayer.companyId);
    if (connection.basis !== null && !connection.isBasisAnswered) {
      throw new AppError('conflict', 'books.basis_stated', 'Your bookkeeping software sets this. Change it there, then check again.');
    }
    await tx.update(booksConnections).set({ basis, isBasisAnswered: true }).where(isSameConnection(connection));
    await recordDecision(deps, tx, user, { taxpayer, action: 'books.basis_answered', after: { basis } });
    await startApplying(deps, tx, taxpayer);
  });
}

/** Confirms, for a client without a VAT number, exactly the number that the user has seen. */
export async function confirmVatNumber(deps: AppDeps, user: ActingUser, taxpayer: Taxpayer, vatNumber: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const connection = await lockConnection(tx, taxpayer.companyId);
    const knownTaxpayer = await findTaxpayer(tx, taxpayer);
    if (knownTaxpayer?.vrn) {
      const message = `${knownTaxpayer.name} already has a VAT number. Correct it, or choose the organisation with that number.`;
      throw new AppError('conflict', 'books.vat_number_known', message);
    }
    const { vatNumber: organisationVatNumber, provider, organisationName } = connection;
    if (organisationVatNumber !== vatNumber) {
      const message = `${organisationName ?? 'The organisation'} now has a different VAT number in ${BOOKS_PROVIDER_NAMES[provider]}. Check it again.`;
      throw new AppError('conflict', 'books.vat_number_changed', message);
    }
    await tx.update(booksConnections).set({ confirmedVatNumber: vatNumber }).where(isSameConnection(connection));
    const after = { program: provider, organisation: organisationName, vatNumber };
    await recordDecision(deps, tx, user, { taxpayer, action: 'books.vat_number_confirmed', after });
    await startApplying(deps, tx, taxpayer);
  });
}

export type RateAnswer = { readonly code: string; readonly kind: BooksKind; readonly treatment: Treatment; readonly zero_rated: boolean };

/** Accepts answers only for open rates, each with a treatment that its side allows. */
export async function answerRates(deps: AppDeps, user: ActingUser, taxpayer: Taxpayer, answers: readonly RateAnswer[]): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const { companyId } = taxpayer;
    const { provider, organisationId } = await lockConnection(tx, taxpayer.companyId);
    const [read] = await tx.select({ questions: booksReads.questions }).from(booksReads).where(eq(booksReads.companyId, companyId));
    const answeredAt = deps.clock.now();
    for (const { code, kind, treatment, zero_rated: isZeroRated } of answers) {
      const question = read?.questions.find((candidate) => candidate.code === code);
      if (!question)
        throw new AppError('conflict', 'books.rate_not_asked', 'These rates have changed since you opened the page. Check the new ones.');
      if (!findBoxRule(kind, treatment) || !isAnswerPossible(code, kind))
        throw createInvalidFieldError('answers', `${question.name} can’t have that treatment on a ${kind}. Choose another one.`);
      if (isZeroRated && (provider !== 'xero' || !canBeZeroRated(kind, treatment)))
        throw createInvalidFieldError('answers', `${question.name} can’t be zero-rated with that treatment. Choose another one.`);
      const rateAnswer = { name: question.name, kind, treatment, isZeroRated, answeredBy: user.actor.userId, answeredAt };
      await tx
        .insert(booksRateAnswers)
        .values({ companyId, provider, organisationId: organisationId ?? '', code, ...rateAnswer })
        .onConflictDoUpdate({
          target: [booksRateAnswers.companyId, booksRateAnswers.provider, booksRateAnswers.organisationId, booksRateAnswers.code],
          set: rateAnswer,
        });
    }
    await recordDecision(deps, tx, user, { taxpayer, action: 'books.rates_answered', after: { answers } });
    await startApplying(deps, tx, taxpayer);
  });
}

async function lockConnection(tx: Tx, companyId: string): Promise<BooksConnectionRow> {
  await tx.select({ id: booksConnections.companyId }).from(booksConnections).where(eq(booksConnections.companyId, companyId)).for('update');
  const connection = await findBooksConnection(tx, companyId);
  if (connection && connection.status !== 'lost') return connection;
  throw new AppError('conflict', 'books.not_connected', 'The books aren’t connected, or the connection has ended. Connect them again.');
}

type BooksDecision = { readonly taxpayer: Taxpayer; readonly action: string; readonly after: object };

async function recordDecision(
  deps: AppDeps,
  tx: Tx,
  { actor, caller }: ActingUser,
  { taxpayer, action, after }: BooksDecision,
): Promise<void> {
  await recordTaxpayerAudit(tx, taxpayer, {
    at: deps.clock.now(),
    actor: actor.userId,
    action,
    subject: taxpayer.companyId,
    after: { ...after },
    ip: caller.ip,
  });
}
