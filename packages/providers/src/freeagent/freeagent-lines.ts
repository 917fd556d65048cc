/** Calculates the net and VAT amounts of FreeAgent's items in the document's currency, and converts them to sterling. */
import type { DocumentFlag, DocumentLine } from '@portal/domain/connected-books/books-document.ts';
import { IN_STERLING, type SterlingRate, toMinorUnits, toSterlingPence } from '@portal/domain/connected-books/decimal-amount.ts';
import { applyRate, calculateShare, pence, type Pence } from '@portal/domain/money.ts';
import type { FreeAgentTax } from './freeagent-tax-map.ts';

/** In hundredths of the document's currency; negative on credits. `isManual`: the VAT was entered manually. */
export type FreeAgentAmounts = { readonly net: Pence; readonly vat: Pence; readonly isManual?: boolean };
export type FreeAgentLine = FreeAgentAmounts & { readonly tax: FreeAgentTax; readonly isEntertainment: boolean };

/** Stated amounts including VAT; `vat` and `second` are undefined if not stated. All have the same sign as `gross`. */
export type GrossFacts = {
  readonly gross: Pence;
  readonly net?: Pence | undefined;
  readonly vat?: Pence | undefined;
  readonly second?: Pence | undefined;
  readonly secondRateBps?: number | undefined;
  readonly isManual?: boolean;
};

const RATE_TOLERANCE_PENCE = 5;

/** Splits a gross amount. Self-accounted VAT isn't part of the amount paid, unless the amounts show that FreeAgent included it. */
export function splitGross(
  { gross, net, vat, second, secondRateBps = 0, isManual = false }: GrossFacts,
  tax: FreeAgentTax,
): FreeAgentAmounts {
  const rateBps = tax.rateBps ?? 0;
  if (tax.isSelfAccounted) {
    const isInside = vat !== undefined && vat !== 0 && Math.abs(vat - applyRate(gross, rateBps, 'half-away')) > 1;
    const netAmount = net ?? (isInside ? pence(gross - (vat ?? 0)) : gross);
    return { net: netAmount, vat: vat !== undefined && vat !== 0 ? vat : applyRate(netAmount, rateBps, 'half-away'), isManual };
  }
  // The second sales tax is part of the price, but isn't VAT.
  const secondTax = second ?? calculateShare(gross, secondRateBps, 10_000 + rateBps + secondRateBps, 'half-away');
  const ownVat =
    vat ??
    (net === undefined ? calculateShare(gross, rateBps, 10_000 + rateBps + secondRateBps, 'half-away') : pence(gross - net - secondTax));
  return { net: net ?? pence(gross - ownVat - secondTax), vat: ownVat, isManual };
}

/** Adds any pennies by which the rounded items differ from the document's own VAT to the item with the most VAT. */
export function reconcileVat<Line extends FreeAgentLine>(lines: readonly Line[], statedVat: Pence | undefined, isGross: boolean): Line[] {
  if (statedVat === undefined) return [...lines];
  const chargedLines = lines.filter(({ tax }) => !tax.isSelfAccounted);
  const difference = statedVat - chargedLines.reduce((sum, { vat }) => sum + vat, 0);
  if (difference === 0 || Math.abs(difference) > lines.length) return [...lines];
  const [largestLine] = chargedLines.toSorted((a, b) => Math.abs(b.vat) - Math.abs(a.vat));
  if (!largestLine || largestLine.vat === 0) return [...lines];
  return lines.map((line) =>
    line === largestLine ? { ...line, vat: pence(line.vat + difference), net: isGross ? pence(line.net - difference) : line.net } : line,
  );
}

/** Returns lines in sterling, one for each treatment. Omits another country's VAT; VAT on goods sent to the EU is still due. */
export function toDocumentLines(lines: readonly FreeAgentLine[], rate: SterlingRate): DocumentLine[] {
  const mergedLines: DocumentLine[] = [];
  const add = (line: DocumentLine): void => {
    // A document has few lines, so searching them takes less time than a map.
    const index = mergedLines.findIndex(({ kind, treatment }) => kind === line.kind && treatment === line.treatment);
    const existing = mergedLines[index];
    if (!existing) return void mergedLines.push(line);
    const [net_pence, vat_pence] = [pence(existing.net_pence + line.net_pence), pence(existing.vat_pence + line.vat_pence)];
    mergedLines[index] = { ...line, net_pence, vat_pence };
  };
  for (const { tax, net, vat } of lines) {
    const { kind, treatment } = tax;
    const net_pence = toSterling(net, rate);
    const vat_pence = tax.isForeignVat ? pence(0) : toSterling(vat, rate);
    if (treatment === 'ni_dispatch' && vat_pence !== 0) {
      add({ kind, treatment, net_pence, vat_pence: pence(0) });
      add({ kind, treatment: 'adjustment_output', net_pence: pence(0), vat_pence });
    } else {
      add({ kind, treatment, net_pence, vat_pence });
    }
  }
  return mergedLines;
}

export function findFreeAgentFlags(lines: readonly FreeAgentLine[]): DocumentFlag[] {
  const isWrong = ({ tax, net, vat, isManual }: FreeAgentLine): boolean => {
    const hasRate = tax.treatment === 'standard' || tax.treatment === 'reduced' || tax.treatment === 'capital';
    if (!hasRate || isManual === true || tax.rateBps === undefined) return false;
    return Math.abs(applyRate(net, tax.rateBps, 'half-away') - vat) > RATE_TOLERANCE_PENCE;
  };
  return [
    ...(lines.some(isWrong) ? (['rate_mismatch'] as const) : []),
    ...(lines.some(({ isEntertainment, tax, vat }) => isEntertainment && tax.kind === 'purchase' && vat !== 0)
      ? (['entertainment'] as const)
      : []),
  ];
}

function toSterling(amount: Pence, rate: SterlingRate): Pence {
  return rate === IN_STERLING ? amount : toSterlingPence({ units: BigInt(amount), scale: 2 }, rate);
}

/** Returns the amount with the sign of another. FreeAgent sometimes states the VAT on costs with a sign, sometimes without. */
export function copySign(amount: number, signSource: number): Pence {
  return pence(signSource < 0 ? -Math.abs(amount) : Math.abs(amount));
}

export function toMinor(value: Parameters<typeof toMinorUnits>[0]): Pence {
  return pence(toMinorUnits(value));
}
