import type { Tx } from '@portal/db/database.ts';
import type { Actor } from '../../http/session.ts';
import { recordAboutUser } from '../audit/record-about-user.ts';
import type { AuditEntryInput } from '../audit/record-audit.ts';

/** Records that the operator stopped viewing or logged out. A view that ends by itself ends at the time recorded at its start. */
export async function recordViewEnd(
  tx: Tx,
  { viewing, userId }: Pick<Actor, 'viewing' | 'userId'>,
  { at, ip }: Pick<AuditEntryInput, 'at'> & { readonly ip: string },
): Promise<void> {
  if (viewing) await recordAboutUser(tx, { at, ip, actor: viewing.operatorId, action: 'view.ended', subject: userId });
}
