/** Closes the user's account, or with `?of=` a company's or practice's: what prevents it, what ends, what is kept, and the confirmation. */
import { dataProtectionApi, type ClosingBlocker } from '@portal/contract/data-protection.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { DateText } from '../../components/formats/date-text.tsx';
import { useSession } from '../../core/session.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { deleteSavedCompanyId } from '../../lib/saved-company-id.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';

type PersonClosing = EndpointOutput<typeof dataProtectionApi.personClosing>;
type AccountKind = 'person' | 'company' | 'practice';

const TITLES: Readonly<Record<AccountKind, string>> = {
  person: 'Close your account',
  company: 'Close company account',
  practice: 'Close practice account',
};

export function CloseAccountScreen() {
  const [search] = useSearchParams();
  const companyId = search.get('company_id') ?? '';
  const companyParam = search.get('of');
  const accountKind: AccountKind =
    companyId !== '' && (companyParam === 'company' || companyParam === 'practice') ? companyParam : 'person';
  const query = useClosing(accountKind, companyId);
  return (
    <Page title={TITLES[accountKind]} maxWidth="text" lead="This can’t be undone.">
      <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
        {(closing) => (
          <Stack gap={24}>
            {closing.blockers.length > 0 ? (
              <Blockers blockers={closing.blockers} companyId={companyId} />
            ) : (
              <Notice tone="info" title="Download what you want to keep first">
                You can’t download anything once the account is closed.{' '}
                <TextLink to={getDataPage(accountKind, companyId)}>Go to your data</TextLink>
              </Notice>
            )}
            <SectionCard title="What happens">
              <PointList points={closing.ends} icon="info" tone="info" />
            </SectionCard>
            <KeptData kept={closing.kept} />
            {closing.blockers.length === 0 && <Confirmation of={accountKind} companyId={companyId} confirmWith={closing.confirm_with} />}
          </Stack>
        )}
      </LoadState>
    </Page>
  );
}

function useClosing(accountKind: AccountKind, companyId: string) {
  const company = { company_id: companyId };
  const personQuery = useQuery({ ...apiQuery(dataProtectionApi.personClosing, {}), enabled: accountKind === 'person' });
  const trader = useQuery({ ...apiQuery(dataProtectionApi.companyClosing, company), enabled: accountKind === 'company' });
  const practice = useQuery({ ...apiQuery(dataProtectionApi.practiceClosing, company), enabled: accountKind === 'practice' });
  return { person: personQuery, company: trader, practice }[accountKind];
}

function getDataPage(accountKind: AccountKind, companyId: string): string {
  if (accountKind === 'practice') return `${getSettingsPath('practice')}?${new URLSearchParams({ company_id: companyId })}`;
  return getPageLink('profile', accountKind === 'person' ? { tab: 'details' } : { tab: 'company', company_id: companyId });
}

const CONTACT_LINK = { page: 'contact', label: 'Contact us' } as const;
const REFUND_LINK = { page: 'advance', label: 'Go to your refund' } as const;
const BLOCKER_LINKS: Partial<Readonly<Record<ClosingBlocker, typeof CONTACT_LINK | typeof REFUND_LINK>>> = {
  advance: REFUND_LINK,
  shortfall: REFUND_LINK,
  direct_debit: REFUND_LINK,
  owed: CONTACT_LINK,
  undecided_payment: CONTACT_LINK,
  operator: CONTACT_LINK,
};

function Blockers({ blockers, companyId }: { blockers: PersonClosing['blockers']; companyId: string }) {
  return (
    <Notice tone="warning" title="You can’t close the account yet" role="status">
      <Stack as="ul" gap={8}>
        {blockers.map(({ kind, text, first }) => (
          <li key={text}>
            {text} <BlockerLink link={BLOCKER_LINKS[kind]} first={first} companyId={companyId} />
          </li>
        ))}
      </Stack>
    </Notice>
  );
}

type BlockerLinkProps = {
  link: typeof CONTACT_LINK | typeof REFUND_LINK | undefined;
  first: PersonClosing['blockers'][number]['first'];
  companyId: string;
};

function BlockerLink({ link, first, companyId }: BlockerLinkProps) {
  if (first !== null) return <TextLink to={getPageLink('closeAccount', first)}>Close it</TextLink>;
  if (link === undefined) return null;
  return <TextLink to={getPageLink(link.page, link.page === 'advance' ? { company_id: companyId } : {})}>{link.label}</TextLink>;
}

function KeptData({ kept }: { kept: PersonClosing['kept'] }) {
  return (
    <SectionCard title="What we must keep">
      <Stack as="ul" gap={16}>
        {kept.map(({ what, why, until }) => (
          <li key={what}>
            <Text weight="medium">{what}</Text>
            <Text size="small">
              {until === null ? (
                'Never deleted'
              ) : (
                <>
                  Deleted on <DateText date={until} />
                </>
              )}
            </Text>
            <Text size="small" tone="quiet">
              {why}
            </Text>
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}

function Confirmation({ of, companyId, confirmWith }: { of: AccountKind; companyId: string; confirmWith: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { check } = useSession();
  const form = useContractForm<typeof dataProtectionApi.closePerson, { confirm_with: string }>(dataProtectionApi.closePerson, {
    idPrefix: 'close',
    defaults: { confirm_with: '' },
    send: async (input) => {
      if (of === 'person') {
        await apiRequest(dataProtectionApi.closePerson, input);
        localStorage.clear();
        sessionStorage.clear();
        // The next page notifies other tabs. It loads as a new document, so that none of the account's data stays in memory.
        globalThis.location.assign(`${PORTAL_BASE}${PAGES.accountClosed.path}`);
        return;
      }
      const endpoint = of === 'company' ? dataProtectionApi.closeCompany : dataProtectionApi.closePractice;
      await apiRequest(endpoint, { ...input, company_id: companyId });
      deleteSavedCompanyId(companyId);
      await check();
      await navigate(PAGES.home.path, { replace: true });
      queryClient.clear();
      toast('success', `${confirmWith} has been closed. We’ve emailed you what this means.`);
    },
  });
  return (
    <SectionCard title="Confirm">
      <FormPanel form={form} submitLabel={TITLES[of]} busyLabel="Closing…">
        <FormField
          form={form}
          name="confirm_with"
          label={of === 'person' ? 'Your email' : 'Name'}
          hint={`Type ${confirmWith} to confirm`}
          autoComplete="off"
        />
      </FormPanel>
    </SectionCard>
  );
}
