/**
 * A response that PostgreSQL has already written as JSON. It is sent unchanged, bypassing the serialiser that would drop unlisted fields.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** `Value` is the type of the parsed text. The statement that builds the text selects exactly the contract's fields. */
export class JsonText<Value> {
  readonly text: string;
  // Only for the compiler: without it, JSON texts of different types would be interchangeable.
  declare protected readonly value: Value;

  constructor(text: string) {
    this.text = text;
  }
}

/** Throws if the text doesn't match the contract or contains unlisted fields. Used in tests. */
export function assertJsonText(output: z.core.$ZodType, { text }: JsonText<unknown>): void {
  const value: unknown = JSON.parse(text);
  if (!isDeepStrictEqual(z.parse(output, value), value))
    throw new Error(`The response contains fields that its contract does not list: ${text}`);
}
