import { authorisationRequestsApi, REQUEST_LINKS_FILE_PATH } from '@portal/contract/authorisation-requests.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { REQUEST_EMAIL_LABELS } from '@portal/domain/authorisations/request-email.ts';
import { type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getClientLink } from '../../lib/client-labels.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { EmailRequestButton } from './email-request-button.tsx';
import { isUnderWay, needsPerson, RequestEmailStatus } from './request-email-status.tsx';
import styles from './request-links.module.css';

type PendingLink = EndpointOutput<typeof authorisationRequestsApi.links>['links'][number];

/** Beyond this, the links are only in the file, which contains all of them. */
const MAX_SHOWN = 100;
const POLL_MS = 3_000;

/** The links for all pending requests for a tax, with their email status, to copy or download. */
export function RequestLinks({ companyId, tax }: { companyId: string; tax: AgentTax }) {
  const { data } = useQuery({
    ...apiQuery(authorisationRequestsApi.links, { company_id: companyId, tax }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.links.some(({ emailed }) => isUnderWay(emailed)) === true ? POLL_MS : false),
  });
  const profile = useQuery(apiQuery(practiceApi.accountantProfile, { company_id: companyId }));
  if (!data) return null;
  const count = data.links.length;
  if (count === 0) return <Text tone="quiet">No links for {TAX_NAMES[tax]} are waiting for a response.</Text>;
  // Tab-separated, so that it pastes into two columns of a spreadsheet.
  const linksText = data.links.map(({ name, url }) => `${name}\t${url}`).join('\n');
  const href = `${PORTAL_BASE}${REQUEST_LINKS_FILE_PATH}?${new URLSearchParams({ company_id: companyId, tax })}`;
  // Links that someone must act on come first, then the rest by name.
  const sorted = data.links.toSorted((a, b) => Number(needsPerson(b.emailed)) - Number(needsPerson(a.emailed)));
  return (
    <Stack gap={8}>
      <Text>
        {count === 1 ? '1 link is waiting' : `${count.toLocaleString('en-GB')} links are waiting`} for a response for {TAX_NAMES[tax]}:{' '}
        {countByState(data.links)}.
      </Text>
      <details>
        <summary>Show the {count === 1 ? 'client' : 'clients'}</summary>
        <ul className={styles.clients} aria-label={`Clients with a link for ${TAX_NAMES[tax]}`}>
          {sorted.slice(0, MAX_SHOWN).map((link) => (
            <li key={link.client_id} className={styles.client}>
              <ClientLink companyId={companyId} tax={tax} link={link} />
            </li>
          ))}
        </ul>
        {count > MAX_SHOWN && (
          <Text tone="quiet">And {(count - MAX_SHOWN).toLocaleString('en-GB')} more. The downloaded file includes all of them.</Text>
        )}
      </details>
      <Row gap={8}>
        <CopyButton text={linksText} label={count === 1 ? 'Copy link with name' : 'Copy all links'} what={`for ${TAX_NAMES[tax]}`} />
        {profile.data?.permissions.includes('export') && (
          <Button size="small" variant="outlined" href={href} download>
            Download links (CSV)
          </Button>
        )}
      </Row>
    </Stack>
  );
}

/** Returns for example "280 emailed, 12 no email address". */
function countByState(links: readonly PendingLink[]): string {
  const counts = new Map<string, number>();
  for (const { emailed } of links) {
    const label = (emailed === null ? 'Not emailed' : REQUEST_EMAIL_LABELS[emailed.status]).toLowerCase().replace('hmrc', 'HMRC');
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].map(([label, count]) => `${count.toLocaleString('en-GB')} ${label}`).join(', ');
}

function ClientLink({ companyId, tax, link }: { companyId: string; tax: AgentTax; link: PendingLink }) {
  const { client_id: clientId, name, url, emailed } = link;
  const to = getClientLink(companyId, clientId);
  return (
    <Stack gap={8}>
      <Text>{to === undefined ? name : <TextLink to={to}>{name}</TextLink>}</Text>
      <RequestEmailStatus email={emailed} />
      <Row gap={8}>
        <EmailRequestButton companyId={companyId} clientId={clientId} tax={tax} email={emailed} what={`for ${name}`} />
        <CopyButton text={url} label="Copy link" what={`for ${name}`} />
      </Row>
    </Stack>
  );
}
