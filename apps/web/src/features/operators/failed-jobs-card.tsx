/** Background jobs that failed after all retries. The error is the technical message, for the engineers who investigate. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { InstantText } from '../../ui/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { Queues } from './operator-outputs.ts';

export function FailedJobsCard({ jobs }: { jobs: Queues['failed_jobs'] }) {
  if (jobs.length === 0) {
    return (
      <SectionCard title="Failed jobs">
        <Typography>No background work has failed.</Typography>
      </SectionCard>
    );
  }
  return (
    <SectionCard title={`Failed jobs (${jobs.length})`}>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {jobs.map((job) => (
          <Box component="li" key={`${job.kind}${job.failed_at}`} sx={{ py: 1, borderTop: 1, borderColor: 'divider' }}>
            <Typography sx={{ fontWeight: 500 }}>
              {job.kind}, <InstantText at={job.failed_at} />
            </Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {job.error}
            </Typography>
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}
