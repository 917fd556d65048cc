/** The progress of a practice's onboarding, and where a finished step leads. */
import { practiceApi, practiceStepPath, type PracticeProgress, type PracticeStep } from '@portal/contract/practice.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { apiQuery } from '../../lib/api.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { practiceHomeLink } from '../../lib/practice-home.ts';

export function practiceStepLink(step: PracticeStep, companyId: string | null): string {
  const path = practiceStepPath(step);
  return companyId === null ? path : `${path}?${new URLSearchParams({ company_id: companyId })}`;
}

/** The page after a step: the next unfinished one, otherwise the practice's home. "Later" moves on too, so links never lead backwards. */
export function getLinkAfterStep(step: PracticeStep, { company_id: companyId, steps }: PracticeProgress): string {
  const position = steps.findIndex((known) => known.step === step);
  const following = steps.slice(position + 1).find(({ status }) => status !== 'done');
  if (following !== undefined) return practiceStepLink(following.step, companyId);
  return companyId === null ? PAGES.home.path : practiceHomeLink(companyId);
}

const toPracticeInput = (companyId: string) => (companyId === '' ? {} : { company_id: companyId });

/** The progress of the practice in the query, otherwise of the newest one. */
export function usePracticeProgress() {
  const [search] = useSearchParams();
  return useQuery(apiQuery(practiceApi.progress, toPracticeInput(search.get('company_id') ?? '')));
}

/** Loads the progress again and opens the page after a step. */
export function useGoToStepAfter(step: PracticeStep): (companyId: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    async (companyId) => {
      await queries.invalidateQueries({ queryKey: [practiceApi.progress.path], refetchType: 'none' });
      const progress = await queries.fetchQuery(apiQuery(practiceApi.progress, toPracticeInput(companyId)));
      saveCompanyId(companyId);
      await navigate(getLinkAfterStep(step, progress));
    },
    [queries, navigate, step],
  );
}
