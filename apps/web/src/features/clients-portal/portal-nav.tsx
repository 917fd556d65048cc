import { clientText } from '../../lib/client-texts/client-texts.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { PracticeBrand } from './practice-brand.tsx';

type PortalNavProps = { current: 'taxes' | 'papers' | 'messages'; companyId: string };

/** The practice's name, and links to the pages of a client's company. Settings are in the header's menu. */
export function PortalNav({ current, companyId }: PortalNavProps) {
  const company = { company_id: companyId };
  return (
    <>
      <PracticeBrand companyId={companyId} />
      <PillTabs
        label={clientText('nav.label')}
        current={current}
        tabs={[
          { key: 'taxes', label: clientText('nav.taxes'), to: getPageLink('clientsPortalDashboard', company) },
          { key: 'papers', label: clientText('nav.papers'), to: getPageLink('clientsPortalPapers', company) },
          { key: 'messages', label: clientText('nav.messages'), to: getPageLink('clientsPortalMessages', company) },
        ]}
      />
    </>
  );
}
