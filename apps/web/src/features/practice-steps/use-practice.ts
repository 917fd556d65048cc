/** The progress of a practice's onboarding, and navigation to the next step. */
import { practiceApi, type PracticeStep } from '@portal/contract/practice.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { fetchAfterChange } from '../../lib/fetch-after-change.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { getLinkAfterStep } from '../../lib/practice-steps.ts';

const toPracticeInput = (companyId: string) => (companyId === '' ? {} : { company_id: companyId });

/** Loads the progress of the practice in the URL, or of the newest practice if the URL names none. */
export function usePracticeProgress() {
  const [search] = useSearchParams();
  return useQuery(apiQuery(practiceApi.progress, toPracticeInput(search.get('company_id') ?? '')));
}

/** Refetches the progress and opens the page that follows the step. */
export function useGoToStepAfter(step: PracticeStep): (companyId: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    async (companyId) => {
      const progress = await fetchAfterChange(queryClient, apiQuery(practiceApi.progress, toPracticeInput(companyId)));
      saveCompanyId(companyId);
      await navigate(getLinkAfterStep(step, progress));
    },
    [queryClient, navigate, step],
  );
}
