/** Background jobs that failed after all retries: retry them, or abandon them with a reason. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operationsApi } from '@portal/contract/operations.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './failed-jobs-card.module.css';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';

const REFRESH_MS = 15_000;

type Job = EndpointOutput<typeof operationsApi.jobs>['jobs'][number];
type Decision = 'retry' | 'discard';
type JobChoice = { readonly job: Job; readonly decision: Decision };

export function JobsScreen() {
  const query = useQuery({ ...apiQuery(operationsApi.jobs, {}), refetchInterval: REFRESH_MS });
  const [chosenJob, setChosen] = useState<JobChoice>();
  return (
    <Page title="Failed jobs" maxWidth="full">
      <LoadState query={query}>
        {({ jobs }) => (
          <SectionCard title={jobs.length === 0 ? 'No failed jobs' : `${jobs.length} failed ${jobs.length === 1 ? 'job' : 'jobs'}`}>
            {jobs.length === 0 ? <Text>Jobs that fail after all retries appear here.</Text> : <JobTable jobs={jobs} onChoose={setChosen} />}
          </SectionCard>
        )}
      </LoadState>
      {chosenJob && <JobDialog key={chosenJob.job.job_id} {...chosenJob} onClose={() => setChosen(undefined)} />}
    </Page>
  );
}

function JobTable({ jobs, onChoose }: { jobs: readonly Job[]; onChoose: (chosen: JobChoice) => void }) {
  return (
    <RecordTable
      label="Failed jobs"
      rows={jobs}
      getKey={(job) => job.job_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Job', layout: 'nowrap', cell: ({ kind }) => kind },
        { title: 'Company', cell: renderSubject },
        { title: 'Failed', layout: 'nowrap', cell: (job) => <InstantText at={job.failed_at} /> },
        { title: 'Error', layout: 'sentence', cell: ({ error }) => <span className={styles.error}>{error}</span> },
        { title: 'Decide', layout: 'action', cell: (job) => <JobDecisions job={job} onChoose={onChoose} /> },
      ]}
    />
  );
}

function JobDecisions({ job, onChoose }: { job: Job; onChoose: (chosen: JobChoice) => void }) {
  return (
    <Row gap={8} wrap={false}>
      {(['retry', 'discard'] as const).map((decision) => (
        <Button key={decision} size="small" variant="outlined" onClick={() => onChoose({ job, decision })}>
          {decision === 'retry' ? 'Retry' : 'Discard'}
          <HiddenText> {job.kind}</HiddenText>
        </Button>
      ))}
    </Row>
  );
}

function renderSubject({ company_id: companyId, company_name: name, advance_id: advanceId }: Job) {
  if (companyId === null || name === null) return null;
  const to =
    advanceId === null
      ? getPageLink('adminCompany', { company_id: companyId })
      : getPageLink('adminAdvance', { company_id: companyId, advance_id: advanceId });
  return <TextLink to={to}>{name}</TextLink>;
}

const JOB_TEXTS = {
  retry: {
    heading: 'Retry job?',
    button: 'Retry job',
    text: 'The job will run again with all its retries. Work that’s already done isn’t repeated.',
  },
  discard: {
    heading: 'Discard job?',
    button: 'Discard job',
    text: 'This job’s work won’t be done. Do it manually first, or make sure it’s no longer needed.',
  },
} as const;

function JobDialog({ job, decision, onClose }: JobChoice & { onClose: () => void }) {
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: () => apiRequest(decision === 'retry' ? operationsApi.retryJob : operationsApi.discardJob, { job_id: job.job_id, reason }),
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [operationsApi.jobs.path] }),
  });
  const { heading, button, text } = JOB_TEXTS[decision];
  return (
    <ModalDialog
      open
      small
      heading={heading}
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={getReasonError(reason)} isBusy={send.isPending} onClick={() => send.mutate()}>
          {button}
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          {job.kind}: {text}
        </Text>
        <ReasonField id="job-reason" value={reason} onChange={setReason} hint="Saved in the audit trail with your name." />
        {send.error && (
          <Text role="alert" tone="error">
            {getErrorText(send.error)}
          </Text>
        )}
      </Stack>
    </ModalDialog>
  );
}
