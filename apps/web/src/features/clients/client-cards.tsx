/** The client list on a phone, one card for each client. Cards are as high as their text needs. Only visible cards are rendered. */
import type { ClientRow } from '@portal/contract/clients.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { NEED_LABELS } from '../../lib/client-labels.ts';
import { StateChip } from '../../ui/state-chip.tsx';
import { ClientName, NextDue } from './client-columns.tsx';

type ClientCardsProps = {
  companyId: string;
  today: PlainDate;
  rows: readonly ClientRow[];
  total: number | undefined;
  selected: ReadonlySet<string>;
  onSelect: ((selected: ReadonlySet<string>) => void) | undefined;
  isLoadingMore: boolean;
  loadMore: (() => void) | undefined;
};

/** Estimated height until a card has been rendered and measured. */
const ESTIMATED_CARD_PX = 132;
const LOAD_AHEAD_CARDS = 15;

export function ClientCards({ companyId, today, rows, total, selected, onSelect, isLoadingMore, loadMore }: ClientCardsProps) {
  const list = useRef<HTMLUListElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ESTIMATED_CARD_PX,
    overscan: 6,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const drawn = virtual.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastDrawn >= rows.length - LOAD_AHEAD_CARDS) loadMore();
  }, [loadMore, isLoadingMore, lastDrawn, rows.length]);
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect?.(next);
  };
  return (
    <Box
      component="ul"
      ref={list}
      aria-label="Clients"
      aria-busy={isLoadingMore}
      sx={{ listStyle: 'none', m: 0, p: 0, position: 'relative', height: virtual.getTotalSize() }}
    >
      {drawn.map((item) => {
        const row = rows[item.index];
        return row ? (
          <Box
            component="li"
            key={row.client_id}
            aria-setsize={total ?? rows.length}
            aria-posinset={item.index + 1}
            ref={virtual.measureElement}
            data-index={item.index}
            sx={{ position: 'absolute', top: 0, left: 0, right: 0, pb: 1 }}
            style={{ transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
          >
            <Card
              row={row}
              today={today}
              companyId={companyId}
              isSelected={selected.has(row.client_id)}
              toggle={onSelect && (() => toggle(row.client_id))}
            />
          </Box>
        ) : null;
      })}
    </Box>
  );
}

type CardProps = { row: ClientRow; today: PlainDate; companyId: string; isSelected: boolean; toggle: (() => void) | undefined };

function Card({ row, today, companyId, isSelected, toggle }: CardProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 1,
        p: 1.5,
        border: 1,
        borderColor: isSelected ? 'primary.tone' : 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, display: 'grid', alignContent: 'start', gap: 0.5, fontSize: '0.875rem' }}>
        <Typography component="div" sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          <ClientName row={row} companyId={companyId} />
        </Typography>
        {/* Don't truncate: people open the list to see what is late and how much. */}
        <Box sx={{ '& span': { whiteSpace: 'normal' } }}>
          {row.next_due_on === null ? 'Nothing due' : <NextDue row={row} today={today} />}
        </Box>
        <Box sx={{ color: 'text.secondary' }}>{amountsText(row)}</Box>
        <Box>
          <StateChip {...NEED_LABELS[row.attention]} />
        </Box>
      </Box>
      {toggle && (
        <Checkbox
          checked={isSelected}
          onChange={toggle}
          slotProps={{ input: { 'aria-label': `Select ${row.name}` } }}
          sx={{ alignSelf: 'flex-start', m: -0.5 }}
        />
      )}
    </Box>
  );
}

function amountsText(row: ClientRow): string {
  const parts = [
    row.owed_pence > 0 ? `Owes ${formatPounds(row.owed_pence)}` : '',
    row.overdue_pence > 0 ? `${formatPounds(row.overdue_pence)} overdue` : '',
    row.refund_pence > 0 ? `${formatPounds(row.refund_pence)} back` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Owes nothing' : parts.join(', ');
}
