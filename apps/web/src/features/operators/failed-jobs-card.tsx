/** Background jobs that failed after all retries. The error is the technical message, for the engineers who investigate. */
import { InstantText } from '../../components/formats/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './failed-jobs-card.module.css';
import type { Queues } from './operator-outputs.ts';

export function FailedJobsCard({ jobs }: { jobs: Queues['failed_jobs'] }) {
  return (
    <SectionCard title={jobs.length === 0 ? 'Failed jobs' : `Failed jobs (${jobs.length})`}>
      {jobs.length === 0 ? (
        <Text>No failed jobs.</Text>
      ) : (
        <Table label="Failed jobs" dense flush>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Failed</th>
              <th scope="col">Error</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={`${job.kind}${job.failed_at}`}>
                <th scope="row" data-nowrap>
                  {job.kind}
                </th>
                <td data-nowrap>
                  <InstantText at={job.failed_at} />
                </td>
                <td className={styles.error}>{job.error}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </SectionCard>
  );
}
