/** One advance beside the list: what it is waiting for, the rules to check, its assignee, and the notes. */
import type { DeskRow } from '@portal/contract/desk.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { formatInstant, type Instant } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { IconButton } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ADVANCE_CHIPS, getActorName } from './advance-labels.ts';
import styles from './desk-details.module.css';
import { describePromise, describeStep, STEP_CHIPS } from './desk-labels.ts';
import { NotesList } from './notes-list.tsx';
import { useAssign, useOperators } from './use-desk.ts';

type DeskDetailsProps = {
  row: DeskRow;
  now: Instant;
  isBeside: boolean;
  noteField: RefObject<HTMLTextAreaElement | null>;
  onClose: () => void;
};

export function DeskDetails({ row, now, isBeside, noteField, onClose }: DeskDetailsProps) {
  const body = <Details row={row} now={now} noteField={noteField} />;
  if (!isBeside) {
    return (
      <ModalDialog open heading={row.company_name} onClose={onClose}>
        {body}
      </ModalDialog>
    );
  }
  return (
    <aside aria-label={`Details of ${row.company_name}`} className={styles.panel}>
      <Row justify="between" wrap={false} align="start">
        <Heading level={2} className={styles.title}>
          {row.company_name}
        </Heading>
        <IconButton label="Hide details" onClick={onClose}>
          <Icon name="close" size={20} />
        </IconButton>
      </Row>
      {body}
    </aside>
  );
}

function Details({ row, now, noteField }: Pick<DeskDetailsProps, 'row' | 'now' | 'noteField'>) {
  const ids = { company_id: row.company_id, advance_id: row.advance_id };
  const promise = describePromise(row, now);
  return (
    <Stack gap={16}>
      <Stack gap={8}>
        <Row gap={8}>
          <StateChip {...STEP_CHIPS[row.step]} />
          <StateChip {...ADVANCE_CHIPS[row.state]} />
        </Row>
        <Text size="small">{describeStep(row)}</Text>
      </Stack>
      <FactList
        facts={[
          { label: 'Refund', value: formatPounds(row.refund_pence) },
          { label: 'Payout', value: formatPounds(row.net_pence) },
          ...(row.outstanding_pence > 0 ? [{ label: 'Outstanding', value: formatPounds(row.outstanding_pence) }] : []),
          { label: 'Period', value: `${formatDate(row.period_start, 'short')} to ${formatDate(row.period_end, 'short')}` },
          ...(promise && row.pay_by ? [{ label: 'Promise', value: `${promise.text} (pay by ${formatInstant(row.pay_by)})` }] : []),
          ...(row.state === 'awaiting_hmrc' ? [{ label: 'Expected from HMRC by', value: formatDate(row.repayment_expected_on) }] : []),
          { label: 'VAT number', value: row.vrn === null ? 'None' : formatVrn(row.vrn) },
        ]}
      />
      <Owner row={row} />
      <Row gap={16}>
        <TextLink to={getPageLink('adminAdvance', ids)}>Open advance</TextLink>
        <TextLink to={getPageLink('adminCompany', { company_id: row.company_id })}>Open company</TextLink>
      </Row>
      <RulesToCheck row={row} />
      <NotesList companyId={row.company_id} subjectId={row.advance_id} field={noteField} />
    </Stack>
  );
}

const UNASSIGNED = '';

function Owner({ row }: { row: DeskRow }) {
  const operators = useOperators();
  const assign = useAssign();
  return (
    <Stack gap={4}>
      <label htmlFor="desk-owner" className={styles.label}>
        Owner
      </label>
      <Select
        id="desk-owner"
        small
        value={row.assigned_to?.user_id ?? UNASSIGNED}
        disabled={assign.isPending}
        onChange={({ target }) => assign.mutate({ rows: [row], operatorId: target.value === UNASSIGNED ? null : target.value })}
      >
        <option value={UNASSIGNED}>Unassigned</option>
        {operators.map(({ user_id, name, is_you }) => (
          <option key={user_id} value={user_id}>
            {is_you ? `${name} (you)` : name}
          </option>
        ))}
      </Select>
      {assign.error && (
        <Text size="small" tone="error" role="alert">
          {getErrorText(assign.error)}
        </Text>
      )}
    </Stack>
  );
}

/** Rules that didn't simply pass, and the latest state change. */
function RulesToCheck({ row }: { row: DeskRow }) {
  const { data, error } = useQuery({
    ...apiQuery(operatorsApi.advance, { company_id: row.company_id, advance_id: row.advance_id }),
    staleTime: 10_000,
  });
  if (error) {
    return (
      <Text size="small" tone="error">
        {getErrorText(error)}
      </Text>
    );
  }
  if (!data) return <LineSkeleton width="80%" height={20} />;
  const unmetRules = data.advance.rules.filter(({ outcome }) => outcome === 'fail' || outcome === 'review');
  const last = data.history.at(-1);
  return (
    <Stack gap={12}>
      {unmetRules.length === 0 ? (
        <Text size="small">Every rule passed.</Text>
      ) : (
        <DetailPart title="Rules to check">
          {unmetRules.map(({ rule, finding }) => (
            <li key={rule}>{finding}</li>
          ))}
        </DetailPart>
      )}
      {data.payout_hold && <DetailPart title="On hold">{[<li key="hold">{data.payout_hold}</li>]}</DetailPart>}
      {last && (
        <DetailPart title="Last change">
          {[
            <li key="last">
              {last.reason}
              <Text size="small" tone="quiet">
                {formatInstant(last.at)} by {getActorName(last.actor)}
              </Text>
            </li>,
          ]}
        </DetailPart>
      )}
    </Stack>
  );
}

function DetailPart({ title, children }: { title: string; children: readonly ReactNode[] }) {
  return (
    <div>
      <p className={styles.label}>{title}</p>
      <ul className={styles.list}>{children}</ul>
    </div>
  );
}
