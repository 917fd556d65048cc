import { PAGES } from '@portal/contract/pages.ts';
import { DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { MenuEntry } from '../../ui/menu-entry.tsx';
import { MenuScreen } from '../../ui/menu-screen.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useToast } from '../../ui/toast.tsx';
import { VerticalMenu } from '../../ui/vertical-menu.tsx';
import { listMobileEntries, listSlideOutEntries, type MenuContext } from '../menu-entries.ts';
import { Sample, Samples, Section } from './section.tsx';

/** The shell's menus with a sample user, and their parts. */
export function MenuSamples() {
  const toast = useToast();
  const logOut = () => toast('success', 'You logged out');
  const createContextAt = (pathname: string, companies: number): MenuContext => ({
    pathname,
    search: '',
    session: { status: 'signed_in', person: { type: 'trader' } },
    companies,
    companyId: '',
    logOut,
  });
  const top: readonly MenuEntry[] = [
    { label: 'Home', to: PAGES.home.path, isCurrent: true },
    { label: 'Profile', to: PAGES.profile.path },
    { label: 'Data policy', href: `/portal${PAGES.privacy.path}`, opensNewTab: true },
  ];
  const bottom: readonly MenuEntry[] = [{ label: 'Log out', onChoose: logOut }];
  const tick = <Icon name="checkCircle" tone="success" size={20} />;
  return (
    <>
      <Section
        id="dropdown-menu"
        title="Dropdown menu"
        lead="A top and a bottom list with a divider between them. Opens and closes in 150 ms."
      >
        <Samples>
          <Sample name="Text button">
            <DropdownMenu label="Account" top={top} bottom={bottom} />
          </Sample>
          <Sample name="Icon button">
            <DropdownMenu label="More" icon={<Icon name="menu" />} top={top} bottom={bottom} />
          </Sample>
          <Sample name="One list only">
            <DropdownMenu label="Export" top={[{ label: 'CSV', onChoose: () => toast('success', 'CSV selected') }]} />
          </Sample>
        </Samples>
      </Section>
      <Section id="menu-screen" title="Menu screen" lead="A heading, an optional divider, a list of outlined buttons.">
        <Samples minWidth={320}>
          <Sample name="Default heading, no divider" flush>
            <MenuScreen headingLevel={3} entries={[...top, ...bottom]} />
          </Sample>
          <Sample name="Mobile layout: with divider and the green tick" flush>
            <MenuScreen
              headingLevel={3}
              heading="Mobile menu"
              divided
              entries={listMobileEntries(createContextAt(PAGES.dashboard.path, 1), tick)}
            />
          </Sample>
          <Sample name="Slide-out menu, one company" flush>
            <MenuScreen
              headingLevel={3}
              heading="One company"
              divided
              entries={listSlideOutEntries(createContextAt(PAGES.dashboard.path, 1))}
            />
          </Sample>
          <Sample name="Slide-out menu, several companies" flush>
            <MenuScreen
              headingLevel={3}
              heading="Several companies"
              divided
              entries={listSlideOutEntries(createContextAt(PAGES.dashboard.path, 2))}
            />
          </Sample>
        </Samples>
      </Section>
      <Section id="vertical-menu" title="Vertical menu" lead="Text buttons with dividers.">
        <Samples>
          <Sample name="With the current page" flush>
            <VerticalMenu label="Sample of a vertical menu" entries={[...top, ...bottom]} />
          </Sample>
        </Samples>
      </Section>
      <Section id="progress-bar" title="Progress bar" lead="A centred bar with a label.">
        <Samples>
          <Sample name="Indeterminate" flush>
            <ProgressBar label="Reading your VAT periods" />
          </Sample>
          <Sample name="96 of 118" flush>
            <ProgressBar label="Refreshing VAT for 118 clients: 96 done" percent={81} />
          </Sample>
        </Samples>
      </Section>
    </>
  );
}
