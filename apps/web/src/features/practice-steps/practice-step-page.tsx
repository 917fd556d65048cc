import type { PracticeProgress, PracticeStep } from '@portal/contract/practice.ts';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { getPracticeHomeLink } from '../../lib/practice-home.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { PracticeStepBar } from '../../components/practice/practice-step-bar.tsx';
import { getPracticeStepLink } from '../../lib/practice-steps.ts';
import { usePracticeProgress } from './use-practice.ts';

/** The practice that the steps are about. It already exists, and the user is its admin. */
export type OwnPractice = PracticeProgress & { readonly company_id: string; readonly practice: NonNullable<PracticeProgress['practice']> };

type PracticeStepPageProps = {
  step: PracticeStep;
  title: string;
  lead?: ReactNode;
  /** Until the practice exists, only the first step is available; the others redirect to it. */
  children: (practice: OwnPractice) => ReactNode;
  /** The content of the first step before the practice exists. */
  first?: ReactNode;
};

/** One step of a practice's onboarding: the stepper, the heading and the card with the task. */
export function PracticeStepPage({ step, title, lead, children, first }: PracticeStepPageProps) {
  const query = usePracticeProgress();
  const { data } = query;
  if (data?.practice === null && first === undefined) return <Navigate to={getPracticeStepLink('practice', null)} replace />;
  return (
    <Page title={title} lead={lead} maxWidth="text">
      <PracticeStepBar current={step} progress={data} />
      <LoadState query={query} skeleton={<CardSkeleton lines={5} />}>
        {(progress) => (
          <SectionCard>
            {progress.practice === null || progress.company_id === null ? (
              first
            ) : progress.role === 'admin' ? (
              children({ ...progress, company_id: progress.company_id, practice: progress.practice })
            ) : (
              <OnlyForAdmins name={progress.practice.name} companyId={progress.company_id} />
            )}
          </SectionCard>
        )}
      </LoadState>
    </Page>
  );
}

function OnlyForAdmins({ name, companyId }: { name: string; companyId: string }) {
  return (
    <Stack gap={24} align="start">
      <Notice tone="info" title={`Only admins can set up ${name}`}>
        You’re a team member of this practice. Ask an admin if something here needs to change.
      </Notice>
      <Button to={getPracticeHomeLink(companyId)}>Go to the practice</Button>
    </Stack>
  );
}
