/** Finds the bank entries that settled FreeAgent's invoices, credit notes and bills. */
import type { Settlement, SettlementRule } from '@portal/domain/connected-books/books-document.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { FreeAgentExplanationWire } from './freeagent-books-wire.ts';
import { readMinorUnits } from './freeagent-tax-map.ts';

export class FreeAgentSettlements {
  readonly #byDocument = new Map<string, Settlement[]>();

  /** Money in settles invoices and money out settles bills. Unapproved entries don't settle anything. */
  add(explanation: FreeAgentExplanationWire): void {
    const { paid_invoice: invoice, paid_bill: bill, marked_for_review: isGuess } = explanation;
    const url = invoice ?? bill;
    const date = parsePlainDate((explanation.dated_on ?? '').slice(0, 10));
    if (!url || !date || isGuess === true) return;
    const amount = readMinorUnits(explanation.foreign_currency_value ?? explanation.gross_value);
    const signedAmount = copyExplanationSign(amount, explanation);
    const settlement = { date, amount: bill ? -signedAmount : signedAmount };
    const key = getObjectPath(url);
    const existing = this.#byDocument.get(key);
    if (existing) existing.push(settlement);
    else this.#byDocument.set(key, [settlement]);
  }

  /**
   * `total` settles the document in full. If the bank entries for a paid document fall short (for example because a credit note was set
   * against it), the rest counts on the day it was paid in full.
   */
  find(url: string, total: number, paidOn: string | null | undefined): SettlementRule {
    const settlements = [...(this.#byDocument.get(getObjectPath(url)) ?? [])];
    const date = paidOn ? parsePlainDate(paidOn.slice(0, 10)) : undefined;
    const remainingAmount = total - settlements.reduce((sum, { amount }) => sum + amount, 0);
    if (date && remainingAmount !== 0 && remainingAmount < 0 === total < 0) settlements.push({ date, amount: remainingAmount });
    return { total, settlements };
  }
}

/** An amount in foreign currency may lack the bank entry's sign. */
function copyExplanationSign(
  amount: number,
  { gross_value: gross, foreign_currency_value: foreignAmount }: FreeAgentExplanationWire,
): number {
  if (foreignAmount === null || foreignAmount === undefined) return amount;
  return readMinorUnits(gross) < 0 ? -Math.abs(amount) : Math.abs(amount);
}

/** Returns the end of an object's URL, such as "invoices/12", because test systems and practices have different hosts. */
export function getObjectPath(url: string): string {
  const numberSlash = url.lastIndexOf('/');
  return numberSlash <= 0 ? url : url.slice(url.lastIndexOf('/', numberSlash - 1) + 1);
}
