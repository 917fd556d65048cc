import { COMPANY_RIGHTS } from '@portal/contract/company-rights.ts';
import { COMPANY_PERMISSION_NAMES, TRADER_ROLE_NAMES } from '@portal/domain/company-people/company-access.ts';
import { TRADER_ROLES, type TraderRole } from '@portal/domain/identity/roles.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { RightsTable } from '../../ui/rights-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

const SHOWN_RIGHTS = Object.entries(COMPANY_RIGHTS).filter(([access]) => access !== 'company.leave');

/** What each role can do, from the same table that the server enforces. */
export function CompanyRightsCard() {
  return (
    <SectionCard title="What each role can do">
      <RightsTable
        label="What each role can do"
        roles={TRADER_ROLES.map((role) => ({ key: role, name: TRADER_ROLE_NAMES[role] }))}
        rights={SHOWN_RIGHTS.map(([, right]) => ({ name: right.name, cells: TRADER_ROLES.map((role) => renderRight(role, right)) }))}
      />
    </SectionCard>
  );
}

function renderRight(role: TraderRole, { roles, permission }: (typeof COMPANY_RIGHTS)['company.read']) {
  if (roles.includes(role) || permission === undefined || role === 'trader_viewer') return roles.includes(role);
  return (
    <>
      If permitted<HiddenText>: {COMPANY_PERMISSION_NAMES[permission]}</HiddenText>
    </>
  );
}
