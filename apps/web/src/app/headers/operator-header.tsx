import { PAGES } from '@portal/contract/pages.ts';
import { Link, useLocation } from 'react-router';
import { getButtonClass } from '../../ui/plain-button.tsx';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

type OperatorPage = {
  readonly label: string;
  readonly path: string;
  /** The paths of pages that are opened from this one. */ readonly below?: readonly string[];
};

const OPERATOR_PAGES: readonly OperatorPage[] = [
  { label: 'Queues', path: PAGES.adminQueues.path, below: [PAGES.adminAdvance.path] },
  { label: 'Partners', path: PAGES.adminPartners.path },
  { label: 'Ledger', path: PAGES.adminLedger.path },
  { label: 'Profile', path: PAGES.profile.path },
  { label: 'Log out', path: PAGES.logout.path },
];

/** The operators' header: links to their pages. */
export function OperatorHeader() {
  const here = useLocation().pathname.replace(/\/+$/, '');
  return (
    <Bar>
      <WebsiteLogo />
      <nav aria-label="Operators" className="p-operator-nav">
        {OPERATOR_PAGES.map(({ label, path, below = [] }) => (
          <Link
            key={path}
            to={path}
            className={getButtonClass({ variant: 'text', size: 'small' })}
            aria-current={here === path ? 'page' : below.includes(here) ? 'true' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </Bar>
  );
}
