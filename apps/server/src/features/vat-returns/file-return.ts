/**
 * Files a return with HMRC at most once. The attempt is committed before the call. If the response is lost, the outcome is unknown;
 * resolve-filing.ts determines it by reading from HMRC, and never sends the return again.
 */
import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { filings, type FilingReceipt } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import { explainRefusal } from '@portal/domain/vat-returns/explain-refusal.ts';
import { canFile, type ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { FilingReceipt as HmrcReceipt } from '@portal/providers/hmrc/hmrc-types.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { CallNotSentError } from '@portal/providers/http/was-never-sent.ts';
import { and, eq, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { assertNotPaused } from '../../paused-work.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { requireApproval } from '../return-approvals/find-approval.ts';
import { resolveFiling } from './resolve-filing.ts';
import { assertErrorsWithinLimit } from './correct-errors.ts';
import { getReturnSnapshot, type FilingRow, type ReturnSnapshot } from './get-return.ts';
import { storeFilingOutcome } from './store-filing-outcome.ts';
import { assertFilesForItself, lockTaxpayer, recordTaxpayerAudit, type Taxpayer } from './taxpayer.ts';
import { toDomainBoxes } from './to-nine-boxes.ts';
import { NO_VAT_NUMBER_CODE, withTaxpayerAccessToken } from './with-taxpayer-access-token.ts';

/** After this time, the outcome counts as unknown. Includes waiting for a token and for HMRC's rate limit. */
const MAX_CALL_MS = 60_000;
/** The call must be sent at least this long before that deadline: the timeout of a call, plus the time to read the row. */
const SEND_BEFORE_END_MS = 20_000;

const FILINGS_PAUSED =
  'We’ve paused filing while we check something. Nothing was sent to HMRC. Try again later, or file with other software if your deadline is today.';

/** Stores the result with the return. Throws only errors that the user can fix immediately. */
export async function fileReturn(
  deps: AppDeps,
  user: ActingUser,
  taxpayer: Taxpayer,
  obligationId: string,
  figuresVersion: string,
): Promise<void> {
  const snapshot = await getReturnSnapshot(deps, deps.database.db, taxpayer.companyId, obligationId);
  // A second click, a second tab or a repeated request has no effect, because the return has already been filed or is being filed.
  if (['filing', 'filed', 'filed_awaiting_hmrc', 'outcome_unknown'].includes(snapshot.state)) return;
  if (!canFile(snapshot.state)) throw createCannotFileError(snapshot.state);
  assertSameFigures(snapshot, figuresVersion);
  await assertErrorsWithinLimit(deps, deps.database.db, snapshot);
  assertNotPaused(deps.paused, 'filings', FILINGS_PAUSED);
  const filing = await recordAttempt(deps, user, taxpayer, snapshot);
  if (!filing) return;
  await submit(deps, user, snapshot, filing);
}

function assertSameFigures({ figures }: ReturnSnapshot, figuresVersion: string): void {
  if (figures?.version === figuresVersion) return;
  throw new AppError(
    'conflict',
    'return.figures_changed',
    'The figures have changed since you opened the return. Check the updated figures before you file.',
  );
}

function createCannotFileError(state: ReturnState): AppError {
  const messageByState: Partial<Record<ReturnState, string>> = {
    open_running: 'The period hasn’t ended yet. You can file from the day after it ends.',
    no_books: 'Your books don’t contain anything for this period. Upload the file for this quarter first.',
    filed_elsewhere: 'HMRC already has a return for this period, filed elsewhere.',
  };
  return new AppError('conflict', `return.${state}`, messageByState[state] ?? 'You can’t file this return at the moment.');
}

/** Commits the attempt. Returns undefined if another attempt exists. */
async function recordAttempt(
  deps: AppDeps,
  user: ActingUser,
  taxpayer: Taxpayer,
  snapshot: ReturnSnapshot,
): Promise<FilingRow | undefined> {
  const { companyId, practiceId } = taxpayer;
  const { figures, file, obligation } = snapshot;
  if (!figures || !file) return undefined;
  const now = deps.clock.now();
  const attempt: FilingRow = {
    companyId,
    id: randomUUID(),
    obligationId: obligation.id,
    state: 'sending',
    boxes: figures.boxes,
    adjustments: snapshot.adjustments.map(({ id, box, amountPence, kind, reason, madeBy }) => ({
      id,
      box,
      amount_pence: amountPence,
      kind,
      reason,
      made_by: madeBy,
    })),
    figuresVersion: figures.version,
    fileId: file.id,
    declaration: practiceId === null ? DECLARATIONS.trader : DECLARATIONS.agent,
    practiceId,
    approvalId: null,
    filedBy: user.actor.userId,
    fraudHeaders: {},
    receipt: null,
    receiptSource: null,
    refusal: null,
    instanceId: deps.instanceId,
    callDeadlineAt: addMilliseconds(deps.wallClock.now(), MAX_CALL_MS),
    sentAt: now,
    settledAt: null,
  };
  try {
    return await deps.database.db.transaction(async (tx) => {
      // Someone may have made an adjustment or an upload after the figures were read and before this transaction.
      await lockTaxpayer(tx, taxpayer);
      await assertFilesForItself(tx, taxpayer);
      const current = await getReturnSnapshot(deps, tx, companyId, obligation.id);
      assertSameFigures(current, attempt.figuresVersion);
      const filing = { ...attempt, approvalId: await requireApproval(tx, taxpayer, current) };
      await tx.insert(filings).values(filing);
      await recordTaxpayerAudit(tx, taxpayer, {
        at: now,
        actor: user.actor.userId,
        action: 'return.filing',
        subject: obligation.id,
        after: { boxes: figures.boxes, adjustments: attempt.adjustments, declaration: attempt.declaration },
        ip: user.caller.ip,
      });
      return filing;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'filings_one_live')) return undefined;
    throw error;
  }
}

async function submit(deps: AppDeps, user: ActingUser, snapshot: ReturnSnapshot, filing: FilingRow): Promise<void> {
  let receipt: HmrcReceipt;
  try {
    receipt = await withTaxpayerAccessToken(
      deps,
      filing,
      user,
      async (call, vrn) => {
        await saveFraudHeaders(deps, filing, call.fraudHeaders);
        return deps.hmrc.submitReturn(call, vrn, snapshot.obligation.periodKey, toDomainBoxes(filing.boxes));
      },
      { priority: 'urgent', beforeSending: () => assertStillSending(deps, filing) },
    );
  } catch (error) {
    return settleFailure(deps, user, filing, error);
  }
  // Outside the try, because HMRC has accepted the return: if storing that fails, it must not look like a failed filing.
  await storeFilingOutcome(deps, filing, { state: 'accepted', receipt: toStoredReceipt(receipt), receiptSource: 'answer' });
}

/**
 * While the call was waiting for its slot, another instance may have found and reported that HMRC doesn't have the return
 * (resolve-filing.ts). The return must then not be sent.
 */
async function assertStillSending(deps: AppDeps, { companyId, id }: FilingRow): Promise<void> {
  const [current] = await deps.database.db
    .select({ state: filings.state, callDeadlineAt: filings.callDeadlineAt })
    .from(filings)
    .where(and(eq(filings.companyId, companyId), eq(filings.id, id)));
  const isOver = !current || current.callDeadlineAt < addMilliseconds(deps.wallClock.now(), SEND_BEFORE_END_MS);
  if (current?.state !== 'sending' || isOver) throw new CallNotSentError('throttled', 'the time allowed for the filing has passed');
}

/** The headers sent with the filing are part of its evidence. */
async function saveFraudHeaders(deps: AppDeps, filing: FilingRow, fraudHeaders: Readonly<Record<string, string>>): Promise<void> {
  await deps.database.db
    .update(filings)
    .set({ fraudHeaders: { ...fraudHeaders } })
    .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)));
}

function toStoredReceipt(receipt: HmrcReceipt): FilingReceipt {
  return { body: JSON.parse(receipt.verbatim.body) as Record<string, unknown>, headers: { ...receipt.verbatim.headers } };
}

/** Returns whether an earlier call may have reached HMRC, as far as we know. If not, a return that HMRC already has was filed elsewhere. */
async function hasEarlierAttempt(deps: AppDeps, { companyId, id, obligationId }: FilingRow): Promise<boolean> {
  const [earlierFiling] = await deps.database.db
    .select({ id: filings.id })
    .from(filings)
    .where(and(eq(filings.companyId, companyId), eq(filings.obligationId, obligationId), ne(filings.id, id), ne(filings.state, 'refused')))
    .limit(1);
  return earlierFiling !== undefined;
}

/** Our own errors, before anything was sent to HMRC. */
const NOT_SENT_CODES: ReadonlySet<string> = new Set(['hmrc.not_connected', NO_VAT_NUMBER_CODE]);

async function settleFailure(deps: AppDeps, user: ActingUser, filing: FilingRow, error: unknown): Promise<void> {
  if (error instanceof AppError && NOT_SENT_CODES.has(error.code)) {
    await storeFilingOutcome(deps, filing, {
      state: 'not_received',
      refusal: `${error.message} Nothing was filed.`,
    });
    throw error;
  }
  if (!(error instanceof ProviderError)) {
    // The request may have been sent, and only HMRC knows.
    await storeFilingOutcome(deps, filing, { state: 'unknown' });
    throw error;
  }
  deps.logger.warn({ err: error, companyId: filing.companyId }, 'HMRC did not accept a return at the first attempt');
  switch (error.failure) {
    case 'refused':
      // "Already submitted" may refer to our own earlier call whose response was lost. Reading shows whose return HMRC has.
      if (error.facts.code === 'DUPLICATE_SUBMISSION' && (await hasEarlierAttempt(deps, filing))) {
        await storeFilingOutcome(deps, filing, { state: 'unknown' });
        await resolveFiling(deps, user, filing, filing.obligationId);
        return;
      }
      return storeFilingOutcome(deps, filing, {
        state: 'refused',
        refusal: explainRefusal(error.facts.code, error.facts.detail, filing.practiceId !== null),
      });
    case 'unauthorized':
      return storeFilingOutcome(deps, filing, {
        state: 'not_received',
        refusal:
          filing.practiceId === null
            ? 'Your HMRC connection has ended. Nothing was filed. Reconnect HMRC, then file.'
            : 'Your practice’s connection to HMRC has ended. Nothing was filed. Reconnect HMRC in the practice’s settings, then file.',
      });
    case 'throttled':
      return storeFilingOutcome(deps, filing, {
        state: 'not_received',
        refusal: 'HMRC was too busy to accept the return. Nothing was filed. Try again in a minute.',
      });
    case 'unavailable':
      return storeFilingOutcome(deps, filing, {
        state: 'not_received',
        refusal: 'We couldn’t reach HMRC. Nothing was filed. Try again in a few minutes.',
      });
    case 'unknown':
      return storeFilingOutcome(deps, filing, { state: 'unknown' });
  }
}
