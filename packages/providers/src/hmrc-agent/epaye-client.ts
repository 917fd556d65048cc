/** Client for ePAYE 1.0 behind the PAYE port. Unused until HMRC confirms that new applications get access. */
import { parsePounds, type Pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { ChargeFact } from '@portal/domain/positions/tax-facts.ts';
import type { HmrcCall } from '../hmrc/hmrc-types.ts';
import { parseHmrcError, readResponse, sendToHmrc, type HmrcResponse } from '../hmrc/send-to-hmrc.ts';
import type { AgentClientDeps } from './agent-authorisation-client.ts';
import { payePaymentsWire, payeStatementWire, type PayePaymentsWire, type PayeStatementWire } from './epaye-wire.ts';
import type { PayePort, PayeStatement } from './paye-port.ts';

/** Creates the client, which is stateless. Needs the scope read:epaye. */
export function createEpayeClient(deps: AgentClientDeps): PayePort {
  const read = (call: HmrcCall, operation: string, path: string): Promise<HmrcResponse> =>
    sendToHmrc(deps, {
      operation,
      method: 'GET',
      effect: 'read',
      url: `${deps.apiUrl}/organisations/paye/${path}`,
      headers: { ...call.fraudHeaders, accept: 'application/vnd.hmrc.1.0+json', authorization: `Bearer ${call.accessToken}` },
    });
  return {
    findStatement: async (call, employer, taxYear) => {
      const statement = await read(call, 'hmrc.paye_statement', `${employer}/statements/${taxYear}`);
      if (isNotFound(statement)) return undefined;
      const charges = readResponse(statement, 200, payeStatementWire, mapCharges);
      const history = await read(call, 'hmrc.paye_payments', `${employer}/payment-history/${taxYear}`);
      return { charges, payments: isNotFound(history) ? [] : readResponse(history, 200, payePaymentsWire, mapPayments) };
    },
  };
}

function mapCharges(wire: PayeStatementWire): readonly ChargeFact[] {
  const { year } = wire.taxYear;
  const { earlierYearUpdate: earlierUpdate, rtiCharges } = wire._embedded;
  return [
    ...(earlierUpdate ? [toCharge(earlierUpdate, `Earlier year update, ${year}`, 'tax')] : []),
    ...rtiCharges.map((charge) => ({
      ...toCharge(charge, `PAYE and National Insurance, month ${charge.taxMonth.month} ${year}`, 'tax'),
      period: { start: plainDate(charge.taxMonth.firstDay), end: plainDate(charge.taxMonth.lastDay) },
    })),
    ...wire.nonRtiCharges.map((charge) => ({
      ...toCharge(charge, describeChargeCode(charge.code), toChargeKind(charge.code)),
      reference: charge.code,
    })),
  ];
}

function toCharge(
  { amount, balance, dueDate }: { readonly amount: number; readonly balance: number; readonly dueDate: string },
  title: string,
  kind: ChargeFact['kind'],
): ChargeFact {
  return { title, kind, original: readPence(amount), outstanding: readPence(balance), due: plainDate(dueDate) };
}

function mapPayments(wire: PayePaymentsWire): PayeStatement['payments'] {
  return wire.payments.map(({ paymentDate, amount }) => ({ amount: readPence(amount), received: plainDate(paymentDate) }));
}

/** Turns "NON_RTI_CIS_FIXED_PENALTY" into "CIS fixed penalty". */
function describeChargeCode(code: string): string {
  const words = code
    .replace(/^NON_RTI_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
  return words.replace(/\b(?:cis|eps|fps|nic|paye)\b/g, (word) => word.toUpperCase()).replace(/^./, (first) => first.toUpperCase());
}

function toChargeKind(code: string): ChargeFact['kind'] {
  if (code.includes('INTEREST')) return 'interest';
  return code.includes('PENALTY') ? 'penalty' : 'tax';
}

function isNotFound(hmrcResponse: HmrcResponse): boolean {
  if (hmrcResponse.status !== 404) return false;
  const code = parseHmrcError(hmrcResponse.bodyText)?.code;
  return code === 'NOT_FOUND' || code === 'EMPREF_NOT_FOUND';
}

function readPence(amount: number): Pence {
  const parsed = parsePounds(String(amount));
  if (parsed === undefined) throw new RangeError(`not an amount: ${amount}`);
  return parsed;
}
