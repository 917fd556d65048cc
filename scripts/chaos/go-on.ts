/** One step of the seller's journey, decided by the state of the page: press the available button, or wait. */
import { randomUUID } from 'node:crypto';
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import { operatorApi } from '@portal/contract/operator.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { PortalRefusal } from '../smoke/caller.ts';
import { nameRepaymentAccount } from '../smoke/doubles.ts';
import { connectHmrc } from '../smoke/trader.ts';
import type { Seller, World } from './world.ts';

/** What the page showed, and which button was pressed. */
export type Look = { readonly found: string; readonly pressed?: string; readonly isSettled: boolean };

/** A state that cannot lead to settlement. It is reported as a violation at once instead of being waited for. */
export class DeadEnd extends Error {
  override readonly name = 'DeadEnd';
}

/** Repeats the key of a press whose answer was lost, as a browser that retries does. With an answer the decision is over: the next press has a new key. */
export type Keys = { use<Answer>(press: string, send: (options: { idempotencyKey: string }) => Promise<Answer>): Promise<Answer> };

export function createKeys(repeats: boolean): Keys {
  const held = new Map<string, string>();
  return {
    use: async (press, send) => {
      const idempotencyKey = (repeats ? held.get(press) : undefined) ?? randomUUID();
      held.set(press, idempotencyKey);
      const answer = await send({ idempotencyKey });
      held.delete(press);
      return answer;
    },
  };
}

const LAPSED = 'hmrc.not_connected';

/** Performs at most one action. `clicks` sends the same request that many times at once. */
export async function goOn(world: World, seller: Seller, keys: Keys, clicks = 1): Promise<Look> {
  const { caller, companyId, obligationId } = seller;
  const of = { company_id: companyId, obligation_id: obligationId };
  const { obligation, figures_version: version, refusal } = await caller.call(vatReturnsApi.get, of);
  const found = `return ${obligation.state}`;
  const press = (pressed: string, act: () => Promise<unknown>): Promise<Look> => pressAll(found, pressed, act, clicks);
  switch (obligation.state) {
    case 'ready': {
      const input = { ...of, figures_version: version ?? '', declaration_accepted: true } as const;
      return reconnecting(seller, () => press('file', () => keys.use('file', (key) => caller.call(vatReturnsApi.file, input, key))));
    }
    case 'outcome_unknown':
      return reconnecting(seller, () => press('resolve', () => caller.call(vatReturnsApi.resolve, of)));
    case 'filing':
      return { found, isSettled: false };
    case 'filed':
    case 'filed_awaiting_hmrc':
      return sell(world, seller, keys, clicks);
    case 'open_running':
    case 'no_books':
    case 'filed_elsewhere':
    case 'refused':
      throw new DeadEnd(`the return is ${obligation.state}${refusal === null ? '' : `: ${refusal}`}`);
  }
}

/** Connects HMRC again when the connection was lost with the process: each HMRC refresh token works only once. */
async function reconnecting(seller: Seller, act: () => Promise<Look>): Promise<Look> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PortalRefusal) || error.code !== LAPSED) throw error;
    await connectHmrc(seller);
    return { found: 'HMRC connection lapsed', pressed: 'connect HMRC', isSettled: false };
  }
}

async function sell(world: World, seller: Seller, keys: Keys, clicks: number): Promise<Look> {
  const { caller, companyId, obligationId } = seller;
  const { advance } = await caller.call(advancesApi.find, { company_id: companyId, obligation_id: obligationId });
  if (!advance) return { found: 'return filed, no quote yet', isSettled: false };
  const found = `advance ${advance.state}`;
  const press = (pressed: string, act: () => Promise<unknown>): Promise<Look> => pressAll(found, pressed, act, clicks);
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
        await nameRepaymentAccount(account.hmrc_service_url, seller.organisation, account);
        return press('confirm account', () => caller.call(advancesApi.confirmCollectionAccount, { company_id: companyId, advance_id }));
      }
      return operate(world, companyId, advance, keys, clicks);
    case 'awaiting_hmrc':
      return repay(world, seller, found);
    case 'paying':
    case 'paid':
    case 'repaid':
      return { found, isSettled: false };
    case 'settled':
      return { found, isSettled: true };
    default:
      throw new DeadEnd(`the advance is ${advance.state}`);
  }
}

/** Handles the operators' queue: a review needs one operator, a release may need both. */
async function operate(
  { operators }: World,
  companyId: string,
  { advance_id, state }: AdvanceOutput,
  keys: Keys,
  clicks: number,
): Promise<Look> {
  const found = `advance ${state}`;
  const of = { company_id: companyId, advance_id };
  const [first] = operators;
  if (state === 'accepted' || !first) return { found, isSettled: false };
  if (state === 'in_review') {
    const decision = { ...of, decision: 'approve', reason: 'Chaos: looks right' } as const;
    return pressAll(found, 'approve', () => first.call(operatorApi.decide, decision), clicks);
  }
  const { releases, releases_needed } = await first.call(operatorApi.advance, of);
  const next = releases.length < releases_needed ? operators[releases.length] : undefined;
  if (!next) return { found: `${found}, released`, isSettled: false };
  const nth = `release ${releases.length + 1}`;
  return pressAll(found, nth, () => keys.use(nth, (key) => next.call(operatorApi.release, of, key)), clicks);
}

/** HMRC pays the claim once; after that the portal only has to detect the payment. */
async function repay({ doubles }: World, { organisation }: Seller, found: string): Promise<Look> {
  const claim = (await doubles.listRepayments(organisation.vrn)).find(({ stage }) => stage !== 'PAID');
  if (!claim) return { found: `${found}, HMRC has paid`, isSettled: false };
  await doubles.payRepayment(organisation.vrn, claim.period_key);
  return { found, pressed: 'HMRC pays', isSettled: false };
}

/**
 * Sends all clicks at once and waits for all of them. A rejected duplicate click is fine as long as one click succeeds; any other failure
 * is thrown.
 */
async function pressAll(found: string, pressed: string, act: () => Promise<unknown>, clicks: number): Promise<Look> {
  const outcomes = await Promise.allSettled(Array.from({ length: clicks }, act));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const worst = failures.find((failure) => !(failure instanceof PortalRefusal)) ?? (failures.length === clicks ? failures[0] : undefined);
  if (worst !== undefined) throw worst;
  return { found, pressed, isSettled: false };
}
