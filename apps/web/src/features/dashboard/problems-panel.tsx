/** The first answer of the dashboard: what is wrong and the way out of it, or that nothing is. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Notice } from '../../ui/notice.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { listProblems, type Problem } from './list-problems.ts';
import type { HmrcRefresh } from './use-hmrc-refresh.ts';

export function ProblemsPanel({ data, refresh, isMain }: { data: DashboardOutput; refresh: HmrcRefresh; isMain: boolean }) {
  const problems = listProblems(data);
  const main = problems.find((problem) => problem.action !== null);
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {problems.map((problem) => (
        <ProblemNotice key={problem.key} problem={problem} isMain={isMain && problem === main} />
      ))}
      {refresh.failure ? (
        <Notice tone="warning" title="HMRC gave no new figures">
          <Typography>
            {refresh.failure}{' '}
            {data.hmrc.as_of ? (
              <>
                You see HMRC’s figures of <InstantText at={data.hmrc.as_of} />. They stay until newer ones arrive.
              </>
            ) : null}
          </Typography>
        </Notice>
      ) : null}
      {problems.length === 0 && !refresh.failure ? <Notice tone="success" title="Nothing needs your attention" /> : null}
    </Box>
  );
}

function ProblemNotice({ problem, isMain }: { problem: Problem; isMain: boolean }) {
  return (
    <Notice tone={problem.severity} title={problem.title}>
      <Typography sx={{ maxWidth: '75ch' }}>{problem.meaning}</Typography>
      {problem.action ? (
        <Button component={Link} to={problem.action.to} variant={isMain ? 'contained' : 'outlined'} size="medium" sx={{ mt: 1.5 }}>
          {problem.action.label}
        </Button>
      ) : null}
    </Notice>
  );
}
