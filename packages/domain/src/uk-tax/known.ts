/**
 * The answer of a rule that stands on a dated table: the value, or the name of what the table does not say.
 * `forecast` is what the rule would answer if nothing unannounced happened; show it only with that warning, never file or pay by it.
 */
export type Known<Value> =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly notKnown: string; readonly forecast?: Value };

/** A value that the table reaches. */
export function known<Value>(value: Value): Known<Value> {
  return { known: true, value };
}

/** What the table does not say, in words for a person: "bank holidays of England and Wales after 2028". */
export function notKnown<Value = never>(what: string, forecast?: Value): Known<Value> {
  return forecast === undefined ? { known: false, notKnown: what } : { known: false, notKnown: what, forecast };
}

/** The answer worked on: what is known stays known, what is not keeps its name and, if it had one, its forecast. */
export function mapKnown<From, To>(answer: Known<From>, work: (value: From) => To): Known<To> {
  if (answer.known) return known(work(answer.value));
  return answer.forecast === undefined ? notKnown(answer.notKnown) : notKnown(answer.notKnown, work(answer.forecast));
}

/** The answer of a second rule that takes the first one's; not known as soon as either is not. */
export function chainKnown<From, To>(answer: Known<From>, next: (value: From) => Known<To>): Known<To> {
  if (answer.known) return next(answer.value);
  if (answer.forecast === undefined) return notKnown(answer.notKnown);
  const after = next(answer.forecast);
  return notKnown(answer.notKnown, after.known ? after.value : after.forecast);
}

/** The value, or else its forecast, or else undefined. Only for places that print the warning beside it. */
export function bestOf<Value>(answer: Known<Value>): Value | undefined {
  return answer.known ? answer.value : answer.forecast;
}
