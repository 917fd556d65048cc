/** The top of the dashboard: problems and how to fix them, or a note that there are none. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { Notice } from '../../ui/notice.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { LinkButton } from '../../ui/plain-button.tsx';
import { listProblems, type Problem } from './list-problems.ts';
import type { HmrcRefresh } from './use-hmrc-refresh.ts';

export function ProblemsPanel({ data, refresh, isMain }: { data: DashboardOutput; refresh: HmrcRefresh; isMain: boolean }) {
  const problems = listProblems(data);
  const main = problems.find((problem) => problem.action !== null);
  return (
    <div className="p-dash-problems">
      {problems.map((problem) => (
        <ProblemNotice key={problem.key} problem={problem} isMain={isMain && problem === main} />
      ))}
      {refresh.failure ? (
        <Notice tone="warning" title="HMRC gave no new figures">
          <p className="p-text">
            {refresh.failure}{' '}
            {data.hmrc.as_of ? (
              <>
                You see HMRC’s figures of <InstantText at={data.hmrc.as_of} />. They stay until newer ones arrive.
              </>
            ) : null}
          </p>
        </Notice>
      ) : null}
      {problems.length === 0 && !refresh.failure ? <Notice tone="success" title="Nothing needs your attention" /> : null}
    </div>
  );
}

function ProblemNotice({ problem, isMain }: { problem: Problem; isMain: boolean }) {
  return (
    <Notice tone={problem.severity} title={problem.title}>
      <p className="p-dash-problem">{problem.meaning}</p>
      {problem.action ? (
        <div className="p-dash-action">
          <LinkButton to={problem.action.to} variant={isMain ? 'contained' : 'outlined'} size="medium">
            {problem.action.label}
          </LinkButton>
        </div>
      ) : null}
    </Notice>
  );
}
