import { authorisationRequestsApi, REQUEST_LINKS_FILE_PATH } from '@portal/contract/authorisation-requests.ts';
import { practiceApi } from '@portal/contract/practice.ts';
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

/** The links of all pending requests for a tax, to copy or download. We send nothing to the clients. */
export function RequestLinks({ companyId, tax }: { companyId: string; tax: AgentTax }) {
  const { data } = useQuery({ ...apiQuery(authorisationRequestsApi.links, { company_id: companyId, tax }), staleTime: 0 });
  const profile = useQuery(apiQuery(practiceApi.accountantProfile, { company_id: companyId }));
  if (!data) return null;
  const count = data.links.length;
  if (count === 0) return <Text tone="quiet">No links for {TAX_NAMES[tax]} are waiting for a client.</Text>;
  // Tab-separated, so that they paste into two columns of a spreadsheet.
  const text = data.links.map(({ name, url }) => `${name}\t${url}`).join('\n');
  const href = `${PORTAL_BASE}${REQUEST_LINKS_FILE_PATH}?${new URLSearchParams({ company_id: companyId, tax })}`;
  return (
    <Stack gap={8}>
      <Text>
        {count === 1 ? '1 link is' : `${count.toLocaleString('en-GB')} links are`} ready for {TAX_NAMES[tax]}. We haven’t sent{' '}
        {count === 1 ? 'it' : 'them'} to your clients.
      </Text>
      <details>
        <summary>Show the {count === 1 ? 'client' : 'clients'}</summary>
        <ul aria-label={`Clients with a link for ${TAX_NAMES[tax]}`}>
          {data.links.map(({ client_id: id, name }) => {
            const to = getClientLink(companyId, id);
            return <li key={id}>{to === undefined ? name : <TextLink to={to}>{name}</TextLink>}</li>;
          })}
        </ul>
      </details>
      <Row gap={8}>
        <CopyButton text={text} what={`links for ${TAX_NAMES[tax]}`} />
        {profile.data?.permissions.includes('export') && (
          <Button size="small" variant="outlined" href={href} download>
            Download links (CSV)
          </Button>
        )}
      </Row>
    </Stack>
  );
}
