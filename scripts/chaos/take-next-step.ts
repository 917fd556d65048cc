/** One step of the trader's journey, depending on the page's state: click the available button, or wait. */
import { randomUUID } from 'node:crypto';
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { PortalError } from '../smoke/caller.ts';
import { setRepaymentAccount } from '../smoke/sandbox-client.ts';
import { connectHmrc } from '../smoke/trader.ts';
import type { FilingTrader, FilingTestBed } from './filing-test-bed.ts';

/** The state of the page, and the button that was clicked. */
export type StepResult = { readonly pageState: string; readonly pressedButton?: string; readonly isSettled: boolean };

/** A state that can't lead to settlement. It is reported immediately as a violation. */
export class DeadEndError extends Error {
  override readonly name = 'DeadEnd';
}

/**
 * Repeats the idempotency key if a response was lost, as a retrying browser would. Once there's a response, the next click uses a new key.
 */
export type IdempotencyKeys = {
  use<Answer>(button: string, send: (options: { idempotencyKey: string }) => Promise<Answer>): Promise<Answer>;
};

export function createKeys(repeatsLostKeys: boolean): IdempotencyKeys {
  const keyByButton = new Map<string, string>();
  return {
    use: async (button, send) => {
      const idempotencyKey = (repeatsLostKeys ? keyByButton.get(button) : undefined) ?? randomUUID();
      keyByButton.set(button, idempotencyKey);
      const stepResponse = await send({ idempotencyKey });
      keyByButton.delete(button);
      return stepResponse;
    },
  };
}

const NOT_CONNECTED_CODE = 'hmrc.not_connected';

/** The people involved, other than the trader and the providers. */
export type SalePeople = Pick<FilingTestBed, 'sandbox' | 'approver' | 'releasers'>;

/** Performs at most one action. `clicks` sends the same request that many times at once. */
export async function takeNextStep(testBed: SalePeople, trader: FilingTrader, keys: IdempotencyKeys, clicks = 1): Promise<StepResult> {
  const { caller, companyId, obligationId } = trader;
  const returnKey = { company_id: companyId, obligation_id: obligationId };
  const { obligation, figures_version: version, refusal } = await caller.call(vatReturnsApi.get, returnKey);
  const pageState = `return ${obligation.state}`;
  const press = (pressedButton: string, request: () => Promise<unknown>): Promise<StepResult> =>
    sendClicks(pageState, pressedButton, request, clicks);
  switch (obligation.state) {
    case 'ready': {
      const input = { ...returnKey, figures_version: version ?? '', declaration_accepted: true } as const;
      return withReconnect(trader, () => press('file', () => keys.use('file', (key) => caller.call(vatReturnsApi.file, input, key))));
    }
    case 'outcome_unknown':
      return withReconnect(trader, () => press('resolve', () => caller.call(vatReturnsApi.resolve, returnKey)));
    case 'filing':
      return { pageState, isSettled: false };
    case 'filed':
    case 'filed_awaiting_hmrc':
      return sellRefund(testBed, trader, keys, clicks);
    case 'open_running':
    case 'no_books':
    case 'filed_elsewhere':
    case 'refused':
      throw new DeadEndError(`the return is ${obligation.state}${refusal === null ? '' : `: ${refusal}`}`);
  }
}

/** Reconnects HMRC if a kill lost the connection, because each HMRC refresh token works only once. */
async function withReconnect(trader: FilingTrader, request: () => Promise<StepResult>): Promise<StepResult> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof PortalError) || error.code !== NOT_CONNECTED_CODE) throw error;
    await connectHmrc(trader);
    return { pageState: 'HMRC connection lapsed', pressedButton: 'connect HMRC', isSettled: false };
  }
}

async function sellRefund(testBed: SalePeople, trader: FilingTrader, keys: IdempotencyKeys, clicks: number): Promise<StepResult> {
  const { caller, companyId, obligationId } = trader;
  const { advance } = await caller.call(advancesApi.find, { company_id: companyId, obligation_id: obligationId });
  if (!advance) return { pageState: 'return filed, no quote yet', isSettled: false };
  const pageState = `advance ${advance.state}`;
  const press = (pressedButton: string, request: () => Promise<unknown>): Promise<StepResult> =>
    sendClicks(pageState, pressedButton, request, clicks);
  const { advance_id, version, agreement, collection_account: account } = advance;
  switch (advance.state) {
    case 'quoted': {
      const input = { company_id: companyId, advance_id, version, agreement_hash: agreement.hash };
      return press('accept', () => keys.use('accept', (key) => caller.call(advancesApi.accept, input, key)));
    }
    case 'accepted':
    case 'in_review':
    case 'approved':
      if (account && account.confirmed_at === null) {
        await setRepaymentAccount(account.hmrc_service_url, trader.organisation, account);
        return press('confirm account', () => caller.call(advancesApi.confirmCollectionAccount, { company_id: companyId, advance_id }));
      }
      return performOperatorStep(testBed, companyId, advance, keys, clicks);
    case 'awaiting_hmrc':
      return repayFromHmrc(testBed, trader, pageState);
    case 'paying':
    case 'paid':
    case 'repaid':
      return { pageState, isSettled: false };
    case 'settled':
      return { pageState, isSettled: true };
    default:
      throw new DeadEndError(`the advance is ${advance.state}`);
  }
}

/** Works through the operators' queue: one approves, and one or two others release. */
async function performOperatorStep(
  { approver, releasers }: SalePeople,
  companyId: string,
  { advance_id, state }: AdvanceOutput,
  keys: IdempotencyKeys,
  clicks: number,
): Promise<StepResult> {
  const pageState = `advance ${state}`;
  const advanceKey = { company_id: companyId, advance_id };
  if (state === 'accepted') return { pageState, isSettled: false };
  if (state === 'in_review') {
    const decision = { ...advanceKey, decision: 'approve', reason: 'Chaos: looks right' } as const;
    return sendClicks(pageState, 'approve', () => approver.call(operatorsApi.decide, decision), clicks);
  }
  const { releases, releases_needed, advance, bank_account_id } = await approver.call(operatorsApi.advance, advanceKey);
  const { net_pence, netted_pence, version } = advance;
  const shownTerms = { net_pence, netted_pence, version, bank_account_id: bank_account_id ?? '' };
  const nextOperator = releases.length < releases_needed ? releasers[releases.length] : undefined;
  if (!nextOperator) return { pageState: `${pageState}, released, waiting for: ${advance.waiting_for ?? 'nothing'}`, isSettled: false };
  const releaseName = `release ${releases.length + 1}`;
  return sendClicks(
    pageState,
    releaseName,
    () => keys.use(releaseName, (key) => nextOperator.call(operatorsApi.release, { ...advanceKey, ...shownTerms }, key)),
    clicks,
  );
}

/** HMRC pays the claim once. After that, the portal only has to detect the payment. */
async function repayFromHmrc({ sandbox }: SalePeople, { organisation }: FilingTrader, pageState: string): Promise<StepResult> {
  const claim = (await sandbox.listRepayments(organisation.vrn)).find(({ stage }) => stage !== 'PAID');
  if (!claim) return { pageState: `${pageState}, HMRC has paid`, isSettled: false };
  await sandbox.payRepayment(organisation.vrn, claim.period_key);
  return { pageState, pressedButton: 'HMRC pays', isSettled: false };
}

/**
 * Sends all clicks at the same time and waits for all of them. A rejected duplicate click is fine if another one succeeds; any other
 * failure is thrown.
 */
async function sendClicks(pageState: string, pressedButton: string, request: () => Promise<unknown>, clicks: number): Promise<StepResult> {
  const outcomes = await Promise.allSettled(Array.from({ length: clicks }, request));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const firstFailure =
    failures.find((failure) => !(failure instanceof PortalError)) ?? (failures.length === clicks ? failures[0] : undefined);
  if (firstFailure !== undefined) throw firstFailure;
  return { pageState, pressedButton, isSettled: false };
}
