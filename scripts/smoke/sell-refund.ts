/** Stages for the return, the filing, and the advance up to its release. */
import { randomUUID } from 'node:crypto';
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import { operatorsApi, type OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import { vatReturnsApi, type NineBoxesOutput, type VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, toPoundsText } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Caller } from './caller.ts';
import { setRepaymentAccount } from './sandbox-client.ts';
import type { SmokeContext } from './set-up.ts';
import type { Stages } from './stages.ts';
import { logInOperator, OPERATORS } from './log-in-operator.ts';
import { isThrottled, refreshFromHmrc, type Trader } from './trader.ts';
import { NotReachedError, NotYetError, retry, waitUntil } from './wait-until.ts';

/** The longest wait is for a return filed on a Saturday before a bank holiday. */
const MAX_DAYS_UNTIL_SHOWN = 5;

/** One advance in progress: its trader and obligation. */
export type Sale = { readonly context: SmokeContext; readonly trader: Trader; readonly obligationId: string };

/** Formats the nine boxes as `npm run boxes` does. */
export function formatBoxes(boxes: NineBoxesOutput): string {
  const penceBoxes = [boxes.box1_pence, boxes.box2_pence, boxes.box3_pence, boxes.box4_pence, boxes.box5_pence];
  const wholePoundBoxes = [boxes.box6_pounds, boxes.box7_pounds, boxes.box8_pounds, boxes.box9_pounds];
  const boxTexts = [...penceBoxes.map((box) => toPoundsText(box)), ...wholePoundBoxes.map((box) => String(box))];
  return `${boxTexts.map((text, index) => `box${index + 1} ${text}`).join('  ')}  ${boxes.direction}`;
}

export async function fileReturn(stages: Stages, { context, trader, obligationId }: Sale): Promise<void> {
  const { caller, companyId } = trader;
  const params = { company_id: companyId, obligation_id: obligationId };
  const preparedReturn = await stages.run('VAT return', async () => {
    const returnBody = await caller.call(vatReturnsApi.get, params);
    const { boxes, figures_version: version, obligation } = returnBody;
    if (!boxes || version === null) throw new NotReachedError(`the return is ${obligation.state}: the books have nothing for it`);
    if (obligation.state !== 'ready') throw new NotReachedError(`the return is ${obligation.state}, but should be ready`);
    return { figures: `${formatBoxes(boxes)}  (${returnBody.rows} rows)`, value: { version, periodEnd: obligation.period_end } };
  });
  await stages.run('filing', async () => {
    const input = { ...params, figures_version: preparedReturn.version, declaration_accepted: true } as const;
    const filedSale = await retry(async () => {
      const fileResponse = await caller.call(vatReturnsApi.file, input, { idempotencyKey: randomUUID() });
      // The return is ready again because HMRC rejected it for a temporary reason.
      if (fileResponse.obligation.state === 'ready') throw new NotYetError(fileResponse.refusal ?? 'HMRC didn’t accept the return');
      return fileResponse;
    }, isThrottled);
    return { figures: formatReceipt(filedSale), value: undefined };
  });
  await stages.run('fraud headers', async () => ({ figures: await describeHeaderCheck(context, trader), value: undefined }));
  await stages.run('HMRC shows it filed', async () => {
    await waitForHmrc(context, trader, preparedReturn.periodEnd);
    await refreshFromHmrc(trader);
    const { obligation } = await caller.call(vatReturnsApi.get, params);
    if (obligation.state !== 'filed')
      throw new NotReachedError(`HMRC shows the obligation as fulfilled, but the portal shows it as ${obligation.state}`);
    return { figures: `obligation ${obligation.status}, received on ${obligation.received_on}`, value: undefined };
  });
}

/** HMRC shows a filed return after a day or a weekend, so the clock is moved forward until it does. */
async function waitForHmrc({ sandbox }: SmokeContext, { organisation }: Trader, periodEnd: PlainDate): Promise<void> {
  for (let day = 1; day <= MAX_DAYS_UNTIL_SHOWN; day += 1) {
    await sandbox.moveClock({ advance_days: 1 });
    const obligations = await sandbox.listObligations(organisation.vrn);
    if (obligations.some(({ end, status }) => end === periodEnd && status === 'F')) return;
  }
  throw new NotReachedError(`HMRC’s obligation is still open ${MAX_DAYS_UNTIL_SHOWN} days after filing`);
}

function formatReceipt({ obligation, receipt, refusal }: VatReturnOutput): string {
  if (!receipt) throw new NotReachedError(refusal ?? `the return is ${obligation.state} after filing`);
  return `form bundle ${receipt.form_bundle_number}, processed ${receipt.processing_date}, receipt ${receipt.receipt_id}, ${receipt.source}`;
}

/** Reports how HMRC validated the submission's fraud prevention headers. Problems are printed, but don't stop the run. */
async function describeHeaderCheck({ sandbox }: SmokeContext, { organisation }: Trader): Promise<string> {
  const requests = await sandbox.listHmrcRequests();
  const submission = requests.find(({ operation, user_id }) => operation.endsWith('submit_return') && user_id === organisation.userId);
  if (!submission) throw new NotReachedError('the HMRC simulator has no record of the submission’s headers');
  const { code, errors, warnings } = submission.fraud_grade;
  const listHeaderNames = (findings: typeof errors) => [...new Set(findings.flatMap(({ headers }) => headers))].join(', ');
  const wrongHeadersText = errors.length > 0 ? `, wrong or missing: ${listHeaderNames(errors)}` : '';
  return `${code}${wrongHeadersText}${warnings.length > 0 ? `, questioned: ${listHeaderNames(warnings)}` : ''}`;
}

export async function acceptQuote(stages: Stages, sale: Sale): Promise<AdvanceOutput> {
  const { caller, companyId } = sale.trader;
  const quotedAdvance = await stages.run('quote', async () => {
    const advance = await waitUntil(async () => {
      const foundAdvance = await findAdvance(sale);
      // The portal creates the quote after filing. If it can't, it gives the reason immediately.
      if (!foundAdvance.advance && foundAdvance.reason !== null) {
        const quoteResponse = await caller.call(advancesApi.quote, { company_id: companyId, obligation_id: sale.obligationId });
        if (!quoteResponse.advance) throw new NotReachedError(quoteResponse.reason ?? foundAdvance.reason);
        return quoteResponse.advance;
      }
      return foundAdvance.advance ?? undefined;
    }, 'no quote was made');
    const { refund_pence, fee_pence, net_pence, valid_until } = advance;
    const figures = `refund ${formatPounds(refund_pence)}, fee ${formatPounds(fee_pence)}, net ${formatPounds(net_pence)}, valid until ${valid_until}`;
    return { figures, value: advance };
  });
  return stages.run('agreement', async () => {
    const failedRules = quotedAdvance.rules.filter(({ outcome }) => outcome === 'fail');
    if (!quotedAdvance.eligible)
      throw new NotReachedError(`not eligible: ${failedRules.map(({ rule, finding }) => `${rule}: ${finding}`).join(' ')}`);
    const { version, advance_id, agreement } = quotedAdvance;
    await caller.call(
      advancesApi.accept,
      { company_id: companyId, advance_id, version, agreement_hash: agreement.hash },
      { idempotencyKey: randomUUID() },
    );
    const openedCase = await waitUntil(async () => {
      const { advance } = await findAdvance(sale);
      return advance?.collection_account ? advance : undefined;
    }, 'no collection account was opened');
    const account = openedCase.collection_account;
    const figures = `version ${version} accepted, collection account ${account?.sort_code} ${account?.account_number}`;
    return { figures, value: openedCase };
  });
}

function findAdvance({ trader: { caller, companyId }, obligationId }: Sale) {
  return caller.call(advancesApi.find, { company_id: companyId, obligation_id: obligationId });
}

/** Changes the account on HMRC's page first, then confirms it in the portal. */
export async function redirectRepayment(
  stages: Stages,
  { trader }: Sale,
  { advance_id, collection_account }: AdvanceOutput,
): Promise<void> {
  await stages.run('repayment account', async () => {
    if (!collection_account) throw new NotReachedError('there’s no collection account');
    await setRepaymentAccount(collection_account.hmrc_service_url, trader.organisation, collection_account);
    await trader.caller.call(advancesApi.confirmCollectionAccount, { company_id: trader.companyId, advance_id });
    return { figures: 'HMRC repays into the collection account; confirmed', value: undefined };
  });
}

/** Reviews and releases the advance to the extent that the rules require. Returns an operator who is logged in. */
export async function reviewAndRelease(stages: Stages, { context, trader }: Sale, advanceId: string): Promise<Caller> {
  const params = { company_id: trader.companyId, advance_id: advanceId };
  const { approver, releasers } = OPERATORS;
  const first = await logInOperator(context.portalUrl, approver);
  const waitForAdvance = async (isSettled: (current: OperatorAdvanceOutput) => boolean, missing: string) =>
    waitUntil(async () => {
      const current = await first.call(operatorsApi.advance, params);
      return isSettled(current) ? current : undefined;
    }, missing);
  const reviewedAdvance = await stages.run('review', async () => {
    const current = await waitForAdvance(({ advance }) => advance.state !== 'accepted', 'the advance stayed accepted');
    const reasons = current.advance.rules.filter(({ outcome }) => outcome === 'review').map(({ rule }) => rule);
    if (current.advance.state !== 'in_review') return { figures: `no manual review needed: ${current.advance.state}`, value: current };
    const decision = { ...params, decision: 'approve', reason: 'Smoke test: looks right' } as const;
    const decideResponse = await first.call(operatorsApi.decide, decision);
    return { figures: `approved by ${approver.email}, needed because of ${reasons.join(', ')}`, value: decideResponse };
  });
  await stages.run('release', async () => {
    const { releases_needed: releasesNeeded, advance } = reviewedAdvance;
    const bankAccountId = reviewedAdvance.bank_account_id ?? '';
    const { net_pence, netted_pence, version } = advance;
    const shownTerms = { net_pence, netted_pence, version, bank_account_id: bankAccountId };
    for (const releaser of releasers.slice(0, releasesNeeded)) {
      const caller = await logInOperator(context.portalUrl, releaser);
      await caller.call(operatorsApi.release, { ...params, ...shownTerms }, { idempotencyKey: randomUUID() });
    }
    const names = releasers.slice(0, releasesNeeded).map(({ email }) => email);
    return { figures: releasesNeeded === 0 ? 'none needed' : `released by ${names.join(' and ')}`, value: undefined };
  });
  return first;
}
