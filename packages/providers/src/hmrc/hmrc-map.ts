/** Maps HMRC's wire shapes to the portal's types and back. Pure. Impossible values throw a RangeError. */
import { addMilliseconds, parseInstant, type Instant } from '@portal/domain/clock.ts';
import { parsePounds, toPoundsText, ZERO, type Pence, type WholePounds } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { FilingReceipt, HmrcPayment, HmrcTokens, Liability, Obligation, VatInformation, VatNumberLookup } from './hmrc-types.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import type {
  FilingReceiptWire,
  LiabilityWire,
  ObligationWire,
  PaymentWire,
  TokenWire,
  VatInformationWire,
  VatNumberLookupWire,
  VatReturnWire,
} from './hmrc-wire.ts';

export function mapObligation(wire: ObligationWire): Obligation {
  return {
    periodKey: wire.periodKey,
    start: plainDate(wire.start),
    end: plainDate(wire.end),
    due: plainDate(wire.due),
    status: wire.status === 'O' ? 'open' : 'fulfilled',
    ...(wire.received === undefined ? {} : { received: plainDate(wire.received) }),
  };
}

export function mapReturn(wire: VatReturnWire): NineBoxes {
  return {
    box1: readPence(wire.vatDueSales),
    box2: readPence(wire.vatDueAcquisitions),
    box3: readPence(wire.totalVatDue),
    box4: readPence(wire.vatReclaimedCurrPeriod),
    box5: readPence(wire.netVatDue),
    box6: readWholePounds(wire.totalValueSalesExVAT),
    box7: readWholePounds(wire.totalValuePurchasesExVAT),
    box8: readWholePounds(wire.totalValueGoodsSuppliedExVAT),
    box9: readWholePounds(wire.totalAcquisitionsExVAT),
  };
}

/** Builds the request body as text with exact decimal amounts, because a float could turn 0.30 into 0.30000000000000004. */
export function formatReturnBody(periodKey: string, boxes: NineBoxes): string {
  const members = [
    `"periodKey":${JSON.stringify(periodKey)}`,
    `"vatDueSales":${toPoundsText(boxes.box1)}`,
    `"vatDueAcquisitions":${toPoundsText(boxes.box2)}`,
    `"totalVatDue":${toPoundsText(boxes.box3)}`,
    `"vatReclaimedCurrPeriod":${toPoundsText(boxes.box4)}`,
    `"netVatDue":${toPoundsText(boxes.box5)}`,
    `"totalValueSalesExVAT":${formatWholePounds(boxes.box6)}`,
    `"totalValuePurchasesExVAT":${formatWholePounds(boxes.box7)}`,
    `"totalValueGoodsSuppliedExVAT":${formatWholePounds(boxes.box8)}`,
    `"totalAcquisitionsExVAT":${formatWholePounds(boxes.box9)}`,
    '"finalised":true',
  ];
  return `{${members.join(',')}}`;
}

export function mapReceipt(
  wire: FilingReceiptWire,
  hmrcResponse: { readonly status: number; readonly headers: Headers; readonly bodyText: string },
): FilingReceipt {
  const processedAt = parseInstant(wire.processingDate);
  if (processedAt === undefined) throw new RangeError(`not a time: ${wire.processingDate}`);
  const receiptId = hmrcResponse.headers.get('receipt-id');
  const receiptTimestamp = hmrcResponse.headers.get('receipt-timestamp');
  const correlationId = hmrcResponse.headers.get('x-correlationid');
  return {
    processedAt,
    formBundleNumber: wire.formBundleNumber,
    ...(wire.paymentIndicator === undefined ? {} : { paymentIndicator: wire.paymentIndicator }),
    ...(wire.chargeRefNumber === undefined ? {} : { chargeRefNumber: wire.chargeRefNumber }),
    ...(receiptId === null ? {} : { receiptId }),
    ...(receiptTimestamp === null ? {} : { receiptTimestamp }),
    ...(correlationId === null ? {} : { correlationId }),
    verbatim: { status: hmrcResponse.status, headers: Object.fromEntries(hmrcResponse.headers), body: hmrcResponse.bodyText },
  };
}

export function mapLiability(wire: LiabilityWire): Liability {
  return {
    ...(wire.taxPeriod === undefined ? {} : { period: { start: plainDate(wire.taxPeriod.from), end: plainDate(wire.taxPeriod.to) } }),
    type: wire.type,
    original: readPence(wire.originalAmount),
    // HMRC omits the amount if nothing is outstanding.
    outstanding: wire.outstandingAmount === undefined ? ZERO : readPence(wire.outstandingAmount),
    ...(wire.due === undefined ? {} : { due: plainDate(wire.due) }),
  };
}

export function mapPayment(wire: PaymentWire): HmrcPayment {
  return { amount: readPence(wire.amount), ...(wire.received === undefined ? {} : { received: plainDate(wire.received) }) };
}

export function mapInformation(wire: VatInformationWire): VatInformation {
  const registrationDate = wire.customerDetails?.effectiveRegistrationDate;
  const scheme = wire.flatRateScheme;
  return {
    ...(registrationDate === undefined ? {} : { registeredOn: plainDate(registrationDate) }),
    ...(scheme === undefined
      ? {}
      : {
          flatRateScheme: {
            ...(scheme.frsCategory === undefined ? {} : { category: scheme.frsCategory }),
            ...(scheme.startDate === undefined ? {} : { startedOn: plainDate(scheme.startDate) }),
          },
        }),
  };
}

export function mapVatNumber(wire: VatNumberLookupWire): VatNumberLookup {
  const { name, vatNumber, address } = wire.target;
  const checkedAt = parseInstant(wire.processingDate);
  if (checkedAt === undefined) throw new RangeError(`not a time: ${wire.processingDate}`);
  const lines = [address.line1, address.line2, address.line3, address.line4, address.line5];
  return {
    vrn: vatNumber,
    name,
    addressLines: lines.filter((line) => line !== undefined),
    ...(address.postcode === undefined ? {} : { postcode: address.postcode }),
    countryCode: address.countryCode,
    checkedAt,
  };
}

/** Returns the tokens for a user's authorisation. Undefined without a refresh token, which a valid response always contains. */
export function mapTokens(wire: TokenWire, now: Instant): HmrcTokens | undefined {
  if (wire.refresh_token === undefined) return undefined;
  return {
    accessToken: wire.access_token,
    refreshToken: wire.refresh_token,
    expiresAt: addMilliseconds(now, wire.expires_in * 1000),
    ...(wire.scope === undefined ? {} : { scopes: wire.scope.split(/[ +]/).filter((scope) => scope !== '') }),
  };
}

/** Uses the number's shortest decimal string, which equals HMRC's text for amounts of up to 15 digits. */
function readPence(amount: number): Pence {
  const parsed = parsePounds(String(amount));
  if (parsed === undefined) throw new RangeError(`not an amount: ${amount}`);
  return parsed;
}

function readWholePounds(amount: number): WholePounds {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole pounds: ${amount}`);
  return (amount === 0 ? 0 : amount) as WholePounds;
}

function formatWholePounds(amount: WholePounds): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole pounds: ${amount}`);
  return String(amount === 0 ? 0 : amount);
}
