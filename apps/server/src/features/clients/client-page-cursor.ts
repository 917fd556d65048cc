/** The cursor of the client list: the sort value and the ID of a page's last client. */
import { CLIENT_SORTS, type ClientSort } from '@portal/contract/clients.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { z } from 'zod';
import { createCursorError, parseCursor } from '../../http/page-cursor.ts';

const cursorSchema = z.object({
  sort: z.enum(CLIENT_SORTS),
  direction: z.enum(['asc', 'desc']),
  value: z.union([z.string().max(200), z.int()]),
  client_id: z.uuid(),
});
type ClientPageCursor = z.output<typeof cursorSchema>;

/** Throws if the cursor is invalid or belongs to another order. */
export function parseClientCursor(
  text: string,
  order: { readonly sort: ClientSort; readonly direction: 'asc' | 'desc' },
): ClientPageCursor {
  const cursor = parseCursor(text, cursorSchema);
  if (cursor.sort !== order.sort || cursor.direction !== order.direction || !isValidForSort(cursor)) throw createCursorError();
  return cursor;
}

function isValidForSort({ sort, value }: ClientPageCursor): boolean {
  if (sort === 'next_due') return typeof value === 'string' && (value === NEVER_DUE || parsePlainDate(value) !== undefined);
  return sort === 'name' ? typeof value === 'string' && !value.includes('\0') : typeof value === 'number';
}
