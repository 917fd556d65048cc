/** GET /organisations/vat/check-vat-number/lookup/{targetVrn}[/{requesterVrn}], version 2.0 (docs/reference/hmrc.md section 4). */
import { randomInt } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { VatNumberLookupWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import { assertAccepts, type HmrcRequest } from './gateway.ts';
import { createApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';
import { formatLondonTimestamp } from './london-time.ts';

type LookupTarget = VatNumberLookupWire['target'];

export function handleLookup(context: HmrcContext, request: HmrcRequest, reply: FastifyReply): FastifyReply {
  assertAccepts(request, '2.0');
  const { targetVrn = '', requesterVrn } = request.params;
  const invalidNumbers = [
    ...(isVatNumber(targetVrn) ? [] : ['targetVrn']),
    ...(requesterVrn === undefined || isVatNumber(requesterVrn) ? [] : ['requesterVrn']),
  ];
  if (invalidNumbers.length > 0) {
    throw createApiError(400, 'INVALID_REQUEST', `Invalid ${invalidNumbers.join(' and ')} - Vrn parameters should be 9 or 12 digits`);
  }
  if (requesterVrn !== undefined && !findTarget(context, requesterVrn)) {
    throw createApiError(403, 'INVALID_REQUEST', 'requesterVrn does not match a registered company');
  }
  const target = findTarget(context, targetVrn);
  if (!target) throw createApiError(404, 'NOT_FOUND', 'targetVrn does not match a registered company');
  const lookup: VatNumberLookupWire = {
    target,
    ...(requesterVrn === undefined ? {} : { requester: requesterVrn, consultationNumber: generateConsultationNumber() }),
    processingDate: formatLondonTimestamp(context.clock.now()),
  };
  return reply.send(lookup);
}

function isVatNumber(text: string): boolean {
  return /^(\d{9}|\d{12})$/.test(text);
}

/** In a 12-digit number the last three digits identify a branch of the same registration. */
function findTarget(context: HmrcContext, vatNumber: string): LookupTarget | undefined {
  const publishedEntry = PUBLISHED_NUMBERS[vatNumber];
  if (publishedEntry) {
    const [name, line1, postcode] = publishedEntry;
    return { name, vatNumber, address: { line1, postcode, countryCode: 'GB' } };
  }
  const trader = context.records.traders.get(vatNumber.slice(0, 9));
  if (!trader) return undefined;
  return { name: trader.organisationName, vatNumber, address: { ...trader.address, countryCode: 'GB' } };
}

function generateConsultationNumber(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from({ length: 9 }, () => letters[randomInt(letters.length)]).join('');
}

/** VAT numbers in HMRC's sandbox. HMRC publishes a name and address only for the first. */
const PUBLISHED_NUMBERS: Readonly<Record<string, readonly [name: string, line1: string, postcode: string]>> = {
  '553557881': ['Credite Sberger Donal Inc.', '131B Barton Hamlet', 'SW97 5CK'],
  '146295999727': ['Kettle and Thorne Ltd', '7 Foundry Lane', 'LS11 5BD'],
  '948561936944': ['Pellworth Holdings plc', '40 Exchange Row', 'M2 7HL'],
  '166804280212': ['Dunmarrow Freight Ltd', 'Unit 3, Dock Road', 'HU1 2AB'],
  '011591667': ['Manx Lantern Company Ltd', '12 Athol Street', 'IM1 1LB'],
  '961925638': ['Averill Botanicals Ltd', '88 Orchard Way', 'TA1 3PX'],
};
