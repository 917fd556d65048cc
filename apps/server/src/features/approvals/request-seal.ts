/**
 * Seals a two-person request, so that the second operator decides on exactly what the first one requested, not on a row written with SQL.
 */
import type { approvalRequests } from '@portal/db/schema/schema.ts';
import { areFactsSealed, sealFacts, type SealedFact } from '../../secrets/sealed-facts.ts';
import type { SealContext, TokenCipher } from '../../secrets/token-cipher.ts';
import { toCanonicalText } from '../positions/canonical-text.ts';

type Request = Pick<
  typeof approvalRequests.$inferSelect,
  'companyId' | 'id' | 'action' | 'subject' | 'details' | 'reason' | 'requestedBy' | 'requestedAt'
>;

export const sealRequest = (cipher: TokenCipher, request: Request): string =>
  sealFacts(cipher, getRequestSealContext(request), listRequestFacts(request));

export const isRequestSealed = (cipher: TokenCipher, request: Request & { readonly seal: string | null }): boolean =>
  areFactsSealed(cipher, request.seal, getRequestSealContext(request), listRequestFacts(request));

export const getRequestSealContext = ({ companyId, id }: Pick<Request, 'companyId' | 'id'>): SealContext =>
  `approval_request:${companyId}:${id}`;

const listRequestFacts = ({ action, subject, details, reason, requestedBy, requestedAt }: Request): SealedFact[] => [
  action,
  subject,
  toCanonicalText(details),
  reason,
  requestedBy,
  requestedAt,
];
