/** The answer of a parser: the value in its one normal form, or why the text was refused (a sentence for the person who typed it). Parsers never throw. */
export type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

export function parsed<Value>(value: Value): Parsed<Value> {
  return { ok: true, value };
}

export function refused(reason: string): Parsed<never> {
  return { ok: false, reason };
}
