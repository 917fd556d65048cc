/** The client list on phones: one card per client, as high as its text needs. Only visible cards are rendered. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import type { ClientRow } from '@portal/contract/clients.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import { describeNothingDue, formatOwedAmounts, NeedChip } from '../../components/practice/figures-label.tsx';
import { BareCheckbox } from '../../ui/choice.tsx';
import { measureRendered } from '../../ui/measure-rendered.ts';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import styles from './client-cards.module.css';
import { ClientName, NextDue } from './client-columns.tsx';
import { isFilteredByDate, listMatchedColumns, MatchedLines } from './matched-items.tsx';

type ClientCardsProps = {
  companyId: string;
  today: PlainDate;
  /** The list's filters, which decide the figures that the cards show. */
  filters: ClientFilters;
  rows: readonly ClientRow[];
  total: number | undefined;
  selected: ReadonlySet<string>;
  onSelect: ((selectedIds: ReadonlySet<string>) => void) | undefined;
  isLoadingMore: boolean;
  loadMore: (() => void) | undefined;
};

/** Estimated height until a card has been rendered and measured. */
const ESTIMATED_CARD_PX = 132;
const LOAD_AHEAD_CARDS = 15;

export function ClientCards({ companyId, today, filters, rows, total, selected, onSelect, isLoadingMore, loadMore }: ClientCardsProps) {
  const list = useRef<HTMLUListElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ESTIMATED_CARD_PX,
    overscan: 3,
    scrollMargin: list.current?.offsetTop ?? 0,
    measureElement: measureRendered,
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastIndex >= rows.length - LOAD_AHEAD_CARDS) loadMore();
  }, [loadMore, isLoadingMore, lastIndex, rows.length]);
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect?.(next);
  };
  return (
    <ul
      ref={list}

      aria-label="Clients"
      aria-busy={isLoadingMore}
      className={styles.list}
      style={{ height: virtual.getTotalSize() }}
    >
      {items.map((item) => {
        const row = rows[item.index];
        return row ? (
          <li
            key={row.client_id}
            aria-setsize={total ?? rows.length}
            aria-posinset={item.index + 1}
            ref={virtual.measureElement}
            data-index={item.index}
            className={styles.item}
            style={{ transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
          >
            <Card
              row={row}
              today={today}
              filters={filters}
              companyId={companyId}
              isSelected={selected.has(row.client_id)}
              toggle={onSelect && (() => toggle(row.client_id))}
            />
          </li>
        ) : null;
      })}
    </ul>
  );
}

/** Placeholder while the cards load. */
export function ClientCardsSkeleton() {
  return (
    <div className={styles.list}>
      {Array.from({ length: 8 }, (_, card) => (
        <div key={card} className={styles.placeholder}>
          <LineSkeleton width={`${70 - (card % 3) * 12}%`} height={24} />
          <LineSkeleton width="85%" height={20} />
          <LineSkeleton width="45%" height={20} />
        </div>
      ))}
    </div>
  );
}

type CardProps = {
  row: ClientRow;
  today: PlainDate;
  filters: ClientFilters;
  companyId: string;
  isSelected: boolean;
  toggle: (() => void) | undefined;
};

function Card({ row, today, filters, companyId, isSelected, toggle }: CardProps) {
  const { tax } = filters;
  const figures = tax === undefined ? row : { ...row, taxes: [tax] };
  return (
    <div className={clsx(styles.card, isSelected && styles.selected)}>
      <div className={styles.facts}>
        <div className={styles.name}>
          <ClientName row={row} companyId={companyId} />
        </div>
        <div className={styles.due}>
          {isFilteredByDate(filters) ? (
            <MatchedLines row={row} today={today} />
          ) : row.next_due_on === null ? (
            describeNothingDue(row.figures_state)
          ) : (
            <NextDue row={row} today={today} />
          )}
        </div>
        {listMatchedColumns(filters).map(({ id, title, text }) => text && <div key={id}>{`${title}: ${text(row)}`}</div>)}
        <div className={styles.amounts}>{formatOwedAmounts(figures, today)}</div>
        <div>
          <NeedChip figures={figures} attention={row.attention} today={today} isShort />
        </div>
      </div>
      {toggle && (
        <div className={styles.tick}>
          <BareCheckbox label={`Select ${row.name}`} checked={isSelected} onChange={toggle} />
        </div>
      )}
    </div>
  );
}
