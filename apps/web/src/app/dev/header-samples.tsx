import { PAGES } from '@portal/contract/pages.ts';
import { DemoBanner } from '../../features/demo/demo-banner.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ClientsPortalHeader } from '../headers/clients-portal-header.tsx';
import { DashboardHeader } from '../headers/dashboard-header.tsx';
import { InitialsAvatar } from '../headers/initials-avatar.tsx';
import { OperatorHeader } from '../headers/operator-header.tsx';
import { PlainHeader } from '../headers/plain-header.tsx';
import { PractitionerHeaderBar } from '../headers/practitioner-header-bar.tsx';
import { Logo } from '../logo.tsx';
import { Sample, Samples, Section } from './section.tsx';

const ADMIN = { fullName: 'Priya Oakes', role: 'admin' };
const MEMBER = { fullName: 'Tom Reed', role: 'team_member' };

/** The headers with sample data. The menu button does nothing. */
export function HeaderSamples() {
  const toast = useToast();
  const profile = PAGES.profile.path;
  const menuButton = (
    <IconButton label="Menu" onClick={() => toast('success', 'The menu opens here')}>
      <Icon name="menu" />
    </IconButton>
  );
  const clientPaths = { home: PAGES.home.path, profile, notificationPreferences: profile };
  return (
    <Section id="headers" title="Headers" lead="One for each type of page. The logo is 24 px high and the avatar 35 px.">
      <Samples minWidth={4000}>
        <Sample name="InstantVAT dashboard: initials link to the profile" flush bleeds>
          <DashboardHeader companyName="Brightwell Exports Ltd" profilePath={profile} menu={menuButton} />
        </Sample>
        <Sample name="InstantVAT dashboard: the name couldn’t be read" flush bleeds>
          <DashboardHeader companyName={undefined} profilePath={profile} />
        </Sample>
        <Sample name="OpenTax practitioner, role admin: dark avatar" flush bleeds>
          <PractitionerHeaderBar {...ADMIN} settingsPath={profile} menu={menuButton} />
        </Sample>
        <Sample name="OpenTax practitioner, any other role: lighter avatar" flush bleeds>
          <PractitionerHeaderBar {...MEMBER} settingsPath={profile} menu={menuButton} />
        </Sample>
        <Sample name="Clients portal: initials open a menu" flush bleeds>
          <ClientsPortalHeader fullName="Carl Harlow" paths={clientPaths} onLogOut={() => toast('success', 'Log Out selected')} />
        </Sample>
        <Sample name="Other pages, navigation enabled: help and menu" flush bleeds>
          <PlainHeader hiddenWhenSmall={false} navigation={{ helpPath: PAGES.help.path, menu: menuButton }} />
        </Sample>
        <Sample name="Other pages, navigation not enabled" flush bleeds>
          <PlainHeader hiddenWhenSmall={false} />
        </Sample>
        <Sample name="Operators" flush bleeds>
          <OperatorHeader />
        </Sample>
        <Sample name="Demo banner" flush bleeds>
          <DemoBanner openSignUp={() => toast('success', 'The sign-up dialog opens here')} isDialogOpen={false} />
        </Sample>
      </Samples>
      <Samples>
        <Sample name="Logo, 24 high">
          <Logo />
        </Sample>
        <Sample name="Avatars, 35 px: dark, lighter, no name">
          <Row>
            <InitialsAvatar name="Priya Oakes" />
            <InitialsAvatar name="Tom Reed" tone="light" />
            <InitialsAvatar name="" />
          </Row>
        </Sample>
      </Samples>
    </Section>
  );
}
