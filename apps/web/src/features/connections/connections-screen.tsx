/** All connections, their status and how to fix them: HMRC, books and bank account of each company, and the person's sign-in methods. */
import { connectionsApi, type CompanyConnections } from '@portal/contract/connections.ts';
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { useOtherWork } from '../../core/other-work.ts';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { formatSortCode } from '../../lib/format-sort-code.ts';
import { DateText, InstantText } from '../../ui/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { ConnectionRow } from './connection-row.tsx';
import { HmrcConnection } from './hmrc-connection.tsx';
import { SignInConnections } from './sign-in-connections.tsx';

export function ConnectionsScreen() {
  const query = useQuery(apiQuery(connectionsApi.list, {}));
  return (
    <Page
      title="Connections"
      maxWidth="text"
      lead="What we are allowed to read or use for you, how each connection is, and how to mend it."
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
        {({ companies, sign_in }) => (
          <Box sx={{ display: 'grid', gap: 4 }}>
            {companies.length === 0 && <NoCompany />}
            {companies.map((company) => (
              <Company key={company.company_id} company={company} />
            ))}
            <SignInConnections signIn={sign_in} />
          </Box>
        )}
      </LoadState>
    </Page>
  );
}

function Company({ company }: { company: CompanyConnections }) {
  const { company_id, name, books, bank_account: bank } = company;
  const id = `company-${company_id}`;
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="h2" sx={{ mb: 2, overflowWrap: 'anywhere' }}>
        {name}
      </Typography>
      <Box sx={{ bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1 }}>
        <HmrcConnection company={company} />
        <ConnectionRow
          icon="file"
          title="Books"
          state={
            books === null
              ? { label: 'No books yet', icon: 'warning', tone: 'warning' }
              : books.flagged > 0
                ? { label: `${books.flagged} ${books.flagged === 1 ? 'row' : 'rows'} to check`, icon: 'warning', tone: 'warning' }
                : { label: 'Up to date', icon: 'check', tone: 'success' }
          }
          action={{ label: books === null ? 'Upload your books' : 'Upload newer books', to: pageLink('stepBookkeeping', { company_id }) }}
          isMain={books === null && company.hmrc.status === 'connected'}
        >
          {books === null ? (
            'We compute your return from a file of your transactions. Without one there is nothing to file.'
          ) : (
            <FactList
              facts={[
                { label: 'File', value: books.file_name },
                { label: 'Transactions', value: books.rows.toLocaleString('en-GB') },
                ...(books.first_date && books.last_date
                  ? [
                      { label: 'From', value: <DateText date={books.first_date} /> },
                      { label: 'To', value: <DateText date={books.last_date} /> },
                    ]
                  : []),
                { label: 'Uploaded', value: <InstantText at={books.uploaded_at} /> },
              ]}
            />
          )}
        </ConnectionRow>
        <ConnectionRow
          icon="bank"
          title="Bank account"
          state={
            bank === null
              ? { label: 'No account yet', icon: 'warning', tone: 'warning' }
              : { label: 'Added', icon: 'check', tone: 'success' }
          }
          action={{ label: bank === null ? 'Add the account' : 'Change the account', to: pageLink('stepBankAccount', { company_id }) }}
        >
          {bank === null ? (
            'Where we pay your refunds. We cannot take money from it.'
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
              A change holds payments for 24 hours.
            </>
          )}
        </ConnectionRow>
      </Box>
    </Box>
  );
}

function NoCompany() {
  const work = useOtherWork();
  if (work !== undefined) {
    return (
      <Typography>
        You have no company of your own here, so none is connected. {work.meaning}{' '}
        <Link component={RouterLink} to={work.to}>
          {work.action}
        </Link>
      </Typography>
    );
  }
  return (
    <Box sx={{ p: 3, bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Typography variant="h2">No company is connected</Typography>
      <Typography sx={{ mt: 1, mb: 2 }}>Add your company, then connect HMRC, your books and your bank account.</Typography>
      <Button component={RouterLink} to={`${PAGES.stepCompany.path}?existing_user=1`}>
        Add a company
      </Button>
    </Box>
  );
}
