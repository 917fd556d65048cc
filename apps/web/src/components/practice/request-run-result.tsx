import type { RequestRun } from '@portal/contract/authorisation-requests.ts';
import type { RequestOutcome } from '@portal/domain/authorisations/request-outcome.ts';
import { formatClientCount, getClientLink } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { Stack } from '../../ui/layout.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** `fix`: what the user can do about the outcome. Only outcomes with a fix list example clients. */
const OUTCOMES: Readonly<Record<RequestOutcome, { readonly label: string; readonly fix?: string }>> = {
  created: { label: 'request created' },
  pending: { label: 'already had a request at HMRC: the link is in your list' },
  authorised: { label: 'already authorised' },
  insolvent: { label: 'insolvent', fix: 'Contact the insolvency practitioner.' },
  no_reference: { label: 'without a reference', fix: 'Add the VAT or National Insurance number.' },
  no_fact: { label: 'without a detail HMRC checks', fix: 'Add the VAT registration date or the postcode.' },
  wrong_fact: { label: 'rejected by HMRC', fix: 'The VAT registration date or postcode doesn’t match HMRC’s records. Correct it.' },
  refused: { label: 'rejected by HMRC', fix: 'Check the client’s number.' },
  failed: { label: 'not created', fix: 'HMRC’s service didn’t respond. Try again later.' },
};

const REASONS = {
  connection_ended: 'Your HMRC connection ended. Reconnect HMRC, then create the remaining requests.',
  cancelled: 'You stopped it. Requests already created are still valid.',
  internal: 'Something went wrong on our side. Create the remaining requests again.',
} as const;

/** The progress or result of a run that creates requests. */
export function RequestRunResult({ companyId, run }: { companyId: string; run: RequestRun }) {
  const doneCount = run.total - run.queued;
  const taxName = TAX_NAMES[run.tax];
  return (
    <Stack gap={8}>
      <Text role="status" weight="medium">
        {run.ended_at === null ? 'Creating ' : ''}
        {taxName} requests: {doneCount.toLocaleString('en-GB')} of{' '}
        <TextLink to={getRunLink(companyId, `requests:${run.run_id}`)}>{formatClientCount(run.total)}</TextLink> done
      </Text>
      {run.ended_at === null && <Progress percent={(doneCount / run.total) * 100} label={`${taxName} requests`} />}
      {run.reason !== null && <Text tone="warning">{REASONS[run.reason]}</Text>}
      <ul aria-label={`Results of the ${taxName} requests`}>
        {run.outcomes.map(({ outcome, clients, examples }) => {
          const { label, fix } = OUTCOMES[outcome];
          return (
            <li key={outcome}>
              <TextLink to={getRunLink(companyId, `requests_${outcome}:${run.run_id}`)}>{formatClientCount(clients)}</TextLink>: {label}.{' '}
              {fix !== undefined && (
                <>
                  {fix} For example: <Examples companyId={companyId} examples={examples} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}

const getRunLink = (companyId: string, action: string): string => getPageLink('practiceClients', { company_id: companyId, action });

function Examples({ companyId, examples }: { companyId: string; examples: RequestRun['outcomes'][number]['examples'] }) {
  return examples.map(({ client_id: id, name }, place) => {
    const to = getClientLink(companyId, id);
    return (
      <span key={id}>
        {place > 0 && ', '}
        {to === undefined ? name : <TextLink to={to}>{name}</TextLink>}
      </span>
    );
  });
}
