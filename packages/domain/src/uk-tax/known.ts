/**
 * The result of a rule based on a dated table: the value, or a description of the part that the table doesn't cover. `forecast` is the
 * value if nothing unannounced happens; show it only with that warning, and never use it to file or pay.
 */
export type Known<Value> =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly notKnown: string; readonly forecast?: Value };

/** Creates a result for a value within the table's range. */
export function known<Value>(value: Value): Known<Value> {
  return { known: true, value };
}

/**
 * Creates an unknown result. `description` tells users which part the table doesn't cover: "bank holidays of England and Wales after 2028".
 */
export function createUnknown<Value = never>(description: string, forecast?: Value): Known<Value> {
  return forecast === undefined ? { known: false, notKnown: description } : { known: false, notKnown: description, forecast };
}

/** Applies a function to the value, or to the forecast of an unknown result. */
export function mapKnown<From, To>(knownValue: Known<From>, map: (value: From) => To): Known<To> {
  if (knownValue.known) return known(map(knownValue.value));
  return knownValue.forecast === undefined
    ? createUnknown(knownValue.notKnown)
    : createUnknown(knownValue.notKnown, map(knownValue.forecast));
}

/** Passes the result to a second rule. The final result is unknown if either rule's result is. */
export function chainKnown<From, To>(knownValue: Known<From>, next: (value: From) => Known<To>): Known<To> {
  if (knownValue.known) return next(knownValue.value);
  if (knownValue.forecast === undefined) return createUnknown(knownValue.notKnown);
  const after = next(knownValue.forecast);
  return createUnknown(knownValue.notKnown, after.known ? after.value : after.forecast);
}

/** Returns the value or, failing that, its forecast; undefined without either. Use only where the warning is also shown. */
export function getValueOrForecast<Value>(knownValue: Known<Value>): Value | undefined {
  return knownValue.known ? knownValue.value : knownValue.forecast;
}
