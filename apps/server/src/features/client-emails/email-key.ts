import { clientEmails } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { SealContext } from '../../secrets/token-cipher.ts';

export type EmailKey = { readonly companyId: string; readonly id: string };

/** What the sealed text of an email is bound to. */
export const toSealContext = ({ companyId, id }: EmailKey): SealContext => `client_email:${companyId}:${id}`;

/** Our own queue repeats by itself, so only an email that the mailbox's queue has kept can be repeated by a person. */
export const canRepeatEmail = ({ status, sealed }: Pick<typeof clientEmails.$inferSelect, 'status' | 'sealed'>): boolean =>
  sealed !== null && (status === 'unknown' || status === 'not_sent');

export const isEmail = ({ companyId, id }: EmailKey) => and(eq(clientEmails.companyId, companyId), eq(clientEmails.id, id));
