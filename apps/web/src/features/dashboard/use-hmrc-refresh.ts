/** "Refresh from HMRC": by a click, and once by itself when the figures are absent or older than 15 minutes. A failure leaves the older figures in place, dated. */
import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { isStale } from './is-stale.ts';

export type HmrcRefresh = {
  readonly start: () => void;
  readonly running: boolean;
  /** Why the last try brought nothing new; null after a good one or before any. */
  readonly failure: string | null;
  /** What the last try brought, once it is over. */
  readonly result: string | null;
};

export function useHmrcRefresh({ company, hmrc, today }: DashboardOutput): HmrcRefresh {
  const queries = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => apiRequest(dashboardApi.refresh, { company_id: company.company_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [dashboardApi.get.path] }),
  });
  // Once for each company and visit: a refresh that failed must not be repeated by every render that still shows old figures.
  const startedFor = useRef('');
  const wanted = hmrc.status === 'connected' && isStale(hmrc.as_of, today, systemClock.now());
  useEffect(() => {
    if (!wanted || startedFor.current === company.company_id) return;
    startedFor.current = company.company_id;
    mutate();
  }, [wanted, company.company_id, mutate]);
  return {
    start: () => mutate(),
    running: isPending,
    failure: error ? errorText(error) : data && data.status !== 'refreshed' ? data.message : null,
    result: data?.status === 'refreshed' ? data.message : null,
  };
}
