/** Possible matches with sanctions and PEP lists, shown only to the money laundering reporting officer. */
import { screeningApi } from '@portal/contract/screening.ts';
import { useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Text } from '../../ui/text.tsx';
import { SuspicionCard } from './suspicion-card.tsx';

export function ScreeningScreen() {
  const query = useQuery(apiQuery(screeningApi.list, {}));
  return (
    <Page title="Screening" lead="Companies and people who may be on a sanctions list or politically exposed">
      <LoadState query={query}>
        {({ suspicions, overdue_companies: overdueCompanies, last_screened_at: lastAt }) => (
          <Stack gap={24}>
            <Notice tone="warning" title="Don’t tell the company or your colleagues">
              Traders and other operators only see that checks are in progress. Telling them about a screening match can be an offence
              (Proceeds of Crime Act 2002, section 333A).
            </Notice>
            {overdueCompanies > 0 && (
              <Notice
                tone="error"
                title={`${overdueCompanies} ${overdueCompanies === 1 ? 'company is' : 'companies are'} overdue for screening`}
              >
                We won’t pay them until they’ve been screened.
              </Notice>
            )}
            <Text tone="quiet">
              {lastAt === null ? (
                'No companies have been screened yet.'
              ) : (
                <>
                  Last screening: <InstantText at={lastAt} />.
                </>
              )}
            </Text>
            {suspicions.length === 0 && <Text>No possible matches. New ones appear here automatically.</Text>}
            {suspicions.map((suspicion) => (
              <SuspicionCard key={suspicion.suspicion_id} suspicion={suspicion} />
            ))}
          </Stack>
        )}
      </LoadState>
    </Page>
  );
}
