/** One proposal: what the assistant noticed, the evidence, the exact action, and the decision. */
import type { AgentProposal } from '@portal/contract/agent.ts';
import type { ReactNode } from 'react';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeOutcome, describeProposedAction } from './action-text.ts';
import styles from './agent.module.css';

type Fact = AgentProposal['facts'][number];

const SOURCES = {
  hmrc: 'HMRC',
  statement: 'imported statement',
  companies_house: 'Companies House',
  rule: 'by rule',
  practice: 'your records',
} as const satisfies Record<Fact['source'], string>;

function getFactLink(companyId: string, { page }: Fact, clientId: string): string {
  const company = { company_id: companyId };
  switch (page) {
    case 'client':
      return getPageLink('clientDashboard', { ...company, client_id: clientId });
    case 'vat':
    case 'papers':
      return getPageLink('clientDashboard', { ...company, client_id: clientId, tab: page });
    case 'tasks':
      return getPageLink('workItems', { ...company, owner: 'all', client_id: clientId });
    case 'messages':
      return getPageLink('practiceMessages', company);
    case 'statements':
      return getPageLink('taxStatements', company);
    case 'team':
      return `${getPageLink('practiceSettings', company).replace('/settings?', '/settings/team?')}`;
  }
}

function ProposalEvidence({ companyId, proposal }: { companyId: string; proposal: AgentProposal }) {
  return (
    <Stack as="ul" gap={4} aria-label="Evidence">
      {proposal.facts.map((fact) => (
        <Text as="li" size="small" key={`${fact.label} ${fact.text}`}>
          <TextLink to={getFactLink(companyId, fact, proposal.client.client_id)}>{fact.label}</TextLink>: {fact.text}{' '}
          <Text as="span" size="small" tone="quiet">
            ({SOURCES[fact.source]}
            {fact.as_of !== null && (
              <>
                , <DateText date={fact.as_of} style="short" />
              </>
            )}
            )
          </Text>
        </Text>
      ))}
    </Stack>
  );
}

function getText(action: AgentProposal['act']): string {
  switch (action.kind) {
    case 'note':
      return action.text;
    case 'task':
      return action.notes;
    case 'propose_advance':
      return action.note;
    default:
      return '';
  }
}

/** Why the proposal can't be approved at the moment, with a link to the page where this can be fixed. */
function Problem({ companyId, proposal: { act, client, problem } }: { companyId: string; proposal: AgentProposal }) {
  if (problem === null || act.kind !== 'propose_advance') return null;
  const ids = { company_id: companyId, client_id: client.client_id };
  return (
    <Notice tone="warning" title="This can’t be proposed at the moment">
      {problem} <TextLink to={getPageLink('clientVatReturn', { ...ids, obligation_id: act.obligation_id })}>Open the VAT return</TextLink>
    </Notice>
  );
}

function ExactText({ proposal: { act, filled } }: { proposal: AgentProposal }) {
  const proposalText = filled?.body ?? getText(act);
  if (proposalText === '') return null;
  return (
    <details className={styles.exact}>
      <summary>{filled ? filled.subject : 'Exact text'}</summary>
      <p>{proposalText}</p>
    </details>
  );
}

type ProposalCardProps = { companyId: string; proposal: AgentProposal; select?: ReactNode; children?: ReactNode };

export function ProposalCard({ companyId, proposal, select, children }: ProposalCardProps) {
  const { title, client, rule_name: rule, rule_version: version, proposed_by: proposedBy, decided_at: decidedAt, state } = proposal;
  const isDecided = state !== 'open' && state !== 'acting';
  return (
    <Stack as="li" gap={8} className={styles.card}>
      <Row gap={8} align="start" wrap={false}>
        {select}
        <Stack gap={4}>
          <Heading level={3} size="part">
            {title}
          </Heading>
          <Text size="small">
            <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: client.client_id })}>{client.name}</TextLink>
          </Text>
        </Stack>
      </Row>
      <ProposalEvidence companyId={companyId} proposal={proposal} />
      <Text>{describeProposedAction(proposal)}</Text>
      <ExactText proposal={proposal} />
      <Problem companyId={companyId} proposal={proposal} />
      <Row gap={8}>
        {proposal.is_safe && <StateChip label="Stays within your practice and can be undone" icon="lock" tone="success" />}
        {proposal.wording === 'model' && <StateChip label="Reworded by a model" icon="file" tone="secondary" />}
        {proposal.wording === 'person' && <StateChip label="Edited" icon="person" tone="secondary" />}
      </Row>
      {isDecided && (
        <Text size="small">
          {describeOutcome(proposal)}
          {decidedAt !== null && (
            <>
              , <InstantText at={decidedAt} />
            </>
          )}
        </Text>
      )}
      {state === 'acting' && <Text size="small">In progress. If it’s still here in a minute, approve it again. It won’t run twice.</Text>}
      <Text size="small" tone="quiet">
        {proposedBy === null ? `Rule “${rule}”, version ${version}` : `Proposed by ${proposedBy}`}
      </Text>
      {children}
    </Stack>
  );
}
