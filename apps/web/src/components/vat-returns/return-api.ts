/**
 * The endpoints for a return: a trader's own, or one of a practice's client. They differ only in the client ID, which is part of the
 * target.
 */
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { vatReturnsApi, type NineBoxesOutput } from '@portal/contract/vat-returns.ts';
import { DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { getPageLink } from '../../lib/page-link.ts';

export type ReturnTarget = { readonly company_id: string; readonly obligation_id: string; readonly client_id?: string };

type ReturnApi = typeof vatReturnsApi;

export function getReturnApi({ client_id: clientId }: ReturnTarget): ReturnApi {
  return clientId === undefined ? vatReturnsApi : (clientReturnsApi as unknown as ReturnApi);
}

export function getReturnLink({ company_id, client_id, obligation_id }: ReturnTarget): string {
  return client_id === undefined
    ? getPageLink('vatReturn', { company_id, obligation_id })
    : getPageLink('clientVatReturn', { company_id, client_id, obligation_id });
}

const CLIENT_DIRECTION_LABELS: typeof DIRECTION_LABELS = {
  repayment: 'Refund from HMRC',
  payment: 'To pay to HMRC',
  nil: 'Nothing to pay or reclaim',
};

/** Returns who pays, worded for the trader or about a client. */
export function getResultLabel({ client_id: clientId }: Pick<ReturnTarget, 'client_id'>, { direction }: NineBoxesOutput): string {
  return (clientId === undefined ? DIRECTION_LABELS : CLIENT_DIRECTION_LABELS)[direction];
}
