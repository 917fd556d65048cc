/** The steps of a practice's sign-up: their pages, and the page that follows each. */
import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath, type PracticeProgress, type PracticeStep } from '@portal/contract/practice.ts';
import { getPracticeHomeLink } from './practice-home.ts';

export function getPracticeStepLink(step: PracticeStep, companyId: string | null): string {
  const path = getPracticeStepPath(step);
  return companyId === null ? path : `${path}?${new URLSearchParams({ company_id: companyId })}`;
}

/** Returns the page after a step: the next unfinished one, or the practice's home. "Later" uses it too, so links never lead backwards. */
export function getLinkAfterStep(step: PracticeStep, { company_id: companyId, steps }: PracticeProgress): string {
  const position = steps.findIndex((known) => known.step === step);
  const followingStep = steps.slice(position + 1).find(({ status }) => status !== 'done');
  if (followingStep !== undefined) return getPracticeStepLink(followingStep.step, companyId);
  return companyId === null ? PAGES.home.path : getPracticeHomeLink(companyId);
}
