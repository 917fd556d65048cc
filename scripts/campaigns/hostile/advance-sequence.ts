/** An advance from offer to completion, including the operators' decisions. */
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import {
  documentsApi,
  AGREEMENT_FILE_PATH,
  JOURNALS_FILE_PATH,
  QUOTE_FILE_PATH,
  RECEIPT_FILE_PATH,
  STATEMENT_FILE_PATH,
} from '@portal/contract/documents.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { setRepaymentAccount } from '../../smoke/sandbox-client.ts';
import { type HostileTestBed, pollUntil } from './people.ts';
import type { Obligation, Trader } from './trader-sequence.ts';

export type Sale = { readonly trader: Trader; readonly obligation: Obligation; readonly advanceId: string };

const find = (
  { person, companyId }: Trader,
  { obligation_id }: Obligation,
): Promise<{ advance: AdvanceOutput | null; reason: string | null }> =>
  person.ask(advancesApi.find, { company_id: companyId, obligation_id });

/** The portal makes the offer after the return is filed. */
export async function getOffer(trader: Trader, obligation: Obligation): Promise<AdvanceOutput> {
  const { person, companyId } = trader;
  const key = { company_id: companyId, obligation_id: obligation.obligation_id };
  await person.call(advancesApi.find, key);
  const advanceMade = await pollUntil(async () => {
    const { advance, reason } = await find(trader, obligation);
    return advance ?? (reason === null ? undefined : false);
  }, 'no offer was made');
  const { advance } = await person.call(advancesApi.quote, key);
  const offer = advance ?? advanceMade;
  if (!offer) throw new Error('there is no offer');
  return offer;
}

export async function readDocuments(
  { person, companyId }: Trader,
  { obligation_id, period_start, period_end }: Obligation,
  advanceId: string,
): Promise<void> {
  await person.call(documentsApi.list, { company_id: companyId });
  const accounts = { advances: '610', clearing: 'Clearing', fee: 'Fees', vat: 'VAT', other_income: 'Other' };
  await person.call(documentsApi.saveJournalAccounts, { company_id: companyId, software: 'xero', ...accounts });
  const fewCorruptions = { corrupted: 5 };
  await person.open(RECEIPT_FILE_PATH, { company_id: companyId, obligation_id }, fewCorruptions);
  await person.open(QUOTE_FILE_PATH, { company_id: companyId, advance_id: advanceId }, fewCorruptions);
  await person.open(AGREEMENT_FILE_PATH, { company_id: companyId, advance_id: advanceId }, fewCorruptions);
  const period = { company_id: companyId, from: period_start, to: period_end };
  await person.open(STATEMENT_FILE_PATH, { ...period, format: 'csv' }, fewCorruptions);
  await person.open(JOURNALS_FILE_PATH, { ...period, software: 'xero' }, { ...fewCorruptions, mayEnd: [409, 422] });
}

/** Accepts at two portals at the same time. */
export async function acceptOffer(trader: Trader, obligation: Obligation, offer: AdvanceOutput): Promise<Sale> {
  const { person, companyId, organisation } = trader;
  const { advance_id, version, agreement } = offer;
  await person.call(
    advancesApi.accept,
    { company_id: companyId, advance_id, version, agreement_hash: agreement.hash },
    { isSentTwice: true },
  );
  const account = await pollUntil(
    async () => (await find(trader, obligation)).advance?.collection_account ?? undefined,
    'no collection account was opened',
  );
  await setRepaymentAccount(account.hmrc_service_url, organisation, account);
  const key = { company_id: companyId, advance_id };
  await person.call(advancesApi.confirmFacts, key, { mayEnd: [409] });
  await person.call(advancesApi.confirmCollectionAccount, key);
  await person.call(advancesApi.revokeCollectionAccount, key, { mayEnd: [409] });
  await person.call(advancesApi.confirmCollectionAccount, key, { mayEnd: [409] });
  return { trader, obligation, advanceId: advance_id };
}

export async function withdraw({ trader: { person, companyId }, advanceId }: Sale): Promise<void> {
  await person.call(advancesApi.withdraw, { company_id: companyId, advance_id: advanceId }, { mayEnd: [409] });
}

export function waitForState({ trader, obligation }: Sale, ...states: AdvanceOutput['state'][]): Promise<AdvanceOutput> {
  return pollUntil(
    async () => {
      const { advance } = await find(trader, obligation);
      return advance && states.includes(advance.state) ? advance : undefined;
    },
    `the advance became none of ${states.join(', ')}`,
  );
}

export async function payOut({ operators }: HostileTestBed, sale: Sale): Promise<void> {
  const {
    trader: { companyId },
    advanceId,
  } = sale;
  const key = { company_id: companyId, advance_id: advanceId };
  const { state } = await waitForState(sale, 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc');
  if (state === 'in_review' || state === 'approved') {
    await operators.use(async ({ olga, omar, otis }) => {
      await olga.call(operatorsApi.advance, key);
      const decideResponse = await olga.call(
        operatorsApi.decide,
        { ...key, decision: 'approve', reason: 'Looks right to me' },
        { isSafe: true, mayEnd: [409] },
      );
      const { advance, bank_account_id, releases_needed } =
        'advance' in decideResponse ? decideResponse : await olga.ask(operatorsApi.advance, key);
      const { net_pence, netted_pence, version } = advance;
      const shownTerms = { ...key, net_pence, netted_pence, version, bank_account_id: bank_account_id ?? '' };
      for (const releaser of [omar, otis].slice(0, releases_needed))
        await releaser.call(operatorsApi.release, shownTerms, { isSentTwice: true, mayEnd: [409] });
    });
  }
  await waitForState(sale, 'paid', 'awaiting_hmrc');
}

/** Makes HMRC repay the claim, in full or in part. */
export async function repay({ run, sandbox }: HostileTestBed, { trader: { organisation } }: Sale, amountPence?: number): Promise<void> {
  const claim = (await sandbox.listRepayments(organisation.vrn)).find(({ stage }) => stage !== 'PAID');
  if (!claim) throw new Error('HMRC has no repayment claim');
  const move = async (stage: string, overrides: object = {}): Promise<void> => {
    const body = JSON.stringify({ vrn: organisation.vrn, period_key: claim.period_key, stage, ...overrides });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    await fetch(`${run.sandboxUrl}/control/hmrc/repayments/move`, init);
  };
  if (amountPence !== undefined) await move('REPAYMENT_ADJUSTED', { amount_pence: amountPence });
  await move('PAID');
}
