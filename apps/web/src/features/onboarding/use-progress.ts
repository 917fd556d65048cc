/** The user's onboarding progress, and the page after a completed step. */
import { onboardingApi, type Progress, type Step } from '@portal/contract/onboarding.ts';
import { PAGES, type PageName } from '@portal/contract/pages.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { fetchAfterChange } from '../../lib/fetch-after-change.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';

const STEP_PAGES: Readonly<Record<Step, PageName>> = {
  about: 'stepAbout',
  company: 'stepCompany',
  'government-gateway': 'stepGovernmentGateway',
  bookkeeping: 'stepBookkeeping',
  'bank-account': 'stepBankAccount',
  identity: 'stepIdentity',
};

/**
 * Returns a step's path below /portal. Users who came through a partner landing page stay below signup/ (contract/onboarding.ts,
 * `getStepPath`).
 */
export function getStepLink(step: Step, companyId: string | null): string {
  const link = getPageLink(STEP_PAGES[step], companyId === null ? {} : { company_id: companyId });
  return location.pathname.includes('/instant-vat/signup/') ? link.replace('/instant-vat/steps/', '/instant-vat/signup/') : link;
}

/** Returns the path where the user continues: their next step, or the dashboard. */
export function getNextLink(progress: Progress): string {
  if (progress.next_step !== null) return getStepLink(progress.next_step, progress.company_id);
  return progress.company_id === null ? PAGES.home.path : getPageLink('dashboard', { company_id: progress.company_id });
}

/** Returns the link to the next unfinished step after this one, for "Later". Asking the server would return the same step again. */
export function getLinkAfter(step: Step, progress: Progress): string {
  const position = progress.steps.findIndex((known) => known.step === step);
  const followingStep = progress.steps.slice(position + 1).find(({ status }) => status !== 'done');
  if (followingStep !== undefined) return getStepLink(followingStep.step, progress.company_id);
  return progress.company_id === null ? PAGES.home.path : getPageLink('dashboard', { company_id: progress.company_id });
}

/** Pages that link to a step to change something, named by `from` in the step's URL. */
const RETURN_PAGES = ['connections', 'books', 'dashboard'] as const satisfies readonly PageName[];

/** Returns the page after a completed step: the page that linked to it for a change, or the next sign-up step. */
export function useLinkAfter(step: Step, progress: Progress): string {
  const from = useSearchParams()[0].get('from');
  const page = RETURN_PAGES.find((name) => name === from);
  if (page === undefined || progress.company_id === null) return getLinkAfter(step, progress);
  return getPageLink(page, { company_id: progress.company_id });
}

function getProgressInput(companyId: string) {
  return companyId === '' ? {} : { company_id: companyId };
}

/** Loads the progress of the company in the URL, or of the newest company if the URL names none. */
export function useProgress() {
  const [search] = useSearchParams();
  return useQuery(apiQuery(onboardingApi.progress, getProgressInput(search.get('company_id') ?? '')));
}

/** Refetches the progress and opens the next page. */
export function useGoToNextStep(): (companyId: string | null) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    async (companyId) => {
      const progress = await fetchAfterChange(queryClient, apiQuery(onboardingApi.progress, getProgressInput(companyId ?? '')));
      if (progress.company_id !== null) saveCompanyId(progress.company_id);
      await navigate(getNextLink(progress));
    },
    [queryClient, navigate],
  );
}
