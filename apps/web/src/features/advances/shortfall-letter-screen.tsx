/** A letter about a shortfall, as it was emailed. Can be printed as a letter. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { DetailList } from './detail-list.tsx';

export function ShortfallLetterScreen() {
  const { companyId } = useCompanyId();
  const [search] = useSearchParams();
  const letterId = search.get('letter_id') ?? '';
  const isNamed = companyId !== '' && letterId !== '';
  const query = useQuery({ ...apiQuery(shortfallsApi.letter, { company_id: companyId, letter_id: letterId }), enabled: isNamed });
  return (
    <Page
      title={query.data?.heading ?? 'Letter'}
      lead={<TextLink to={getPageLink('dashboard', companyId === '' ? {} : { company_id: companyId })}>Back to the dashboard</TextLink>}
      actions={
        query.data && (
          <Button variant="outlined" onClick={() => window.print()}>
            Print
          </Button>
        )
      }
    >
      {isNamed ? (
        <LoadState query={query}>
          {(letter) => (
            <SectionCard>
              <Stack>
                <Text tone="quiet">
                  To {letter.company_name}, <InstantText at={letter.at} />
                </Text>
                {letter.paragraphs.map((paragraph) => (
                  <Text key={paragraph} measure>
                    {paragraph}
                  </Text>
                ))}
                <DetailList details={letter.facts.map(({ label, value }) => ({ name: label, value }))} />
              </Stack>
            </SectionCard>
          )}
        </LoadState>
      ) : (
        <Notice tone="warning" title="Letter not found">
          Open the letter from your refund’s page.
        </Notice>
      )}
    </Page>
  );
}
