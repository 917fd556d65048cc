/** Reads from HMRC for the first time and finds a refund that HMRC owes: already offered, filed elsewhere, or in the books. */
import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { vatReturnsApi, type VatReturnOutput } from '@portal/contract/vat-returns.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';

type RefundPeriod = { readonly start: PlainDate; readonly end: PlainDate };

export type RefundFinding =
  /** HMRC isn't connected, so nothing can be found. */
  | { readonly status: 'unknown' }
  | { readonly status: 'reading' }
  | { readonly status: 'failed'; readonly message: string; readonly retry: () => void }
  | {
      readonly status: 'found';
      readonly pence: Pence;
      readonly period: RefundPeriod;
      readonly source: 'hmrc' | 'books';
      readonly isPeriodOpen: boolean;
    }
  | { readonly status: 'none'; readonly next: { readonly period: RefundPeriod; readonly due: PlainDate } | undefined };

export function useRefundFinding(companyId: string, isConnected: boolean): RefundFinding {
  const isEnabled = isConnected && companyId !== '';
  const queryClient = useQueryClient();
  const dashboard = useQuery({ ...apiQuery(dashboardApi.get, { company_id: companyId }), enabled: isEnabled });
  const {
    mutate,
    data: refundFinding,
    error,
    isPending,
  } = useMutation({
    mutationFn: () => apiRequest(dashboardApi.refresh, { company_id: companyId }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [dashboardApi.get.path] }),
  });
  const isUnread = dashboard.data?.hmrc.status === 'connected' && dashboard.data.hmrc.as_of === null;
  // Read only once, because a failed read must not be repeated on every render.
  const readCompanyIdRef = useRef('');
  useEffect(() => {
    if (!isUnread || readCompanyIdRef.current === companyId) return;
    readCompanyIdRef.current = companyId;
    mutate();
  }, [isUnread, companyId, mutate]);

  const newestFiled = findNewestFiled(dashboard.data);
  const filedReturn = useQuery({
    ...apiQuery(vatReturnsApi.get, { company_id: companyId, obligation_id: newestFiled?.obligation_id ?? '' }),
    enabled: isEnabled && !isUnread && newestFiled !== undefined,
  });

  if (!isEnabled) return { status: 'unknown' };
  if (error !== null) return { status: 'failed', message: getErrorText(error), retry: mutate };
  if (refundFinding !== undefined && refundFinding.status !== 'refreshed')
    return { status: 'failed', message: refundFinding.message, retry: mutate };
  if (dashboard.error !== null) return { status: 'unknown' };
  if (dashboard.data === undefined || isPending || isUnread || filedReturn.isLoading) return { status: 'reading' };
  return findRefund(dashboard.data, filedReturn.data);
}

function findNewestFiled(dashboard: DashboardOutput | undefined) {
  return dashboard?.obligations
    .filter(({ status }) => status === 'fulfilled')
    .toSorted((a, b) => b.period_end.localeCompare(a.period_end))[0];
}

/** A refund that HMRC holds takes precedence over one that hasn't been filed. Refunds that HMRC has repaid are ignored. */
export function findRefund(
  { advance, obligations, open_period: openPeriod }: Pick<DashboardOutput, 'advance' | 'obligations' | 'open_period'>,
  filedReturn: Pick<VatReturnOutput, 'boxes' | 'found' | 'obligation'> | undefined,
): RefundFinding {
  const offeredObligation =
    advance?.state === 'quoted' ? obligations.find(({ obligation_id }) => obligation_id === advance.obligation_id) : undefined;
  if (advance !== null && offeredObligation !== undefined) {
    return { status: 'found', pence: advance.refund_pence, period: toPeriod(offeredObligation), source: 'hmrc', isPeriodOpen: false };
  }
  if (filedReturn?.found?.refund === 'open' && filedReturn.boxes?.direction === 'repayment') {
    return {
      status: 'found',
      pence: filedReturn.boxes.box5_pence,
      period: toPeriod(filedReturn.obligation),
      source: 'hmrc',
      isPeriodOpen: false,
    };
  }
  if (openPeriod?.estimate?.direction === 'repayment') {
    return {
      status: 'found',
      pence: openPeriod.estimate.box5_pence,
      period: toPeriod(openPeriod),
      source: 'books',
      isPeriodOpen: !openPeriod.ended,
    };
  }
  return { status: 'none', next: openPeriod === null ? undefined : { period: toPeriod(openPeriod), due: openPeriod.due_on } };
}

const toPeriod = ({ period_start: start, period_end: end }: { period_start: PlainDate; period_end: PlainDate }): RefundPeriod => ({
  start,
  end,
});
