/** Converts HMRC's responses to VAT and Self Assessment facts, using the same schemas and mappings as a refresh. */
import type { Instant } from '@portal/domain/clock.ts';
import { keepOnePerPeriod } from '@portal/domain/positions/one-per-period.ts';
import type { SourcedFacts, TaxFacts } from '@portal/domain/positions/tax-facts.ts';
import { mapLiability, mapObligation, mapPayment } from '@portal/providers/hmrc/hmrc-map.ts';
import { liabilitiesWire, obligationsWire, paymentsWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import { parseHmrcError } from '@portal/providers/hmrc/send-to-hmrc.ts';
import { toVatCharge, toVatObligations, toVatPenalties } from '@portal/providers/hmrc/vat-facts-map.ts';
import { toIncomeTaxObligations, toSelfAssessmentCharges } from '@portal/providers/hmrc-agent/self-assessment-facts-map.ts';
import { mapAccount, mapDeclarations, mapUpdates } from '@portal/providers/hmrc-agent/self-assessment-map.ts';
import { balanceWire, declarationsWire, updatesWire } from '@portal/providers/hmrc-agent/self-assessment-wire.ts';
import { mapPenalties } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { vatPenaltiesWire } from '@portal/providers/hmrc-agent/vat-penalties-wire.ts';
import { isObject, toPath, type InputProblem } from './input-problems.ts';

/** The responses in the input file, by key. */
export const HMRC_KEYS = [
  'vat_obligations',
  'vat_liabilities',
  'vat_payments',
  'vat_penalties',
  'itsa_obligations',
  'itsa_final_declaration',
  'sa_balance_and_transactions',
] as const;
export type HmrcKey = (typeof HMRC_KEYS)[number];
export type HmrcResponses = Partial<Record<HmrcKey, unknown>>;

/** Maps a refresh's responses; `readAt` is when they were read. */
export function readVatFacts(answers: HmrcResponses, readAt: Instant, problems: InputProblem[]): TaxFacts {
  const reader = new ResponseReader(answers, readAt, problems);
  return {
    ...reader.read('vat_obligations', 'obligations', obligationsWire, [], (wire) => toVatObligations(wire.obligations.map(mapObligation))),
    ...reader.read('vat_liabilities', 'charges', liabilitiesWire, [], (wire) =>
      wire.liabilities.map((liability) => toVatCharge(mapLiability(liability))),
    ),
    ...reader.read('vat_payments', 'payments', paymentsWire, [], (wire) => wire.payments.map(mapPayment)),
    ...reader.read('vat_penalties', 'penalties', vatPenaltiesWire, toVatPenalties(mapPenalties({})), (wire) =>
      toVatPenalties(mapPenalties(wire)),
    ),
    ...reader.insolvency,
  };
}

export function readSelfAssessmentFacts(answers: HmrcResponses, readAt: Instant, problems: InputProblem[]): TaxFacts {
  const reader = new ResponseReader(answers, readAt, problems);
  const { updates } = reader.read('itsa_obligations', 'updates', updatesWire, [], mapUpdates);
  const { declarations } = reader.read('itsa_final_declaration', 'declarations', declarationsWire, [], mapDeclarations);
  const obligations = keepOnePerPeriod(toIncomeTaxObligations(updates?.facts ?? [], declarations?.facts ?? []), 'open');
  return {
    ...(updates || declarations ? { obligations: { source: 'hmrc', asOf: readAt, facts: obligations } } : {}),
    ...reader.read('sa_balance_and_transactions', 'charges', balanceWire, [], (wire) => toSelfAssessmentCharges(mapAccount(wire))),
    ...reader.insolvency,
  };
}

/** HMRC's codes for "nothing found", sent with status 404 instead of an empty list (docs/reference/hmrc.md sections 3.3 and 6.2). */
const NOT_FOUND_CODES: ReadonlySet<string> = new Set(['NOT_FOUND', 'MATCHING_RESOURCE_NOT_FOUND', 'NO_OBLIGATIONS_FOUND']);

type Schema<Shape> = {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Shape }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };
      };
};

class ResponseReader {
  readonly #answers: HmrcResponses;
  readonly #readAt: Instant;
  readonly #problems: InputProblem[];
  #isInsolvent = false;

  constructor(answers: HmrcResponses, readAt: Instant, problems: InputProblem[]) {
    this.#answers = answers;
    this.#readAt = readAt;
    this.#problems = problems;
  }

  /** HMRC rejects every read of an insolvent trader's figures. */
  get insolvency(): Pick<TaxFacts, 'isInsolvent'> {
    return this.#isInsolvent ? { isInsolvent: true } : {};
  }

  /** Returns the facts from one response, under `name`; empty if it was never read. `nil` is what HMRC's "nothing found" means. */
  read<Name extends string, Shape, Facts>(
    key: HmrcKey,
    name: Name,
    schema: Schema<Shape>,
    nil: Facts,
    map: (wire: Shape) => Facts,
  ): { readonly [Key in Name]?: SourcedFacts<Facts> } {
    const facts = this.#readFacts(key, schema, nil, map);
    return facts === undefined ? {} : ({ [name]: { source: 'hmrc', asOf: this.#readAt, facts } } as { [Key in Name]: SourcedFacts<Facts> });
  }

  #readFacts<Shape, Facts>(key: HmrcKey, schema: Schema<Shape>, nil: Facts, map: (wire: Shape) => Facts): Facts | undefined {
    const cachedResponse = this.#answers[key];
    const field = `hmrc.${key}`;
    if (cachedResponse === undefined) return undefined;
    const error = isObject(cachedResponse) ? parseHmrcError(JSON.stringify(cachedResponse)) : undefined;
    if (isEmpty(cachedResponse) || (error && NOT_FOUND_CODES.has(error.code))) return nil;
    if (error?.code === 'RULE_INSOLVENT_TRADER') {
      this.#isInsolvent = true;
      return undefined;
    }
    if (error) {
      this.#problems.push({ field, problem: `HMRC refused this call: ${error.code}.` });
      return undefined;
    }
    const parsed = schema.safeParse(cachedResponse);
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) this.#problems.push({ field: toPath(field, path), problem: `${message}.` });
      return undefined;
    }
    try {
      return map(parsed.data);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      this.#problems.push({ field, problem: `HMRC doesn’t send such a value: ${cause.message}.` });
      return undefined;
    }
  }
}

function isEmpty(responseBody: unknown): boolean {
  return Array.isArray(responseBody) ? responseBody.length === 0 : isObject(responseBody) && Object.keys(responseBody).length === 0;
}
