/** Previews the creation of authorisation requests. Each number links to the clients that it counts. */
import type { authorisationRequestsApi } from '@portal/contract/authorisation-requests.ts';
import type { RequestPlanFilter } from '@portal/contract/client-filter-values.ts';
import type { ClientSelection } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { SkipReason } from '@portal/domain/authorisations/request-outcome.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { formatClientCount, getClientLink } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type Preview = EndpointOutput<typeof authorisationRequestsApi.preview>;

const SKIP_LABELS: Readonly<Record<SkipReason, string>> = {
  in_vat_group: 'don’t have VAT of their own, because another member represents their VAT group',
  no_tax: 'don’t have this tax',
  not_current: 'inactive or closed',
  authorised: 'already authorised',
  pending: 'waiting for the client: the link is in your list',
  insolvent: 'insolvent: HMRC doesn’t accept requests',
  no_reference: 'without a VAT or National Insurance number',
  no_fact: 'without the VAT registration date or postcode HMRC checks',
};

/** How many names the sentence contains at most. The number links to all the clients. */
const MAX_NAMED = 5;

type RequestPreviewProps = { companyId: string; tax: AgentTax; selection: ClientSelection; preview: Preview; emailsClients: boolean };

export function RequestPreview({ companyId, tax, selection, preview, emailsClients }: RequestPreviewProps) {
  const { ready, sample, skipped, minutes, without_email: withoutEmail } = preview;
  const namedSample = sample.slice(0, MAX_NAMED);
  const moreCount = ready - namedSample.length;
  const count = (plan: 'ready' | SkipReason, clients: number) => (
    <PlannedCount companyId={companyId} selection={selection} plan={`${tax}:${plan}`} count={clients} />
  );
  return (
    <Stack gap={8}>
      <Text role="status">
        {ready === 0 ? (
          'None of these clients needs a request for this tax.'
        ) : (
          <>
            {count('ready', ready)} will get a request: {namedSample.map(({ name }) => name).join(', ')}
            {moreCount > 0 ? ` and ${moreCount.toLocaleString('en-GB')} more` : ''}.
          </>
        )}
      </Text>
      {selection.matching === undefined && moreCount > 0 && (
        <ClientNames label="All clients that will get a request" companyId={companyId} clients={sample} />
      )}
      {skipped.length > 0 && (
        <ul aria-label="Clients without a request">
          {skipped.map(({ reason, clients, sample: names }) => (
            <li key={reason}>
              {count(reason, clients)} {SKIP_LABELS[reason]}
              {selection.matching === undefined && <ClientNames label="Show these clients" companyId={companyId} clients={names} />}
            </li>
          ))}
        </ul>
      )}
      {ready > 0 && (
        <Text tone="quiet">
          We’ll create a link for each client at HMRC, which takes about{' '}
          {minutes === 1 ? 'a minute' : `${minutes.toLocaleString('en-GB')} minutes`}
          {emailsClients
            ? `, and email it. ${describeWithoutEmail(withoutEmail, ready)}`
            : '. Nothing is sent to your clients: copy or download the links and send them yourself.'}
        </Text>
      )}
    </Stack>
  );
}

function describeWithoutEmail(count: number, total: number): string {
  if (count === 0) return '';
  if (count === total)
    return `${total === 1 ? 'This client has' : 'These clients have'} no email address, so you’ll need to send the link yourself.`;
  return `${formatClientCount(count)} ${count === 1 ? 'has' : 'have'} no email address: you’ll need to send ${count === 1 ? 'its link' : 'their links'} yourself.`;
}

type PlannedCountProps = { companyId: string; selection: ClientSelection; plan: RequestPlanFilter; count: number };

/** A filter can't link to clients that were ticked individually, so the dialog lists their names instead. */
function PlannedCount({ companyId, selection, plan, count }: PlannedCountProps) {
  const clientCountText = formatClientCount(count);
  const { filters } = selection.matching ?? {};
  // Some filters can't be combined, for example those for two taxes.
  if (!filters || (filters.request_plan !== undefined && filters.request_plan !== plan)) return clientCountText;
  const query = Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return (
    <TextLink to={getPageLink('practiceClients', { ...query, company_id: companyId, request_plan: plan })}>{clientCountText}</TextLink>
  );
}

function ClientNames({ companyId, label, clients }: { companyId: string; label: string; clients: Preview['sample'] }) {
  return (
    <details>
      <summary>{label}</summary>
      <ul aria-label={label}>
        {clients.map(({ client_id: id, name }) => {
          const to = getClientLink(companyId, id);
          return <li key={id}>{to === undefined ? name : <TextLink to={to}>{name}</TextLink>}</li>;
        })}
      </ul>
    </details>
  );
}
