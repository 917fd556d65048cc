import { PAGES } from '@portal/contract/pages.ts';
import { NavLink } from 'react-router';
import { buttonLook } from '../../ui/plain-button.tsx';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

const OPERATOR_PAGES = [
  { label: 'Queues', path: PAGES.adminQueues.path },
  { label: 'Partners', path: PAGES.adminPartners.path },
  { label: 'Ledger', path: PAGES.adminLedger.path },
  { label: 'Profile', path: PAGES.profile.path },
  { label: 'Log out', path: PAGES.logout.path },
];

/** The operators' pages: their few ways, side by side. */
export function OperatorHeader() {
  return (
    <Bar>
      <WebsiteLogo />
      <nav aria-label="Operators" className="p-operator-nav">
        {OPERATOR_PAGES.map(({ label, path }) => (
          <NavLink key={path} to={path} end className={buttonLook({ variant: 'text', size: 'small' })}>
            {label}
          </NavLink>
        ))}
      </nav>
    </Bar>
  );
}
