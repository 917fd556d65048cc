import type { returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { ReturnStage } from '@portal/domain/vat-returns/return-approval.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Link } from '../../ui/link.tsx';
import styles from './stage-tabs.module.css';
import { STAGE_LABELS } from './stage-labels.ts';

type StageTabsProps = {
  companyId: string;
  counts: EndpointOutput<typeof returnApprovalsApi.stages>['counts'];
  current: ReturnStage;
};

/** The stages of a return with the number of returns in each, in workflow order. */
export function StageTabs({ companyId, counts, current }: StageTabsProps) {
  return (
    <nav aria-label="Stages">
      <ul className={styles.stages}>
        {counts.map(({ stage, returns }) => (
          <li key={stage}>
            <Link
              to={getPageLink('practiceVatReturns', { company_id: companyId, stage })}
              aria-current={stage === current ? 'page' : undefined}
              className={styles.stage}
            >
              <span className={styles.count}>{returns.toLocaleString('en-GB')}</span> {STAGE_LABELS[stage]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
