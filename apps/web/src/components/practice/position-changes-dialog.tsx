/** Lists clients whose figures have changed since yesterday or were read for the first time, with the changes. */
import { POSITION_CHANGES_PAGE_SIZE, type POSITION_CHANGE_GROUPS, positionChangesApi } from '@portal/contract/position-changes.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getClientLink } from '../../lib/client-labels.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { InstantText } from '../formats/date-text.tsx';

type PositionChangesDialogProps = {
  companyId: string;
  /** Limits the list to one tax. */
  tax?: Tax | undefined;
  group: (typeof POSITION_CHANGE_GROUPS)[number];
  onClose: () => void;
};

const HEADINGS = { changed: 'What changed since yesterday', first: 'First figures received' } as const;

export function PositionChangesDialog({ companyId, tax, group, onClose }: PositionChangesDialogProps) {
  const [from, setFrom] = useState(0);
  const query = useQuery({
    ...apiQuery(positionChangesApi.list, { company_id: companyId, group, from, ...(tax === undefined ? {} : { tax }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <ModalDialog open heading={HEADINGS[group]} onClose={onClose}>
      <LoadState query={query} skeleton={<TableSkeleton rows={5} />}>
        {({ since, totals: { [group]: total }, changes }) => (
          <Stack>
            <Text tone="quiet">{getLead(group, formatDate(since), total)}</Text>
            <Stack as="ul" gap={12} aria-label="Changed figures">
              {changes.map(({ client_id: id, name, tax: changedTax, changed_at: at, details }) => {
                const to = getClientLink(companyId, id);
                return (
                  <li key={`${id} ${changedTax}`}>
                    <Text weight="bold">
                      {to === undefined ? name : <TextLink to={to}>{name}</TextLink>} · {TAX_NAMES[changedTax]}
                    </Text>
                    {details.map(({ kind, text }) => (
                      <Text key={`${kind} ${text}`}>{text}</Text>
                    ))}
                    <Text size="small" tone="quiet">
                      <InstantText at={at} />
                    </Text>
                  </li>
                );
              })}
            </Stack>
            {total > POSITION_CHANGES_PAGE_SIZE && (
              <Row gap={8}>
                <Button
                  size="small"
                  variant="outlined"
                  disabled={from === 0}
                  onClick={() => setFrom(Math.max(0, from - POSITION_CHANGES_PAGE_SIZE))}
                >
                  Newer
                </Button>
                <Text>
                  {(from + 1).toLocaleString('en-GB')} to {(from + changes.length).toLocaleString('en-GB')} of{' '}
                  {total.toLocaleString('en-GB')}
                </Text>
                <Button
                  size="small"
                  variant="outlined"
                  disabled={from + POSITION_CHANGES_PAGE_SIZE >= total}
                  onClick={() => setFrom(from + POSITION_CHANGES_PAGE_SIZE)}
                >
                  Older
                </Button>
              </Row>
            )}
          </Stack>
        )}
      </LoadState>
    </ModalDialog>
  );
}

/** Each entry in the list is one tax of a client. */
function getLead(group: PositionChangesDialogProps['group'], since: string, total: number): string {
  const number = total.toLocaleString('en-GB');
  if (group === 'first') return `First figures received for a client’s tax since the start of ${since}: ${number}.`;
  if (total === 0) return `No figures have changed since the start of ${since}.`;
  return `Changed since the start of ${since}: ${number}, newest first. Each line compares the figures then and now.`;
}
