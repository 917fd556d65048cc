/** The advances of a queue, those waiting longest first, each linked to its page. A list of cards on a phone. */
import { pageLink } from '../../lib/page-link.ts';
import { BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ADVANCE_CHIPS } from './advance-labels.ts';
import styles from './advance-table.module.css';
import type { QueuedAdvance } from './operator-outputs.ts';
import { getQueuedPendingAction } from './pending-action.ts';

export function AdvanceTable({ advances }: { advances: readonly QueuedAdvance[] }) {
  const narrow = useMediaQuery(BELOW.md);
  const oldestFirst = advances.toSorted((a, b) => (a.since < b.since ? -1 : 1));
  return narrow ? <Cards advances={oldestFirst} /> : <Rows advances={oldestFirst} />;
}

function AdvanceLink({ advance }: { advance: QueuedAdvance }) {
  return (
    <TextLink to={pageLink('adminAdvance', { company_id: advance.company_id, advance_id: advance.advance_id })} className={styles.company}>
      {advance.company_name}
    </TextLink>
  );
}

function Rows({ advances }: { advances: readonly QueuedAdvance[] }) {
  return (
    <Table label="Advances" dense flush className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Company</th>
          <th scope="col">Status</th>
          <th scope="col">Next step</th>
          <th scope="col">Status since</th>
          <th scope="col" data-numeric>
            Refund
          </th>
          <th scope="col" data-numeric>
            Payout
          </th>
        </tr>
      </thead>
      <tbody>
        {advances.map((advance) => (
          <tr key={advance.advance_id}>
            <th scope="row">
              <AdvanceLink advance={advance} />
            </th>
            <td>
              <StateChip {...ADVANCE_CHIPS[advance.state]} />
            </td>
            <td>{getQueuedPendingAction(advance) ?? 'None'}</td>
            <td data-nowrap>
              <InstantText at={advance.since} />
            </td>
            <td data-numeric>
              <MoneyText pence={advance.refund_pence} size="table" />
            </td>
            <td data-numeric>
              <MoneyText pence={advance.net_pence} size="table" />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Cards({ advances }: { advances: readonly QueuedAdvance[] }) {
  return (
    <Stack as="ul" gap={0} aria-label="Advances" className={styles.cards}>
      {advances.map((advance) => {
        const nextStep = getQueuedPendingAction(advance);
        return (
          <li key={advance.advance_id}>
            <div className={styles.cardHead}>
              <AdvanceLink advance={advance} />
              <StateChip {...ADVANCE_CHIPS[advance.state]} />
            </div>
            <dl className={styles.amounts}>
              <dt>Refund</dt>
              <dd>
                <MoneyText pence={advance.refund_pence} size="table" />
              </dd>
              <dt>Payout</dt>
              <dd>
                <MoneyText pence={advance.net_pence} size="table" />
              </dd>
            </dl>
            {nextStep !== undefined && <Text size="small">{nextStep}</Text>}
            <Text size="small" tone="quiet">
              Since <InstantText at={advance.since} />
            </Text>
          </li>
        );
      })}
    </Stack>
  );
}
