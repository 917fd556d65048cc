/** An answer that PostgreSQL has already written as JSON: it is sent as it is, past the serialiser that would drop unlisted fields. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

/** `Value` is what the text says: the statement that builds it names exactly the contract's fields. */
export class JsonText<Value> {
  readonly text: string;
  // Only for the compiler: without a use, texts of different values would be the same type.
  declare protected readonly value: Value;

  constructor(text: string) {
    this.text = text;
  }
}

/** Throws unless the text is an answer of the contract without a further field; in tests. */
export function assertJsonText(output: z.ZodType, { text }: JsonText<unknown>): void {
  const value: unknown = JSON.parse(text);
  if (!isDeepStrictEqual(output.parse(value), value)) throw new Error(`The answer holds fields that its contract does not list: ${text}`);
}
