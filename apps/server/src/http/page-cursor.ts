/**
 * A cursor is the place in a list where a page ended: values of its last row, as opaque text. It grants no access, so it is validated but
 * not signed.
 */
import { AppError } from '@portal/domain/app-error.ts';
import { z } from 'zod';

/** Text that PostgreSQL can store: not a null character. */
export const storableTextSchema = z
  .string()
  .max(400)
  .refine((text) => !text.includes('\0'));

export function formatCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Throws if the text isn't a cursor of this list. `advice` says how to get another page. */
export function parseCursor<Schema extends z.ZodType>(text: string, schema: Schema, advice?: string): z.output<Schema> {
  const parsed = schema.safeParse(decode(text));
  if (!parsed.success) throw createCursorError(advice);
  return parsed.data;
}

export function createCursorError(advice = 'Go back to the first page.'): AppError {
  return new AppError('invalid', 'input.invalid', `This page of the list is no longer available. ${advice}`, { field: 'cursor' });
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    // Not one of our cursors. The schema rejects it.
    return undefined;
  }
}
