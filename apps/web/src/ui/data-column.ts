/** Columns and sort order of a data table. */
import type { ReactNode } from 'react';

export type DataColumn<Row> = {
  readonly id: string;
  readonly title: string;
  /** The minimum width in px. Columns share the remaining width. */
  readonly width: number;
  readonly align?: 'right';
  /** This column's name in the list API's `sort` parameter. Undefined if the list can't be sorted by this column. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
};

export type DataOrder = { readonly sort: string; readonly direction: 'asc' | 'desc' };
