/** A bookkeeping program that no longer accepts us: recorded once, and the owners get an email in the same transaction. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { type BooksEndReason, booksConnections } from '@portal/db/schema/schema.ts';
import { and, ne } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { BOOKS_PROGRAM_NAMES } from '@portal/domain/connected-books/books-programs.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listRolesWith } from '../../http/policies.ts';
import { enqueueEmailToRoles } from '../../mail/enqueue-email.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isSameConnection } from './find-books-connection.ts';

const EXPLANATIONS: Readonly<Record<BooksEndReason, (program: string, organisation: string) => string>> = {
  refused: (program) => `${program} no longer accepts the permission that you gave us. It may have expired, or someone withdrew it.`,
  removed: (program, organisation) => `Someone removed our access to ${organisation} in ${program}.`,
};

/** Returns false and changes nothing if it was lost, disconnected or connected again before. */
export async function loseBooks(
  deps: AppDeps,
  tx: Tx,
  connection: { readonly companyId: string; readonly connectedAt: Instant },
  reason: BooksEndReason,
): Promise<boolean> {
  const at = deps.clock.now();
  const { companyId } = connection;
  const [lost] = await tx
    .update(booksConnections)
    .set({
      status: 'lost',
      lostAt: at,
      lostReason: reason,
      accessToken: null,
      refreshToken: null,
      accessExpiresAt: null,
      refreshLeaseUntil: null,
      refreshHolderId: null,
    })
    .where(and(isSameConnection(connection), ne(booksConnections.status, 'lost')))
    .returning({ provider: booksConnections.provider, organisation: booksConnections.organisationName });
  if (!lost) return false;
  const program = BOOKS_PROGRAM_NAMES[lost.provider];
  await recordAudit(tx, {
    companyId,
    at,
    actor: lost.provider,
    action: 'books.lost',
    subject: companyId,
    after: { program: lost.provider, organisation: lost.organisation, reason },
  });
  await enqueueEmailToRoles(deps, tx, companyId, listRolesWith('company.manage'), ({ name }) => ({
    subject: `${name}: we can’t read ${program} any more`,
    preheader: 'Connect it again so that your next VAT return includes what has changed.',
    heading: `The connection to ${program} has ended`,
    paragraphs: [
      EXPLANATIONS[reason](program, lost.organisation ?? 'your organisation'),
      `The figures that we’ve read are still available, but they no longer follow what you enter in ${program}. Connect it again, or upload a file instead.`,
    ],
    action: { label: `Connect ${program} again`, path: getBooksPath(companyId) },
    reason: `You’re receiving this because you manage ${name}’s books.`,
  }));
  return true;
}

/** The page below /portal where the books are connected. */
export function getBooksPath(companyId: string): string {
  return `${PAGES.books.path}?${new URLSearchParams({ company_id: companyId })}`;
}
