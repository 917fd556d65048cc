/** A refund that HMRC repays only in part: the trader's case, the operators' decisions about it, and unmatched payments. */
import { randomUUID } from 'node:crypto';
import { approvalsApi } from '@portal/contract/approvals.ts';
import { deskApi } from '@portal/contract/desk.ts';
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { advancesApi } from '@portal/contract/advances.ts';
import { pence } from '@portal/domain/money.ts';
import type { Sale } from './advance-sequence.ts';
import { type HostileTestBed, pollUntil } from './people.ts';

const MAY_BE_LATE = { mayEnd: [409] } as const;

/** A rejection also has a request_id, which is its own. */
const isRequested = (response: object): boolean => 'request_id' in response && !('code' in response);

export async function pursueShortfall({ operators }: HostileTestBed, { trader, obligation, advanceId }: Sale): Promise<void> {
  const { person, companyId } = trader;
  const find = { company_id: companyId, advance_id: advanceId };
  const { shortfall } = await person.call(shortfallsApi.find, find);
  if (!shortfall) throw new Error('there is no case of the short refund');
  const key = { company_id: companyId, shortfall_id: shortfall.shortfall_id };
  const [letter] = shortfall.letters;
  if (letter) await person.call(shortfallsApi.letter, { company_id: companyId, letter_id: letter.letter_id });
  const { authorisation_url: url } = await person.call(shortfallsApi.startMandate, {
    company_id: companyId,
    obligation_id: obligation.obligation_id,
  });
  await fetch(url, { method: 'POST', body: new URLSearchParams({ choice: 'confirm' }), redirect: 'manual' });
  await person.call(shortfallsApi.planInstalments, { ...key, count: 2 }, { ...MAY_BE_LATE, isSafe: true });
  await person.call(shortfallsApi.dispute, { ...key, reason: `HMRC agreed the whole amount ${trader.tenant.marker}` }, MAY_BE_LATE);
  await operators.use(async ({ olga, omar }) => {
    await olga.call(shortfallsApi.operatorList, { show: 'open' });
    await olga.call(shortfallsApi.operatorGet, key);
    const { operators: allOperators } = await olga.call(deskApi.operators, {});
    const self = allOperators.find(({ is_you }) => is_you);
    if (self) await olga.call(shortfallsApi.assign, { ...key, owner_id: self.user_id }, MAY_BE_LATE);
    await olga.call(shortfallsApi.answerDispute, { ...key, answer: 'HMRC’s letter says otherwise' }, MAY_BE_LATE);
    await olga.call(shortfallsApi.claim, { ...key, amount_pence: pence(10_000), reason: 'As the agreement says' }, MAY_BE_LATE);
    await olga.call(shortfallsApi.retryDirectDebit, { ...key, amount_pence: pence(5_000) }, MAY_BE_LATE);
    const writeOffResponse = await olga.call(shortfallsApi.requestWriteOff, { ...key, reason: 'Insolvent' }, MAY_BE_LATE);
    if (isRequested(writeOffResponse))
      await omar.call(
        approvalsApi.reject,
        { company_id: companyId, request_id: writeOffResponse.request_id, reason: 'Not yet' },
        MAY_BE_LATE,
      );
    const repeatedRequest = await olga.call(
      shortfallsApi.requestWriteOff,
      { ...key, reason: 'Insolvent' },
      { ...MAY_BE_LATE, corrupted: 4 },
    );
    if (isRequested(repeatedRequest))
      await omar.call(
        approvalsApi.approve,
        { company_id: companyId, request_id: repeatedRequest.request_id },
        { isSentTwice: true, mayEnd: [409] },
      );
    await olga.call(shortfallsApi.close, { ...key, reason: 'Nothing is owed' }, MAY_BE_LATE);
  });
}

/** Makes a payment from a third party into the collection account. */
export async function allocateCredit({ run, operators }: HostileTestBed, { trader, advanceId }: Sale): Promise<void> {
  const { person, companyId, tenant } = trader;
  const { advance } = await person.ask(advancesApi.find, { company_id: companyId });
  const account = advance?.collection_account;
  if (!account) return;
  for (const amount_pence of [12_345, 6_789]) {
    const credit = {
      sort_code: account.sort_code,
      account_number: account.account_number,
      amount_pence,
      remitter_name: 'A Stranger Ltd',
      reference: `INV ${amount_pence}`,
    };
    await fetch(`${run.sandboxUrl}/control/bank/credit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credit),
    });
  }
  await operators.use(async ({ olga, omar }) => {
    const credits = await pollUntil(async () => {
      const { credits: foundCredits } = await olga.ask(reconciliationExceptionsApi.credits, { company_id: companyId });
      const openCredits = foundCredits.filter(({ unallocated_pence }) => unallocated_pence > 0);
      return openCredits.length > 0 ? openCredits : undefined;
    }, 'the credits did not arrive');
    await olga.call(reconciliationExceptionsApi.list, {});
    await olga.call(reconciliationExceptionsApi.credits, { company_id: companyId });
    await olga.call(reconciliationExceptionsApi.directDebitPayouts, {});
    const [first, second] = credits;
    if (!first) return;
    const note = { company_id: companyId, subject_id: first.credit_id, note_id: randomUUID(), text: `Asked the bank ${tenant.marker}` };
    await olga.call(reconciliationExceptionsApi.note, note);
    const allocation = {
      company_id: companyId,
      credit_id: first.credit_id,
      reason: 'The bank confirmed it',
      allocations: [{ advance_id: null, amount_pence: pence(first.amount_pence) }],
    };
    const allocateResponse = await olga.call(reconciliationExceptionsApi.allocate, allocation, MAY_BE_LATE);
    await olga.call(approvalsApi.list, {});
    if (isRequested(allocateResponse))
      await omar.call(
        approvalsApi.approve,
        { company_id: companyId, request_id: allocateResponse.request_id },
        { isSentTwice: true, mayEnd: [409] },
      );
    const payment = await olga.call(
      reconciliationExceptionsApi.paySurplus,
      { company_id: companyId, amount_pence: pence(100), reason: 'Owed to the trader' },
      MAY_BE_LATE,
    );
    if (isRequested(payment))
      await olga.call(approvalsApi.withdraw, { company_id: companyId, request_id: payment.request_id }, MAY_BE_LATE);
    if (second) {
      const returnResponse = {
        company_id: companyId,
        credit_id: second.credit_id,
        reason: 'Sent back by the bank',
        return_reference: `R ${advanceId.slice(0, 8)}`,
      };
      await olga.call(reconciliationExceptionsApi.recordReturn, returnResponse, MAY_BE_LATE);
    }
  });
}
