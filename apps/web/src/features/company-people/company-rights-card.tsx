import { COMPANY_RIGHTS } from '@portal/contract/company-rights.ts';
import { COMPANY_PERMISSION_NAMES, TRADER_ROLE_NAMES } from '@portal/domain/company-people/company-access.ts';
import { TRADER_ROLES, type TraderRole } from '@portal/domain/identity/roles.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';

const SHOWN_RIGHTS = Object.entries(COMPANY_RIGHTS).filter(([access]) => access !== 'company.leave');

/** What each role can do, from the same table that the server enforces. */
export function CompanyRightsCard() {
  return (
    <SectionCard title="What each role can do">
      <Table label="What each role can do" flush dense>
        <TableHead columns={['Permission', ...TRADER_ROLES.map((role) => TRADER_ROLE_NAMES[role])]} />
        <tbody>
          {SHOWN_RIGHTS.map(([access, right]) => (
            <tr key={access}>
              <th scope="row" data-sentence>
                {right.name}
              </th>
              {TRADER_ROLES.map((role) => (
                <td key={role}>
                  <RightCell role={role} right={right} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </SectionCard>
  );
}

function RightCell({ role, right: { roles, permission } }: { role: TraderRole; right: (typeof COMPANY_RIGHTS)['company.read'] }) {
  if (roles.includes(role)) {
    return (
      <>
        <Icon name="check" tone="success" size={18} />
        <HiddenText>Yes</HiddenText>
      </>
    );
  }
  if (permission !== undefined && role !== 'trader_viewer') {
    return (
      <>
        If permitted<HiddenText>: {COMPANY_PERMISSION_NAMES[permission]}</HiddenText>
      </>
    );
  }
  return (
    <>
      <Text as="span" tone="quiet" aria-hidden="true">
        –
      </Text>
      <HiddenText>No</HiddenText>
    </>
  );
}
