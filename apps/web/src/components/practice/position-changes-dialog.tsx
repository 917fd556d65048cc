/** The clients whose figures have changed since yesterday, each with what changed. */
import { POSITION_CHANGES_PAGE, positionChangesApi } from '@portal/contract/position-changes.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getClientLink } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
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
  onClose: () => void;
};

export function PositionChangesDialog({ companyId, tax, onClose }: PositionChangesDialogProps) {
  const [from, setFrom] = useState(0);
  const query = useQuery({
    ...apiQuery(positionChangesApi.list, { company_id: companyId, from, ...(tax === undefined ? {} : { tax }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <ModalDialog open heading="What changed since yesterday" onClose={onClose}>
      <LoadState query={query} skeleton={<TableSkeleton rows={5} />}>
        {({ since, total, changes }) => (
          <Stack>
            <Text tone="quiet">
              {total === 0
                ? `No figures have changed since the start of ${formatDate(since)}.`
                : `Changed since the start of ${formatDate(since)}: ${total.toLocaleString('en-GB')}, the newest first. Each line compares the figures of then and now.`}
            </Text>
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
            {total > POSITION_CHANGES_PAGE && (
              <Row gap={8}>
                <Button
                  size="small"
                  variant="outlined"
                  disabled={from === 0}
                  onClick={() => setFrom(Math.max(0, from - POSITION_CHANGES_PAGE))}
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
                  disabled={from + POSITION_CHANGES_PAGE >= total}
                  onClick={() => setFrom(from + POSITION_CHANGES_PAGE)}
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
