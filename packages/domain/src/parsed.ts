/** The result of a parser: the value in its normal form, or a sentence telling the user why the text was rejected. Parsers never throw. */
export type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

export function parsed<Value>(value: Value): Parsed<Value> {
  return { ok: true, value };
}

export function createRejection(reason: string): Parsed<never> {
  return { ok: false, reason };
}
