/**
 * "Refresh from HMRC": runs on click, and once automatically if there are no figures or they are more than 15 minutes old. If it fails, the
 * older figures remain, with their date.
 */
import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useCompanyRight } from '../../lib/use-company-right.ts';
import { isStale } from './is-stale.ts';

export type HmrcRefresh = {
  readonly start: () => void;
  readonly running: boolean;
  /** Why the last refresh failed. Null after a success and before the first refresh. */
  readonly failure: string | null;
  /** The message of the last successful refresh, once it has finished. */
  readonly result: string | null;
};

export function useHmrcRefresh({ company, hmrc, today }: DashboardOutput): HmrcRefresh {
  const queryClient = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => apiRequest(dashboardApi.refresh, { company_id: company.company_id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [dashboardApi.get.path] }),
  });
  // Refresh automatically only once per company and visit: a failed refresh must not be repeated on every render that still shows old
  // figures.
  const refreshedCompanyId = useRef('');
  const mayRefresh = useCompanyRight(company.company_id, 'company.prepare') === true;
  const shouldRefresh = mayRefresh && hmrc.status === 'connected' && isStale(hmrc.as_of, today, systemClock.now());
  useEffect(() => {
    if (!shouldRefresh || refreshedCompanyId.current === company.company_id) return;
    refreshedCompanyId.current = company.company_id;
    mutate();
  }, [shouldRefresh, company.company_id, mutate]);
  return {
    start: () => mutate(),
    running: isPending,
    failure: error ? getErrorText(error) : data && data.status !== 'refreshed' ? data.message : null,
    result: data?.status === 'refreshed' ? data.message : null,
  };
}
