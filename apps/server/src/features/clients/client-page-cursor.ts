/**
 * The position where a page of the list ended: the sort value and the ID of its last client, encoded as opaque text. It grants no access,
 * so it is validated but not signed.
 */
import { CLIENT_SORTS, type ClientSort } from '@portal/contract/clients.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { z } from 'zod';

const cursorSchema = z.object({
  sort: z.enum(CLIENT_SORTS),
  direction: z.enum(['asc', 'desc']),
  value: z.union([z.string().max(200), z.int()]),
  client_id: z.uuid(),
});
export type ClientPageCursor = z.output<typeof cursorSchema>;

export function formatCursor(cursor: ClientPageCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Parses a cursor for the given order. Throws if it is invalid or belongs to another order. */
export function parseCursor(text: string, order: { readonly sort: ClientSort; readonly direction: 'asc' | 'desc' }): ClientPageCursor {
  const parsed = cursorSchema.safeParse(decode(text));
  const isForOrder =
    parsed.success && parsed.data.sort === order.sort && parsed.data.direction === order.direction && isValidForSort(parsed.data);
  if (!parsed.success || !isForOrder) {
    throw new AppError('invalid', 'input.invalid', 'This page of the list is no longer available. Go back to the first page.', {
      field: 'cursor',
    });
  }
  return parsed.data;
}

function isValidForSort({ sort, value }: ClientPageCursor): boolean {
  if (sort === 'next_due') return typeof value === 'string' && (value === NEVER_DUE || parsePlainDate(value) !== undefined);
  return sort === 'name' ? typeof value === 'string' && !value.includes('\0') : typeof value === 'number';
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    // Not one of our cursors. The caller rejects it like any other invalid one.
    return undefined;
  }
}
