/** All connections, their status and how to fix them: HMRC, books and bank account of each company, and the user's sign-in methods. */
import { connectionsApi, type CompanyConnections } from '@portal/contract/connections.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { useOtherHome } from '../../core/other-home.ts';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ConnectionRow } from './connection-row.tsx';
import { BooksRow } from './books-row.tsx';
import { HmrcConnection } from './hmrc-connection.tsx';
import { SignInConnections } from './sign-in-connections.tsx';
import styles from './connections-screen.module.css';

export function ConnectionsScreen() {
  const query = useQuery(apiQuery(connectionsApi.list, {}));
  return (
    <Page title="Connections" maxWidth="text" lead="See and manage your connections to HMRC, your books and your bank account.">
      <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
        {({ companies, sign_in }) => (
          <Stack gap={32}>
            {companies.length === 0 && <NoCompany />}
            {companies.map((company) => (
              <Company key={company.company_id} company={company} />
            ))}
            <SignInConnections signIn={sign_in} />
          </Stack>
        )}
      </LoadState>
    </Page>
  );
}

function Company({ company }: { company: CompanyConnections }) {
  const { company_id, name, bank_account: bank } = company;
  const id = `company-${company_id}`;
  return (
    <section aria-labelledby={id}>
      <Stack gap={16}>
        <Heading level={2} id={id} className={styles.company}>
          {name}
        </Heading>
        <TextLink to={getPageLink('companyPeople', { company_id })}>
          People with access<HiddenText> to {name}</HiddenText>
        </TextLink>
        <div className={styles.connections}>
          <HmrcConnection company={company} />
          <BooksRow company={company} />
          <ConnectionRow
            icon="bank"
            title="Bank account"
            state={
              bank === null
                ? { label: 'No account yet', icon: 'warning', tone: 'warning' }
                : { label: 'Added', icon: 'check', tone: 'success' }
            }
            action={{
              label: bank === null ? 'Add account' : 'Change account',
              to: getPageLink('stepBankAccount', { company_id, ...(bank === null ? {} : { from: 'connections' }) }),
              companyId: company_id,
              access: 'company.manage',
            }}
          >
            {bank === null ? (
              'We’ll pay your refunds into this account. We can’t take money from it.'
            ) : (
              <>
                <FactList
                  facts={[
                    { label: 'Account holder', value: bank.account_holder },
                    { label: 'Sort code', value: formatSortCode(bank.sort_code) },
                    { label: 'Account number', value: `Ends in ${bank.account_number_end}` },
                    { label: 'Since', value: <InstantText at={bank.since} /> },
                  ]}
                />
                <div>After a change, payments pause for 24 hours.</div>
              </>
            )}
          </ConnectionRow>
        </div>
      </Stack>
    </section>
  );
}

function NoCompany() {
  const home = useOtherHome();
  if (home !== undefined) {
    return (
      <Text>
        You don’t have a company of your own here. {home.meaning} <TextLink to={home.to}>{home.action}</TextLink>
      </Text>
    );
  }
  return (
    <SectionCard title="No companies yet">
      <Stack gap={16} align="start">
        <Text>Add your company, then connect HMRC, your books and your bank account.</Text>
        <Button to={`${PAGES.stepCompany.path}?existing_user=1`}>Add a company</Button>
      </Stack>
    </SectionCard>
  );
}
