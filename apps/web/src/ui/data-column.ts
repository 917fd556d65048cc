/** The columns of a table and the order of its rows. */
import type { ReactNode } from 'react';

export type DataColumn<Row> = {
  readonly id: string;
  readonly title: string;
  readonly width: number;
  readonly align?: 'right';
  /** Its name in the order that the list is asked in. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
};

export type DataOrder = { readonly sort: string; readonly direction: 'asc' | 'desc' };
