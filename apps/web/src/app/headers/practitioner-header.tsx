/** OpenTax's header with its data. Kept separate, because the practice endpoints are larger than a trader's whole header. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { useLocation } from 'react-router';
import { useCompanyId } from '../../lib/company-id.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { DocumentTitle } from '../document-title.tsx';
import { MenuToggle } from '../menu-toggle.tsx';
import { hasPractitionerNavigation, isExternalUser } from '../navigation.ts';
import { NotificationBell } from './notification-bell.tsx';
import { PractitionerHeaderBar } from './practitioner-header-bar.tsx';

/** Gets the name and role from the account profile (docs/product/specification.md section 7.2). */
export function PractitionerHeader() {
  const { pathname, search } = useLocation();
  const { companyId } = useCompanyId();
  const profile = usePracticeProfile(companyId);
  const settings = `${getSettingsPath('profile')}${companyId === '' ? '' : `?${new URLSearchParams({ company_id: companyId })}`}`;
  return (
    <>
      <DocumentTitle subject={profile.data?.name} />
      <PractitionerHeaderBar
        fullName={profile.data?.full_name ?? ''}
        role={profile.data?.role ?? ''}
        settingsPath={isExternalUser(search) ? undefined : settings}
        bell={
          companyId === '' || isExternalUser(search) || profile.data === undefined ? undefined : <NotificationBell companyId={companyId} />
        }
        menu={hasPractitionerNavigation(pathname, search) ? <MenuToggle /> : undefined}
      />
    </>
  );
}
