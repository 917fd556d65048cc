/** A user's own part of VAT returns: filings, approvals and messages. */
import { advanceProposals, filings, returnApprovals, returnMessages } from '@portal/db/schema/schema.ts';
import { type PersonTable, matchUser } from './person-table.ts';

export const RETURN_DATA: readonly PersonTable[] = [
  {
    title: 'Returns you filed, with what we sent to HMRC about your device',
    table: filings,
    ...matchUser(filings.filedBy),
    columns: [filings.companyId, filings.id, filings.state, filings.declaration, filings.fraudHeaders, filings.sentAt],
  },
  {
    title: 'VAT returns you approved, and from which IP address',
    table: returnApprovals,
    ...matchUser(returnApprovals.decidedBy),
    columns: [
      returnApprovals.clientId,
      returnApprovals.periodStart,
      returnApprovals.periodEnd,
      returnApprovals.boxes,
      returnApprovals.digest,
      returnApprovals.decidedAt,
      returnApprovals.decidedIp,
      returnApprovals.decidedUserAgent,
    ],
  },
  {
    title: 'Early refund proposals you took up, and whether you share their amounts',
    table: advanceProposals,
    ...matchUser(advanceProposals.startedBy),
    columns: [
      advanceProposals.clientId,
      advanceProposals.periodStart,
      advanceProposals.periodEnd,
      advanceProposals.startedAt,
      advanceProposals.figuresSharedAt,
    ],
  },
  {
    title: 'Early refund proposals you declined or withdrew',
    fileName: 'advance_proposals_ended',
    table: advanceProposals,
    ...matchUser(advanceProposals.endedBy),
    columns: [
      advanceProposals.clientId,
      advanceProposals.periodEnd,
      advanceProposals.endedAs,
      advanceProposals.endedReason,
      advanceProposals.endedAt,
    ],
  },
  {
    title: 'What you wrote about VAT returns',
    table: returnMessages,
    ...matchUser(returnMessages.authorId),
    columns: [returnMessages.clientId, returnMessages.text, returnMessages.writtenAt],
  },
];
